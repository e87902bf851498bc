"""Runs suites of a GoogleTest program, each in a process of its own, and counts their cases."""
import collections
import concurrent.futures
import os
import re
import subprocess
import threading


def suites_in(file):
    """The suites that a file of tests defines."""
    return sorted(set(re.findall(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST)\(\s*(\w+)", file.read_text(), re.MULTILINE)))


class Suites:
    def __init__(self, command, environment, most_seconds=1200, starts=1):
        """starts: how often a suite's process is started at most, if it fails before it says a word."""
        self.command, self.environment, self.most_seconds, self.starts = command, environment, most_seconds, starts
        self.passed, self.failed, self.skipped = 0, [], collections.defaultdict(list)  # skipped: by reason
        self.lock = threading.Lock()

    def listed(self):
        """Names that end in a dot; "Sim/AluOpcode/0." is an instance of the suite AluOpcode."""
        done = subprocess.run([*self.command, "--gtest_list_tests"], stdout=subprocess.PIPE, env=self.environment)
        if done.returncode != 0:
            raise OSError(f"{self.command[-1]} does not start: {done.stdout.decode(errors='replace')[-2000:]}")
        lines = done.stdout.decode().splitlines()
        return [line.split()[0] for line in lines if line[:1].strip() and line.split()[0].endswith(".")]

    def run(self, suites):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(self._run, suites))

    def add(self, name, code, said):
        """What a process printed that ran cases, or a whole check, `name`. Lines of a program of Windows end with CR LF."""
        said = said.replace("\r\n", "\n")
        bad = sorted(set(re.findall(r"^\[  FAILED  \] (\w\S*\.\w[^\s,]*)", said, re.MULTILINE)))
        if code != 0 and not bad:
            began = re.findall(r"^\[ RUN      \] (\S+)", said, re.MULTILINE)
            bad = [f"{began[-1] if began else name} (the process ended with {code})"]
        with self.lock:
            self.passed += len(re.findall(r"^\[       OK \]", said, re.MULTILINE))
            for reason, case in re.findall(r": Skipped\n(.*?)\n+\[  SKIPPED \] (\S+)", said, re.DOTALL):
                self.skipped[" ".join(reason.split())].append(case)
            self.failed += bad
            if bad:
                print(said[-6000:], flush=True)

    def sum_up(self, name):
        """The exit code."""
        for reason, names in sorted(self.skipped.items()):
            print(f"skipped, {reason}: {', '.join(names)}")
        for one in self.failed:
            print(f"FAILED {one}")
        print(f"{name}: {self.passed} passed, {sum(map(len, self.skipped.values()))} skipped, {len(self.failed)} failed")
        return 1 if self.failed or not self.passed else 0

    def _run(self, suite):
        command = [*self.command, f"--gtest_filter={suite}*"]
        try:
            for further in reversed(range(self.starts)):
                done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=self.environment, timeout=self.most_seconds)
                if done.returncode == 0 or done.stdout or not further:
                    break
                print(f"{suite}* ended with {done.returncode} before its first word, and is started again", flush=True)
            self.add(suite, done.returncode, done.stdout.decode(errors="replace"))
        except subprocess.TimeoutExpired as late:
            self.add(suite, f"nothing within {self.most_seconds} s", (late.stdout or b"").decode(errors="replace"))
