"""Operations of PyTorch, compiled by torch.compile to Triton's kernels, against PyTorch on the CPU.

    lanescope exec python3 tests/exec/torch_kernels/compiled.py [PART OF A NAME]…

PyTorch's own kernels are machine code in its wheels, so only what torch.compile makes runs without a GPU: tensors are
made on the CPU and copied. Prints one line per operation and ends with 1 if a result differs.
"""
import os
import sys
import time

os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")  # no worker processes

import torch
import torch.nn.functional as F

torch.manual_seed(1)
N = 3000  # no power of two
X, Y, P = torch.randn(N), torch.randn(N), torch.rand(N) + 0.1
I, J = torch.randint(-1000, 1000, (N,)), torch.randint(1, 50, (N,))
S = torch.randint(-100, 100, (N,), dtype=torch.int32)
M, Q = torch.randn(37, 53), torch.randn(53, 37)
H, B = torch.randn(N).half(), torch.randn(N).bfloat16()
D = torch.randn(N, dtype=torch.float64)
U = torch.randint(0, 256, (N,), dtype=torch.uint8)
PICK, ROWS = torch.randint(0, N, (777,)), torch.randint(0, 37, (20,))
T = torch.randn(2, 3, 17, 19)

# Name, function, arguments. Sums of n floats in another order may differ by about sqrt(n) roundings.
OPERATIONS = [
    ("add", lambda x, y: x + y, (X, Y)), ("multiply and subtract", lambda x, y: x * 3 - y, (X, Y)),
    ("divide", lambda x, y: x / y, (X, P)), ("floor_divide", lambda x, y: x // y, (I, J)),
    ("remainder", torch.remainder, (I, J)), ("fmod", torch.fmod, (X, P)), ("pow", lambda x: x ** 2.5, (P,)),
    ("exp", torch.exp, (X,)), ("log", torch.log, (P,)), ("log1p", torch.log1p, (P,)), ("expm1", torch.expm1, (X,)),
    ("sin", torch.sin, (X * 100,)), ("cos", torch.cos, (X * 100,)), ("tan", torch.tan, (X,)), ("atan2", torch.atan2, (X, Y)),
    ("asin", torch.asin, (X.clamp(-1, 1),)), ("sinh", torch.sinh, (X,)), ("tanh", torch.tanh, (X,)), ("erf", torch.erf, (X,)),
    ("lgamma", torch.lgamma, (P,)), ("sqrt and rsqrt", lambda x: x.sqrt() + x.rsqrt(), (P,)), ("sigmoid", torch.sigmoid, (X,)),
    ("gelu", F.gelu, (X,)), ("silu", F.silu, (X,)), ("softplus", F.softplus, (X,)), ("relu", F.relu, (X,)),
    ("clamp", lambda x: x.clamp(-0.5, 0.7), (X,)), ("where", lambda x, y: torch.where(x > y, x, -y), (X, Y)),
    ("round, floor, ceil, trunc", lambda x: x.round() + 10 * x.floor() + 100 * x.ceil() + 1000 * x.trunc(), (X * 5,)),
    ("sign and abs", lambda x: x.sign() * 2 + x.abs(), (X,)), ("isnan", lambda x: torch.isnan(x.log()), (X,)),
    ("maximum with nan", lambda x, y: torch.maximum(x.sqrt(), y), (X, Y)), ("compare", lambda x, y: (x >= y) & (x != 0), (X, Y)),
    ("bits of int64", lambda x, y: (x & y) ^ (x | 5), (I, J)), ("shifts of int32", lambda x: (x << 3) + (x >> 2), (S,)),
    ("integers that overflow", lambda x: x * x * 1000003, (S,)), ("uint8", lambda x: x * 3 + 200, (U,)),
    ("float to int", lambda x: (x * 1000).to(torch.int32), (X,)), ("int to float", lambda x: x.float() / 7, (I,)),
    ("half", lambda x: x * 2 + 0.1, (H,)), ("bfloat16", lambda x: x * 2 + 0.1, (B,)), ("half to float", lambda x: x.float().exp(), (H,)),
    ("double", lambda x: x.sin() * x.exp(), (D,)), ("double log", lambda x: x.abs().log(), (D,)),
    ("sum", torch.sum, (X,)), ("sum of int64", torch.sum, (I,)), ("sum of rows", lambda m: m.sum(1), (M,)),
    ("sum of columns", lambda m: m.sum(0), (M,)), ("mean", torch.mean, (X,)), ("var", lambda m: m.var(1), (M,)),
    ("amax and amin", lambda m: m.amax(1) - m.amin(1), (M,)), ("argmax", lambda m: m.argmax(1), (M,)), ("argmin", lambda m: m.argmin(0), (M,)),
    ("prod", lambda m: m.prod(1), (M,)), ("any and all", lambda m: (m > 2).any(1) | (m > -3).all(1), (M,)), ("norm", lambda m: m.norm(dim=1), (M,)),
    ("logsumexp", lambda m: m.logsumexp(1), (M,)), ("softmax", lambda m: m.softmax(1), (M,)), ("log_softmax", lambda m: m.log_softmax(0), (M,)),
    ("layer_norm", lambda m: F.layer_norm(m, (53,)), (M,)), ("cumsum", lambda m: m.cumsum(1), (M,)), ("cumprod", lambda m: m.cumprod(1), (M,)),
    ("sort", lambda m: m.sort(1)[0], (M,)), ("transpose", lambda m, q: m.t().contiguous() + q, (M, Q)),
    ("index", lambda x, p: x[p], (X, PICK)), ("index of rows", lambda m, r: m[r] * 2, (M, ROWS)), ("gather", lambda m: m.gather(1, (m > 0).long()), (M,)),
    ("masked_fill", lambda x: x.masked_fill(x < 0, 9.0), (X,)), ("slice with a step", lambda m: m[1::3, ::2] + 1, (M,)), ("flip", lambda x: x.flip(0) * 1, (X,)),
    ("roll", lambda m: m.roll(5, 1) * 1, (M,)), ("cat", lambda m: torch.cat([m, m * 2], 1), (M,)), ("triu", lambda m: torch.triu(m, 2), (M,)),
    ("pad", lambda m: F.pad(m, (1, 2, 3, 4), value=5.0), (M,)), ("embedding", lambda m, r: F.embedding(r, m), (M, ROWS)),
    ("index_add", lambda m, r: torch.zeros_like(m).index_add(0, r, m[r]), (M, ROWS)), ("scatter_add", lambda x, p: torch.zeros_like(x).scatter_add(0, p, x[p]), (X, PICK)),
    ("max_pool2d", lambda t: F.max_pool2d(t, 2), (T,)), ("avg_pool2d", lambda t: F.avg_pool2d(t, 3, 2), (T,)), ("upsample", lambda t: F.interpolate(t, scale_factor=2.0, mode="bilinear"), (T,)),
    ("batch_norm", lambda t: F.batch_norm(t, None, None, training=True), (T,)), ("cross_entropy", lambda m: F.cross_entropy(m, torch.arange(37, device=m.device)), (M,)),
    ("outer and broadcast", lambda m: m[:, :1] * m[:1] + m, (M,)), ("linspace and arange", lambda m: m + torch.arange(53, device=m.device) * 0.5, (M,)),
]


def compare(name, function, arguments):
    expected = function(*arguments)
    begun = time.time()
    torch._dynamo.reset()  # so that each counts as the first one
    try:
        got = torch.compile(function)(*[one.cuda() for one in arguments]).cpu()
    except Exception as error:  # what PyTorch runs without Triton
        return "not run", str(error).strip().split("\n")[0][:150]
    seconds = f"{time.time() - begun:.1f} s"
    tolerance = {torch.float32: (2e-5, 2e-5), torch.float64: (1e-12, 1e-12), torch.float16: (2e-3, 2e-3), torch.bfloat16: (2e-2, 2e-2)}
    relative, absolute = tolerance.get(expected.dtype, (0, 0))
    if got.dtype != expected.dtype or got.shape != expected.shape:
        return "WRONG", f"{got.dtype} {tuple(got.shape)}, not {expected.dtype} {tuple(expected.shape)}"
    if expected.dtype in tolerance:
        same = torch.allclose(got, expected, rtol=relative, atol=absolute, equal_nan=True)
    else:
        same = torch.equal(got, expected)
    return ("same", seconds) if same else ("WRONG", f"differs by up to {(got.double() - expected.double()).abs().max().item():g}")


def main():
    outcomes = {}
    for name, function, arguments in OPERATIONS:
        if len(sys.argv) > 1 and not any(part in name for part in sys.argv[1:]):
            continue
        outcome, detail = compare(name, function, arguments)
        outcomes.setdefault(outcome, []).append(name)
        print(f"{outcome:8} {name:28} {detail}", flush=True)
    print({outcome: len(names) for outcome, names in outcomes.items()})
    return 1 if "WRONG" in outcomes else 0


if __name__ == "__main__":
    sys.exit(main())
