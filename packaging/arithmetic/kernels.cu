// Arithmetic of a program that was installed: each form's results are added up to a number, which sums.txt has too.
// There they come from expected.py, by exact arithmetic of Python, and those of `approximate` from a GPU.
// packaging/arithmetic/check compares them. F1 to F3: an instruction with 1 to 3 sources; the letters are the widths of
// result and sources (h 16, r 32, l 64 bits).

using U16 = unsigned short;
using U32 = unsigned;
using U64 = unsigned long long;
using Type_h = U16;
using Type_r = U32;
using Type_l = U64;

// The finaliser of SplitMix64.
__device__ U64 mixed(U64 z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

struct Sample {
  U64 a, b, c;
};

__device__ U32 sample_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Integers of 64, 48, 32 and 16 bits.
__device__ Sample integers_of(U32 k) {
  const U32 shift = (k & 3) * 16;
  return {mixed(3 * k) >> shift, mixed(3 * k + 1) >> shift, mixed(3 * k + 2) >> shift};
}

// Zeros, the least and the greatest numbers, infinities and NaN of a format with E bits of exponent and M of mantissa.
template <int E, int M>
__device__ U64 special(U32 which) {
  const U64 sign = 1ull << (E + M), one = ((1ull << (E - 1)) - 1) << M, infinite = ((1ull << E) - 1) << M;
  const U64 all[16] = {0,
                       sign,
                       1,
                       (1ull << M) - 1,
                       1ull << M,
                       one,
                       one + 1,
                       one | sign,
                       one * 2,
                       one / 2,
                       infinite - 1,
                       (infinite - 1) | sign,
                       infinite,
                       infinite | sign,
                       infinite + 1,
                       sign - 1};
  return all[which & 15];
}
template <int E, int M>
__device__ U64 with_exponent(U64 bits, U64 exponent) {
  const U64 mask = (1ull << E) - 1;
  return (bits & ~(mask << M)) | (exponent & mask) << M;
}
// Random bits, every other time with exponents close to each other, or c close to the product.
template <int E, int M>
__device__ Sample floats_of(U32 k) {
  const U64 width = (2ull << (E + M)) - 1, mask = (1ull << E) - 1, bias = (1ull << (E - 1)) - 1;
  if (k < 256) return {special<E, M>(k), special<E, M>(k >> 4), special<E, M>(k * 7 + 3 + (k >> 4))};
  const U64 x = mixed(3 * k), y = mixed(3 * k + 1), z = mixed(3 * k + 2);
  Sample s{x & width, y & width, z & width};
  const U64 exponent = s.a >> M & mask;
  if (k & 1) s.b = with_exponent<E, M>(s.b, exponent + (k >> 2 & 7) - 4);
  if (k & 1) s.c = with_exponent<E, M>(s.c, exponent + (k >> 5 & 7) - 4);
  if ((k & 3) == 3) s.c = with_exponent<E, M>(s.c, exponent + (s.b >> M & mask) - bias + (k >> 5 & 7) - 4);
  return s;
}
// Two numbers in a word.
template <int E, int M>
__device__ Sample pairs_of(U32 k) {
  const Sample low = floats_of<E, M>(k), high = floats_of<E, M>(k ^ 512);
  return {low.a | high.a << 16, low.b | high.b << 16, low.c | high.c << 16};
}

// The sum of one form: the next of `sums`.
struct Sums {
  U64* next;
  U32 k;
  __device__ void add(U64 result) { atomicAdd(next++, mixed(mixed(k) ^ result)); }
};

#define F1(D, A, op)                                       \
  {                                                        \
    Type_##D d;                                            \
    asm(op " %0, %1;" : "=" #D(d) : #A(Type_##A(s.a)));    \
    sums.add(d);                                           \
  }
#define F2(D, A, B, op)                                                               \
  {                                                                                   \
    Type_##D d;                                                                       \
    asm(op " %0, %1, %2;" : "=" #D(d) : #A(Type_##A(s.a)), #B(Type_##B(s.b)));        \
    sums.add(d);                                                                      \
  }
#define F3(D, A, B, C, op)                                                                                     \
  {                                                                                                            \
    Type_##D d;                                                                                                \
    asm(op " %0, %1, %2, %3;" : "=" #D(d) : #A(Type_##A(s.a)), #B(Type_##B(s.b)), #C(Type_##C(s.c)));          \
    sums.add(d);                                                                                               \
  }

extern "C" __global__ void integers(U64* out) {
  const U32 k = sample_number();
  Sums sums{out, k};
  Sample s = integers_of(k);
  F2(h, h, h, "add.u16") F2(h, h, h, "sub.s16") F2(h, h, h, "mul.lo.u16") F2(h, h, h, "mul.hi.s16")
  F2(r, h, h, "mul.wide.s16") F2(h, h, h, "min.s16") F2(h, h, h, "max.u16")
  F2(r, r, r, "add.u32") F2(r, r, r, "sub.u32") F2(r, r, r, "add.sat.s32") F2(r, r, r, "mul.lo.s32")
  F2(r, r, r, "mul.hi.u32") F2(r, r, r, "mul.hi.s32") F2(l, r, r, "mul.wide.u32") F2(l, r, r, "mul.wide.s32")
  F3(r, r, r, r, "mad.lo.u32") F3(r, r, r, r, "mad.hi.s32") F3(l, r, r, l, "mad.wide.s32")
  F2(r, r, r, "min.s32") F2(r, r, r, "max.u32") F3(r, r, r, r, "sad.s32") F1(r, r, "abs.s32") F1(r, r, "neg.s32")
  F2(r, r, r, "and.b32") F2(r, r, r, "or.b32") F2(r, r, r, "xor.b32") F1(r, r, "not.b32")
  F2(r, r, r, "shl.b32") F2(r, r, r, "shr.u32") F2(r, r, r, "shr.s32")
  F3(r, r, r, r, "shf.l.wrap.b32") F3(r, r, r, r, "shf.r.clamp.b32") F3(r, r, r, r, "prmt.b32")
  F1(r, r, "popc.b32") F1(r, r, "clz.b32") F1(r, r, "brev.b32") F1(r, r, "bfind.u32") F1(r, r, "bfind.s32")
  F3(r, r, r, r, "bfe.u32") F3(r, r, r, r, "bfe.s32") F3(r, r, r, r, "dp4a.u32.u32") F3(r, r, r, r, "dp4a.s32.s32")
  F2(l, l, l, "add.u64") F2(l, l, l, "sub.u64") F2(l, l, l, "mul.lo.u64") F2(l, l, l, "mul.hi.u64")
  F2(l, l, l, "mul.hi.s64") F2(l, l, l, "min.s64") F2(l, l, l, "max.u64") F1(r, l, "popc.b64") F1(r, l, "clz.b64")
  F1(l, l, "brev.b64") F2(l, l, r, "shl.b64") F2(l, l, r, "shr.s64")
  s.b |= 1;
  F2(r, r, r, "div.u32") F2(r, r, r, "rem.u32") F2(l, l, l, "div.u64") F2(l, l, l, "rem.u64")
  s.b = (s.b & 0x7fffffff7fffffff) | 2;
  F2(r, r, r, "div.s32") F2(r, r, r, "rem.s32") F2(l, l, l, "div.s64") F2(l, l, l, "rem.s64")
}

extern "C" __global__ void floats(U64* out) {
  const U32 k = sample_number();
  Sums sums{out, k};
  Sample s = floats_of<8, 23>(k);
  F2(r, r, r, "add.rn.f32") F2(r, r, r, "add.rz.f32") F2(r, r, r, "add.rm.f32") F2(r, r, r, "add.rp.f32")
  F2(r, r, r, "sub.rn.f32") F2(r, r, r, "add.rn.ftz.f32") F2(r, r, r, "mul.rn.f32") F2(r, r, r, "mul.rz.f32")
  F2(r, r, r, "mul.rm.f32") F2(r, r, r, "mul.rp.f32") F2(r, r, r, "mul.rn.ftz.f32") F3(r, r, r, r, "fma.rn.f32")
  F3(r, r, r, r, "fma.rz.f32") F3(r, r, r, r, "fma.rm.f32") F3(r, r, r, r, "fma.rp.f32")
  F3(r, r, r, r, "fma.rn.ftz.f32")
  F2(r, r, r, "div.rn.f32") F2(r, r, r, "div.rz.f32") F1(r, r, "rcp.rn.f32") F1(r, r, "rcp.rp.f32")
  F1(r, r, "sqrt.rn.f32") F1(r, r, "sqrt.rm.f32") F2(r, r, r, "min.f32") F2(r, r, r, "max.f32")
  F1(r, r, "cvt.rzi.s32.f32") F1(r, r, "cvt.rni.u32.f32") F1(r, r, "cvt.rmi.s32.f32") F1(l, r, "cvt.rpi.s64.f32")
  F1(h, r, "cvt.rn.f16.f32") F1(h, r, "cvt.rz.f16.f32") F1(h, r, "cvt.rn.bf16.f32") F1(h, r, "cvt.rz.bf16.f32")
  s = integers_of(k);
  F1(r, r, "cvt.rn.f32.s32") F1(r, r, "cvt.rz.f32.u32") F1(r, l, "cvt.rn.f32.s64") F1(r, l, "cvt.rp.f32.u64")
  F1(l, l, "cvt.rn.f64.s64") F1(l, r, "cvt.rn.f64.s32")
}

// A NaN's bits are not compared: the manual does not say them.
#define N1(A, op)                                                   \
  {                                                                 \
    U32 d;                                                          \
    asm(op " %0, %1;" : "=r"(d) : #A(Type_##A(s.a)));               \
    sums.add((d & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : d);       \
  }
#define F64(form)                                                                     \
  {                                                                                   \
    U64 d;                                                                            \
    form;                                                                             \
    sums.add((d & 0x7fffffffffffffff) > 0x7ff0000000000000 ? 0x7ff8000000000000 : d); \
  }
#define D1(op) F64(asm(op " %0, %1;" : "=l"(d) : "l"(s.a)))
#define D2(op) F64(asm(op " %0, %1, %2;" : "=l"(d) : "l"(s.a), "l"(s.b)))
#define D3(op) F64(asm(op " %0, %1, %2, %3;" : "=l"(d) : "l"(s.a), "l"(s.b), "l"(s.c)))

extern "C" __global__ void doubles(U64* out) {
  const U32 k = sample_number();
  Sums sums{out, k};
  const Sample s = floats_of<11, 52>(k);
  D2("add.rn.f64") D2("add.rm.f64") D2("sub.rp.f64") D2("mul.rn.f64") D2("mul.rz.f64") D3("fma.rn.f64")
  D3("fma.rz.f64") D3("fma.rm.f64") D3("fma.rp.f64") D2("div.rn.f64") D1("rcp.rn.f64") D1("sqrt.rn.f64") D2("min.f64")
  N1(l, "cvt.rn.f32.f64") N1(l, "cvt.rz.f32.f64") F1(r, l, "cvt.rzi.s32.f64") F1(l, l, "cvt.rni.s64.f64")
}

extern "C" __global__ void halves(U64* out) {
  const U32 k = sample_number();
  Sums sums{out, k};
  Sample s = floats_of<5, 10>(k);
  F2(h, h, h, "add.rn.f16") F2(h, h, h, "sub.rn.f16") F2(h, h, h, "mul.rn.f16") F3(h, h, h, h, "fma.rn.f16")
  F3(h, h, h, h, "fma.rn.ftz.f16") F2(h, h, h, "min.f16") F2(h, h, h, "max.f16") F1(r, h, "cvt.f32.f16")
  F1(h, h, "cvt.rni.s16.f16") F1(r, h, "cvt.rzi.u32.f16")
  s = floats_of<8, 7>(k);
  F2(h, h, h, "add.rn.bf16") F2(h, h, h, "sub.rn.bf16") F2(h, h, h, "mul.rn.bf16") F3(h, h, h, h, "fma.rn.bf16")
  F2(h, h, h, "min.bf16") F2(h, h, h, "max.bf16") N1(h, "cvt.f32.bf16")
  s = pairs_of<5, 10>(k);
  F2(r, r, r, "add.rn.f16x2") F2(r, r, r, "mul.rn.f16x2") F3(r, r, r, r, "fma.rn.f16x2")
  s = pairs_of<8, 7>(k);
  F2(r, r, r, "add.rn.bf16x2") F2(r, r, r, "mul.rn.bf16x2") F3(r, r, r, r, "fma.rn.bf16x2")
  s = integers_of(k);
  F1(h, h, "cvt.rn.f16.s16") F1(h, r, "cvt.rz.f16.u32") F1(h, r, "cvt.rn.bf16.s32")
}

#define LANES(name, value) sums.add(value);  // `name` is what sums.txt calls it

extern "C" __global__ void exchanges(U64* out) {
  const U32 k = sample_number(), lane = k & 31, everyone = 0xffffffff;
  Sums sums{out, k};
  const int x = static_cast<int>(mixed(k));
  const U32 few = static_cast<U32>(mixed(k)) & 3;
  LANES("shfl.up.3", __shfl_up_sync(everyone, x, 3) & everyone)
  LANES("shfl.down.5.width.8", __shfl_down_sync(everyone, x, 5, 8) & everyone)
  LANES("shfl.bfly.13", __shfl_xor_sync(everyone, x, 13) & everyone)
  LANES("shfl.bfly.24.width.16", __shfl_xor_sync(everyone, x, 24, 16) & everyone)
  LANES("shfl.idx.own.width.16", __shfl_sync(everyone, x, static_cast<int>(few * 7 + lane), 16) & everyone)
  LANES("vote.ballot", __ballot_sync(everyone, x < 0))
  LANES("vote.all", static_cast<U64>(__all_sync(everyone, few < 3)))
  LANES("vote.any", static_cast<U64>(__any_sync(everyone, x > 0x7c000000)))
  LANES("match.any", __match_any_sync(everyone, few))
  LANES("redux.add.s32", static_cast<U32>(__reduce_add_sync(everyone, x)))
  LANES("redux.min.s32", static_cast<U32>(__reduce_min_sync(everyone, x)))
  LANES("redux.max.u32", __reduce_max_sync(everyone, static_cast<U32>(x)))
  LANES("redux.xor.b32", __reduce_xor_sync(everyone, static_cast<U32>(x)))
  U64 odd = 7;  // half of the lanes
  if (lane & 1) odd = __ballot_sync(0xaaaaaaaa, few == 1) + static_cast<U32>(__shfl_sync(0xaaaaaaaa, x, 31));
  LANES("vote.and.shfl.of.odd.lanes", odd)
}

// Every thread changes one of 8 elements of each row; the order does not matter for the result.
extern "C" __global__ void atomics(U64* out) {
  __shared__ U32 in_shared[5][8];
  const U32 k = sample_number(), at = mixed(k) & 7, x = static_cast<U32>(mixed(k) >> 8);
  if (threadIdx.x < 40) in_shared[threadIdx.x / 8][threadIdx.x % 8] = threadIdx.x / 8 == 2 ? 0xffffffff : 0;
  __syncthreads();
  atomicAdd(&in_shared[0][at], x);
  atomicMax(reinterpret_cast<int*>(&in_shared[1][at]), static_cast<int>(x));
  atomicAnd(&in_shared[2][at], x | 1 << (x & 31));
  atomicXor(&in_shared[3][at], x);
  atomicInc(&in_shared[4][at], 9);
  __syncthreads();
  if (threadIdx.x < 40) {
    U64* row = out + threadIdx.x / 8;
    atomicAdd(row, mixed(mixed(blockIdx.x * 8 + threadIdx.x % 8) ^ in_shared[threadIdx.x / 8][threadIdx.x % 8]));
  }
  atomicAdd(out + 5, U64(x) << 13);
  atomicMin(out + 6, mixed(k) | 1ull << 63);  // begins at 0: stays there
  atomicMax(out + 7, mixed(k));
  atomicXor(out + 8, mixed(k));
  atomicOr(reinterpret_cast<U32*>(out + 9), x & x << 3 & x >> 5 & x << 7 & x >> 11);
  atomicAdd(reinterpret_cast<float*>(out + 10), static_cast<float>(x & 1023));  // whole numbers: exact in every order
  atomicAdd(reinterpret_cast<double*>(out + 11), -0.5 * static_cast<double>(x & 0xffff));
  U64 seen = 0, wanted;  // compare and swap until it succeeds
  do {
    wanted = seen;
    seen = atomicCAS(out + 12, wanted, wanted * 5 + 1);
  } while (seen != wanted);
}

#define MMA(shape, types)                                                                              \
  asm("mma.sync.aligned." shape ".row.col." types                                                      \
      " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"                                     \
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                                 \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]),        \
        "r"(c[2]), "r"(c[3]));                                                                         \
  for (int i = 0; i < 4; ++i, --sums.next) sums.add(d[i] + (U64(i) << 32));                            \
  ++sums.next;

// Whole numbers from -8 to 7 in a format, so that every sum is exact.
template <int E, int M>
__device__ U32 small(U64 random) {
  const int value = static_cast<int>(random & 15) - 8, size = value < 0 ? -value : value;
  if (size == 0) return 0;
  const int exponent = 31 - __clz(size);
  const U32 mantissa = static_cast<U32>(size) << (M - exponent) & ((1u << M) - 1);
  return (value < 0 ? 1u << (E + M) : 0) | static_cast<U32>(exponent + (1 << (E - 1)) - 1) << M | mantissa;
}
template <int E, int M>
__device__ U32 small_pair(U64 random) {
  return small<E, M>(random) | small<E, M>(random >> 4) << 16;
}

extern "C" __global__ void products(U64* out) {
  const U32 k = sample_number();
  Sums sums{out, k};
  U32 a[4], b[2], c[4], d[4];
  const U64 random = mixed(k);
  for (int i = 0; i < 4; ++i) c[i] = small<8, 23>(random >> (48 + 4 * i));
  for (int i = 0; i < 4; ++i) a[i] = small_pair<5, 10>(random >> 8 * i);
  for (int i = 0; i < 2; ++i) b[i] = small_pair<5, 10>(random >> (32 + 8 * i));
  MMA("m16n8k16", "f32.f16.f16.f32")
  for (int i = 0; i < 4; ++i) a[i] = small_pair<8, 7>(random >> 8 * i);
  for (int i = 0; i < 2; ++i) b[i] = small_pair<8, 7>(random >> (32 + 8 * i));
  MMA("m16n8k16", "f32.bf16.bf16.f32")
  for (int i = 0; i < 4; ++i) a[i] = small<8, 23>(random >> 8 * i);
  for (int i = 0; i < 2; ++i) b[i] = small<8, 23>(random >> (32 + 8 * i));
  MMA("m16n8k8", "f32.tf32.tf32.f32")
  for (int i = 0; i < 4; ++i) a[i] = static_cast<U32>(mixed(random + i));
  for (int i = 0; i < 2; ++i) b[i] = static_cast<U32>(mixed(random + 4 + i));
  MMA("m16n8k32", "s32.s8.s8.s32")
  MMA("m16n8k32", "s32.u8.u8.s32")
}

// The bits of an H200: sums over 2^20 arguments, or all of 16 bits (tests/cases/sfu/h200.txt).
#define OF_H200(op, count, D, A, argument, text, ...)                                                  \
  for (U32 k = sample_number(); k < (count); k += gridDim.x * blockDim.x) {                            \
    const Type_##A argument_of_k = argument;                                                           \
    Type_##D d;                                                                                        \
    asm(op text : "=" #D(d) : #A(argument_of_k), ##__VA_ARGS__);                                       \
    const U64 whole = argument_of_k, result = d;                                                       \
    sum += sizeof d == 8 ? mixed(whole >> 32 << 32 | result >> 32) + (result & 0xffffffff)             \
                         : mixed(whole << 32 | result);                                                \
  }                                                                                                    \
  atomicAdd(out++, sum);                                                                               \
  sum = 0;
#define APPROXIMATE(op) OF_H200(op, 1u << 20, r, r, k * 4093u, " %0, %1;")
#define APPROXIMATE_QUOTIENT(op) OF_H200(op, 1u << 20, r, r, k * 4093u, " %0, %1, %2;", "r"(k * 2654435761u))
#define APPROXIMATE_HALF(op) OF_H200(op, 1u << 16, h, h, static_cast<U16>(k), " %0, %1;")
#define APPROXIMATE_DOUBLE(op) OF_H200(op, 1u << 20, l, l, (U64(k * 4093u) << 32 | 0x12345678u), " %0, %1;")

extern "C" __global__ void approximate(U64* out) {
  U64 sum = 0;
  APPROXIMATE("rcp.approx.ftz.f32") APPROXIMATE("rcp.approx.f32") APPROXIMATE("sqrt.approx.ftz.f32")
  APPROXIMATE("sqrt.approx.f32") APPROXIMATE("rsqrt.approx.ftz.f32") APPROXIMATE("rsqrt.approx.f32")
  APPROXIMATE("ex2.approx.ftz.f32") APPROXIMATE("ex2.approx.f32") APPROXIMATE("lg2.approx.ftz.f32")
  APPROXIMATE("lg2.approx.f32") APPROXIMATE("sin.approx.ftz.f32") APPROXIMATE("sin.approx.f32")
  APPROXIMATE("cos.approx.ftz.f32") APPROXIMATE("cos.approx.f32") APPROXIMATE("tanh.approx.f32")
  APPROXIMATE_QUOTIENT("div.approx.ftz.f32") APPROXIMATE_QUOTIENT("div.approx.f32")
  APPROXIMATE_QUOTIENT("div.full.ftz.f32") APPROXIMATE_QUOTIENT("div.full.f32")
  APPROXIMATE_HALF("ex2.approx.f16") APPROXIMATE_HALF("ex2.approx.ftz.bf16")
  APPROXIMATE_HALF("tanh.approx.f16") APPROXIMATE_HALF("tanh.approx.bf16")
  APPROXIMATE_DOUBLE("rcp.approx.ftz.f64") APPROXIMATE_DOUBLE("rsqrt.approx.ftz.f64")
}
