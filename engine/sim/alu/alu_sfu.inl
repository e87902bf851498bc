// The functions of the special function unit (MUFU in SASS), bit by bit as on an H200: for all 2^32 arguments of each
// the results were compared there. See sfu_tables.h, and alu_lanes.inl.
//
// A table gives three coefficients for the interval of the argument. Their sum is an integer below 2^53, which a double
// holds exactly, also where the compiler fuses products and sums. Each function flushes subnormal arguments and
// results.

// A bit of the squared number with those below it: the unit leaves out the partial products below 2^18.
template <int bit>
static inline S32 sfu_square_row(S32 x) {
  return (((x & ((1 << bit) - 1)) >> (18 - bit)) + (1 << (2 * bit - 19))) & -(x >> bit & 1);
}
// About x x / 2^19 for x of 17 bits.
static inline S32 sfu_square(S32 x) {
  return sfu_square_row<10>(x) + sfu_square_row<11>(x) + sfu_square_row<12>(x) + sfu_square_row<13>(x) +
         sfu_square_row<14>(x) + sfu_square_row<15>(x) + sfu_square_row<16>(x);
}
struct SfuScales {
  double constant, square, bias;
};
static inline double sfu_sum(const S32* rows, U32 row, S32 x, S32 square, SfuScales scales) {
  const S32 at = static_cast<S32>(row) * 3;
  return rows[at] * scales.constant + static_cast<double>(rows[at + 1]) * x + rows[at + 2] * scales.square * square +
         scales.bias;
}
// An integer of at least 0, times 2^-scale, as an f32 rounded towards zero.
// The exponents' difference does not fit into an S32, so the bits are subtracted as U32.
static constexpr S32 sfu_truncated(double t, U32 scale) {
  return static_cast<S32>(static_cast<U32>(bits_as<U64>(t) >> 29) - (1023 - 127 + scale) * 0x800000);
}
// Also checks that no S32 overflows, which a constant expression must not: zig's clang returned 0 for an overflow.
static_assert(sfu_truncated(0x1p39, 39) == 0x3f800000 && sfu_truncated(0x1.8p36, 36) == 0x3fc00000);
static inline U32 only_if(bool condition, U32 x) {
  return x & (0u - static_cast<U32>(condition));
}
static inline U32 nan_or(U32 magnitude, U32 result) {
  return pick(magnitude > 0x7f800000u, nan32, result);
}

static inline U32 sfu_rcp(U32 bits) {
  const U32 magnitude = bits & 0x7fffffffu;
  const S32 x = static_cast<S32>(bits & 0xffffu);
  const double sum = sfu_sum(sfu_rcp_rows, bits >> 16 & 127, x, sfu_square(x * 2), {8192, 1, 2023});
  const S32 value = sfu_truncated(sum, 39) + (127 - static_cast<S32>(magnitude >> 23)) * 0x800000;
  const U32 normal = only_if((value >= 0x800000) & (magnitude != 0x7f800000u), static_cast<U32>(value));
  return nan_or(magnitude, (bits & 0x80000000u) | pick(magnitude < 0x800000u, 0x7f800000u, normal));
}

static inline U32 sfu_rsqrt(U32 bits) {
  const U32 sign = bits & 0x80000000u, magnitude = bits & 0x7fffffffu;
  const S32 x = static_cast<S32>(bits & 0x1ffffu);
  // The lowest bit of the exponent chooses the half: 127 stands for [1, 2).
  const U32 fraction = (bits & 0xffffffu) ^ 0x800000u;
  const double sum = sfu_sum(sfu_rsqrt_rows, fraction >> 17, x, sfu_square(x), {16384, 4, 16383});
  // For a power of 4 the table would give one unit less than 1.
  const S32 root = static_cast<S32>(pick(fraction == 0, 0x3f800000u, static_cast<U32>(sfu_truncated(sum, 40))));
  const S32 value = root + ((380 - static_cast<S32>(magnitude >> 23)) / 2 - 126) * 0x800000;
  const U32 positive = only_if(magnitude != 0x7f800000u, static_cast<U32>(value));
  const U32 valid = pick(sign != 0, nan32, positive);
  return nan_or(magnitude, pick(magnitude < 0x800000u, sign | 0x7f800000u, valid));
}

// The upper words of 1 / x and 1 / sqrt x of f64: the f32 function of the 20 fraction bits, three bits shorter.
static inline U32 sfu_rcp64(U32 high) {
  const U32 magnitude = high & 0x7fffffffu;
  // The significand in [1/2, 1] of an argument in [1, 2): 0 to 2^20.
  const U32 fraction = (sfu_rcp(0x3f800000u | (magnitude & 0xfffffu) << 3) - 0x3f000000u) >> 3;
  const S32 value = (2045 - static_cast<S32>(magnitude >> 20)) * 0x100000 + static_cast<S32>(fraction);
  const U32 normal = only_if((value >= 0x100000) & (magnitude != 0x7ff00000u), static_cast<U32>(value));
  const U32 number = (high & 0x80000000u) | pick(magnitude < 0x100000u, 0x7ff00000u, normal);
  return pick(magnitude > 0x7ff00000u, nan32, number);
}
static inline U32 sfu_rsqrt64(U32 high) {
  const U32 sign = high & 0x80000000u, magnitude = high & 0x7fffffffu;
  const U32 argument = pick((high & 0x100000u) != 0, 0x3f800000u, 0x40000000u);
  const U32 fraction = (sfu_rsqrt(argument | (magnitude & 0xfffffu) << 3) - 0x3f000000u) >> 3;
  const U32 value = (3068 - (magnitude >> 20)) / 2 * 0x100000u + fraction;
  const U32 positive = only_if(magnitude != 0x7ff00000u, value);
  const U32 valid = pick(sign != 0, nan32, positive);
  const U32 number = pick(magnitude < 0x100000u, sign | 0x7ff00000u, valid);
  return pick(magnitude > 0x7ff00000u, nan32, number);
}

static inline U32 sfu_sqrt(U32 bits) {
  const U32 sign = bits & 0x80000000u, magnitude = bits & 0x7fffffffu;
  const S32 x = static_cast<S32>(bits & 0x1ffffu);
  const U32 fraction = (bits & 0xffffffu) ^ 0x800000u;
  const double sum = sfu_sum(sfu_sqrt_rows, fraction >> 17, x, sfu_square(x), {32768, 2, 32767});
  const S32 value = sfu_truncated(sum, 40) + ((static_cast<S32>(magnitude >> 23) + 127) / 2 - 127) * 0x800000;
  const U32 positive = pick(magnitude == 0x7f800000u, 0x7f800000u, static_cast<U32>(value));
  const U32 valid = pick(sign != 0, nan32, positive);
  return nan_or(magnitude, pick(magnitude < 0x800000u, sign, valid));
}

static inline U32 sfu_ex2(U32 bits) {
  const U32 magnitude = bits & 0x7fffffffu;
  const bool negative = bits >> 31 != 0;
  const U32 e = magnitude >> 23, m = (bits & 0x7fffffu) | 0x800000u;
  // |x| in fixed point with 23 fraction bits, rounded towards zero. |x| >= 128 is replaced below.
  const U32 left = only_if(e >= 127, (e - 127) & 7), down = only_if(e < 127, 127 - e);
  const U32 fixed = m << left >> pick(down > 31, 31, down);
  const U32 whole = fixed >> 23, part = fixed & 0x7fffffu;
  // Below zero the fraction is complemented bit by bit, so it is 2^-23 short, unless it is zero.
  const U32 fraction = part ^ only_if(negative & (part != 0), 0x7fffffu);
  const S32 floor = static_cast<S32>(pick(negative, 0u - whole - static_cast<U32>(part != 0), whole));
  const S32 x = static_cast<S32>(fraction & 0x1ffffu);
  const double sum = sfu_sum(sfu_ex2_rows, fraction >> 17, x, sfu_square(x), {8192, 1, 6114});
  const U32 normal =
      only_if(floor >= -126, static_cast<U32>(sfu_truncated(sum, 38)) + static_cast<U32>(floor) * 0x800000u);
  return nan_or(magnitude, pick(e >= 134, only_if(!negative, 0x7f800000u), normal));
}

static inline U32 sfu_lg2(U32 bits) {
  const U32 magnitude = bits & 0x7fffffffu;
  const S32 x = static_cast<S32>(bits & 0x1ffffu);
  const double logarithm = sfu_sum(sfu_lg2_rows, bits >> 17 & 63, x, sfu_square(x), {4096, 2, 837});
  // A quarter of it, rounded down, has 36 fraction bits. The number added and taken away rounds to an integer.
  constexpr double integers = 0x1.8p52;
  const double quarter = (logarithm - 1.5) * 0.25 + integers - integers;
  const double sum = quarter + (static_cast<S32>(magnitude >> 23) - 127) * 0x1p36;
  // The bits of a negative sum are complemented: -1 - sum, which is |sum + 1/2| - 1/2.
  const double size = __builtin_fabs(sum + 0.5) - 0.5;
  const U32 value = static_cast<U32>(sfu_truncated(size, 36)) | only_if(sum < 0, 0x80000000u);
  const U32 number = only_if(bits != 0x3f800000u, value);  // the sum is not quite zero there
  const U32 positive = pick(magnitude == 0x7f800000u, 0x7f800000u, number);
  const U32 valid = pick(bits >> 31 != 0, nan32, positive);
  return nan_or(magnitude, pick(magnitude < 0x800000u, 0xff800000u, valid));
}

// x / 2 pi, rounded towards zero, in quarter turns modulo 4 with 23 fraction bits. x is finite.
static inline U32 quarters_of(U32 bits) {
  const U64 m = (bits & 0x7fffffu) | 0x800000u;
  // 0x3e22f983, the f32 nearest 1 / 2 pi, is 0xa2f983 2^-26. The product keeps 24 significant bits.
  const U64 product = m * 0xa2f983u;
  const S32 carry = static_cast<S32>(product >> 47);
  const U64 p = product >> (23 + carry);
  const S32 shift = static_cast<S32>(bits >> 23 & 255) + carry - 128;  // p 2^shift has 23 fraction bits
  const U32 left = only_if(shift > 0, pick(shift > 25, 25u, static_cast<U32>(shift)));
  const U32 right = only_if(shift < 0, pick(shift < -25, 25u, static_cast<U32>(-shift)));
  return static_cast<U32>(p << left >> right) & 0x1ffffffu;
}
// sin (quarter 0) or cos (quarter 1).
template <int quarter>
static inline U32 sfu_sin(U32 bits) {
  const U32 position = quarters_of(bits), q = (position >> 23) + quarter;
  const U32 fraction = (position ^ (0u - (q & 1))) & 0x7fffffu;
  const S32 x = static_cast<S32>(fraction & 0x1ffffu);
  const double sum = sfu_sum(sfu_sin_rows, fraction >> 17, x, sfu_square(x), {4096, 1, 0});
  const U32 sign = (quarter == 0 ? bits & 0x80000000u : 0u) ^ (q >> 1 << 31);
  const U32 value = sign | only_if(fraction != 0, static_cast<U32>(sfu_truncated(sum, 37)));
  return pick((bits & 0x7fffffffu) >= 0x7f800000u, nan32, value);
}

// A subnormal argument is not flushed: below 2^-8 the result is the argument.
static inline U32 sfu_tanh(U32 bits) {
  const U32 magnitude = bits & 0x7fffffffu, above = (magnitude >> 23) - 119;
  const S32 octave = static_cast<S32>(only_if(above <= 10, above)) * 2;
  const U32 split = static_cast<U32>(sfu_tanh_octaves[octave]), first = static_cast<U32>(sfu_tanh_octaves[octave + 1]);
  const U32 position = (magnitude & 0x7fffffu) >> (6 - split);
  const S32 x = static_cast<S32>(position & 0x1ffffu);
  const double sum = sfu_sum(sfu_tanh_rows, first + (position >> 17), x, sfu_square(x), {32768, 2, 0});
  const U32 inside = pick(magnitude < 0x3b800000u, magnitude, static_cast<U32>(sfu_truncated(sum, 39)));
  return nan_or(magnitude, (bits & 0x80000000u) | pick(magnitude >= 0x41000000u, 0x3f800000u, inside));
}
