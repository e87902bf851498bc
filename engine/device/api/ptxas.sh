#!/bin/sh
# The ptxas that Triton finds under `lanescope exec` (TRITON_PTXAS_PATH): the PTX itself lies in the output file, because
# nothing here can run machine code. Triton keeps results by the text of --version, so that its own are not mixed with
# these.
output=elf.o source=
while [ $# -gt 0 ]; do
  case $1 in
    --version | -V)
      if [ "$LANESCOPE_NVCC" ]; then "$LANESCOPE_NVCC" --version; else echo "Cuda compilation tools, release 13.0, V13.0.88"; fi
      echo "PTX in place of machine code: lanescope exec"
      exit ;;
    -o | --output-file) output=$2; shift ;;
    -*) ;;
    *) source=$1 ;;
  esac
  shift
done
if [ -z "$source" ]; then echo "ptxas of lanescope exec: a PTX file is missing" >&2; exit 255; fi
exec cp -- "$source" "$output"
