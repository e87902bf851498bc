"""The kernels that kernels.py runs."""

import triton
import triton.language as tl


@triton.jit
def ln(x, y, w, b, mean, rstd, stride, N, eps, B: tl.constexpr):
    r = tl.program_id(0)
    y += r * stride
    x += r * stride
    m = tl.zeros([B], tl.float32)
    for o in range(0, N, B):
        c = o + tl.arange(0, B)
        m += tl.load(x + c, mask=c < N, other=0.0)
    mu = tl.sum(m, axis=0) / N
    v = tl.zeros([B], tl.float32)
    for o in range(0, N, B):
        c = o + tl.arange(0, B)
        t = tl.where(c < N, tl.load(x + c, mask=c < N, other=0.0) - mu, 0.0)
        v += t * t
    rs = 1 / tl.sqrt(tl.sum(v, axis=0) / N + eps)
    tl.store(mean + r, mu)
    tl.store(rstd + r, rs)
    for o in range(0, N, B):
        c = o + tl.arange(0, B)
        mk = c < N
        tl.store(y + c, (tl.load(x + c, mask=mk) - mu) * rs * tl.load(w + c, mask=mk) + tl.load(b + c, mask=mk), mask=mk)


@triton.jit
def dropout(x, o, n, p, seed, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    r = tl.rand(seed, i)
    v = tl.load(x + i, mask=m)
    k = r > p
    tl.store(o + i, tl.where(k, v / (1 - p), 0.0), mask=m)


@triton.jit
def atom(x, o, om, oi, oc, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, mask=m, other=0)
    tl.atomic_add(o + (i % 7), v, mask=m)
    tl.atomic_max(om + (i % 5), v, mask=m)
    tl.atomic_add(oi, 1)
    tl.atomic_min(oc + (i % 3), v, mask=m)


@triton.jit
def cas(l, cnt, B: tl.constexpr):
    while tl.atomic_cas(l, 0, 1) == 1:
        pass
    c = tl.load(cnt)
    tl.store(cnt, c + 1)
    tl.debug_barrier()
    tl.atomic_xchg(l, 0)


@triton.jit
def comb(a, b):
    return a * 0.5 + b


@triton.jit
def scans(x, o, o2, o3, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + i)
    tl.store(o + i, tl.cumsum(v, axis=1))
    tl.store(o2 + i, tl.cumsum(v, axis=0, reverse=True))
    tl.store(o3 + i, tl.associative_scan(v, 1, mx))


@triton.jit
def mx(a, b):
    return tl.maximum(a, b)


@triton.jit
def reds(x, s, mn, am, am2, xs, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + i)
    tl.store(s + tl.arange(0, N), tl.sum(v, axis=0))
    tl.store(mn + tl.arange(0, M), tl.min(v, axis=1))
    tl.store(am + tl.arange(0, M), tl.argmax(v, axis=1))
    tl.store(am2 + tl.arange(0, N), tl.argmin(v, axis=0))
    tl.store(xs + tl.arange(0, M), tl.xor_sum(v.to(tl.int32), axis=1))


@triton.jit
def hist(x, o, N: tl.constexpr, B: tl.constexpr):
    tl.store(o + tl.arange(0, B), tl.histogram(tl.load(x + tl.arange(0, N)), B))


@triton.jit
def sort(x, o, o2, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + i)
    tl.store(o + i, tl.sort(v))
    tl.store(o2 + i, tl.flip(v, 1))


@triton.jit
def topk(x, o, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(o + tl.arange(0, M)[:, None] * K + tl.arange(0, K)[None, :], tl.topk(tl.load(x + i), K))


@triton.jit
def gat(x, ix, o, M: tl.constexpr, N: tl.constexpr, AX: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(o + i, tl.gather(tl.load(x + i), tl.load(ix + i), AX))


@triton.jit
def trans(x, o, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.trans(tl.load(x + i))
    j = tl.arange(0, N)[:, None] * M + tl.arange(0, M)[None, :]
    tl.store(o + j, v)


@triton.jit
def resh(x, o, oj, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M * N)
    v = tl.load(x + i)
    a = tl.reshape(v, (M, N))
    t = tl.permute(a, (1, 0))
    tl.store(o + i, tl.reshape(t, (M * N,)))
    l, r = tl.split(tl.reshape(v, (M * N // 2, 2)))
    tl.store(oj + i, tl.reshape(tl.join(r, l), (M * N,)))


@triton.jit
def maths(x, o, n: tl.constexpr):
    i = tl.arange(0, n)
    v = tl.load(x + i)
    tl.store(o + i, tl.exp(v))
    tl.store(o + n + i, tl.log(tl.abs(v) + 0.1))
    tl.store(o + 2 * n + i, tl.sin(v))
    tl.store(o + 3 * n + i, tl.cos(v))
    tl.store(o + 4 * n + i, tl.sqrt(tl.abs(v)))
    tl.store(o + 5 * n + i, tl.rsqrt(tl.abs(v) + 0.1))
    tl.store(o + 6 * n + i, tl.sigmoid(v))
    tl.store(o + 7 * n + i, tl.erf(v))
    tl.store(o + 8 * n + i, tl.exp2(v))
    tl.store(o + 9 * n + i, tl.log2(tl.abs(v) + 0.1))
    tl.store(o + 10 * n + i, tl.floor(v))
    tl.store(o + 11 * n + i, tl.ceil(v))
    tl.store(o + 12 * n + i, tl.fma(v, v, v))
    tl.store(o + 13 * n + i, tl.div_rn(v, v * v + 1))
    tl.store(o + 14 * n + i, tl.sqrt_rn(tl.abs(v)))
    tl.store(o + 15 * n + i, tl.math.div_rn(1.0, tl.abs(v) + 0.1))


@triton.jit
def ints(a, b, o, n: tl.constexpr):
    i = tl.arange(0, n)
    x = tl.load(a + i)
    y = tl.load(b + i)
    tl.store(o + i, x // y)
    tl.store(o + n + i, x % y)
    tl.store(o + 2 * n + i, tl.umulhi(x.to(tl.uint32), y.to(tl.uint32)).to(tl.int32))
    tl.store(o + 3 * n + i, x >> (y & 31))
    tl.store(o + 4 * n + i, tl.clamp(x.to(tl.float32), -5.0, 5.0).to(tl.int32))
    tl.store(o + 5 * n + i, (x.to(tl.int8) + y.to(tl.int8)).to(tl.int32))
    tl.store(o + 6 * n + i, tl.cdiv(x, 3))
    tl.store(o + 7 * n + i, x ^ (~y))


@triton.jit
def casts(x, o16, ob, o8, o85, oi, n: tl.constexpr):
    i = tl.arange(0, n)
    v = tl.load(x + i)
    tl.store(o16 + i, v.to(tl.float16))
    tl.store(ob + i, v.to(tl.bfloat16))
    tl.store(o8 + i, v.to(tl.float8e4nv))
    tl.store(o85 + i, v.to(tl.float8e5))
    tl.store(oi + i, v.to(tl.int8))


@triton.jit
def rcasts(o16, ob, o8, o85, oi, x, n: tl.constexpr):
    i = tl.arange(0, n)
    tl.store(x + i, tl.load(o16 + i).to(tl.float32))
    tl.store(x + n + i, tl.load(ob + i).to(tl.float32))
    tl.store(x + 2 * n + i, tl.load(o8 + i).to(tl.float32))
    tl.store(x + 3 * n + i, tl.load(o85 + i).to(tl.float32))
    tl.store(x + 4 * n + i, tl.load(oi + i).to(tl.float32))


@triton.jit
def flash(Q, K, V, O, S, sm, CTX: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    pm = tl.program_id(0)
    h = tl.program_id(1)
    off = h * CTX * D
    rm = pm * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rd = tl.arange(0, D)
    q = tl.load(Q + off + rm[:, None] * D + rd[None, :])
    m = tl.full([BM], -float("inf"), tl.float32)
    l = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    hi = (pm + 1) * BM if CAUSAL else CTX
    for s in range(0, hi, BN):
        k = tl.load(K + off + (s + rn)[None, :] * D + rd[:, None])
        qk = tl.dot(q, k) * sm
        if CAUSAL:
            qk = tl.where(rm[:, None] >= (s + rn)[None, :], qk, -float("inf"))
        mn = tl.maximum(m, tl.max(qk, 1))
        p = tl.exp2((qk - mn[:, None]) * 1.44269504)
        a = tl.exp2((m - mn) * 1.44269504)
        l = l * a + tl.sum(p, 1)
        acc = acc * a[:, None]
        v = tl.load(V + off + (s + rn)[:, None] * D + rd[None, :])
        acc = tl.dot(p.to(V.dtype.element_ty), v, acc)
        m = mn
    tl.store(O + off + rm[:, None] * D + rd[None, :], (acc / l[:, None]).to(O.dtype.element_ty))
    tl.store(S + h * CTX + rm, m + tl.log(l))


@triton.jit
def tma(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    A = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    Bd = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    Cd = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(A.load([pm * BM, k]), Bd.load([pn * BN, k]).T, acc)
    Cd.store([pm * BM, pn * BN], acc.to(tl.float16))


@triton.jit
def persist(a, b, c, M, N, K, G: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, WS: tl.constexpr):
    A = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    Bd = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    Cd = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    nt = tl.cdiv(M, BM) * tl.cdiv(N, BN)
    for t in tl.range(tl.program_id(0), nt, G, flatten=True, warp_specialize=WS):
        pm = t // tl.cdiv(N, BN)
        pn = t % tl.cdiv(N, BN)
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, tl.cdiv(K, BK)):
            acc = tl.dot(A.load([pm * BM, k * BK]), Bd.load([pn * BN, k * BK]).T, acc)
        Cd.store([pm * BM, pn * BN], acc.to(tl.float16))


@triton.jit
def tmared(x, o, M: tl.constexpr, N: tl.constexpr):
    X = tl.make_tensor_descriptor(x, [M, N], [N, 1], [M, N])
    O = tl.make_tensor_descriptor(o, [M, N], [N, 1], [M, N])
    O.atomic_add([0, 0], X.load([0, 0]))


@triton.jit
def whiles(x, o, n: tl.constexpr):
    i = tl.arange(0, n)
    v = tl.load(x + i)
    c = tl.zeros([n], tl.int32)
    k = 0
    while tl.max(v, 0) > 1:
        c += tl.where(v > 1, 1, 0)
        v = tl.where(v > 1, tl.where(v % 2 == 0, v // 2, 3 * v + 1), v)
        k += 1
    tl.store(o + i, c)


@triton.jit
def pr(x):
    tl.device_print("v", tl.load(x + tl.arange(0, 4)))


@triton.jit
def asrt(x):
    tl.device_assert(tl.load(x + tl.arange(0, 4)) < 10, "big")
