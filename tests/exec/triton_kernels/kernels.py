"""Layer norm, dropout, atomics, scans, reductions, sorts, gathers, casts, flash attention and copies by tensor map."""

from launcher import *
from definitions import *
import ml_dtypes

rng = np.random.default_rng(2)
f32 = np.float32


def philox(seed, c):
    c0 = c.astype(np.uint32)
    c1 = np.zeros_like(c0)
    c2 = c1.copy()
    c3 = c1.copy()
    k0 = np.uint32(seed & 0xFFFFFFFF)
    k1 = np.uint32(seed >> 32)
    for _ in range(10):
        A = np.uint64(0xD2511F53) * c0.astype(np.uint64)
        Bb = np.uint64(0xCD9E8D57) * c2.astype(np.uint64)
        n0 = (Bb >> np.uint64(32)).astype(np.uint32) ^ c1 ^ k0
        n2 = (A >> np.uint64(32)).astype(np.uint32) ^ c3 ^ k1
        c1 = Bb.astype(np.uint32)
        c3 = A.astype(np.uint32)
        c0 = n0
        c2 = n2
        k0 = np.uint32((int(k0) + 0x9E3779B9) & 0xFFFFFFFF)
        k1 = np.uint32((int(k1) + 0xBB67AE85) & 0xFFFFFFFF)
    return c0


for arch in (80, 90):

    def add(name):
        def d(f):
            @case(f"{name} sm{arch}")
            def _(arch=arch, f=f):
                f(arch)

            return f

        return d

    @add("layernorm")
    def _(arch):
        N = 700
        x = rng.standard_normal((4, N)).astype(f32)
        w = rng.standard_normal(N).astype(f32)
        b = rng.standard_normal(N).astype(f32)
        r, _ = run(
            ln,
            dict(x="*fp32", y="*fp32", w="*fp32", b="*fp32", mean="*fp32", rstd="*fp32", stride="i32", N="i32", eps="fp32"),
            dict(B=256),
            dict(x=x, y=x * 0, w=w, b=b, mean=np.zeros(4, f32), rstd=np.zeros(4, f32), stride=N, N=N, eps=1e-5),
            (4,),
            arch,
        )
        X = x.astype(float)
        mu = X.mean(1)
        rs = 1 / np.sqrt(X.var(1) + 1e-5)
        close(r["mean"], mu)
        close(r["rstd"], rs)
        close(r["y"], (X - mu[:, None]) * rs[:, None] * w + b, 1e-4, 1e-5)

    @add("dropout")
    def _(arch):
        x = rng.standard_normal(1000).astype(f32)
        r, _ = run(
            dropout,
            dict(x="*fp32", o="*fp32", n="i32", p="fp32", seed="i32"),
            dict(B=256),
            dict(x=x, o=x * 0, n=1000, p=0.3, seed=123),
            (4,),
            arch,
        )
        u = philox(123, np.arange(1000)).view(np.int32)
        u = np.where(u < 0, -(u.astype(np.int64)) - 1, u.astype(np.int64)).astype(f32) * f32(4.6566127342e-10)
        keep = u > f32(0.3)
        np.testing.assert_array_equal(r["o"] != 0, keep)
        close(r["o"], np.where(keep, x / (1 - f32(0.3)), 0), 1e-6)

    for ty, nt in (("i32", np.int32), ("fp32", f32), ("i64", np.int64)):

        @add(f"atomics {ty}")
        def _(arch, ty=ty, nt=nt):
            x = rng.integers(-50, 50, 500).astype(nt)
            big = np.iinfo(np.int32).max
            r, _ = run(
                atom,
                dict(x="*" + ty, o="*" + ty, om="*" + ty, oi="*i32", oc="*" + ty, n="i32"),
                dict(B=128),
                dict(x=x, o=np.zeros(7, nt), om=np.full(5, -1000, nt), oi=np.zeros(1, np.int32), oc=np.full(3, 1000, nt), n=500),
                (4,),
                arch,
            )
            for k in range(7):
                assert r["o"][k] == x[k::7].sum()
            for k in range(5):
                assert r["om"][k] == x[k::5].max(), r["om"]
            for k in range(3):
                assert r["oc"][k] == x[k::3].min()
            assert r["oi"][0] == 4

    @add("lock cas")
    def _(arch):
        r, _ = run(cas, dict(l="*i32", cnt="*i32"), dict(B=1), dict(l=np.zeros(1, np.int32), cnt=np.zeros(1, np.int32)), (20,), arch)
        assert r["cnt"][0] == 20

    for M, N in ((4, 64), (32, 32), (16, 256)):

        @add(f"scan {M}x{N}")
        def _(arch, M=M, N=N):
            x = rng.standard_normal((M, N)).astype(f32)
            r, _ = run(
                scans,
                dict(x="*fp32", o="*fp32", o2="*fp32", o3="*fp32"),
                dict(M=M, N=N),
                dict(x=x, o=x * 0, o2=x * 0, o3=x * 0),
                (1,),
                arch,
            )
            close(r["o"], x.astype(float).cumsum(1), 1e-4, 1e-4)
            close(r["o2"], x.astype(float)[::-1].cumsum(0)[::-1], 1e-4, 1e-4)
            np.testing.assert_array_equal(r["o3"], np.maximum.accumulate(x, 1))

        @add(f"reduce {M}x{N}")
        def _(arch, M=M, N=N):
            x = rng.permutation(M * N).reshape(M, N).astype(f32)
            r, _ = run(
                reds,
                dict(x="*fp32", s="*fp32", mn="*fp32", am="*i32", am2="*i32", xs="*i32"),
                dict(M=M, N=N),
                dict(
                    x=x,
                    s=np.zeros(N, f32),
                    mn=np.zeros(M, f32),
                    am=np.zeros(M, np.int32),
                    am2=np.zeros(N, np.int32),
                    xs=np.zeros(M, np.int32),
                ),
                (1,),
                arch,
            )
            close(r["s"], x.sum(0))
            close(r["mn"], x.min(1))
            assert (r["am"] == x.argmax(1)).all() and (r["am2"] == x.argmin(0)).all()
            assert (r["xs"] == np.bitwise_xor.reduce(x.astype(np.int32), axis=1)).all()

        @add(f"sort {M}x{N}")
        def _(arch, M=M, N=N):
            x = rng.standard_normal((M, N)).astype(f32)
            r, _ = run(sort, dict(x="*fp32", o="*fp32", o2="*fp32"), dict(M=M, N=N), dict(x=x, o=x * 0, o2=x * 0), (1,), arch)
            np.testing.assert_array_equal(r["o"], np.sort(x, 1))
            np.testing.assert_array_equal(r["o2"], x[:, ::-1])

        @add(f"topk {M}x{N}")
        def _(arch, M=M, N=N):
            x = rng.standard_normal((M, N)).astype(f32)
            r, _ = run(topk, dict(x="*fp32", o="*fp32"), dict(M=M, N=N, K=8), dict(x=x, o=np.zeros((M, 8), f32)), (1,), arch)
            np.testing.assert_array_equal(r["o"], -np.sort(-x, 1)[:, :8])

        for ax in (0, 1):

            @add(f"gather {M}x{N} axis{ax}")
            def _(arch, M=M, N=N, ax=ax):
                x = rng.standard_normal((M, N)).astype(f32)
                ix = rng.integers(0, (M, N)[ax], (M, N)).astype(np.int32)
                r, _ = run(gat, dict(x="*fp32", ix="*i32", o="*fp32"), dict(M=M, N=N, AX=ax), dict(x=x, ix=ix, o=x * 0), (1,), arch)
                np.testing.assert_array_equal(r["o"], np.take_along_axis(x, ix, ax))

        for ty, nt in (("fp32", f32), ("fp16", np.float16), ("i8", np.int8), ("fp64", np.float64)):

            @add(f"transpose reshape {ty} {M}x{N}")
            def _(arch, M=M, N=N, ty=ty, nt=nt):
                x = rng.integers(-99, 99, (M, N)).astype(nt)
                r, _ = run(trans, dict(x="*" + ty, o="*" + ty), dict(M=M, N=N), dict(x=x, o=x.T.copy() * 0), (1,), arch)
                np.testing.assert_array_equal(r["o"], x.T)
                r, _ = run(resh, dict(x="*" + ty, o="*" + ty, oj="*" + ty), dict(M=M, N=N), dict(x=x, o=x * 0, oj=x * 0), (1,), arch)
                np.testing.assert_array_equal(r["o"].ravel(), x.T.ravel())
                np.testing.assert_array_equal(r["oj"].reshape(-1, 2), x.reshape(-1, 2)[:, ::-1])

    @add("histogram")
    def _(arch):
        x = rng.integers(0, 64, 1024).astype(np.int32)
        r, _ = run(hist, dict(x="*i32", o="*i32"), dict(N=1024, B=64), dict(x=x, o=np.zeros(64, np.int32)), (1,), arch)
        np.testing.assert_array_equal(r["o"], np.bincount(x, minlength=64))

    @add("maths")
    def _(arch):
        from scipy.special import erf, expit

        x = (rng.standard_normal(256) * 3).astype(f32)
        n = 256
        r, _ = run(maths, dict(x="*fp32", o="*fp32"), dict(n=n), dict(x=x, o=np.zeros((16, n), f32)), (1,), arch)
        X = x.astype(float)
        A = np.abs(X)
        for k, w in enumerate(
            (
                np.exp(X),
                np.log(A + 0.1),
                np.sin(X),
                np.cos(X),
                np.sqrt(A),
                1 / np.sqrt(A + 0.1),
                expit(X),
                erf(X),
                np.exp2(X),
                np.log2(A + 0.1),
                np.floor(X),
                np.ceil(X),
                X * X + X,
                X / (X * X + 1),
                np.sqrt(A),
                1 / (A + 0.1),
            )
        ):
            close(r["o"][k], w, 2e-5, 2e-6)

    @add("ints")
    def _(arch):
        n = 256
        a = rng.integers(-(2**31), 2**31, n).astype(np.int32)
        b = rng.integers(1, 1000, n).astype(np.int32) * rng.choice([-1, 1], n).astype(np.int32)
        r, _ = run(ints, dict(a="*i32", b="*i32", o="*i32"), dict(n=n), dict(a=a, b=b, o=np.zeros((8, n), np.int32)), (1,), arch)
        o = r["o"]
        A = a.astype(np.int64)
        Bv = b.astype(np.int64)
        q = np.trunc(A / Bv).astype(np.int64)
        q = np.sign(A) * np.sign(Bv) * (np.abs(A) // np.abs(Bv))
        assert (o[0] == q).all()
        assert (o[1] == A - q * Bv).all()
        assert (
            o[2]
            == ((a.view(np.uint32).astype(np.uint64) * b.view(np.uint32).astype(np.uint64)) >> np.uint64(32))
            .astype(np.uint32)
            .view(np.int32)
        ).all()
        assert (o[3] == a >> (b & 31)).all()
        assert (o[4] == np.clip(a, -5, 5)).all()
        assert (o[5] == (a.astype(np.int8) + b.astype(np.int8)).astype(np.int32)).all()
        assert (o[7] == a ^ ~b).all()

    @add("casts")
    def _(arch):
        if arch < 90:
            return
        n = 512
        x = np.concatenate(
            [rng.standard_normal(n - 12) * 20, [0, -0.0, 448, -448, 460, 1e-9, 57344, 65504, 1e-3, 2e-3, np.inf, -1e5]]
        ).astype(f32)
        z = lambda t: np.zeros(n, t)
        r, _ = run(
            casts,
            dict(x="*fp32", o16="*fp16", ob="*bf16", o8="*fp8e4nv", o85="*fp8e5", oi="*i8"),
            dict(n=n),
            dict(
                x=x, o16=z(np.float16), ob=z(ml_dtypes.bfloat16), o8=z(ml_dtypes.float8_e4m3fn), o85=z(ml_dtypes.float8_e5m2), oi=z(np.int8)
            ),
            (1,),
            arch,
        )
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(r["o16"].view(np.uint16), x.astype(np.float16).view(np.uint16))
            np.testing.assert_array_equal(r["ob"].view(np.uint16), x.astype(ml_dtypes.bfloat16).view(np.uint16))
            sat = np.clip(x, -448, 448).astype(ml_dtypes.float8_e4m3fn)
            np.testing.assert_array_equal(r["o8"].view(np.uint8), sat.view(np.uint8))
            s5 = np.clip(x, -57344, 57344).astype(ml_dtypes.float8_e5m2)
            np.testing.assert_array_equal(r["o85"].view(np.uint8), s5.view(np.uint8))
        ok = np.abs(x) < 127
        assert (r["oi"][ok] == np.trunc(x[ok]).astype(np.int8)).all()

    @add("casts back, all bits")
    def _(arch):
        n = 256
        h = np.arange(0, 65536, 256).astype(np.uint16) + rng.integers(0, 256, 256).astype(np.uint16)
        b8 = np.arange(256).astype(np.uint8)
        d = dict(
            o16=h.view(np.float16),
            ob=h.view(ml_dtypes.bfloat16),
            o8=b8.view(ml_dtypes.float8_e4m3fn),
            o85=b8.view(ml_dtypes.float8_e5m2),
            oi=b8.view(np.int8),
            x=np.zeros((5, n), f32),
        )
        e = "fp8e4nv" if arch >= 90 else "fp8e4b15"
        if arch < 90:
            return
        r, _ = run(rcasts, dict(o16="*fp16", ob="*bf16", o8="*" + e, o85="*fp8e5", oi="*i8", x="*fp32"), dict(n=n), d, (1,), arch)
        for k, nm in enumerate(("o16", "ob", "o8", "o85", "oi")):
            np.testing.assert_array_equal(r["x"][k], d[nm].astype(f32))

    for dt, nt in (("fp16", np.float16), ("bf16", ml_dtypes.bfloat16)):
        for cz in (False, True):
            for BM, BN, w, st in ((64, 32, 4, 2), (64, 64, 4, 1), (128, 64, 8, 3)):

                @add(f"flash {dt} causal={cz} {BM}x{BN} w{w} s{st}")
                def _(arch, dt=dt, nt=nt, cz=cz, BM=BM, BN=BN, w=w, st=st):
                    H, CTX, D = 2, 128, 64
                    q, k, v = [(rng.standard_normal((H, CTX, D)) * 0.7).astype(nt) for _ in range(3)]
                    r, _ = run(
                        flash,
                        dict(Q="*" + dt, K="*" + dt, V="*" + dt, O="*" + dt, S="*fp32", sm="fp32"),
                        dict(CTX=CTX, D=D, BM=BM, BN=BN, CAUSAL=cz),
                        dict(Q=q, K=k, V=v, O=np.zeros_like(q), S=np.zeros((H, CTX), f32), sm=0.125),
                        (CTX // BM, H),
                        arch,
                        num_warps=w,
                        num_stages=st,
                    )
                    s = np.einsum("hid,hjd->hij", q.astype(float), k.astype(float)) * 0.125
                    if cz:
                        s = np.where(np.tri(CTX)[None] > 0, s, -np.inf)
                    p = np.exp(s - s.max(2, keepdims=True))
                    L = p.sum(2)
                    o = np.einsum("hij,hjd->hid", p / L[..., None], v.astype(float))
                    t = 2e-2 if dt == "bf16" else 5e-3
                    close(r["O"], o, t, t)
                    close(r["S"], np.log(L) + s.max(2), 1e-3, 1e-3)

    @add("while")
    def _(arch):
        x = np.arange(1, 65).astype(np.int32)
        r, _ = run(whiles, dict(x="*i32", o="*i32"), dict(n=64), dict(x=x, o=x * 0), (1,), arch)

        def cz(n):
            c = 0
            while n > 1:
                n = n // 2 if n % 2 == 0 else 3 * n + 1
                c += 1
            return c

        assert (r["o"] == [cz(int(i)) for i in x]).all()

    @add("print assert")
    def _(arch):
        x = np.arange(4).astype(np.int32)
        run(pr, dict(x="*i32"), {}, dict(x=x), (1,), arch)
        run(asrt, dict(x="*i32"), {}, dict(x=x), (1,), arch, debug=True)


arch = 90
for BM, BN, BK, w, st in ((64, 64, 32, 4, 2), (128, 64, 64, 4, 3), (128, 128, 64, 8, 3)):

    @case(f"tma matmul {BM}x{BN}x{BK} w{w} s{st}")
    def _(BM=BM, BN=BN, BK=BK, w=w, st=st):
        M, N, K = 150, 136, 128
        a = rng.standard_normal((M, K)).astype(np.float16)
        b = rng.standard_normal((N, K)).astype(np.float16)
        r, _ = run(
            tma,
            dict(a="*fp16", b="*fp16", c="*fp16", M="i32", N="i32", K="i32"),
            dict(BM=BM, BN=BN, BK=BK),
            dict(a=a, b=b, c=np.zeros((M, N), np.float16), M=M, N=N, K=K),
            (-(-M // BM), -(-N // BN)),
            90,
            num_warps=w,
            num_stages=st,
        )
        close(r["c"], a.astype(float) @ b.astype(float).T, 2e-3, 5e-2)

    for ws in (False, True):

        @case(f"persistent tma matmul {BM}x{BN}x{BK} w{w} s{st} ws={ws}")
        def _(BM=BM, BN=BN, BK=BK, w=w, st=st, ws=ws):
            M, N, K = 150, 136, 128
            a = rng.standard_normal((M, K)).astype(np.float16)
            b = rng.standard_normal((N, K)).astype(np.float16)
            r, _ = run(
                persist,
                dict(a="*fp16", b="*fp16", c="*fp16", M="i32", N="i32", K="i32"),
                dict(G=2, BM=BM, BN=BN, BK=BK, WS=ws),
                dict(a=a, b=b, c=np.zeros((M, N), np.float16), M=M, N=N, K=K),
                (2,),
                90,
                num_warps=w,
                num_stages=st,
            )
            close(r["c"], a.astype(float) @ b.astype(float).T, 2e-3, 5e-2)


@case("tma atomic add")
def _():
    x = rng.standard_normal((32, 64)).astype(f32)
    o = rng.standard_normal((32, 64)).astype(f32)
    r, _ = run(tmared, dict(x="*fp32", o="*fp32"), dict(M=32, N=64), dict(x=x, o=o), (1,), 90)
    close(r["o"], x + o, 1e-6, 1e-6)


if __name__ == "__main__":
    main()
