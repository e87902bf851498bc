#!/usr/bin/env python3
"""Fails if a program asks the loader for more than the C library.   needs_only_libc.py PROGRAM

The program must run on another machine: it loads NVRTC, the CUDA driver, X11 and OpenGL at run time.
"""
import re
import subprocess
import sys

ALLOWED = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}

dynamic = subprocess.run(["readelf", "--dynamic", "--wide", sys.argv[1]], stdout=subprocess.PIPE, text=True, check=True).stdout
needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic))
if not needed:
    sys.exit("readelf names no library at all: is this a program?")
if needed - ALLOWED:
    sys.exit(f"{sys.argv[1]} needs {', '.join(sorted(needed - ALLOWED))}")
versions = subprocess.run(["readelf", "--version-info", "--wide", sys.argv[1]], stdout=subprocess.PIPE, text=True, check=True).stdout
newest = max(((int(a), int(b)) for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", versions)), default=(0, 0))
print(f"needs {', '.join(sorted(needed))}; glibc {newest[0]}.{newest[1]} or newer")
