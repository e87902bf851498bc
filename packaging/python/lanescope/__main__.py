"""python -m lanescope …: becomes the program itself."""
import os
import sys

from ._program import program_path

program = program_path()
os.execv(program, [program, *sys.argv[1:]])
