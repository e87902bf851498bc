#!/usr/bin/env python3
"""Random CUDA kernels whose result no order of warps changes, and what they must leave in their buffers, by g++.

    random_kernels.py --seed 17 --kernels 10 -o FOLDER     writes FOLDER/seed17.cu, with `// run:` lines,
                                                           and FOLDER/seed17.out: FNV-1a of each buffer, by the host
    random_kernels.py --seed 17 --try build/headless/lanescope
                                                           also runs each under the program and compares byte by byte

The same seed gives the same kernels. Nothing undefined is in them: signed arithmetic that could overflow is unsigned, indices
are masked, what is read was written, lanes that an exchange names are exactly those that come to it, and what blocks and
warps share they combine by operations whose order does not matter. Floating point is in operations that IEEE 754 (or
CUDA's manual, as exact) decides; NaN is looked at only as NaN. cuda_on_host.h is the host's side.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# PTX that C++ has no word for: result and parameters (u, w: 32 and 64 bits; f: float), and the instructions.
PTX = {
    "bfe_u32": ("u", "uuu", "bfe.u32 %0, %1, %2, %3;"),
    "bfe_s32": ("u", "uuu", "bfe.s32 %0, %1, %2, %3;"),
    "bfe_u64": ("w", "wuu", "bfe.u64 %0, %1, %2, %3;"),
    "bfe_s64": ("w", "wuu", "bfe.s64 %0, %1, %2, %3;"),
    "bfi_b32": ("u", "uuuu", "bfi.b32 %0, %1, %2, %3, %4;"),
    "bfi_b64": ("w", "wwuu", "bfi.b64 %0, %1, %2, %3, %4;"),
    "shl_b32": ("u", "uu", "shl.b32 %0, %1, %2;"),
    "shr_u32": ("u", "uu", "shr.u32 %0, %1, %2;"),
    "shr_s32": ("u", "uu", "shr.s32 %0, %1, %2;"),
    "shl_b64": ("w", "wu", "shl.b64 %0, %1, %2;"),
    "shr_s64": ("w", "wu", "shr.s64 %0, %1, %2;"),
    "shl_b16": ("u", "uu", "{.reg .b16 a; cvt.u16.u32 a, %1; shl.b16 a, a, %2; cvt.u32.u16 %0, a;}"),
    "shr_s16": ("u", "uu", "{.reg .b16 a; cvt.u16.u32 a, %1; shr.s16 a, a, %2; cvt.u32.u16 %0, a;}"),
    "bfind_u32": ("u", "u", "bfind.u32 %0, %1;"),
    "bfind_s32": ("u", "u", "bfind.s32 %0, %1;"),
    "bfind_u64": ("u", "w", "bfind.u64 %0, %1;"),
    "bfind_shiftamt_u32": ("u", "u", "bfind.shiftamt.u32 %0, %1;"),
    "bmsk_clamp": ("u", "uu", "bmsk.clamp.b32 %0, %1, %2;"),
    "bmsk_wrap": ("u", "uu", "bmsk.wrap.b32 %0, %1, %2;"),
    "szext_clamp_u32": ("u", "uu", "szext.clamp.u32 %0, %1, %2;"),
    "szext_wrap_s32": ("u", "uu", "szext.wrap.s32 %0, %1, %2;"),
    "lop3_96": ("u", "uuu", "lop3.b32 %0, %1, %2, %3, 0x96;"),
    "lop3_1b": ("u", "uuu", "lop3.b32 %0, %1, %2, %3, 0x1b;"),
    "lop3_e2": ("u", "uuu", "lop3.b32 %0, %1, %2, %3, 0xe2;"),
    "prmt": ("u", "uuu", "prmt.b32 %0, %1, %2, %3;"),
    "prmt_f4e": ("u", "uuu", "prmt.b32.f4e %0, %1, %2, %3;"),
    "prmt_b4e": ("u", "uuu", "prmt.b32.b4e %0, %1, %2, %3;"),
    "prmt_rc8": ("u", "uuu", "prmt.b32.rc8 %0, %1, %2, %3;"),
    "prmt_ecl": ("u", "uuu", "prmt.b32.ecl %0, %1, %2, %3;"),
    "prmt_ecr": ("u", "uuu", "prmt.b32.ecr %0, %1, %2, %3;"),
    "prmt_rc16": ("u", "uuu", "prmt.b32.rc16 %0, %1, %2, %3;"),
    "mad_hi_u32": ("u", "uuu", "mad.hi.u32 %0, %1, %2, %3;"),
    "mad_hi_s32": ("u", "uuu", "mad.hi.s32 %0, %1, %2, %3;"),
    "mad_hi_sat_s32": ("u", "uuu", "mad.hi.sat.s32 %0, %1, %2, %3;"),
    "mad_wide_u32": ("w", "uuw", "mad.wide.u32 %0, %1, %2, %3;"),
    "mad_wide_s32": ("w", "uuw", "mad.wide.s32 %0, %1, %2, %3;"),
    "mul_wide_s16": ("u", "uu", "{.reg .b16 a, b; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; mul.wide.s16 %0, a, b;}"),
    "mul_wide_u16": ("u", "uu", "{.reg .b16 a, b; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; mul.wide.u16 %0, a, b;}"),
    "mul_hi_s16": ("u", "uu", "{.reg .b16 a, b; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; mul.hi.s16 a, a, b; cvt.u32.u16 %0, a;}"),
    "mul24_hi_u32": ("u", "uu", "mul24.hi.u32 %0, %1, %2;"),
    "mul24_lo_s32": ("u", "uu", "mul24.lo.s32 %0, %1, %2;"),
    "mad24_lo_u32": ("u", "uuu", "mad24.lo.u32 %0, %1, %2, %3;"),
    "add_sat_s32": ("u", "uu", "add.sat.s32 %0, %1, %2;"),
    "sub_sat_s32": ("u", "uu", "sub.sat.s32 %0, %1, %2;"),
    "add_carry": ("u", "uuuu", "{.reg .u32 l, h, c; add.cc.u32 l, %1, %3; addc.cc.u32 h, %2, %4; addc.u32 c, 0, 0; mad.lo.u32 %0, h, 3, c;}"),
    "sub_carry": ("u", "uuuu", "{.reg .u32 l, h, c; sub.cc.u32 l, %1, %3; subc.cc.u32 h, %2, %4; subc.u32 c, 0, 0; mad.lo.u32 %0, h, 3, c;}"),
    "mad_carry": ("u", "uuuu", "{.reg .u32 l; mad.lo.cc.u32 l, %1, %2, %3; madc.hi.u32 %0, %1, %2, %4;}"),
    "sad_s32": ("u", "uuu", "sad.s32 %0, %1, %2, %3;"),
    "sad_u16": ("u", "uuu", "{.reg .b16 a, b, c; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; cvt.u16.u32 c, %3; sad.u16 a, a, b, c; cvt.u32.u16 %0, a;}"),
    "abs_s32": ("u", "u", "abs.s32 %0, %1;"),
    "cnot_b32": ("u", "u", "cnot.b32 %0, %1;"),
    "slct_s32": ("u", "uuu", "slct.b32.s32 %0, %1, %2, %3;"),
    "slct_f32": ("u", "uuf", "slct.b32.f32 %0, %1, %2, %3;"),
    "set_lt_u32": ("u", "uu", "set.lt.u32.u32 %0, %1, %2;"),
    "set_hs_f32": ("u", "uu", "{.reg .f32 d; set.hs.f32.u32 d, %1, %2; mov.b32 %0, d;}"),
    "fns": ("u", "uuu", "{.reg .b32 b; and.b32 b, %2, 31; fns.b32 %0, %1, b, %3;}"),
    "dp4a_u32_s32": ("u", "uuu", "dp4a.u32.s32 %0, %1, %2, %3;"),
    "dp2a_lo_s32_u32": ("u", "uuu", "dp2a.lo.s32.u32 %0, %1, %2, %3;"),
    "dp2a_hi_u32_s32": ("u", "uuu", "dp2a.hi.u32.s32 %0, %1, %2, %3;"),
    "cvt_sat_u8_s32": ("u", "u", "cvt.sat.u8.s32 %0, %1;"),
    "cvt_sat_s8_s32": ("u", "u", "cvt.sat.s8.s32 %0, %1;"),
    "cvt_sat_s16_u32": ("u", "u", "{.reg .b16 a; cvt.sat.s16.u32 a, %1; cvt.s32.s16 %0, a;}"),
    "cvt_sat_u32_s64": ("u", "w", "cvt.sat.u32.s64 %0, %1;"),
    "cvt_s32_s8": ("u", "u", "cvt.s32.s8 %0, %1;"),
    "cvt_u32_u16": ("u", "u", "{.reg .b16 a; cvt.u16.u32 a, %1; cvt.u32.u16 %0, a;}"),
    "cvt_pack_sat_s16": ("u", "uu", "cvt.pack.sat.s16.s32 %0, %1, %2;"),
    "min_s16": ("u", "uu", "{.reg .b16 a, b; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; min.s16 a, a, b; cvt.u32.u16 %0, a;}"),
    "rem_u16": ("u", "uu", "{.reg .b16 a, b; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; or.b16 b, b, 1; rem.u16 a, a, b; cvt.u32.u16 %0, a;}"),
    "vector_mov": ("u", "uu", "{.reg .b16 a, b, c, d; mov.b32 {a, b}, %1; mov.b32 {c, d}, %2; mov.b32 %0, {b, c};}"),
    "add_ftz": ("f", "ff", "add.rn.ftz.f32 %0, %1, %2;"),
    "mul_sat": ("f", "ff", "mul.rn.sat.f32 %0, %1, %2;"),
    "fma_sat": ("f", "fff", "fma.rn.sat.f32 %0, %1, %2, %3;"),
    "min_nan": ("f", "ff", "min.NaN.f32 %0, %1, %2;"),
    "testp": ("u", "f", "{.reg .pred p; .reg .u32 t; testp.finite.f32 p, %1; selp.u32 %0, 1, 0, p; testp.infinite.f32 p, %1; selp.u32 t, 2, 0, p; or.b32 %0, %0, t; "
                        "testp.notanumber.f32 p, %1; selp.u32 t, 4, 0, p; or.b32 %0, %0, t; testp.normal.f32 p, %1; selp.u32 t, 8, 0, p; or.b32 %0, %0, t; "
                        "testp.subnormal.f32 p, %1; selp.u32 t, 16, 0, p; or.b32 %0, %0, t;}"),
    "setp_unordered": ("u", "ff", "{.reg .pred p, q; .reg .u32 t; setp.ltu.f32 p|q, %1, %2; selp.u32 %0, 1, 0, p; setp.geu.f32 p, %1, %2; selp.u32 t, 2, 0, p; or.b32 %0, %0, t; "
                                  "setp.equ.f32 p, %1, %2; selp.u32 t, 4, 0, p; or.b32 %0, %0, t; setp.neu.f32 p, %1, %2; selp.u32 t, 8, 0, p; or.b32 %0, %0, t; "
                                  "setp.nan.f32 p, %1, %2; selp.u32 t, 16, 0, p; or.b32 %0, %0, t; setp.num.f32 p, %1, %2; selp.u32 t, 32, 0, p; or.b32 %0, %0, t; "
                                  "setp.ne.f32 p, %1, %2; selp.u32 t, 64, 0, p; or.b32 %0, %0, t;}"),
    "cvt_sat_u8_f32": ("u", "f", "cvt.rni.sat.u8.f32 %0, %1;"),
    "cvt_s16_f32": ("u", "f", "{.reg .b16 a; cvt.rmi.s16.f32 a, %1; cvt.u32.u16 %0, a;}"),
}
NEW_PTX = {"min_nan"}  # of sm_80
COPIES = "".join(
    f"__device__ void copy_{n}(void* to, const void* from) {{ asm volatile(\"cp.async.{'cg' if n == 16 else 'ca'}.shared.global [%0], [%1], {n};\" "
    f":: \"r\"((u32)__cvta_generic_to_shared(to)), \"l\"(from) : \"memory\"); }}\n" for n in (4, 8, 16)) + """__device__ void copies_done() { asm volatile("cp.async.wait_all;" ::: "memory"); }
"""
CTYPE = {"u": "u32", "w": "u64", "f": "float"}
CONSTRAINT = {"u": "r", "w": "l", "f": "f"}

TYPES = """typedef unsigned int u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;
typedef unsigned short u16;
typedef short s16;
typedef unsigned char u8;
typedef signed char s8;
#define DYNAMIC_SHARED(name) extern __shared__ unsigned name[]
__device__ unsigned lane_id() { unsigned l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); return l; }
"""

# What both sides compile.
COMMON = """__device__ u32 mix(u32 h, u32 v) { h = (h ^ v) * 0x9e3779b1u; return h ^ h >> 15; }
__device__ u32 fold(u64 v) { return (u32)(v >> 32) * 31u + (u32)v; }
__device__ u32 bits(float v) { return v != v ? 0x7fffffffu : __float_as_uint(v); }
__device__ u32 bits(double v) { return v != v ? 0x7fffffffu : fold((u64)__double_as_longlong(v)); }
__device__ float num(float v) { return v != v ? 1.5f : v; }
__device__ double num(double v) { return v != v ? 1.5 : v; }
__device__ float odd_float(u32 v) {
  if ((v & 0x70000u) == 0) return __uint_as_float(v << 13 | v >> 19);
  return __uint_as_float((v & 0x807fffffu) | (v & 0x8000u ? 127u + (v >> 24 & 7u) : 118u + (v >> 24 & 15u)) << 23);
}
__device__ double odd_double(u64 v) {
  if ((v & 0x700000000ull) == 0) return __longlong_as_double((s64)(v << 29 | v >> 35));
  return __longlong_as_double((s64)((v & 0x800fffffffffffffull) | (1000ull + (v >> 56 & 31ull)) << 52));
}
__device__ s32 quotient(s32 a, s32 b) { return b == 0 ? a : b == -1 ? (s32)(0u - (u32)a) : a / b; }
__device__ s32 rest(s32 a, s32 b) { return b == 0 || b == -1 ? (s32)((u32)a * 3u) : a % b; }
__device__ s64 quotient(s64 a, s64 b) { return b == 0 ? a : b == -1 ? (s64)(0ull - (u64)a) : a / b; }
__device__ s64 rest(s64 a, s64 b) { return b == 0 || b == -1 ? (s64)((u64)a * 3u) : a % b; }
__device__ u32 member(u32 m, u32 r) { const u32 some = m & ~0u >> (r & 31u); return some ? 31u - (u32)__clz(some) : (u32)__ffs(m) - 1u; }
template <typename T> __device__ T from_member(u32 m, T v, u32 r) { return __shfl_sync(m, v, (int)member(m, r)); }
template <int width, typename T> __device__ T from_index(u32 m, T v, u32 r) {
  const u32 source = (lane_id() & ~(width - 1u)) + (r & (width - 1u));
  const T got = __shfl_sync(m, v, (int)(r & 63u), width);
  return m >> source & 1u ? got : v;
}
template <int width, typename T> __device__ T from_below(u32 m, T v, u32 r) {
  const u32 within = lane_id() & (width - 1u), delta = r & 31u, source = within < delta ? lane_id() : lane_id() - delta;
  const T got = __shfl_up_sync(m, v, delta, width);
  return m >> source & 1u ? got : v;
}
template <int width, typename T> __device__ T from_above(u32 m, T v, u32 r) {
  const u32 within = lane_id() & (width - 1u), delta = r & 31u, source = within + delta >= width ? lane_id() : lane_id() + delta;
  const T got = __shfl_down_sync(m, v, delta, width);
  return m >> source & 1u ? got : v;
}
template <int width, typename T> __device__ T from_flipped(u32 m, T v, u32 r) {
  u32 source = lane_id() ^ (r & 31u);
  if (source > (lane_id() | (width - 1u))) source = lane_id();
  const T got = __shfl_xor_sync(m, v, (int)(r & 31u), width);
  return m >> source & 1u ? got : v;
}
template <typename T, int n> struct Rolled { T v[n]; __device__ T& at(u32 i) { return v[i % n]; } };
__constant__ u32 fixed[64] = {FIXED};
struct Bundle { u32 a; u8 b; u16 c; u64 d; float e; u32 z; double f; };
"""

COMMON = COMMON.replace("FIXED", ", ".join(f"{(k * k * 2654435761 + 97 * k) & 0xffffffff}u" for k in range(64)))

HALF_HEADERS = "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n"
HALF_COMMON = """__device__ u32 bits(__half v) { const u32 b = __half_as_ushort(v); return (b & 0x7fffu) > 0x7c00u ? 0x7fffu : b; }
__device__ u32 bits(__nv_bfloat16 v) { const u32 b = __bfloat16_as_ushort(v); return (b & 0x7fffu) > 0x7f80u ? 0x7fffu : b; }
"""

INPUT = 1024       # words of the input
MASK = INPUT - 1
ROUNDINGS = ("rn", "rz", "ru", "rd")
FLAVOURS = ("control", "integers", "floats", "doubles", "halves", "memory", "warps", "atomics", "functions", "mixed", "mixed")


def ptx_wrapper(name):
    result, parameters, text = PTX[name]
    names = "abcd"[:len(parameters)]
    declared = ", ".join(f"{CTYPE[p]} {n}" for p, n in zip(parameters, names))
    inputs = ", ".join(f'"{CONSTRAINT[p]}"({n})' for p, n in zip(parameters, names))
    out = "=&" if text.startswith("{") else "="
    return (f"__device__ {CTYPE[result]} ptx_{name}({declared}) {{ {CTYPE[result]} r; "
            f'asm("{text}" : "{out}{CONSTRAINT[result]}"(r) : {inputs}); return r; }}\n')


class Scope:
    """Where a statement stands: names by type, and what control flow allows here."""

    def __init__(self, parent=None, **changes):
        self.names = {t: list(n) for t, n in parent.names.items()} if parent else {}
        self.mask = parent.mask if parent else None         # a variable that holds exactly the lanes that come here
        self.uniform = parent.uniform if parent else False  # all threads of the block that have not returned come here
        self.loop = parent.loop if parent else False        # break and continue may stand here
        self.leave = parent.leave if parent else None       # text that ends the function, or None
        self.depth = parent.depth + 1 if parent else 0
        self.own = set()
        for key, value in changes.items():
            setattr(self, key, value)

    def add(self, kind, name):
        self.names.setdefault(kind, []).append(name)


class Kernel:
    def __init__(self, rng, name, arch, size=90):
        self.rng, self.name, self.arch = rng, name, arch
        self.flavour = rng.choice(FLAVOURS)
        self.halves = self.flavour == "halves" or (self.flavour == "mixed" and rng.random() < 0.3)
        self.count = 0
        self.ptx = set()
        self.copies = set()     # sizes of cp.async
        self.functions = []     # (name, kind): text stands in self.texts
        self.texts = []
        self.lines = []
        self.indent = 1
        self.budget = rng.randint(6, 16) if size >= 90 else rng.randint(4, 9)  # statements at the top
        self.left = size                                                       # and in all, about
        self.calls_left = 6
        self.prints = False
        self.may_return = rng.random() < 0.35
        self.in_function = False
        shape = rng.random()
        if shape < 0.35:
            self.block = (rng.choice((32, 64, 96, 128, 33, 45, 70, 100, 7)), 1, 1)
        elif shape < 0.75:
            self.block = (rng.randint(1, 20), rng.randint(1, 7), 1)
        else:
            self.block = (rng.randint(1, 9), rng.randint(1, 5), rng.randint(1, 4))
        self.grid = rng.choice(((1, 1, 1), (2, 1, 1), (3, 1, 1), (5, 1, 1), (2, 2, 1), (1, 3, 2)))
        self.per_block = self.block[0] * self.block[1] * self.block[2]
        self.threads = self.per_block * self.grid[0] * self.grid[1] * self.grid[2]
        self.tiles = {}         # type -> name
        self.tally = False
        self.keeps = rng.random() < 0.3  # it has a variable of its own in global memory
        self.dynamic = False

    # Small choices.
    def chance(self, p):
        return self.rng.random() < p

    def pick(self, *choices):
        return self.rng.choice(choices)

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def emit(self, text):
        self.lines.append("  " * self.indent + text)

    def name_of(self, kind, scope):
        names = scope.names.get(kind, [])
        return self.rng.choice(names) if names else None

    def writable(self, kind, scope):
        names = [n for n in scope.names.get(kind, []) if n[0] not in "kLt"]
        return self.rng.choice(names) if names else None

    # Expressions: of kind u (u32), s (s32), w (u64), l (s64), f, d, h (half), b (bfloat16), p (a condition).
    def e(self, kind, scope, depth=None):
        if depth is None:
            depth = self.rng.randint(1, 4)
        return getattr(self, "e_" + kind)(scope, depth)

    def constant(self, width=32):
        top = (1 << width) - 1
        value = self.rng.choice((0, 1, 2, 3, 5, 7, 31, 32, 33, 63, 64, 255, 256, 65535, top, top >> 1, (top >> 1) + 1, top - 1,
                                 self.rng.getrandbits(width), self.rng.getrandbits(8), self.rng.getrandbits(width)))
        return f"0x{value & top:x}" + ("u" if width == 32 else "ull")

    def e_u(self, s, depth):
        if depth <= 0 or self.chance(0.12):
            roll = self.rng.random()
            if roll < 0.55:
                return self.name_of("u", s) or "gid"
            if roll < 0.75:
                return self.constant()
            return self.pick("gid", "threadIdx.x", "threadIdx.y", "blockIdx.x", "lane_id()", "(threadIdx.z + blockIdx.y)", "blockDim.x", "gridDim.x")
        d = depth - 1
        e = lambda kind="u": self.e(kind, s, d)
        options = [
            lambda: f"({e()} {self.pick('+', '-', '*', '&', '|', '^')} {e()})",
            lambda: f"({e()} {self.pick('<<', '>>')} ({e()} & 31u))",
            lambda: f"(~{e()})",
            lambda: f"({e('p')} ? {e()} : {e()})",
            lambda: f"({e()} {self.pick('/', '%')} ({e()} | 1u))",
            lambda: f"(u32){e('s')}",
            lambda: f"(u32)({e('s')} >> ({e()} & 31u))",
            lambda: f"(u32)({e('p')})",
            lambda: f"(u32){e('w')}",
            lambda: f"fold({e('w')})",
            lambda: f"bits({e('f')})",
            lambda: f"(u32)({self.pick('u8', 's8', 'u16', 's16')}){e()}",
        ]
        weights = [10, 3, 1, 3, 2, 2, 1, 1, 1, 2, 2, 2]
        intrinsics = lambda: self.intrinsic(s, d)
        options += [intrinsics, lambda: self.load(s, d)]
        weights += [24 if self.flavour == "integers" else 4, 16 if self.flavour == "memory" else 4]
        if self.flavour in ("doubles", "mixed"):
            options += [lambda: f"bits({e('d')})"]
            weights += [8]
        if self.flavour in ("floats", "mixed"):
            options += [lambda: f"bits({e('f')})", lambda: self.float_to_integer(s, d)]
            weights += [6, 4]
        if self.halves:
            options += [lambda: f"bits({e('h')})", lambda: f"bits({e('b')})", lambda: f"(u32)__half2{self.pick('int', 'uint', 'ushort')}_{self.pick(*ROUNDINGS)}({e('h')})"]
            weights += [10, 6 if self.arch >= 80 else 0, 2]
        if self.functions and not self.in_function and self.calls_left > 0 and s.depth < 3:
            options += [lambda: self.call(s, d)]
            weights += [10 if self.flavour == "functions" else 2]
        return self.rng.choices(options, weights)[0]()

    def intrinsic(self, s, d):
        e = lambda kind="u": self.e(kind, s, d)
        if self.chance(0.6):
            names = [n for n in PTX if self.arch >= 80 or n not in NEW_PTX]
            if not hasattr(self, "some_ptx"):  # a kernel knows a few, so that its text stays short
                self.some_ptx = self.rng.sample(names, 9)
            name = self.rng.choice(self.some_ptx)
            result, parameters, _ = PTX[name]
            self.ptx.add(name)
            small = lambda: self.rng.choice((e(), f"({e()} & 63u)", self.constant()))
            given = [small() if p == "u" and i > 0 else e(p) for i, p in enumerate(parameters)]
            if name.startswith("bf") and len(given) > 1:  # PTX restricts place and length to 0 … 255
                given[-2:] = [f"({value} & 255u)" for value in given[-2:]]
            given = ", ".join(given)
            text = f"ptx_{name}({given})"
            return text if result == "u" else f"fold({text})" if result == "w" else f"bits({text})"
        return self.rng.choice((
            lambda: f"(u32){self.pick('__popc', '__clz', '__brev', '__ffs')}({e()})",
            lambda: f"(u32){self.pick('__popcll', '__clzll', '__ffsll')}({e('w')})",
            lambda: f"__umulhi({e()}, {e()})",
            lambda: f"(u32)__mulhi({e('s')}, {e('s')})",
            lambda: f"__byte_perm({e()}, {e()}, {e()})",
            lambda: f"__funnelshift_{self.pick('l', 'r', 'lc', 'rc')}({e()}, {e()}, {e()})",
            lambda: f"__usad({e()}, {e()}, {e()})",
            lambda: f"{self.pick('__uhadd', '__umul24', '__vadd4', '__vsub2', '__vaddus4', '__vsubss2', '__vavgu4', '__vabsdiffu4')}({e()}, {e()})",
            lambda: f"{self.pick('__vmaxs2', '__vminu4', '__vcmpgts4', '__vseteq2', '__vsads4')}({e()}, {e()})",
            lambda: f"{self.pick('__vneg4', '__vabsss2')}({e()})",
            lambda: f"(u32)__dp4a({e('s')}, {e('s')}, {e('s')})",
            lambda: f"__dp4a({e()}, {e()}, {e()})",
            lambda: f"{self.pick('min', 'max')}({e()}, {e()})",
        ))()

    def float_to_integer(self, s, d):
        kind = self.pick("f", "d")
        source = "float" if kind == "f" else "double"
        target = self.pick("int", "uint", "ll", "ull")
        text = f"__{source}2{target}_{self.pick(*ROUNDINGS)}({self.e(kind, s, d)})"
        return f"(u32){text}" if "ll" not in target else f"fold((u64){text})"

    def load(self, s, d):
        i = f"{self.e('u', s, d)}"
        where = self.rng.random()
        if where < 0.5 or self.in_function and where < 0.7:
            return self.rng.choice((
                f"in[{i} & {MASK}u]", f"in[{i} & {MASK}u]", f"in[(gid * {self.pick(1, 2, 3, 4, 8, 33)}u + {self.rng.randint(0, 40)}u) & {MASK}u]",
                f"(u32)((const u8*)in)[{i} & {4 * MASK}u]", f"(u32)((const s8*)in)[{i} & {4 * MASK}u]",
                f"(u32)((const u16*)in)[{i} & {2 * MASK}u]", f"(u32)((const s16*)in)[{i} & {2 * MASK}u]",
                f"((const uint4*)in)[{i} & {MASK // 4}u].{self.pick(*'xyzw')}", f"((const uint2*)in)[{i} & {MASK // 2}u].{self.pick(*'xy')}",
                f"fold(((const u64*)in)[{i} & {MASK // 2}u])", f"__ldg(in + ({i} & {MASK}u))", f"((const volatile u32*)in)[{i} & {MASK}u]",
                f"__ldcs(in + ({i} & {MASK}u))", f"fixed[{i} & 63u]", f"fixed[{self.rng.randint(0, 63)}]",
                f"(u32)((const uchar4*)in)[{i} & {MASK}u].{self.pick(*'xyzw')}", f"(u32)((const ushort4*)in)[{i} & {MASK // 2}u].{self.pick(*'xyzw')}",
                f"fold(((const ulonglong2*)in)[{i} & {MASK // 4}u].{self.pick('x', 'y')})",
            ))
        if not self.in_function and where < 0.85:
            return self.rng.choice((
                f"own[{i} & 3u]", f"(u32)((const uchar4*)own8)[{i} & 1u].{self.pick(*'xyzw')}", f"(u32)((const ushort4*)own16)[{i} & 1u].{self.pick(*'xyzw')}",
                *((f"{self.name}_kept[gid * 2u + ({i} & 1u)]",) if self.keeps else ()), f"(u32)((const u8*)own)[{i} & 63u]", f"(u32)own16[{i} & 7u]", f"(u32)own8[{i} & 7u]",
                f"(u32)((volatile u16*)own16)[{i} & 7u]", f"fold(*own64)", f"own128->{self.pick(*'xyzw')}",
            ))
        array = self.name_of("array", s)
        if array:
            name, size = array
            return f"{name}[{i} % {size}u]"
        return f"in[{i} & {MASK}u]"

    def e_s(self, s, depth):
        if depth <= 0 or self.chance(0.12):
            return self.name_of("s", s) if s.names.get("s") and self.chance(0.6) else f"(s32){self.e_u(s, 0)}"
        d = depth - 1
        e = lambda kind="s": self.e(kind, s, d)
        return self.rng.choices((
            lambda: f"(s32)({e('u')} {self.pick('+', '-', '*')} {e('u')})",
            lambda: f"{self.pick('quotient', 'rest')}({e()}, {e()})",
            lambda: f"({e()} >> ({e('u')} & 31u))",
            lambda: f"{self.pick('min', 'max')}({e()}, {e()})",
            lambda: f"({e('p')} ? {e()} : {e()})",
            lambda: f"(s32)({self.pick('s8', 's16', 'u8', 'u16')}){e('u')}",
            lambda: f"(~{e()})",
            lambda: f"{self.pick('__mulhi', '__rhadd')}({e()}, {e()})",
            lambda: f"(s32){e('l')}",
            lambda: f"__float2int_{self.pick(*ROUNDINGS)}({e('f')})",
        ), (4, 3, 2, 2, 2, 2, 1, 1, 1, 1))[0]()

    def e_w(self, s, depth):
        if depth <= 0 or self.chance(0.15):
            return self.name_of("w", s) if s.names.get("w") and self.chance(0.6) else self.constant(64) if self.chance(0.3) else f"(u64){self.e_u(s, 0)}"
        d = depth - 1
        e = lambda kind="w": self.e(kind, s, d)
        return self.rng.choices((
            lambda: f"({e()} {self.pick('+', '-', '*', '&', '|', '^')} {e()})",
            lambda: f"({e()} {self.pick('<<', '>>')} ({e('u')} & 63u))",
            lambda: f"((u64){e('u')} << 32 | {e('u')})",
            lambda: f"((u64){e('u')} * {e('u')})",
            lambda: f"({e()} {self.pick('/', '%')} ({e()} | 1ull))",
            lambda: f"__umul64hi({e()}, {e()})",
            lambda: f"__brevll({e()})",
            lambda: f"({e('p')} ? {e()} : {e()})",
            lambda: f"(u64){e('l')}",
            lambda: f"(u64){e('s')}",
            lambda: f"(u64)__double2{self.pick('ll', 'ull')}_{self.pick(*ROUNDINGS)}({e('d')})",
            lambda: f"{self.pick('min', 'max')}({e()}, {e()})",
        ), (6, 3, 3, 3, 1, 1, 1, 2, 2, 2, 1, 1))[0]()

    def e_l(self, s, depth):
        if depth <= 0:
            return f"(s64){self.e_w(s, 0)}"
        d = depth - 1
        e = lambda kind="l": self.e(kind, s, d)
        return self.rng.choices((
            lambda: f"(s64){e('w')}",
            lambda: f"{self.pick('quotient', 'rest')}({e()}, {e()})",
            lambda: f"({e()} >> ({e('u')} & 63u))",
            lambda: f"(s64){e('s')}",
            lambda: f"(s64){e('s')} * {e('s')}",
            lambda: f"__mul64hi({e()}, {e()})",
            lambda: f"{self.pick('min', 'max')}({e()}, {e()})",
        ), (3, 1, 2, 2, 2, 1, 1))[0]()

    FLOATS = ("0.0f", "-0.0f", "1.0f", "-1.0f", "0.5f", "1.5f", "3.0f", "1e-40f", "1e-45f", "3.4e38f", "1.17549435e-38f", "1e10f", "-2147483648.0f", "4294967296.0f", "0.1f")
    DOUBLES = ("0.0", "-0.0", "1.0", "-1.0", "0.5", "2.5", "1e-310", "5e-324", "1.7e308", "1e18", "-9223372036854775808.0", "0.1")

    def e_f(self, s, depth):
        if depth <= 0 or self.chance(0.1):
            roll = self.rng.random()
            if roll < 0.5 and s.names.get("f"):
                return self.name_of("f", s)
            return self.pick(*self.FLOATS) if roll < 0.75 else f"odd_float({self.e_u(s, 0)})"
        d = depth - 1
        e = lambda kind="f": self.e(kind, s, d)
        r = self.pick(*ROUNDINGS)
        return self.rng.choices((
            lambda: f"__f{self.pick('add', 'sub', 'mul', 'div')}_{r}({e()}, {e()})",
            lambda: f"__fmaf_{r}({e()}, {e()}, {e()})",
            lambda: f"__f{self.pick('sqrt', 'rcp')}_{r}({e()})",
            lambda: f"{self.pick('fminf', 'fmaxf')}({e()}, {e()})",
            lambda: f"{self.pick('truncf', 'floorf', 'ceilf', 'rintf', 'roundf', 'fabsf', '-', '__saturatef')}({e()})",
            lambda: f"__{self.pick('int', 'uint')}2float_{r}({e('u')})".replace("__int2float_" + r + "(", "__int2float_" + r + "((s32)"),
            lambda: f"__{self.pick('ll2float', 'ull2float')}_{r}({e('w')})".replace("__ll2float_" + r + "(", "__ll2float_" + r + "((s64)"),
            lambda: f"odd_float({e('u')})",
            lambda: f"({e('p')} ? {e()} : {e()})",
            lambda: f"copysignf({e()}, num({e()}))",
            lambda: f"__double2float_{r}({e('d')})",
            lambda: f"{self.pick('fmodf', 'remainderf', 'fdimf', 'nextafterf')}({e()}, {e()})",
            lambda: f"ldexpf({e()}, (s32)({e('u')} % 300u) - 150)",
            lambda: f"({e()} / {e()})",
            lambda: f"({e()} {self.pick('<', '==', '>=', '!=')} {e()} ? {e()} : {e()})",
            lambda: self.float_ptx(s, d),
            lambda: f"__half2float({e('h')})" if self.halves else e(),
        ), (10, 4, 2, 4, 4, 2, 1, 3, 2, 1, 2, 2 if self.flavour == "floats" else 0, 1, 1, 2, 2, 4))[0]()

    def float_ptx(self, s, d):
        name = self.pick("add_ftz", "mul_sat", "fma_sat", *(("min_nan",) if self.arch >= 80 else ()))
        self.ptx.add(name)
        return f"ptx_{name}({', '.join(self.e('f', s, d) for _ in PTX[name][1])})"

    def e_d(self, s, depth):
        if depth <= 0 or self.chance(0.1):
            roll = self.rng.random()
            if roll < 0.5 and s.names.get("d"):
                return self.name_of("d", s)
            return self.pick(*self.DOUBLES) if roll < 0.75 else f"odd_double({self.e_w(s, 0)})"
        d = depth - 1
        e = lambda kind="d": self.e(kind, s, d)
        r = self.pick(*ROUNDINGS)
        return self.rng.choices((
            lambda: f"__d{self.pick('add', 'sub', 'mul')}_{r}({e()}, {e()})",
            lambda: f"__ddiv_{r}({e()}, {e()})",
            lambda: f"__fma_{r}({e()}, {e()}, {e()})",
            lambda: f"__d{self.pick('sqrt', 'rcp')}_{r}({e()})",
            lambda: f"{self.pick('fmin', 'fmax')}({e()}, {e()})",
            lambda: f"{self.pick('trunc', 'floor', 'ceil', 'rint', 'round', 'fabs', '-')}({e()})",
            lambda: f"(double){e('f')}",
            lambda: f"{self.pick('__int2double_rn', '__uint2double_rn')}({e('u')})".replace("__int2double_rn(", "__int2double_rn((s32)").replace("__u(s32)", "__u"),
            lambda: f"__ll2double_{r}({e('l')})",
            lambda: f"__ull2double_{r}({e('w')})",
            lambda: f"odd_double({e('w')})",
            lambda: f"({e('p')} ? {e()} : {e()})",
            lambda: f"__hiloint2double((s32){e('u')}, (s32){e('u')})",
            lambda: f"{self.pick('fmod', 'fdim', 'nextafter')}({e()}, {e()})",
            lambda: f"({e()} {self.pick('<', '==', '>=', '!=')} {e()} ? {e()} : {e()})",
        ), (8, 2 if self.flavour == "doubles" else 1, 4, 1, 3, 3, 3, 2, 1, 1, 3, 2, 1, 1 if self.flavour == "doubles" else 0, 2))[0]()

    def e_h(self, s, depth):
        if depth <= 0 or self.chance(0.15):
            return self.name_of("h", s) if s.names.get("h") and self.chance(0.6) else f"__ushort_as_half((u16){self.e_u(s, 0)})"
        d = depth - 1
        e = lambda kind="h": self.e(kind, s, d)
        r = self.pick(*ROUNDINGS)
        choices = [
            lambda: f"{self.pick('__hadd_rn', '__hsub_rn', '__hmul_rn', '__hadd_sat', '__hmax', '__hmin')}({e()}, {e()})",
            lambda: f"{self.pick('__hfma', '__hfma_sat')}({e()}, {e()}, {e()})",
            lambda: f"{self.pick('__hneg', '__habs', 'htrunc', 'hfloor', 'hceil', 'hrint')}({e()})",
            lambda: f"__float2half_{r}({e('f')})",
            lambda: f"__{self.pick('int', 'uint')}2half_{r}({e('u')})".replace("__int2half_" + r + "(", "__int2half_" + r + "((s32)"),
            lambda: f"__ushort_as_half((u16){e('u')})",
            lambda: f"__double2half({e('d')})",
            lambda: f"({self.pick('__hlt', '__heq', '__hgeu')}({e()}, {e()}) ? {e()} : {e()})",
            lambda: f"{self.pick('__low2half', '__high2half')}({self.half2(s, d)})",
        ]
        if self.arch >= 80:
            choices.append(lambda: f"{self.pick('__hmin_nan({}, {})', '__hfma_relu({}, {}, {})')}".format(e(), e(), e()))
        return self.rng.choice(choices)()

    def half2(self, s, d):
        e = lambda: self.e("h", s, d - 1)
        pair = lambda: f"__halves2half2({e()}, {e()})"
        return self.rng.choice((
            lambda: f"{self.pick('__hadd2_rn', '__hmul2_rn', '__hmax2' if self.arch >= 80 else '__hadd2_rn')}({pair()}, {pair()})",
            lambda: f"__hfma2({pair()}, {pair()}, {pair()})",
            lambda: f"__lowhigh2highlow({pair()})",
            lambda: f"__floats2half2_rn({self.e('f', s, d - 1)}, {self.e('f', s, d - 1)})",
        ))()

    def e_b(self, s, depth):
        if depth <= 0 or self.arch < 80 or self.chance(0.15):
            return f"__ushort_as_bfloat16((u16){self.e_u(s, 0)})"
        d = depth - 1
        e = lambda kind="b": self.e(kind, s, d)
        return self.rng.choice((
            lambda: f"{self.pick('__hadd_rn', '__hsub_rn', '__hmul_rn', '__hmax', '__hmin')}({e()}, {e()})",
            lambda: f"__hfma({e()}, {e()}, {e()})",
            lambda: f"__float2bfloat16_{self.pick(*ROUNDINGS)}({e('f')})",
            lambda: f"__ushort_as_bfloat16((u16){e('u')})",
            lambda: f"(__hlt({e()}, {e()}) ? {e()} : {e()})",
        ))()

    def e_p(self, s, depth):
        d = max(depth - 1, 0)
        e = lambda kind="u": self.e(kind, s, d)
        compare = self.pick("<", "<=", ">", ">=", "==", "!=")
        if depth > 1 and self.chance(0.3):
            return f"({e('p')} {self.pick('&&', '||')} {e('p')})"
        return self.rng.choices((
            lambda: f"({e()} {compare} {e()})",
            lambda: f"({e()} & {1 << self.rng.randint(0, 6)}u)" + " != 0u",
            lambda: f"({e('s')} {compare} {e('s')})",
            lambda: f"({e('w')} {compare} {e('w')})",
            lambda: f"({e('f')} {compare} {e('f')})",
            lambda: f"({e('d')} {compare} {e('d')})",
            lambda: f"(lane_id() {compare} {self.rng.randint(0, 32)}u)",
            lambda: f"!({e('p')})",
            lambda: f"isnan({e('f')})",
            lambda: f"({e()} % {self.rng.randint(2, 5)}u == {self.rng.randint(0, 1)}u)",
        ), (6, 4, 2, 1, 2, 1, 4, 1, 1, 4))[0]().join("()")

    def call(self, s, d):
        self.calls_left -= 1
        usable = [f for f in self.functions if f[1] != "masked"]
        if not usable:
            return self.name_of("u", s) or "gid"
        name, kind = self.rng.choice(usable)
        e = lambda k="u": self.e(k, s, d)
        if kind == "recursive":
            return f"{name}({e()} & {self.rng.choice((3, 7))}u, {e()}, in)"
        if kind == "bundle":
            return f"(u32){name}({{{e()}, (u8){e()}, (u16){e()}, {e('w')}, {e('f')}, 0u, {e('d')}}}, {e()}, in).{self.pick('a', 'b', 'c')}"
        pointers = [f[0] for f in self.functions if f[1] == "plain"]
        if len(pointers) > 1 and self.chance(0.4):
            chosen = self.rng.sample(pointers, 2)
            return f"({e('p')} ? {chosen[0]} : {chosen[1]})({e()}, {e('s')}, in, gid)"
        return f"{name}({e()}, {e('s')}, in, gid)"

    # Functions.
    def make_functions(self):
        wanted = self.rng.randint(1, 4) if self.flavour == "functions" else self.rng.choice((0, 0, 1, 2)) if self.flavour in ("mixed", "control") else 0
        for _ in range(wanted):
            self.make_function(self.pick("plain", "plain", "recursive", "masked", "bundle"))

    def make_function(self, kind):
        name = f"{self.name}_{kind}{len(self.functions)}"
        kept = self.lines, self.budget, self.indent, self.in_function
        self.lines, self.budget, self.indent, self.in_function = [], self.rng.randint(2, 7), 1, True
        inline = self.pick("__noinline__ ", "__noinline__ ", "__noinline__ ", "")
        if kind == "recursive":
            scope = Scope()
            scope.names = {"u": ["n", "x"]}
            e = lambda k="u": self.e(k, scope, 2)
            self.emit(f"if (n == 0u || {e('p')}) return {e()};")
            self.emit(f"u32 r = {name}(n - 1u, {e()}, in);")
            scope.add("u", "r")
            self.statements(scope)
            if self.chance(0.5):
                self.emit(f"if ({e('p')}) r ^= {name}(n / 2u, {e()}, in);")
            self.emit(f"return {e()};")
            head = f"__device__ __noinline__ u32 {name}(u32 n, u32 x, const u32* in)"
            text = "\n".join(self.lines).replace("gid", "n")
        elif kind == "bundle":
            scope = Scope()
            scope.names = {"u": ["x", "g.a"], "w": ["g.d"], "f": ["g.e"], "d": ["g.f"]}
            self.statements(scope)
            self.emit(f"g.{self.pick('a', 'b', 'c')} ^= {self.e('u', scope)};")
            self.emit(f"g.a = mix(g.a, mix(fold(g.d), mix(bits(g.e), mix(bits(g.f), g.b ^ g.c))));")
            self.emit("return g;")
            head = f"__device__ {inline}Bundle {name}(Bundle g, u32 x, const u32* in)"
            text = "\n".join(self.lines).replace("gid", "x")
        else:
            scope = Scope()
            scope.names = {"u": ["x"], "s": ["y"]}
            if kind == "masked":
                scope.mask = "m"
                scope.names["u"].append("L")
                self.emit("const u32 L = lane_id();")
            scope.leave = "return {};"
            self.statements(scope)
            self.emit(f"return mix({self.e('u', scope)}, {self.e('u', scope)});")
            head = f"__device__ {inline}u32 {name}({'u32 m, ' if kind == 'masked' else ''}u32 x, s32 y, const u32* in, u32 gid)"
            text = "\n".join(self.lines)
        self.texts.append(head + " {\n" + text + "\n}\n")
        self.functions.append((name, kind))
        self.lines, self.budget, self.indent, self.in_function = kept

    # Statements.
    def statements(self, scope, most=None):
        count = self.rng.randint(1, 4) if most is None else most
        if scope.depth == 0:
            count = self.budget
        for _ in range(count):
            if self.left <= 0 and scope.depth > 0:
                break
            self.left -= 1
            self.statement(scope)
        if scope.depth > 0 and not self.in_function and self.chance(0.4):
            self.st_mix(scope)

    CTYPES = {"u": "u32", "s": "s32", "w": "u64", "f": "float", "d": "double", "h": "__half"}

    def statement(self, s):
        f = self.flavour
        kernel = not self.in_function
        deep = s.depth >= 4
        table = [
            (self.st_declare, 3), (self.st_assign, 8),
            (self.st_mix, 6 if kernel else 0),
            (self.st_if, 0 if deep else 12 if f == "control" else 6),
            (self.st_for, 0 if deep else 8 if f == "control" else 4),
            (self.st_while, 0 if deep else 5 if f == "control" else 2),
            (self.st_switch, 0 if deep else 5 if f == "control" else 1),
            (self.st_goto, 0 if deep else 2 if f == "control" else 0),
            (self.st_array, 2), (self.st_narrow, 2), (self.st_structs, 2 if f in ("memory", "mixed") else 0),
            (self.st_jump, 3 if s.loop else 0),
            (self.st_return, 2 if s.leave and self.may_return and s.depth < 3 else 0),
            (self.st_store, 0 if not kernel else 10 if f == "memory" else 4),
            (self.st_warp, 0 if not s.mask else 16 if f == "warps" else 4),
            (self.st_masked_call, 4 if s.mask and kernel and self.functions else 0),
            (self.st_atomic, 0 if not kernel else 14 if f == "atomics" else 2),
            (self.st_phase, 0 if not (kernel and s.uniform and s.depth < 3) else 12 if f == "memory" else 5),
            (self.st_pointer, 0 if not kernel else 3 if f in ("memory", "mixed") else 0),
            (self.st_reference, 2 if f in ("functions", "mixed") and kernel else 0),
            (self.st_print, 1 if kernel and not self.prints and s.depth == 0 and self.chance(0.1) else 0),
        ]
        self.rng.choices([t[0] for t in table], [t[1] for t in table])[0](s)

    def block_of(self, scope, most=None):
        self.indent += 1
        self.statements(scope, most)
        self.indent -= 1

    def st_declare(self, s):
        kind = self.rng.choice("uuusswfd" + ("hh" if self.halves else ""))
        name = self.fresh({"u": "v", "s": "i", "w": "w", "f": "f", "d": "d", "h": "q"}[kind])
        self.emit(f"{self.CTYPES[kind]} {name} = {self.e(kind, s)};")
        s.add(kind, name)

    def st_assign(self, s):
        kind = self.rng.choice("uuusswfd" + ("h" if self.halves else ""))
        name = self.writable(kind, s)
        if not name or name in ("n", "y"):
            return self.st_declare(s)
        if kind in "uw" and self.chance(0.4):
            self.emit(f"{name} {self.pick('+=', '-=', '^=', '*=', '|=', '&=')} {self.e(kind, s)};")
        else:
            self.emit(f"{name} = {self.e(kind, s)};")

    def st_mix(self, s):
        self.emit(f"h = mix(h, {self.e('u', s)});")

    def st_if(self, s):
        condition = self.e("p", s)
        with_else = self.chance(0.5)
        if s.mask and self.chance(0.6):
            c, m = self.fresh("c"), self.fresh("m")
            self.emit(f"const bool {c} = {condition};")
            self.emit(f"const u32 {m} = __ballot_sync({s.mask}, {c});")
            yes, no, condition = m, f"({s.mask} & ~{m})", c
        else:
            yes = no = None
        self.emit(f"if ({condition}) {{")
        self.block_of(Scope(s, mask=yes, uniform=False, leave=self.inner_leave(s, yes)))
        if with_else:
            self.emit("} else {")
            self.block_of(Scope(s, mask=no, uniform=False, leave=self.inner_leave(s, no)))
        self.emit("}")

    # A return within leaves the masks around wrong: only where nobody has a mask.
    def inner_leave(self, s, mask):
        return s.leave if s.mask is None and mask is None else None

    def bound(self, s):
        return self.rng.choice((f"({self.e('u', s, 2)} & {self.pick(3, 7)}u)", f"({self.e('u', s, 2)} % {self.rng.randint(2, 6)}u)",
                                f"{self.rng.randint(1, 5)}u", "(lane_id() & 3u)", "(threadIdx.x % 4u)"))

    def st_for(self, s):
        k = self.fresh("k")
        if s.uniform and self.chance(0.35):
            self.emit(f"for (u32 {k} = 0u; {k} < {self.rng.randint(1, 4)}u; ++{k}) {{")
            inner = Scope(s, loop=False, leave=None)
            inner.add("u", k)
            self.block_of(inner)
        elif s.mask and self.chance(0.6):
            n, m = self.fresh("n"), self.fresh("m")
            self.emit(f"const u32 {n} = {self.bound(s)};")
            self.emit(f"u32 {m} = {s.mask};")
            self.emit(f"for (u32 {k} = 0u;; ++{k}) {{")
            self.emit(f"  {m} = __ballot_sync({m}, {k} < {n});")
            self.emit(f"  if ({k} >= {n}) break;")
            inner = Scope(s, mask=m, uniform=False, loop=False, leave=None)
            inner.add("u", k)
            self.block_of(inner)
            if self.chance(0.4):
                c = self.fresh("c")
                self.emit(f"  const bool {c} = {self.e('p', inner)};")
                if self.chance(0.5):
                    self.emit(f"  {m} = __ballot_sync({m}, !{c});")
                    self.emit(f"  if ({c}) break;")
                    self.block_of(inner, 2)
                else:
                    left = self.fresh("m")
                    self.emit(f"  const u32 {left} = __ballot_sync({m}, !{c});")
                    self.emit(f"  if ({c}) continue;")
                    inner.mask = left
                    self.block_of(inner, 2)
        else:
            self.emit(f"for (u32 {k} = 0u, n{k} = {self.bound(s)}; {k} < n{k}; ++{k}) {{")
            inner = Scope(s, mask=None, uniform=False, loop=True, leave=self.inner_leave(s, None))
            inner.add("u", k)
            self.block_of(inner)
        self.emit("}")

    def st_while(self, s):
        n = self.fresh("n")
        inner = Scope(s, mask=None, uniform=False, loop=True, leave=self.inner_leave(s, None))
        self.emit(f"u32 {n} = {self.rng.randint(1, 6)}u;")
        if self.chance(0.5):
            self.emit(f"while ({n}-- != 0u && {self.e('p', s, 2)}) {{")
            self.block_of(inner)
            self.emit("}")
        else:
            self.emit("do {")
            self.block_of(inner)
            self.emit(f"}} while (--{n} != 0u && {self.e('p', s, 2)});")

    def st_switch(self, s):
        cases = self.rng.randint(2, 9)
        self.emit(f"switch ({self.e('u', s)} % {cases + self.rng.randint(0, 2)}u) {{")
        self.indent += 1
        for i in range(cases):
            self.emit("default: {" if i == cases - 1 and self.chance(0.6) else f"case {i}: {{")
            self.block_of(Scope(s, mask=None, uniform=False, loop=False, leave=self.inner_leave(s, None)), self.rng.randint(1, 2))
            self.emit("}" if self.chance(0.25) else "} break;")
        self.indent -= 1
        self.emit("}")

    # Two labels that both are jumped to from outside their loop: control flow that no structured statement makes.
    def st_goto(self, s):
        n, first, second = self.fresh("n"), self.fresh("again"), self.fresh("into")
        name = self.writable("u", s)
        if not name or name in ("n",):
            return
        self.emit(f"u32 {n} = {self.rng.randint(2, 6)}u;")
        self.emit(f"if ({self.e('p', s, 2)}) goto {second};")
        self.emit(f"{first}:")
        self.emit(f"{name} = mix({name}, {self.e('u', s, 2)});")
        self.emit(f"{second}:")
        self.emit(f"{name} += {self.e('u', s, 2)};")
        self.emit(f"if (--{n} != 0u && {self.e('p', s, 2)}) goto {self.pick(first, second)};")
        self.emit(f"if ({n} > 1u && {self.e('p', s, 2)}) {{ {n} -= 1u; goto {self.pick(first, second)}; }}")

    def st_array(self, s):
        size = self.rng.randint(2, 11)
        name = self.fresh("a")
        if self.chance(0.3):
            self.emit(f"Rolled<u32, {size}> r{name};")
            self.emit(f"u32 (&{name})[{size}] = r{name}.v;")
        else:
            self.emit(f"u32 {name}[{size}];")
        i = self.fresh("k")
        self.emit(f"for (u32 {i} = 0u; {i} < {size}u; ++{i}) {name}[{i}] = {self.e('u', s, 2)} + {i} * {self.constant()};")
        s.add("array", (name, size))
        self.emit(f"{name}[{self.e('u', s, 2)} % {size}u] {self.pick('=', '+=', '^=')} {self.e('u', s)};")

    def st_jump(self, s):
        self.emit(f"if ({self.e('p', s, 2)}) {self.pick('break', 'continue')};")

    def st_return(self, s):
        text = s.leave.format(self.e("u", s, 2))
        s.uniform = False  # the interpreter wants all threads of a block at its barriers, those that have returned too
        if s.mask:
            c, m = self.fresh("c"), self.fresh("m")
            self.emit(f"const bool {c} = {self.e('p', s)};")
            self.emit(f"const u32 {m} = __ballot_sync({s.mask}, !{c});")
            self.emit(f"if ({c}) {{ {text} }}")
            s.mask = m
        else:
            self.emit(f"if ({self.e('p', s)}) {{ {text} }}")

    # Types narrower than a register, and bool, kept in variables.
    def st_narrow(self, s):
        kind = self.pick("u8", "s8", "u16", "s16", "bool")
        name, v = self.fresh("x"), self.fresh("v")
        if kind == "bool":
            self.emit(f"bool {name} = {self.e('p', s)};")
            self.emit(f"for (u32 k{name} = 0u; k{name} < {self.bound(s)}; ++k{name}) {name} = {name} != ({self.e('p', s, 2)});")
        else:
            self.emit(f"{kind} {name} = ({kind}){self.e('u', s)};")
            self.emit(f"for (u32 k{name} = 0u, n{name} = {self.bound(s)}; k{name} < n{name}; ++k{name}) "
                      f"{name} = ({kind})({name} {self.pick('+', '-', '*', '^', '&', '|')} ({kind}){self.e('u', s, 2)});")
            self.emit(f"{name} = ({kind})({name} {self.pick('/', '%')} (({kind})({self.e('u', s, 2)} & 0x3ffu) | 1));" if kind[0] == "u" else
                      f"{name} = ({kind})({name} >> ({self.e('u', s, 1)} & 7u));")
        self.emit(f"u32 {v} = (u32){name};")
        s.add("u", v)

    # Structs in an array, by an index that only the run knows.
    def st_structs(self, s):
        name, size = self.fresh("g"), self.rng.randint(2, 4)
        self.emit(f"Bundle {name}[{size}];")
        self.emit(f"for (u32 k{name} = 0u; k{name} < {size}u; ++k{name}) {name}[k{name}] = Bundle{{{self.e('u', s, 1)} + k{name}, (u8)k{name}, (u16){self.e('u', s, 1)}, {self.e('w', s, 1)}, {self.e('f', s, 1)}, 1u, {self.e('d', s, 1)}}};")
        self.emit(f"{name}[{self.e('u', s, 2)} % {size}u].{self.pick('a', 'b', 'c', 'd')} ^= (u8){self.e('u', s)};")
        self.emit(f"{name}[{self.e('u', s, 2)} % {size}u] = {name}[{self.e('u', s, 2)} % {size}u];")
        v, w, d = self.fresh("v"), self.fresh("w"), self.fresh("d")
        self.emit(f"u32 {v} = {name}[{self.e('u', s, 2)} % {size}u].{self.pick('a', 'b', 'c')};")
        self.emit(f"u64 {w} = {name}[{self.e('u', s, 2)} % {size}u].d;")
        self.emit(f"double {d} = {name}[{self.e('u', s, 2)} % {size}u].f;")
        for kind, made in (("u", v), ("w", w), ("d", d)):
            s.add(kind, made)

    # Of a function that exchanges values: all lanes of the mask must come, so it never stands within an expression.
    def st_masked_call(self, s):
        names = [f[0] for f in self.functions if f[1] == "masked"]
        if not names or self.in_function:
            return
        v = self.fresh("v")
        self.emit(f"u32 {v} = {self.rng.choice(names)}({s.mask}, {self.e('u', s)}, {self.e('s', s)}, in, gid);")
        s.add("u", v)

    def st_store(self, s):
        i = self.e("u", s, 2)
        v = self.e("u", s)
        self.emit(self.rng.choice((
            f"own[{i} & 3u] = {v};", f"own[{i} & 3u] = {v};", f"own16[{i} & 7u] = (u16){v};", f"own8[{i} & 7u] = (u8){v};",
            f"*own64 = {self.e('w', s)};", f"*own128 = make_uint4({v}, {self.e('u', s, 1)}, {self.e('u', s, 1)}, {i});",
            f"*(volatile u64*)own64 = {self.e('w', s)};", f"((volatile u32*)own)[{i} & 3u] = {v};", f"__stcg(own + ({i} & 3u), {v});",
            f"own8[{i} & 7u] ^= (u8){v};", f"((ushort4*)own16)[{i} & 1u] = make_ushort4((u16){v}, (u16){i}, 3, 4);",
            f"((uchar4*)own8)[{i} & 1u] = make_uchar4((u8){v}, (u8){i}, 3, 4);",
            *((f"{self.name}_kept[gid * 2u + ({i} & 1u)] {self.pick('=', '+=', '^=')} {v};",) if self.keeps else ()),
            f"if ({self.e('p', s, 2)}) own[{i} & 3u] += {v};",
        )))

    def st_warp(self, s):
        m = s.mask
        roll = self.rng.random()
        target = self.fresh("v")
        if roll < 0.5:
            kind = self.rng.choice("uuswfd" + ("h" if self.halves else ""))
            name = self.fresh({"u": "v", "s": "i", "w": "w", "f": "f", "d": "d", "h": "q"}[kind])
            value = f"({self.CTYPES[kind]})({self.e(kind, s)})"
            how = self.pick("member", "index", "below", "above", "flipped")
            which = self.rng.choice((self.e("u", s, 2), f"{self.rng.randint(0, 31)}u", f"{self.rng.choice((1, 2, 4, 8, 16))}u"))
            width = "" if how == "member" else f"<{self.pick(32, 32, 16, 8, 4, 2)}>"
            self.emit(f"{self.CTYPES[kind]} {name} = from_{how}{width}({m}, {value}, {which});")
            return s.add(kind, name)
        if roll < 0.7:
            self.emit(f"u32 {target} = (u32)__{self.pick('ballot', 'any', 'all', 'uni', 'ballot')}_sync({m}, {self.e('p', s)});")
        elif roll < 0.82:
            kind = self.pick("u", "w")
            small = f"({self.e(kind, s)} & {self.pick(1, 3, 7)}u)"
            if self.chance(0.5):
                self.emit(f"u32 {target} = __match_any_sync({m}, {small});")
            else:
                self.emit(f"int all{target};")
                self.emit(f"u32 {target} = __match_all_sync({m}, {small}, &all{target});")
                self.emit(f"{target} += (u32)(all{target} != 0);")
        elif roll < 0.92 and self.arch >= 80:
            if self.chance(0.6):
                self.emit(f"u32 {target} = __reduce_{self.pick('add', 'min', 'max', 'and', 'or', 'xor')}_sync({m}, {self.e('u', s)});")
            else:
                self.emit(f"u32 {target} = (u32)__reduce_{self.pick('add', 'min', 'max')}_sync({m}, {self.e('s', s)});")
        else:
            self.emit(f"__syncwarp({m});")
            self.emit(f"u32 {target} = {m};")
        s.add("u", target)

    def st_atomic(self, s):
        i, v = self.e("u", s, 2), self.e("u", s)
        roll = self.rng.random()
        guard = f"if ({self.e('p', s, 2)}) " if self.chance(0.3) else ""
        if roll < 0.55:
            self.tally = self.tally or self.chance(0.6)
            place = self.pick("bins", "bins", "tally") if self.tally else "bins"
            op, first = self.pick(("Add", 0), ("Sub", 0), ("Min", 8), ("Max", 16), ("And", 24), ("Or", 32), ("Xor", 40), ("Inc", 48), ("Dec", 56))
            if op == "Inc":
                self.emit(f"{guard}atomicInc(&{place}[{first} + ({i} & 7u)], 0xffffffu);")
            elif op == "Dec":
                self.emit(f"{guard}atomicSub(&{place}[{first} + ({i} & 7u)], 1u);")
            else:
                self.emit(f"{guard}atomic{op}(&{place}[{first} + ({i} & 7u)], {v});")
        elif roll < 0.65:
            op, first = self.pick(("Min", 64), ("Max", 72))
            self.emit(f"{guard}atomic{op}((s32*)bins + {first} + ({i} & 7u), {self.e('s', s)});")
        elif roll < 0.78:
            op, first = self.pick(("Add", 0), ("Min", 4), ("Max", 8), ("And", 12), ("Or", 16), ("Xor", 20))
            self.emit(f"{guard}atomic{op}(&wide[{first} + ({i} & 3u)], {self.e('w', s)});")
        elif roll < 0.84:
            self.emit(f"{guard}atomicAdd(&{self.pick('sums', 'dsums')}[{i} & 7u], {v} & 15u);" if not self.halves else
                      f"{guard}atomicAdd(&dsums[{i} & 7u], {v} & 15u);")
        elif roll < 0.88 and self.halves:  # by ones, so that it saturates at 2048 in every order
            self.emit(f"{guard}atomicAdd((__half*)sums + ({i} & 3u), __float2half_rn((float)({v} & 1u)));" if self.chance(0.5) else
                      f"{guard}atomicAdd((__half2*)sums + 4 + ({i} & 3u), __floats2half2_rn((float)({v} & 1u), 1.0f));")
        elif roll < 0.91:
            name = self.fresh("w")
            op = self.pick("Add", "Min", "Max", "And", "Or", "Xor", "Exch", "CAS")
            given = f"(u64)({self.e('u', s, 1)} & 1u), {self.e('w', s)}" if op == "CAS" else self.e("w", s)
            self.emit(f"u64 {name} = atomic{op}(own64, {given});")
            return s.add("w", name)
        elif roll < 0.94:
            name = self.fresh("v")
            self.emit(f"u32 {name} = (u32)atomicCAS(own16 + ({i} & 7u), (u16)({self.e('u', s, 1)} & 1u), (u16){v});")
            s.add("u", name)
        else:
            name = self.fresh("v")
            op = self.pick("Add", "Sub", "Min", "Max", "And", "Or", "Xor", "Exch", "Inc", "Dec")
            if self.chance(0.25):
                self.emit(f"u32 {name} = atomicCAS(&own[{i} & 3u], {self.e('u', s, 1)} & 3u, {v});")
            else:
                self.emit(f"u32 {name} = atomic{op}(&own[{i} & 3u], {v});")
            s.add("u", name)

    TILE_TYPES = {"u8": "u", "u16": "u", "u32": "u", "u64": "w", "float": "f", "double": "d", "uint2": "u", "uint4": "u"}

    def st_phase(self, s):
        if self.chance(0.12) and not self.may_return:
            name = self.fresh("v")
            self.emit(f"u32 {name} = (u32)__syncthreads_{self.pick('count', 'or', 'and')}({self.e('p', s)});")
            return s.add("u", name)
        if self.chance(0.15) and self.arch >= 80:
            return self.async_phase(s)
        kind = self.pick(*self.TILE_TYPES)
        tile = self.tiles.setdefault(kind, f"tile_{kind}")
        if self.chance(0.15):
            self.dynamic, tile, kind = True, "dynamic", "u32"
        t = self.per_block
        strides = [k for k in (1, 1, 2, 3, 4, 5, 7, 8, 16, 17, 31) if gcd(k, t) == 1]
        slot = f"(t * {self.rng.choice(strides)}u + {self.rng.randint(0, 40)}u) % {t}u"
        parts = {"uint2": "xy", "uint4": "xyzw"}.get(kind)
        value = self.e(self.TILE_TYPES[kind], s)
        if parts:
            value = f"make_{kind}({', '.join([value] + [self.e('u', s, 1) for _ in parts[1:]])})"
        elif kind in ("u8", "u16"):
            value = f"({kind}){value}"
        guard = f"if ({self.e('p', s, 2)}) " if self.chance(0.3) else ""
        self.emit(f"{guard}{tile}[{slot}] = {value};")
        self.emit("__syncthreads();")
        index = self.rng.choice((f"({self.e('u', s, 2)} % {t}u)", f"((t + {self.rng.randint(0, 33)}u) % {t}u)", f"({t - 1}u - t)"))
        result = self.TILE_TYPES[kind]
        name = self.fresh({"u": "v", "w": "w", "f": "f", "d": "d"}[result])
        text = f"{tile}[{index}]" + (f".{self.pick(*parts)}" if parts else "")
        if kind in ("u32", "u64", "uint4") and self.chance(0.2):
            result, text = "u", f"(u32)((const u8*){tile})[{self.e('u', s, 2)} % {t * {'u32': 4, 'u64': 8, 'uint4': 16}[kind]}u]"
            name = self.fresh("v")
        self.emit(f"{self.CTYPES[result]} {name} = {text};")
        self.emit("__syncthreads();")
        s.add(result, name)

    # Copied by cp.async: a uint4's 4, 8 or 16 bytes.
    def async_phase(self, s):
        tile = self.tiles.setdefault("uint4", "tile_uint4")
        size = self.pick(4, 8, 16)
        self.copies.add(size)
        guard = f"if ({self.e('p', s, 2)}) " if self.chance(0.3) else ""
        self.emit(f"{guard}copy_{size}(&{tile}[t], in + ({self.e('u', s, 2)} & {MASK & ~3}u));")
        self.emit("copies_done();")
        self.emit("__syncthreads();")
        name = self.fresh("v")
        self.emit(f"u32 {name} = {tile}[{self.e('u', s, 2)} % {self.per_block}u].{self.pick(*'xyzw')};")
        self.emit("__syncthreads();")
        s.add("u", name)

    # An address whose space only the run knows.
    def st_pointer(self, s):
        name, p = self.fresh("v"), self.fresh("p")
        places = ["own + ({} & 3u)".format(self.e("u", s, 1)), "held + ({} & 3u)".format(self.e("u", s, 1))]
        if self.chance(0.5):
            places = ["in + ({} & 1023u)".format(self.e("u", s, 1)), places[1]]
        self.rng.shuffle(places)
        self.emit(f"const u32* {p} = {self.e('p', s, 2)} ? {places[0]} : {places[1]};")
        self.emit(f"u32 {name} = *{p};")
        if self.chance(0.5):
            q = self.fresh("p")
            self.emit(f"u32* {q} = {self.e('p', s, 2)} ? own + ({self.e('u', s, 1)} & 3u) : held + ({self.e('u', s, 1)} & 3u);")
            self.emit(f"*{q} {self.pick('=', '+=', '^=')} {self.e('u', s)};")
        s.add("u", name)

    def st_reference(self, s):
        name = self.writable("u", s)
        if not name:
            return
        function = f"{self.name}_through{len(self.texts)}"
        a, b = self.rng.getrandbits(16), self.rng.randint(1, 7)
        self.texts.append(f"__device__ __noinline__ void {function}(u32& x, u32* at, u32 v) {{\n"
                          f"  if (v % {b + 1}u) x = mix(x, at[v & 3u]);\n  at[x & 3u] += v * {a}u;\n}}\n")
        self.emit(f"{function}({name}, {self.pick('held', 'held', 'own')}, {self.e('u', s)});")

    def st_print(self, s):
        self.prints = True
        self.emit(f'if (gid == {self.rng.randrange(self.threads)}u) printf("{self.name} %u %d %llx\\n", h, {self.e("s", s, 1)}, {self.e("w", s, 1)});')

    # The whole.
    def text(self):
        self.make_functions()
        body = Scope()
        body.uniform = True
        body.mask = "m"
        body.leave = "out[gid] = mix(h, {}); return;"
        body.names = {"u": ["L", "t", "u0"], "s": ["i0"], "w": ["w0"], "f": ["f0"], "d": ["d0"]}
        self.lines = []
        self.statements(body)
        for kind in ("u", "s", "w", "f", "d", "h"):
            for name in body.names.get(kind, [])[-8:]:
                value = {"u": name, "s": f"(u32){name}", "w": f"fold({name})", "f": f"bits({name})", "d": f"bits({name})", "h": f"bits({name})"}[kind]
                self.emit(f"h = mix(h, {value});")
        self.emit("h = mix(h, held[h & 3u]);")
        self.emit("out[gid] = h;")
        if self.tally:
            self.emit("__syncthreads();") if not self.may_return else None
        lines, self.lines = self.lines, []
        bx, by, _ = self.block
        self.emit(f"const u32 t = threadIdx.x + {bx}u * (threadIdx.y + {by}u * threadIdx.z);")
        self.emit("const u32 gid = t + " + f"{self.per_block}u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));")
        self.emit("const u32 L = lane_id();")
        last = self.per_block % 32
        full = "0xffffffffu"
        self.emit(f"const u32 m = t / 32u == {self.per_block // 32}u ? {hex((1 << last) - 1)}u : {full};" if last else f"const u32 m = {full};")
        self.emit("u32* const own = scratch + gid * 16u;")
        self.emit("u16* const own16 = (u16*)(own + 4);")
        self.emit("u8* const own8 = (u8*)(own + 8);")
        self.emit("u64* const own64 = (u64*)(own + 10);")
        self.emit("uint4* const own128 = (uint4*)(own + 12);")
        self.emit("u32 held[4] = {gid, in[gid & 1023u], 7u, t};")
        self.emit(f"u32 h = gid, u0 = in[(gid * 7u) & 1023u];")
        self.emit("s32 i0 = (s32)in[(gid + 100u) & 1023u] >> (L & 15u);")
        self.emit("u64 w0 = (u64)u0 << 32 | in[t & 1023u];")
        self.emit("float f0 = odd_float(u0 * 77u);")
        self.emit("double d0 = odd_double(w0 * 12345u);")
        for kind, tile in sorted(self.tiles.items()):
            self.emit(f"__shared__ {kind} {tile}[{self.per_block}];")
        if self.dynamic:
            self.emit("DYNAMIC_SHARED(dynamic);")
            self.emit("dynamic[t] = t;")
        for kind, tile in sorted(self.tiles.items()):
            value = {"uint2": "make_uint2(t, gid)", "uint4": "make_uint4(t, gid, 1u, 2u)"}.get(kind, f"({kind})t")
            self.emit(f"{tile}[t] = {value};")
        if self.tally:
            self.emit("__shared__ u32 tally[64];")
            self.emit(f"for (u32 i = t; i < 64u; i += {self.per_block}u) tally[i] = i * 3u;")
        if self.tiles or self.dynamic or self.tally:
            self.emit("__syncthreads();")
        head, self.lines = self.lines, []
        tail = []
        if self.tally:
            if self.may_return:  # the threads that are left fold what there is: exactly one of them each
                tail = []
            else:
                tail = [f"  for (u32 i = t; i < 64u; i += {self.per_block}u) atomicXor(&bins[80u + i], tally[i] * (gid / {self.per_block}u + 1u));"]
        seed = self.rng.randint(1, 999)
        grid, block = (",".join(map(str, d)) for d in (self.grid, self.block))
        shared = f" --shared {4 * self.per_block}" if self.dynamic else ""
        run = (f"// run: --kernel {self.name} --grid {grid} --block {block}{shared} --arg u32[{INPUT}]=random:{seed} --arg u32[{self.threads}]=0 --arg u32[{16 * self.threads}]=0 "
               f"--arg u32[160]=random:{seed + 1} --arg u64[24]=random:{seed + 2} --arg f32[8]=0 --arg f64[8]=0")
        self.launch = (seed, shared)
        signature = f"__global__ void {self.name}(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {{"
        kept = f"__device__ u32 {self.name}_kept[{2 * self.threads}];\n" if self.keeps else ""
        return kept + "\n".join(self.texts) + "\n".join([run, signature] + head + lines + tail + ["}"]) + "\n"

    def host_launch(self):
        x, _ = self.launch
        dims = lambda d: "{" + ", ".join(f"{v}u" for v in d) + "}"
        buffers = [("u32", INPUT, f"random<u32>({INPUT}, {x})"), ("u32", self.threads, f"zeros<u32>({self.threads})"),
                   ("u32", 16 * self.threads, f"zeros<u32>({16 * self.threads})"), ("u32", 160, f"random<u32>(160, {x + 1})"),
                   ("u64", 24, f"random<u64>(24, {x + 2})"), ("float", 8, "zeros<float>(8)"), ("double", 8, "zeros<double>(8)")]
        lines = ["  {"]
        for i, (kind, _, made) in enumerate(buffers):
            lines.append(f"    {kind}* const a{i} = {made};")
        names = ", ".join(f"a{i}" for i in range(len(buffers)))
        lines.append(f"    launch({dims(self.grid)}, {dims(self.block)}, [=] {{ {self.name}({names}); }});")
        lines += [f'    tell(folder, "{self.name}", {i}, a{i}, {count} * sizeof({kind}));' for i, (kind, count, _) in enumerate(buffers) if i != 0]
        return "\n".join(lines + ["  }"])


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


class File:
    """Kernels that are compiled together: the text for CUDA, and the text for the host."""

    def __init__(self, seed, count, arch=90, only=None, size=90):
        self.seed = seed
        self.kernels = []
        texts = []
        for i in range(count):
            kernel = Kernel(random.Random(f"{seed} {i}"), f"k{seed}_{i}", arch, size)
            text = kernel.text()
            if only is None or kernel.name in only:
                self.kernels.append(kernel)
                texts.append(text)
        halves = any(k.halves for k in self.kernels)
        names = sorted(set().union(*(k.ptx for k in self.kernels)))
        shared = COMMON + (HALF_COMMON if halves else "") + "\n" + "\n".join(texts)
        self.cuda = (f"// Made by tests/tools/random_kernels.py --seed {seed} --kernels {count}: what each must leave in its buffers stands in the .out beside it.\n"
                     + (HALF_HEADERS if halves else "") + TYPES + (COPIES if any(k.copies for k in self.kernels) else "") + "".join(map(ptx_wrapper, names)) + shared)
        launches = "\n".join(k.host_launch() for k in self.kernels)
        self.host = (f'#include "{HERE}/cuda_on_host.h"\n' + shared +
                     "\nint main(int count, char** arguments) {\n  using namespace cuda_on_host;\n"
                     "  const char* const folder = count > 1 ? arguments[1] : nullptr;\n" + launches + "\n}\n")


GXX = ["g++", "-std=c++17", "-O0", "-w", "-frounding-math", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing", "-fpermissive"]


def host_answers(file, folder, keep=False):
    """Compiles and runs the host's side; the lines that it told. With `keep`, the buffers' bytes lie in `folder`."""
    source, program = os.path.join(folder, "host.cpp"), os.path.join(folder, "host")
    with open(source, "w") as out:
        out.write(file.host)
    subprocess.run(GXX + [source, "-o", program], check=True)
    ran = subprocess.run([program] + ([folder] if keep else []), capture_output=True, text=True)
    if ran.returncode != 0:
        raise RuntimeError(f"the host's side failed: {ran.stderr.strip()[:500]}")
    return ran.stdout


def try_kernel(program, path, kernel, folder, extra):
    """What the program leaves in the buffers, against the host's bytes; a list of what differs."""
    line = next(l for l in open(path) if l.startswith("// run: --kernel " + kernel.name + " "))
    command = [program, "trace", path] + line.split()[2:] + extra
    for i in range(1, 7):
        command += ["--write", f"{i}={folder}/{kernel.name}.got{i}"]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode != 0:
        return [f"exit code {ran.returncode}: {ran.stderr.strip()[:2000]}{ran.stdout[-1500:] if '--schedules' in extra else ''}"]
    problems = []
    for i in range(1, 7):
        wanted = open(f"{folder}/{kernel.name}.{i}", "rb").read()
        got = open(f"{folder}/{kernel.name}.got{i}", "rb").read()
        if wanted != got:
            at = next((k for k in range(0, len(wanted), 4) if wanted[k:k + 4] != got[k:k + 4]), -1)
            wrong = sum(wanted[k:k + 4] != got[k:k + 4] for k in range(0, len(wanted), 4))
            problems.append(f"argument {i}: {wrong} of {len(wanted) // 4} words, first word {at // 4}: {got[at:at + 4][::-1].hex()}, host {wanted[at:at + 4][::-1].hex()}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--kernels", type=int, default=10)
    parser.add_argument("--arch", type=int, default=90, help="the oldest architecture that must compile them")
    parser.add_argument("--size", type=int, default=90, help="statements in a kernel, about")
    parser.add_argument("--only", nargs="*", help="kernels to keep, by name")
    parser.add_argument("-o", "--folder", help="where to write the .cu and its .out")
    parser.add_argument("--try", dest="program", help="the lanescope to run them with")
    parser.add_argument("--extra", default="", help="further options of `lanescope trace`, for --try")
    options = parser.parse_args()
    file = File(options.seed, options.kernels, options.arch, options.only, options.size)
    with tempfile.TemporaryDirectory() as scratch:
        answers = host_answers(file, scratch, keep=options.program is not None)
        folder = options.folder or scratch
        path = os.path.join(folder, f"seed{options.seed}.cu")
        with open(path, "w") as out:
            out.write(file.cuda)
        if options.folder:
            with open(os.path.join(folder, f"seed{options.seed}.out"), "w") as out:
                out.write("".join(l + "\n" for l in answers.splitlines() if len(l.split()) == 3))
        wrong = 0
        for kernel in file.kernels if options.program else []:
            for problem in try_kernel(options.program, path, kernel, scratch, options.extra.split()):
                print(f"{kernel.name} ({kernel.flavour}): {problem}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
