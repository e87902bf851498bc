"""Vector addition, softmax and matrix products of each type and several tiles, for sm_80 and sm_90 (wgmma)."""

from launcher import *

rng = np.random.default_rng(1)
for arch in (80, 90):

    @triton.jit
    def add(x, y, o, n, B: tl.constexpr):
        i = tl.program_id(0) * B + tl.arange(0, B)
        m = i < n
        tl.store(o + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)

    @case(f"add sm{arch}")
    def _(arch=arch, add=add):
        x = rng.standard_normal(1000).astype(np.float32)
        y = rng.standard_normal(1000).astype(np.float32)
        r, _ = run(add, dict(x="*fp32", y="*fp32", o="*fp32", n="i32"), dict(B=256), dict(x=x, y=y, o=np.zeros_like(x), n=1000), (4,), arch)
        np.testing.assert_array_equal(r["o"], x + y)


@triton.jit
def softmax(o, x, stride, n, B: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, B)
    v = tl.load(x + r * stride + c, mask=c < n, other=-float("inf"))
    v = v - tl.max(v, axis=0)
    e = tl.exp(v)
    tl.store(o + r * stride + c, e / tl.sum(e, axis=0), mask=c < n)


for arch in (80, 90):

    @case(f"softmax sm{arch}")
    def _(arch=arch):
        x = rng.standard_normal((5, 781)).astype(np.float32)
        r, _ = run(
            softmax,
            dict(o="*fp32", x="*fp32", stride="i32", n="i32"),
            dict(B=1024),
            dict(o=np.zeros_like(x), x=x, stride=781, n=781),
            (5,),
            arch,
        )
        e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
        close(r["o"], e / e.sum(1, keepdims=True), 1e-5, 1e-7)


@triton.jit
def matmul(
    a,
    b,
    c,
    M,
    N,
    K,
    sam,
    sbk,
    scm,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    ACC: tl.constexpr,
    PREC: tl.constexpr,
    BT: tl.constexpr,
):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), ACC)
    for k in range(0, K, BK):
        x = tl.load(a + (rm % M)[:, None] * sam + (rk + k)[None, :], mask=(rk + k)[None, :] < K, other=0.0)
        if BT:
            y = tl.load(b + (rk + k)[:, None] + (rn % N)[None, :] * sbk, mask=(rk + k)[:, None] < K, other=0.0)
        else:
            y = tl.load(b + (rk + k)[:, None] * sbk + (rn % N)[None, :], mask=(rk + k)[:, None] < K, other=0.0)
        acc = tl.dot(x, y, acc, input_precision=PREC, out_dtype=ACC)
    tl.store(c + rm[:, None] * scm + rn[None, :], acc.to(c.dtype.element_ty), mask=(rm[:, None] < M) & (rn[None, :] < N))


import ml_dtypes


def domm(dt, arch, BM, BN, BK, warps, stages, M=150, N=140, K=96, bt=False, out="fp32"):
    acc = tl.float32
    prec = "tf32"
    if dt == "fp16":
        mk = lambda s: rng.standard_normal(s).astype(np.float16)
        tol = 1e-3
    elif dt == "bf16":
        mk = lambda s: rng.standard_normal(s).astype(ml_dtypes.bfloat16)
        tol = 1e-3
    elif dt == "fp32":
        mk = lambda s: rng.standard_normal(s).astype(np.float32)
        tol = 2e-2
    elif dt == "fp32ieee":
        mk = lambda s: rng.standard_normal(s).astype(np.float32)
        tol = 1e-4
        prec = "ieee"
    elif dt == "fp32x3":
        mk = lambda s: rng.standard_normal(s).astype(np.float32)
        tol = 1e-4
        prec = "tf32x3"
    elif dt == "fp8e4nv":
        mk = lambda s: rng.standard_normal(s).astype(ml_dtypes.float8_e4m3fn)
        tol = 5e-2
    elif dt == "fp8e5":
        mk = lambda s: rng.standard_normal(s).astype(ml_dtypes.float8_e5m2)
        tol = 5e-2
    elif dt == "i8":
        mk = lambda s: rng.integers(-128, 128, s).astype(np.int8)
        tol = 0
        acc = tl.int32
        out = "i32"
    elif dt == "fp64":
        mk = lambda s: rng.standard_normal(s)
        tol = 1e-10
        acc = tl.float64
        out = "fp64"
        prec = "ieee"
    a = mk((M, K))
    b = mk((N, K) if bt else (K, N))
    od = {"fp32": np.float32, "i32": np.int32, "fp16": np.float16, "bf16": ml_dtypes.bfloat16, "fp64": np.float64}[out]
    s = "fp32" if dt.startswith("fp32") else dt
    r, ptx = run(
        matmul,
        dict(a="*" + s, b="*" + s, c="*" + out, M="i32", N="i32", K="i32", sam="i32", sbk="i32", scm="i32"),
        dict(BM=BM, BN=BN, BK=BK, ACC=acc, PREC=prec, BT=bt),
        dict(a=a, b=b, c=np.zeros((M, N), od), M=M, N=N, K=K, sam=K, sbk=b.shape[1], scm=N),
        ((M + BM - 1) // BM, (N + BN - 1) // BN),
        arch,
        num_warps=warps,
        num_stages=stages,
    )
    w = a.astype(np.float64) @ (b.astype(np.float64).T if bt else b.astype(np.float64))
    if dt == "i8":
        np.testing.assert_array_equal(r["c"], w.astype(np.int64))
    else:
        close(r["c"], w, 1e-2 if out == "bf16" else tol, tol * np.sqrt(K) * (8 if out in ("bf16", "fp16") else 1))


for arch in (80, 90):
    for dt in ("fp16", "bf16", "fp32", "fp32ieee", "fp32x3", "i8", "fp8e5", "fp8e4nv", "fp64"):
        if dt == "fp8e4nv" and arch == 80:
            continue
        for BM, BN, BK, w, s, bt in (
            (32, 32, 32, 4, 1, False),
            (64, 64, 32, 4, 3, False),
            (64, 64, 32, 4, 2, True),
            (128, 64, 64, 8, 3, True),
            (16, 16, 16, 1, 2, False),
        ):
            if dt[:2] in ("fp", "i8") and dt[:3] in ("fp8", "i8") and BK == 16:
                continue

            @case(f"matmul {dt} {BM}x{BN}x{BK} w{w} s{s} {'bt' if bt else ''} sm{arch}")
            def _(dt=dt, arch=arch, BM=BM, BN=BN, BK=BK, w=w, s=s, bt=bt):
                domm(dt, arch, BM, BN, BK, w, s, bt=bt)

    for out in ("fp16", "bf16"):

        @case(f"matmul {out} to {out} sm{arch}")
        def _(out=out, arch=arch):
            domm(out, arch, 64, 64, 32, 4, 3, out=out)


if __name__ == "__main__":
    main()
