"""The text before the kernels of a file: types, inline PTX, and functions that both sides compile."""

# PTX without a C++ equivalent: result and parameters (u, w: 32 and 64 bits; f: float), and the instructions.
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
    # An H200 gives 0 for the offset -2^31, the manual 0xffffffff.
    "fns": ("u", "uuu", "{.reg .b32 b; .reg .s32 c; and.b32 b, %2, 31; max.s32 c, %3, -64; fns.b32 %0, %1, b, c;}"),
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
# Guarded instructions, which NVRTC itself generates only for branches.
GUARDED = """__device__ u32 guarded_load(u32 c, const u32* from, u32 other) { u32 r; asm volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; mov.u32 %0, %3; @p ld.global.u32 %0, [%2];}" : "=&r"(r) : "r"(c), "l"(from), "r"(other) : "memory"); return r; }
__device__ void guarded_store(u32 c, u32* to, u32 v) { asm volatile("{.reg .pred p; setp.eq.u32 p, %0, 0; @!p st.global.u32 [%1], %2;}" :: "r"(c), "l"(to), "r"(v) : "memory"); }
__device__ u32 guarded_atomic(u32 c, u32* to, u32 v) { u32 r; asm volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; mov.u32 %0, 0; @p atom.global.add.u32 %0, [%2], %3;}" : "=&r"(r) : "r"(c), "l"(to), "r"(v) : "memory"); return r; }
__device__ u32 guarded_shuffle(u32 c, u32 m, u32 v, u32 from) { u32 r; asm volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; mov.u32 %0, %3; @p shfl.sync.idx.b32 %0, %3, %4, 31, %2;}" : "=&r"(r) : "r"(c), "r"(m), "r"(v), "r"(from)); return r; }
__device__ u32 guarded_ballot(u32 c, u32 m, u32 q) { u32 r; asm volatile("{.reg .pred p, q; setp.ne.u32 p, %1, 0; setp.ne.u32 q, %3, 0; mov.u32 %0, 5; @p vote.sync.ballot.b32 %0, q, %2;}" : "=&r"(r) : "r"(c), "r"(m), "r"(q)); return r; }
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

def ptx_wrapper(name):
    result, parameters, text = PTX[name]
    names = "abcd"[:len(parameters)]
    declared = ", ".join(f"{CTYPE[p]} {n}" for p, n in zip(parameters, names))
    inputs = ", ".join(f'"{CONSTRAINT[p]}"({n})' for p, n in zip(parameters, names))
    out = "=&" if text.startswith("{") else "="
    return (f"__device__ {CTYPE[result]} ptx_{name}({declared}) {{ {CTYPE[result]} r; "
            f'asm("{text}" : "{out}{CONSTRAINT[result]}"(r) : {inputs}); return r; }}\n')
