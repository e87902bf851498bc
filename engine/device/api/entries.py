#!/usr/bin/env python3
"""Makes what the CUDA libraries of Lanescope export from CUDA's own headers.   entries.py CUDA_INCLUDE_FOLDER OUTPUT_FOLDER

For each entry point NAME of a library our function is called lanescope_NAME; the library's NAME is a jump to it.
  renames.h            NAME -> lanescope_NAME: included before the headers, so that these declare, and check, our functions
  missing.cpp          a weak function for each: it counts the call and answers "not supported". A definition replaces it
  LIBRARY.S, .map      the jumps, and the symbols' version
  redirected.inc       REDIRECTED(NAME) for each of the runtime's, of CUDA 12 and 13, sorted: for inside/redirect.cpp
  entries.inc          {"NAME", lanescope_NAME, driver or runtime}: for cuGetProcAddress
  runtime_errors.inc, driver_errors.inc   {9, "cudaErrorInvalidConfiguration"}
  later_names.inc      {"cuMemAlloc", "cuMemAlloc_v2"}: what the header makes of a name
"""
import pathlib
import re
import sys

# Names that the fetched headers do not declare: what nvcc's host code calls, and the profiler's.
UNDECLARED = """__cudaGetKernel __cudaInitModule __cudaLaunchKernel __cudaPopCallConfiguration __cudaPushCallConfiguration
__cudaRegisterFatBinary __cudaRegisterFatBinaryEnd __cudaRegisterFunction __cudaRegisterHostVar __cudaRegisterManagedVar
__cudaRegisterUnifiedTable __cudaRegisterVar __cudaUnregisterFatBinary __cudaGetProcAddress
cudaProfilerStart cudaProfilerStop""".split()
# Of CUDA 12's library alone; programs that were built with its nvcc call them.
OF_CUDA_12 = """cudaSetDoubleForDevice cudaSetDoubleForHost cudaGetDeviceProperties_v2 cudaGetDriverEntryPoint
cudaStreamGetCaptureInfo_v2 cudaThreadExit cudaThreadSynchronize cudaThreadSetLimit cudaThreadGetLimit
cudaThreadGetCacheConfig cudaThreadSetCacheConfig cudaLaunchCooperativeKernelMultiDevice
cudaMemAdvise_v2 cudaMemPrefetchAsync_v2 cudaGraphKernelNodeCopyAttributes cudaGraphAddDependencies_v2
cudaGraphAddNode_v2 cudaGraphGetEdges_v2 cudaGraphNodeGetDependencies_v2 cudaGraphNodeGetDependentNodes_v2
cudaGraphRemoveDependencies_v2 cudaStreamGetCaptureInfo_v3 cudaStreamUpdateCaptureDependencies_v2
cudaEventElapsedTime_v2 cudaSignalExternalSemaphoresAsync_v2 cudaWaitExternalSemaphoresAsync_v2""".split()

# Of the same name in both, but with other parameters: what CUDA 12's library jumps to. The one that nobody defines is of CUDA 11.
OTHERS_IN_CUDA_12 = {"cudaGetDeviceProperties": "cudaGetDeviceProperties_of_11", "cudaMemPrefetchAsync": "cudaMemPrefetchAsync_of_12",
                     "cudaMemAdvise": "cudaMemAdvise_of_12", "cudaPointerGetAttributes": "cudaPointerGetAttributes_of_12",
                     "cudaStreamGetCaptureInfo": "cudaStreamGetCaptureInfo_of_12",
                     "cudaGraphAddDependencies": "cudaGraphAddDependencies_of_12",
                     "cudaGraphAddNode": "cudaGraphAddNode_of_12",
                     "cudaGraphGetEdges": "cudaGraphGetEdges_of_12",
                     "cudaGraphNodeGetDependencies": "cudaGraphNodeGetDependencies_of_12",
                     "cudaGraphNodeGetDependentNodes": "cudaGraphNodeGetDependentNodes_of_12",
                     "cudaGraphRemoveDependencies": "cudaGraphRemoveDependencies_of_12",
                     "cudaStreamUpdateCaptureDependencies": "cudaStreamUpdateCaptureDependencies_of_12"}
OTHERS_IN_CUDA_12 |= {name: f"{name}_of_12" for name in ["cudaMemcpyBatchAsync", "cudaMemcpy3DBatchAsync"]}
OTHERS_IN_CUDA_12 |= {f"{name}_ptsz": what for name, what in OTHERS_IN_CUDA_12.items()}
# Of nvJitLink, whose header is not fetched: under these names, and with the version of each header since 12.0.
JIT_LINK = """Version Create Destroy AddData AddFile Complete GetLinkedCubinSize GetLinkedCubin GetLinkedPtxSize GetLinkedPtx
GetErrorLogSize GetErrorLog GetInfoLogSize GetInfoLog""".split()
RUNTIME_HEADERS = ["cuda_runtime_api", "cuda_gl_interop", "cuda_egl_interop", "cuda_vdpau_interop"]


def text_of(path):
    """Without comments, which name functions too."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(errors="replace"), flags=re.S)


def runtime_names(include):
    text = "".join(text_of(include / f"{one}.h") for one in RUNTIME_HEADERS)
    names = set(re.findall(r"\bCUDARTAPI(?:_CDECL)?\s+(cuda\w+)\s*\(", text)) | set(UNDECLARED)
    own_stream = dict(re.findall(r"#\s*define\s+(\w+)\s+__CUDART_API_(PT[DS][SZ])\(\1\)", text))
    names |= {f"{name}_{kind.lower()}" for name, kind in own_stream.items() if name in names}
    return names | {"__cudaLaunchKernel_ptsz", "cudaLaunchKernel_ptsz", "cudaLaunchKernelExC_ptsz"}


def driver_names(include):
    text = text_of(include / "cuda.h") + text_of(include / "cudaGL.h")
    names = set(re.findall(r"\bCUDAAPI\s+(cu\w+)\s*\(", text)) | {"cuProfilerInitialize", "cuProfilerStart", "cuProfilerStop"}  # the first is of older headers
    later = dict(re.findall(r"#\s*define\s+(cu\w+)\s+(cu\w+_v\d+|cuGraphInstantiateWithFlags)\b", text))
    own_stream = re.findall(r"#\s*define\s+(cu\w+)\s+__CUDA_API_(PT[DS][SZ])\((\w+)\)", text)
    for name, kind, what in own_stream:
        if what != name:
            later[name] = what
        names.add(what)
        names.add(f"{what}_{kind.lower()}")
    return names | set(later.values()), later


def versions(include, names):
    """The nth type that the header has for a function's pointer is that of its nth version."""
    since = {}
    for name, version, stream in re.findall(r"\(\s*CUDAAPI\s*\*\s*PFN_(cu\w+?)_v(\d+)(_pt[ds][sz])?\)", text_of(include / "cudaTypedefs.h")):
        if not stream:
            since.setdefault(name, set()).add(int(version))
    for name, all_of_it in sorted(since.items()):
        for number, version in enumerate(sorted(all_of_it), 1):
            what = name if number == 1 else f"{name}_v{number}"
            what = {"cuGraphInstantiate_v3": "cuGraphInstantiateWithFlags"}.get(what, what)
            if what in names:
                yield name, version, what


def library(out, stem, names, version):
    """`names`: with the one of our function, where that is another."""
    lines = [".text"]
    for name, ours in names.items() if isinstance(names, dict) else zip(names, names):
        lines += [f".globl {name}", f".type {name}, @function", f"{name}:", f"  JUMP(lanescope_{ours})"]
    jump = ("#if defined(__x86_64__)\n#define JUMP(to) jmp to@PLT\n#elif defined(__aarch64__)\n#define JUMP(to) b to\n#endif\n")
    write(out / f"{stem}.S", jump + "\n".join(lines) + '\n.section .note.GNU-stack,"",@progbits\n')
    write(out / f"{stem}.map", f"{version} {{ global: cu*; __cuda*; nvJitLink*; __nvJitLink*; local: *; }};\n")


def write(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    include, out = map(pathlib.Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    runtime = runtime_names(include)
    driver, later = driver_names(include)
    runtime_12 = runtime | set(OF_CUDA_12)
    library(out, "libcudart.so.13", sorted(runtime), "libcudart.so.13")
    library(out, "libcudart.so.12", {name: OTHERS_IN_CUDA_12.get(name, name) for name in sorted(runtime_12)}, "libcudart.so.12")
    library(out, "libcuda.so.1", sorted(driver), "")
    for major in (12, 13):
        names = {f"nvJitLink{what}": f"nvJitLink{what}" for what in JIT_LINK}
        names |= {f"__nvJitLink{what}_{major}_{minor}": f"nvJitLink{what}" for what in JIT_LINK for minor in range(10)}
        library(out, f"libnvJitLink.so.{major}", names | {"__nvJitLinkVersion": "nvJitLinkVersion"}, f"libnvJitLink.so.{major}")
    everything = [(name, "missing_in_runtime") for name in sorted(runtime_12 | set(OTHERS_IN_CUDA_12.values()))] + [(name, "missing_in_driver") for name in sorted(driver)]
    # A name that the header itself replaces by a later one cannot be replaced before.
    write(out / "renames.h", "#pragma once\n" + "".join(f"#define {name} lanescope_{name}\n" for name, _ in everything if name not in later))
    # A function of another kind, or of a thread's own stream, is the plain one: everything is done at once.
    bodies = []
    for name, kind in everything:
        plain = re.sub(r"_pt(ds|sz)$", "", name)
        if plain != name:
            bodies.append(f'__asm__(".globl lanescope_{name}\\n.type lanescope_{name}, @function\\nlanescope_{name}: " JUMP(lanescope_{plain}));\n')
        else:
            bodies.append(f'extern "C" __attribute__((weak)) int lanescope_{name}() {{ static Counted c{{"{name.partition("_of_1")[0]}"}}; return {kind}(c); }}\n')
    write(out / "missing.inc", "".join(bodies))
    write(out / "entries.inc", "".join(f'ENTRY({name}, {"runtime" if kind == "missing_in_runtime" else "driver"})\n' for name, kind in everything))
    write(out / "redirected.inc", "".join(f"REDIRECTED({name})\n" for name in sorted(runtime_12)))
    errors = {"runtime": (include / "driver_types.h", r"\b(cudaSuccess|cudaError\w+)\s*=\s*(\d+)"), "driver": (include / "cuda.h", r"\b(CUDA_SUCCESS|CUDA_ERROR_\w+)\s*=\s*(\d+)")}
    for kind, (header, pattern) in errors.items():
        names = {int(code): name for name, code in reversed(re.findall(pattern, text_of(header)))}
        write(out / f"{kind}_errors.inc", "".join(f'{{{code}, "{name}"}},\n' for code, name in sorted(names.items())))
    write(out / "versions.inc", "".join(f'VERSION({name}, {version}, {what})\n' for name, version, what in versions(include, driver)))


if __name__ == "__main__":
    main()
