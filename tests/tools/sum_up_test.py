#!/usr/bin/env python3
"""What sum_up prints for a ctest log: counts, why cases were skipped, and how each one failed."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SUM_UP = pathlib.Path(__file__).with_name("sum_up")

PASSES = """1/4 Testing: Lanes
[ RUN      ] Lanes.Add
[       OK ] Lanes.Add (0 ms)
[ RUN      ] Lanes.NeedAGpu
lanes_test.cpp:7: Skipped
no GPU here
[  SKIPPED ] Lanes.NeedAGpu (0 ms)
[  PASSED  ] 1 test.
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] Lanes.NeedAGpu
Test Passed.
"""
FAILS = """2/4 Testing: Banks
[ RUN      ] Banks.Conflict
banks_test.cpp:3: Failure
  2 instead of 32
[  FAILED  ] Banks.Conflict (1 ms)
[ RUN      ] Banks.Broadcast
[       OK ] Banks.Broadcast (0 ms)
[----------] 2 tests from Banks (1 ms total)
[  PASSED  ] 1 test.
[  FAILED  ] 1 test, listed below:
[  FAILED  ] Banks.Conflict
Test Failed.
"""
CRASHES = """3/4 Testing: Sectors
[ RUN      ] Sectors.Count
Segmentation fault
Test Failed.
"""
SCRIPT_FAILS = """4/4 Testing: format
sim/warp.cpp is not formatted
Test Failed.
"""


def said_of(log):
    with tempfile.TemporaryDirectory() as build:
        temporary = pathlib.Path(build, "Testing", "Temporary")
        temporary.mkdir(parents=True)
        (temporary / "LastTest.log").write_text(log)
        return subprocess.run([sys.executable, SUM_UP, build], capture_output=True, text=True, check=True).stdout


class SumUp(unittest.TestCase):
    def test_counts_cases_and_checks(self):
        self.assertIn("6 cases: 2 passed, 1 skipped, 3 failed\n", said_of(PASSES + FAILS + CRASHES + SCRIPT_FAILS))

    def test_says_why_a_case_was_skipped(self):
        self.assertIn("skipped 1 case: no GPU here\n", said_of(PASSES))

    def test_names_what_failed_with_what_it_printed(self):
        self.assertIn("failed: Banks.Conflict\n  banks_test.cpp:3: Failure\n    2 instead of 32\n", said_of(FAILS))
        self.assertIn("failed: Sectors.Count\n  Segmentation fault\n", said_of(CRASHES))
        self.assertIn("failed: format\n", said_of(SCRIPT_FAILS))

    def test_is_silent_about_what_passed(self):
        self.assertNotIn("failed:", said_of(PASSES))
        self.assertNotIn("Broadcast", said_of(FAILS))


if __name__ == "__main__":
    unittest.main()
