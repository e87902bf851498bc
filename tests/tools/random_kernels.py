#!/usr/bin/env python3
"""Random CUDA kernels whose result does not depend on the order of warps, and their expected buffers, computed with g++.

    random_kernels.py --seed 17 --kernels 10 -o FOLDER     writes FOLDER/seed17.cu, with `// run:` lines,
                                                           and FOLDER/seed17.out: FNV-1a of each buffer, by the host
    random_kernels.py --seed 17 --try build/headless/lanescope
                                                           also runs each under the program and compares byte by byte

The same seed gives the same kernels. They have no undefined behaviour: signed arithmetic that could overflow is unsigned, indices
are masked, every value read was written, an exchange names exactly the lanes that arrive, and shared data of blocks and
warps is combined by operations whose order does not matter. Floating point uses only operations whose result IEEE 754 (or
CUDA's manual, as exact) defines; a NaN is only tested for being one. cuda_on_host.h is the host's side.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

from random_kernel.kernel import Kernel
from random_kernel.prelude import COMMON, COPIES, GUARDED, HALF_COMMON, HALF_HEADERS, TYPES, ptx_wrapper

HERE = os.path.dirname(os.path.abspath(__file__))


class File:
    """Kernels that are compiled together: the text for CUDA, and the text for the host."""

    def __init__(self, seed, count, arch=90, only=None, size=90):
        self.seed = seed
        self.kernels = []
        texts = []
        for i in range(count):
            kernel = Kernel(random.Random(f"{seed} {i}"), f"k{seed}_{i}", arch, size)
            text = kernel.text()
            if only is None or kernel.name in only:
                self.kernels.append(kernel)
                texts.append(text)
        halves = any(k.halves for k in self.kernels)
        names = sorted(set().union(*(k.ptx for k in self.kernels)))
        shared = COMMON + (HALF_COMMON if halves else "") + "\n" + "\n".join(texts)
        self.cuda = (f"// Made by tests/tools/random_kernels.py --seed {seed} --kernels {count} --size {size}: what each must leave in its buffers stands in the .out beside it.\n"
                     + (HALF_HEADERS if halves else "") + TYPES + (GUARDED if any(k.guards for k in self.kernels) else "") + (COPIES if any(k.copies for k in self.kernels) else "") + "".join(map(ptx_wrapper, names)) + shared)
        launches = "\n".join(k.host_launch() for k in self.kernels)
        self.host = (f'#include "{HERE}/cuda_on_host.h"\n' + shared +
                     "\nint main(int count, char** arguments) {\n  using namespace cuda_on_host;\n"
                     "  const char* const folder = count > 1 ? arguments[1] : nullptr;\n" + launches + "\n}\n")


GXX = ["g++", "-std=c++17", "-O0", "-w", "-frounding-math", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing", "-fpermissive"]


def host_answers(file, folder, keep=False):
    """Compiles and runs the host's side; returns its output lines. With `keep`, it writes the buffers' bytes into `folder`."""
    source, program = os.path.join(folder, "host.cpp"), os.path.join(folder, "host")
    with open(source, "w") as out:
        out.write(file.host)
    subprocess.run(GXX + [source, "-o", program], check=True)
    ran = subprocess.run([program] + ([folder] if keep else []), capture_output=True, text=True)
    if ran.returncode != 0:
        raise RuntimeError(f"the host's side failed: {ran.stderr.strip()[:500]}")
    return ran.stdout


def try_kernel(program, path, kernel, folder, extra):
    """Compares the program's buffers with the host's bytes; a list of the differences."""
    line = next(l for l in open(path) if l.startswith("// run: --kernel " + kernel.name + " "))
    command = [program, "trace", path] + line.split()[2:] + extra
    for i in range(1, 7):
        command += ["--write", f"{i}={folder}/{kernel.name}.got{i}"]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode != 0:
        return [f"exit code {ran.returncode}: {ran.stderr.strip()[:2000]}{ran.stdout[-1500:] if '--schedules' in extra else ''}"]
    problems = []
    for i in range(1, 7):
        wanted = open(f"{folder}/{kernel.name}.{i}", "rb").read()
        got = open(f"{folder}/{kernel.name}.got{i}", "rb").read()
        if wanted != got:
            at = next((k for k in range(0, len(wanted), 4) if wanted[k:k + 4] != got[k:k + 4]), -1)
            wrong = sum(wanted[k:k + 4] != got[k:k + 4] for k in range(0, len(wanted), 4))
            problems.append(f"argument {i}: {wrong} of {len(wanted) // 4} words, first word {at // 4}: {got[at:at + 4][::-1].hex()}, host {wanted[at:at + 4][::-1].hex()}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--kernels", type=int, default=10)
    parser.add_argument("--arch", type=int, default=90, help="the oldest architecture that must compile them")
    parser.add_argument("--size", type=int, default=90, help="statements in a kernel, about")
    parser.add_argument("--only", nargs="*", help="kernels to keep, by name")
    parser.add_argument("-o", "--folder", help="where to write the .cu and its .out")
    parser.add_argument("--try", dest="program", help="the lanescope to run them with")
    parser.add_argument("--extra", default="", help="further options of `lanescope trace`, for --try")
    options = parser.parse_args()
    file = File(options.seed, options.kernels, options.arch, options.only, options.size)
    with tempfile.TemporaryDirectory() as scratch:
        answers = host_answers(file, scratch, keep=options.program is not None)
        folder = options.folder or scratch
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, f"seed{options.seed}.cu")
        with open(path, "w") as out:
            out.write(file.cuda)
        if options.folder:
            with open(os.path.join(folder, f"seed{options.seed}.out"), "w") as out:
                out.write("".join(l + "\n" for l in answers.splitlines() if re.fullmatch(r"k\d+_\d+ \d [0-9a-f]{16}", l)))
        wrong = 0
        for kernel in file.kernels if options.program else []:
            for problem in try_kernel(options.program, path, kernel, scratch, options.extra.split()):
                print(f"{kernel.name} ({kernel.flavour}): {problem}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
