"""Where tasks are measured: in processes of this machine, or by the workers of a cluster."""

from collections.abc import Sequence
from dataclasses import dataclass

from eval.study.sweep import Progress, cores, run_tasks
from eval.tasks.answering import ask
from eval.tasks.task import Row, Task
from sim.errors import UserError


@dataclass(frozen=True)
class Engine:
    """Runs tasks: in so many processes, with a Dask cluster of so many workers that it starts, or
    on the cluster of the scheduler at an address. Of the three at most one is given."""

    jobs: int | None = None
    workers: int | None = None
    scheduler: str | None = None

    def __post_init__(self) -> None:
        given = [name for name, value in vars(self).items() if value is not None]
        if len(given) > 1:
            first, second = given[:2]
            raise UserError(
                f"--{second}: --{first} says already where rows are made; leave one out"
            )

    @property
    def on_cluster(self) -> bool:
        """Whether Dask's workers measure."""
        return self.workers is not None or self.scheduler is not None

    def run(
        self, tasks: Sequence[Task], on_progress: Progress = lambda done, running: None
    ) -> list[Row]:
        """Run all tasks and return their rows in order; RunError names every task that failed."""
        ask([*tasks])
        if not self.on_cluster:
            return run_tasks(tasks, self.jobs or cores(), on_progress)
        from eval.study.cluster import cluster_at, cluster_of, reporting_loss, run_on_cluster

        workers = self.workers or cores()
        cluster = cluster_at(self.scheduler) if self.scheduler else cluster_of(workers)
        with reporting_loss(), cluster as client:
            return run_on_cluster(client, tasks, on_progress)
