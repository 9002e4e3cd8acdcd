"""A cluster of this machine's workers, while somebody else has the port of Dask's dashboard."""

import contextlib
import socket
import warnings

from eval.study.cluster import cluster_of

DASHBOARD = 8787  # Dask's


def test_no_word_of_a_port_that_is_taken():
    with socket.socket() as other, warnings.catch_warnings():
        with contextlib.suppress(OSError):  # somebody else has it: as well
            other.bind(("", DASHBOARD))
            other.listen()
        warnings.simplefilter("error")
        with cluster_of(1) as client:
            assert client.submit(sum, [2, 3]).result() == 5
