// Atomics and reductions of every type against host arithmetic, lane after lane, and how they are counted.

#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using trace::MemoryClass;

struct Register {
  const char* letter;  // of the register class
  const char* move;    // type of loads and stores
  std::uint32_t bytes;
};
Register register_of(const std::string& type) {
  if (type == "f16" || type == "bf16") return {"h", "u16", 2};
  if (type == "u64" || type == "s64" || type == "b64") return {"rd", "u64", 8};
  if (type == "f64") return {"fd", "f64", 8};
  if (type == "f32") return {"f", "f32", 4};
  return {"r", "u32", 4};
}

// Every lane applies the operation at `place` with its own operand (and `c` for cas) and stores the old value.
std::string atomic(const std::string& space, const std::string& op, const std::string& type, bool with_result) {
  const Register r = register_of(type);
  const std::string reg = std::string("%") + r.letter;
  const std::string width = std::to_string(r.bytes);
  std::string body = R"(
    ld.param.u64 %rd1, [place];
    ld.param.u64 %rd2, [operands];
    ld.param.u64 %rd3, [old];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd4, %r1, )" +
                     width + ";\nadd.s64 %rd5, %rd2, %rd4;\nadd.s64 %rd6, %rd3, %rd4;\n" + "ld.global." + r.move + " " +
                     reg + "20, [%rd5];\n" + "ld.global." + r.move + " " + reg + "21, [%rd5+" +
                     std::to_string(32 * r.bytes) + "];\n" + "setp.eq.u32 %p1, %r1, 0;\n";
  std::string place = "[%rd1]";
  std::string name = space;
  if (space == "shared") {
    place = "[cell]";
    body += "ld.global." + std::string(r.move) + " " + reg + "22, [%rd1];\n@%p1 st.shared." + r.move + " [cell], " +
            reg + "22;\nbar.sync 0;\n";
  }
  const std::string modifiers = (space.empty() ? "" : "." + space) + "." + op +
                                (type.find("f16") != std::string::npos ? ".noftz" : "") + "." + type;
  const std::string operands = reg + "20" + (op == "cas" ? ", " + reg + "21" : "");
  if (with_result)
    body += "atom" + modifiers + " " + reg + "23, " + place + ", " + operands + ";\nst.global." + r.move + " [%rd6], " +
            reg + "23;\n";
  else
    body += "red" + modifiers + " " + place + ", " + operands + ";\n";
  if (space == "shared")
    body += "bar.sync 0;\nld.shared." + std::string(r.move) + " " + reg + "24, [cell];\n@%p1 st.global." + r.move +
            " [%rd1], " + reg + "24;\n";
  return kernel(".param .u64 place, .param .u64 operands, .param .u64 old",
                ".shared .align 8 .b8 cell[8];\n" + body + "ret;\n");
}

// Runs it for 32 lanes and checks the place and all old values against `apply`.
template <typename Bits>
void check(const std::string& op, const std::string& type, Bits start, const std::vector<Bits>& operands,
           const std::function<Bits(Bits, Bits, Bits)>& apply, const std::string& space = "global") {
  for (const bool with_result : {true, false}) {
    if (!with_result && (op == "cas" || op == "exch")) continue;
    SCOPED_TRACE((with_result ? "atom." : "red.") + space + "." + op + "." + type);
    Launcher k(atomic(space, op, type, with_result));
    const int place = k.add_buffer(std::vector<Bits>{start});
    k.add_buffer(operands);
    const int old = k.add_buffer(std::vector<Bits>(32));
    const LaunchResult result = k.run();
    const auto olds = Launcher::values<Bits>(result, old);
    Bits now = start;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if (with_result) {
        EXPECT_EQ(olds[lane], now) << "lane " << lane;
      }
      now = apply(now, operands[lane], operands[lane + 32]);
    }
    EXPECT_EQ(Launcher::values<Bits>(result, place)[0], now);
  }
}

template <typename Bits>
std::vector<Bits> random_bits(unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Bits> values(64);
  for (Bits& value : values) value = static_cast<Bits>(random());
  return values;
}

template <typename Unsigned, typename Signed>
void check_integers(const std::string& unsigned_type, const std::string& signed_type, const std::string& bits_type) {
  using U = Unsigned;
  const std::vector<U> operands = random_bits<U>(3);
  const U start = static_cast<U>(0x123456789abcdef0ull);
  for (const std::string space : {"global", "shared", ""}) {
    check<U>(
        "add", unsigned_type, start, operands, [](U a, U b, U) { return static_cast<U>(a + b); }, space);
    check<U>(
        "min", unsigned_type, start, operands, [](U a, U b, U) { return std::min(a, b); }, space);
    check<U>(
        "max", unsigned_type, start, operands, [](U a, U b, U) { return std::max(a, b); }, space);
    check<U>(
        "min", signed_type, start, operands,
        [](U a, U b, U) { return static_cast<Signed>(a) < static_cast<Signed>(b) ? a : b; }, space);
    check<U>(
        "max", signed_type, start, operands,
        [](U a, U b, U) { return static_cast<Signed>(a) < static_cast<Signed>(b) ? b : a; }, space);
    check<U>(
        "and", bits_type, start, operands, [](U a, U b, U) { return static_cast<U>(a & b); }, space);
    check<U>(
        "or", bits_type, start, operands, [](U a, U b, U) { return static_cast<U>(a | b); }, space);
    check<U>(
        "xor", bits_type, start, operands, [](U a, U b, U) { return static_cast<U>(a ^ b); }, space);
    check<U>(
        "exch", bits_type, start, operands, [](U, U b, U) { return b; }, space);
    // Every lane expects what the lane before it stored there.
    std::vector<U> chain(64);
    for (std::size_t i = 0; i < 32; ++i) {
      chain[i] = i % 5 == 4 ? 1 : i == 0 ? start : static_cast<U>(1000 + i - 1);
      chain[32 + i] = static_cast<U>(1000 + i);
    }
    check<U>(
        "cas", bits_type, start, chain, [](U a, U b, U c) { return a == b ? c : a; }, space);
  }
}

TEST(Atomics, Integers32) {
  check_integers<std::uint32_t, std::int32_t>("u32", "s32", "b32");
  const std::vector<std::uint32_t> limits(64, 5);
  using U = std::uint32_t;
  check<U>("inc", "u32", 3, limits, [](U a, U b, U) { return a >= b ? 0 : a + 1; });
  check<U>("dec", "u32", 3, limits, [](U a, U b, U) { return a == 0 || a > b ? b : a - 1; });
}
TEST(Atomics, Integers64) {
  check_integers<std::uint64_t, std::int64_t>("u64", "s64", "b64");
}

TEST(Atomics, Floats) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(-100, 100);
  std::vector<std::uint32_t> operands(64);
  std::vector<std::uint64_t> doubles(64);
  for (std::size_t i = 0; i < 64; ++i) {
    operands[i] = std::bit_cast<std::uint32_t>(uniform(random));
    doubles[i] = std::bit_cast<std::uint64_t>(static_cast<double>(uniform(random)));
  }
  for (const std::string space : {"global", "shared"}) {
    check<std::uint32_t>(
        "add", "f32", std::bit_cast<std::uint32_t>(0.5f), operands,
        [](std::uint32_t a, std::uint32_t b, std::uint32_t) {
          return std::bit_cast<std::uint32_t>(std::bit_cast<float>(a) + std::bit_cast<float>(b));
        },
        space);
    check<std::uint64_t>(
        "add", "f64", std::bit_cast<std::uint64_t>(0.5), doubles,
        [](std::uint64_t a, std::uint64_t b, std::uint64_t) {
          return std::bit_cast<std::uint64_t>(std::bit_cast<double>(a) + std::bit_cast<double>(b));
        },
        space);
  }
}

// "PTX ISA", atom: atom.add.f32 on global memory flushes subnormal inputs and results to zero; on shared it does not.
TEST(Atomics, SubnormalsAreFlushedInGlobalMemoryOnly) {
  const float tiny = std::bit_cast<float>(0x00000400u);
  for (const bool global : {true, false}) {
    Launcher k(atomic(global ? "global" : "shared", "add", "f32", false));
    k.block = {1, 1, 1};
    const int place = k.add_buffer(std::vector<float>{tiny});
    k.add_buffer(std::vector<float>(64, tiny));
    k.add_buffer(std::vector<float>(32));
    EXPECT_EQ(k.values<float>(k.run(), place)[0], global ? 0.0f : 2 * tiny);
  }
}

// Half precision the slow way: exact in double, then the nearest of all halves, ties to even.
double value_of_half(std::uint16_t bits, int exponent_bits) {
  const int fraction_bits = 15 - exponent_bits;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const double magnitude = exponent == 0 ? std::ldexp(fraction, 1 - bias - fraction_bits)
                                         : std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}
std::uint16_t nearest_half(double value, int exponent_bits) {
  const int fraction_bits = 15 - exponent_bits;
  std::uint16_t best = 0;
  double best_error = INFINITY;
  const std::uint32_t infinity = ((1u << exponent_bits) - 1) << fraction_bits;
  for (std::uint32_t bits = 0; bits < infinity; ++bits) {
    const double error = std::fabs(value_of_half(static_cast<std::uint16_t>(bits), exponent_bits) - std::fabs(value));
    if (error < best_error || (error == best_error && bits % 2 == 0)) {
      best = static_cast<std::uint16_t>(bits);
      best_error = error;
    }
  }
  return std::signbit(value) ? static_cast<std::uint16_t>(best | 0x8000) : best;
}

TEST(Atomics, Halves) {
  for (const auto& [type, exponent_bits] : {std::pair{std::string("f16"), 5}, {std::string("bf16"), 8}}) {
    std::mt19937 random(9);
    std::vector<std::uint16_t> operands(64);
    for (auto& operand : operands) {
      do operand = static_cast<std::uint16_t>(random());
      while (std::fabs(value_of_half(operand, exponent_bits)) > 2000 ||
             std::fabs(value_of_half(operand, exponent_bits)) < 1e-3);
    }
    const int bits = exponent_bits;
    const auto add = [bits](std::uint16_t a, std::uint16_t b, std::uint16_t) {
      return nearest_half(value_of_half(a, bits) + value_of_half(b, bits), bits);
    };
    check<std::uint16_t>("add", type, 0, operands, add);
    check<std::uint16_t>("add", type, 0, operands, add, "shared");
    // Two in one word.
    std::vector<std::uint32_t> pairs(64);
    for (std::size_t i = 0; i < 64; ++i) pairs[i] = operands[i] | static_cast<std::uint32_t>(operands[63 - i]) << 16;
    check<std::uint32_t>("add", type + "x2", 0, pairs, [&](std::uint32_t a, std::uint32_t b, std::uint32_t) {
      const auto low = add(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b), 0);
      const auto high = add(static_cast<std::uint16_t>(a >> 16), static_cast<std::uint16_t>(b >> 16), 0);
      return static_cast<std::uint32_t>(high) << 16 | low;
    });
  }
}

// 2048 + 1 is 2048 in half precision, and subnormal sums are exact.
TEST(Atomics, HalfSumsStopGrowingAndKeepSubnormals) {
  Launcher k(atomic("global", "add", "f16", false));
  const int place = k.add_buffer(std::vector<std::uint16_t>{nearest_half(2040, 5)});
  k.add_buffer(std::vector<std::uint16_t>(64, nearest_half(1, 5)));
  k.add_buffer(std::vector<std::uint16_t>(32));
  EXPECT_EQ(k.values<std::uint16_t>(k.run(), place)[0], nearest_half(2048, 5));
  Launcher small(atomic("global", "add", "f16", false));
  const int at = small.add_buffer(std::vector<std::uint16_t>{0});
  small.add_buffer(std::vector<std::uint16_t>(64, 0x0003));
  small.add_buffer(std::vector<std::uint16_t>(32));
  EXPECT_EQ(small.values<std::uint16_t>(small.run(), at)[0], 0x0060);
}

TEST(Atomics, AnUnusedResultMakesAReduction) {
  for (const bool with_result : {true, false}) {
    Launcher k(atomic("global", "add", "u32", with_result));
    k.add_buffer(std::vector<std::uint32_t>{0});
    k.add_buffer(std::vector<std::uint32_t>(64, 1));
    k.add_buffer(std::vector<std::uint32_t>(32));
    const auto totals = k.run().trace.totals;
    EXPECT_EQ(totals.of(MemoryClass::global_atomic).requests, with_result ? 1u : 0u);
    EXPECT_EQ(totals.of(MemoryClass::global_reduction).requests, with_result ? 0u : 1u);
    const auto& used = totals.of(with_result ? MemoryClass::global_atomic : MemoryClass::global_reduction);
    // All lanes on one address: one sector, depth 32.
    EXPECT_EQ(used.sectors, 1u);
    EXPECT_EQ(used.serial_depth, 32u);
    EXPECT_EQ(used.bytes_requested, 4u);
  }
  // An atom whose destination register nobody reads.
  Launcher k(kernel(".param .u64 place", "ld.param.u64 %rd1, [place];\natom.global.add.u32 %r5, [%rd1], 1;\nret;"));
  k.add_buffer(std::vector<std::uint32_t>{0});
  EXPECT_EQ(k.run().trace.totals.of(MemoryClass::global_reduction).requests, 1u);
}

// PTX does not define an atomic on local memory. An H100 carries out one whose address is generic, as libcu++ relies on
// (cuda::std::atomic in a local variable).
TEST(AtomicsOnLocal, AreCarriedOutWithAWarning) {
  Launcher k(kernel(".param .u64 out", R"(
    .local .align 8 .b8 cells[16];
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u64 %rd2, cells;
    cvta.local.u64 %rd3, %rd2;
    st.local.u32 [cells+8], %r1;
    atom.add.u32 %r2, [%rd3+8], 100;
    red.max.u32 [%rd3+8], 110;
    add.u32 %r3, %r1, 100;
    atom.cas.b32 %r4, [%rd3+8], %r3, 7;
    ld.local.u32 %r5, [cells+8];
    mad.lo.u32 %r6, %r4, 1000, %r5;
    mad.lo.u32 %r6, %r2, 1000000, %r6;
    mul.wide.u32 %rd4, %r1, 4;
    add.u64 %rd5, %rd1, %rd4;
    st.global.u32 [%rd5], %r6;
    ret;
  )"));
  const int out = k.add_buffer(std::vector<std::uint32_t>(32));
  const LaunchResult result = k.run_anyway();
  ASSERT_TRUE(result.completed);
  EXPECT_EQ(result.diagnostics.size(), 3u) << "one per instruction";
  for (const Diagnostic& one : result.diagnostics) {
    EXPECT_EQ(one.code, "memory.atomic_on_local");
    EXPECT_EQ(one.severity, Severity::warning);
  }
  const auto values = k.values<std::uint32_t>(result, out);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t most = std::max(lane + 100, 110u);
    const std::uint32_t left = most == lane + 100 ? 7 : most;
    EXPECT_EQ(values[lane], lane * 1000000 + most * 1000 + left) << lane;
  }
}

}  // namespace
}  // namespace lanescope::sim
