"""Stands in for pytest where mflowgen checks the conditions of a step.

mflowgen writes them as tests into a script that calls pytest.main. Starting pytest for two
assertions takes five times as long as these do, at every step of every run; what they say if they
fail is the same. By hand, in a build folder of mflowgen, it is pytest that checks them.
"""

import runpy
import traceback
from collections.abc import Sequence


def main(arguments: Sequence[str]) -> int:
    """Call the tests of the script that is named last; 0 if there are any, and none fails."""
    script = runpy.run_path(arguments[-1], run_name="conditions")
    tests = {name: test for name, test in script.items() if name.startswith("test_")}
    failed = 0
    for name, test in tests.items():
        try:
            test()
        except Exception as error:
            failed += 1
            line = traceback.extract_tb(error.__traceback__)[-1].line
            says = "".join(traceback.format_exception_only(error)).strip()
            print(f"FAILED {name}", f">   {line}", f"E   {says}", sep="\n")
            if not str(error):
                print(f"E   {line}")
    print(f"{len(tests) - failed} passed, {failed} failed")
    return int(failed > 0 or not tests)
