"""Compiles Triton's kernels for a GPU that is not there, launches their PTX through the driver's API and checks the results.

    lanescope exec PYTHON products.py [TEXT…]     # and kernels.py; only the cases whose names contain a TEXT

PYTHON has triton, numpy, scipy and ml_dtypes. The expected values are NumPy's.
"""

import ctypes as C, sys

import numpy as np
import triton, triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

cu = C.CDLL("libcuda.so.1")


def ck(r, what=""):
    if r:
        raise RuntimeError(f"{what} {r}")


class Dev:
    ctx = None


def init():
    ck(cu.cuInit(0))
    Dev.ctx = C.c_void_p()
    ck(cu.cuDevicePrimaryCtxRetain(C.byref(Dev.ctx), 0))
    ck(cu.cuCtxSetCurrent(Dev.ctx))


class Buf:
    def __init__(s, a):
        s.a = np.ascontiguousarray(a)
        s.p = C.c_uint64()
        ck(cu.cuMemAlloc_v2(C.byref(s.p), C.c_size_t(max(16, s.a.nbytes))))
        ck(cu.cuMemcpyHtoD_v2(s.p, s.a.ctypes.data_as(C.c_void_p), C.c_size_t(s.a.nbytes)), "h2d")

    def get(s):
        o = np.empty_like(s.a)
        ck(cu.cuMemcpyDtoH_v2(o.ctypes.data_as(C.c_void_p), s.p, C.c_size_t(o.nbytes)), "d2h")
        return o

    def free(s):
        cu.cuMemFree_v2(s.p)


def compile_(fn, sig, consts, arch=90, **opts):
    full = dict(sig)
    for k in consts:
        full[k] = "constexpr"
    order = fn.arg_names
    src = ASTSource(
        fn=fn,
        signature={k: full[k] for k in order},
        constexprs={(fn.arg_names.index(k),): v for k, v in consts.items()},
        attrs={(order.index(k),): [["tt.divisibility", 16]] for k in sig if sig[k].startswith("*")},
    )
    return triton.compile(src, target=GPUTarget("cuda", arch, 32), options=opts)


T = {"i32": C.c_int32, "i64": C.c_int64, "fp32": C.c_float, "u32": C.c_uint32}


def run(fn, sig, consts, args, grid, arch=90, **opts):
    k = compile_(fn, sig, consts, arch, **opts)
    ptx = k.asm["ptx"]
    mod = C.c_void_p()
    ck(cu.cuModuleLoadData(C.byref(mod), ptx.encode() + b"\0"), "load")
    f = C.c_void_p()
    ck(cu.cuModuleGetFunction(C.byref(f), mod, k.metadata.name.encode()), "getfn")
    if k.metadata.shared > 48 * 1024:
        ck(cu.cuFuncSetAttribute(f, 8, k.metadata.shared), "attr")
    vals = []
    bufs = []
    for n in [n for n in fn.arg_names if n in sig]:
        a = args[n]
        if sig[n].startswith("*"):
            b = Buf(a)
            bufs.append((n, b))
            vals.append(b.p)
        else:
            vals.append(T[sig[n]](a))
    grid = tuple(grid) + (1,) * (3 - len(grid))
    gs = getattr(k.metadata, "global_scratch_size", 0) or 0
    scratch = Buf(np.zeros(max(128, gs * grid[0] * grid[1] * grid[2] * max(1, getattr(k.metadata, "num_ctas", 1)) + 128), np.uint8))
    vals.append(scratch.p)
    vals.append(C.c_uint64(0))
    pa = (C.c_void_p * len(vals))(*[C.cast(C.pointer(v), C.c_void_p) for v in vals])
    ck(cu.cuLaunchKernel(f, *grid, 32 * k.metadata.num_warps, 1, 1, k.metadata.shared, None, pa, None), "launch")
    ck(cu.cuCtxSynchronize(), "sync")
    out = {n: b.get() for n, b in bufs}
    for _, b in bufs:
        b.free()
    scratch.free()
    ck(cu.cuModuleUnload(mod))
    return out, ptx


cases = []


def case(name):
    def deco(f):
        cases.append((name, f))
        return f

    return deco


def main():
    init()
    want = sys.argv[1:]
    good = bad = 0
    import traceback, time

    for name, f in cases:
        if want and not any(w in name for w in want):
            continue
        t = time.time()
        try:
            f()
            good += 1
            print(f"ok   {name} {time.time()-t:.1f}s", flush=True)
        except Exception as e:
            bad += 1
            print(f"BAD  {name}: {type(e).__name__} {str(e)[:600]} {time.time()-t:.1f}s", flush=True)
            if want:
                traceback.print_exc()
            cu.cuCtxSynchronize()
    print("passed", good, "failed", bad)


def close(a, b, rtol=1e-5, atol=1e-5):
    np.testing.assert_allclose(np.asarray(a, np.float64), np.asarray(b, np.float64), rtol=rtol, atol=atol)
