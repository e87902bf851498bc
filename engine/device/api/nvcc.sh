#!/bin/sh
# The nvcc that a program under `lanescope exec` finds: the one that LANESCOPE_NVCC names, but where machine code alone is
# asked for, which nothing here can run, PTX lies in its file. Its version tells the two apart for those who keep results.
output= instead= source=
for word in "$@"; do
  shift
  case $word in
    --cubin | -cubin) instead=yes; word=-ptx ;;
    -o* | --output-file*) output=yes ;;
    *.cu) source=${word##*/} ;;
    --version | -V) "$LANESCOPE_NVCC" --version && echo "PTX in place of machine code: lanescope exec"; exit ;;
  esac
  set -- "$@" "$word"
done
if [ "$instead" ] && [ -z "$output" ]; then set -- "$@" -o "${source%.cu}.cubin"; fi
exec "$LANESCOPE_NVCC" "$@"
