"""python -m lanescope …: becomes the program itself. Windows has no such thing: there this process waits for it."""
import os
import subprocess
import sys

from ._program import program_path

program = program_path()
if os.name == "nt":
    sys.exit(subprocess.call([program, *sys.argv[1:]]))
os.execv(program, [program, *sys.argv[1:]])
