// The values that a shuffle moves, against sums that the host computes.

#include "job/report/shuffle_values.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

#include "ptx/instruction.h"

namespace lanescope::job {
namespace {

Outcome run_kernel(const std::string& body) {
  Request request;
  request.source = {
      "k.cu", "__global__ void k(const float* in, float* out) {\n  const int t = threadIdx.x;\n" + body + "}\n", {}};
  request.first().kernel = "k";
  request.first().shape.grid = {1, 1, 1};
  request.first().shape.block = {32, 1, 1};
  request.arguments = {{"f32[32]=iota", "in"}, {"f32[32]=0", "out"}};
  request.record.events = true;
  return run(request);
}

std::vector<trace::WarpEvent> shuffles(const Outcome& outcome) {
  std::vector<trace::WarpEvent> found;
  for (const trace::WarpEvent& event : outcome.first().trace.events)
    if (event.kind == trace::EventKind::shuffle) found.push_back(event);
  return found;
}

TEST(ShuffleValues, AreTheSumsSoFar) {
  const Outcome outcome = run_kernel(
      "  float sum = in[t];\n"
      "  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);\n"
      "  out[t] = sum;\n");
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.at(0));
  const auto events = shuffles(outcome);
  ASSERT_EQ(events.size(), 5u);
  std::vector<double> sums(32);
  for (int lane = 0; lane < 32; ++lane) sums[static_cast<std::size_t>(lane)] = lane;
  int offset = 16;
  for (const trace::WarpEvent& event : events) {
    const auto values = shuffle_values(outcome, event);
    ASSERT_TRUE(values) << format(values.errors()[0]);
    EXPECT_EQ(values->type, ptx::Type::f32);
    EXPECT_EQ(values->width, 32);
    const std::vector<double> before = sums;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::size_t from = lane + static_cast<std::size_t>(offset);
      const double got = before[from < 32 ? from : lane];
      EXPECT_EQ(std::stod(values->before[lane]), before[lane]) << lane;
      EXPECT_EQ(std::stod(values->after[lane]), got) << lane;
      sums[lane] += got;
    }
    offset /= 2;
  }
}

TEST(ShuffleValues, IntegersAndTileWidth) {
  const Outcome outcome = run_kernel("  out[t] = __shfl_xor_sync(0xffffffffu, t - 5, 3, 8);\n");
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.at(0));
  const auto events = shuffles(outcome);
  ASSERT_EQ(events.size(), 1u);
  const auto values = shuffle_values(outcome, events[0]);
  ASSERT_TRUE(values) << format(values.errors()[0]);
  EXPECT_EQ(values->type, ptx::Type::s32);
  EXPECT_EQ(values->width, 8);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(values->before[static_cast<std::size_t>(lane)], std::to_string(lane - 5));
    EXPECT_EQ(values->after[static_cast<std::size_t>(lane)], std::to_string((lane ^ 3) - 5));
  }
}

std::string as_text(double value) {
  return fmt::format("{:.4g}", value);
}

// A double moves in two shuffles of 32 bits. Each shows the whole double; host arithmetic says which.
TEST(ShuffleValues, OfADoubleTheWordsBelongTogether) {
  const Outcome outcome = run_kernel(
      "  double sum = in[t] / 3.0 - 2.0;\n"
      "  sum += __shfl_down_sync(0xffffffffu, sum, 16);\n"
      "  out[t] = (float)sum;\n");
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.at(0));
  const auto events = shuffles(outcome);
  ASSERT_EQ(events.size(), 2u);
  std::set<diagram::Moved> words;
  for (const trace::WarpEvent& event : events) {
    const auto values = shuffle_values(outcome, event);
    ASSERT_TRUE(values) << format(values.errors()[0]);
    EXPECT_EQ(values->type, ptx::Type::f64);
    words.insert(values->what);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const auto of = [](std::size_t of_lane) { return as_text(static_cast<double>(of_lane) / 3.0 - 2.0); };
      EXPECT_EQ(values->before[lane], of(lane));
      EXPECT_EQ(values->after[lane], of(lane < 16 ? lane + 16 : lane));
    }
  }
  EXPECT_EQ(words, (std::set{diagram::Moved::low_of_double, diagram::Moved::high_of_double}));
}

// One word alone is not a double, nor are two words from different lanes.
TEST(ShuffleValues, AWordWithoutItsPartnerIsShownAsBits) {
  for (const char* high : {"__double2hiint(value)", "__shfl_down_sync(0xffffffffu, __double2hiint(value), 2)"}) {
    SCOPED_TRACE(high);
    const Outcome outcome =
        run_kernel(std::string("  const double value = in[t] / 3.0;\n"
                               "  const int low = __shfl_down_sync(0xffffffffu, __double2loint(value), 1);\n"
                               "  out[t] = (float)(1.5 * __hiloint2double(") +
                   high + ", low));\n");
    ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.at(0));
    bool low_seen = false;
    for (const trace::WarpEvent& event : shuffles(outcome)) {
      const auto values = shuffle_values(outcome, event);
      ASSERT_TRUE(values) << format(values.errors()[0]);
      low_seen |= values->what == diagram::Moved::low_bits_of_double;
      if (values->what != diagram::Moved::low_bits_of_double) {
        EXPECT_EQ(values->what, diagram::Moved::high_bits_of_double);
        continue;
      }
      for (std::size_t lane = 0; lane < 32; ++lane) {
        const auto bits = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(static_cast<double>(lane) / 3.0));
        EXPECT_EQ(values->before[lane], fmt::format("{:08x}", bits));
      }
    }
    EXPECT_TRUE(low_seen);
  }
}

TEST(ShuffleValues, LongIntegersAreWhole) {
  const Outcome outcome = run_kernel(
      "  const long long big = t * 5000000000ll - 7ll;\n"
      "  const long long got = __shfl_xor_sync(0xffffffffu, big, 1);\n"
      "  out[t] = got < 0 ? 0.0f : (float)got;\n");
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.at(0));
  for (const trace::WarpEvent& event : shuffles(outcome)) {
    const auto values = shuffle_values(outcome, event);
    ASSERT_TRUE(values) << format(values.errors()[0]);
    EXPECT_EQ(values->type, ptx::Type::s64);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(values->before[lane], std::to_string(static_cast<long long>(lane) * 5000000000ll - 7));
      EXPECT_EQ(values->after[lane], std::to_string(static_cast<long long>(lane ^ 1) * 5000000000ll - 7));
    }
  }
}

Outcome run_halves(const std::string& type, const std::string& body) {
  Request request;
  request.source = {"k.cu",
                    "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n__global__ void k(const " + type + "* in, " +
                        type + "* out) {\n  const int t = threadIdx.x;\n" + body + "}\n",
                    {}};
  request.first().kernel = "k";
  request.first().shape.block = {32, 1, 1};
  request.arguments = {{"f16[64]=iota", "in"}, {"f16[64]=0", "out"}};
  request.record.events = true;
  return run(request);
}

// The header shuffles a half as two equal halves in 32 bits.
TEST(ShuffleValues, AHalfIsShownOnce) {
  const Outcome outcome = run_halves("__half",
                                     "  const __half half = in[t] * __half(0.5f);\n"
                                     "  out[t] = half + __shfl_down_sync(0xffffffffu, half, 4);\n");
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.at(0));
  const auto values = shuffle_values(outcome, shuffles(outcome).at(0));
  ASSERT_TRUE(values) << format(values.errors()[0]);
  EXPECT_EQ(values->what, diagram::Moved::half_twice);
  EXPECT_EQ(values->type, ptx::Type::f16);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(values->before[lane], as_text(static_cast<double>(lane) / 2));
    EXPECT_EQ(values->after[lane], as_text(static_cast<double>(lane < 28 ? lane + 4 : lane) / 2));
  }
}

TEST(ShuffleValues, PairsOfHalvesAreTwoValues) {
  // Added as a pair; taken apart and joined again; and only moved, where all buffers hold halves.
  for (const char* body :
       {"  out[t] = __hadd2(in[t], __shfl_down_sync(0xffffffffu, in[t], 1));\n",
        "  const __half2 got = __shfl_down_sync(0xffffffffu, in[t], 1);\n"
        "  out[t] = __halves2half2(__high2half(got) + __half(1.0f), __low2half(got) * __half(2.0f));\n",
        "  out[t] = __shfl_down_sync(0xffffffffu, in[t], 1);\n"}) {
    SCOPED_TRACE(body);
    const Outcome outcome = run_halves("__half2", body);
    ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.at(0));
    const auto values = shuffle_values(outcome, shuffles(outcome).at(0));
    ASSERT_TRUE(values) << format(values.errors()[0]);
    EXPECT_EQ(values->what, diagram::Moved::halves);
    EXPECT_EQ(values->type, ptx::Type::f16);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const auto of = [](std::size_t of_lane) { return fmt::format("{} | {}", 2 * of_lane, 2 * of_lane + 1); };
      EXPECT_EQ(values->before[lane], of(lane));
      EXPECT_EQ(values->after[lane], of(lane < 31 ? lane + 1 : lane));
    }
  }
}

TEST(ShuffleValues, BfloatsAreNoHalves) {
  const Outcome outcome = run_halves("__nv_bfloat16",
                                     "  const __nv_bfloat16 value = __float2bfloat16(t * 0.25f);\n"
                                     "  out[t] = value + __shfl_xor_sync(0xffffffffu, value, 1);\n");
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.at(0));
  const auto values = shuffle_values(outcome, shuffles(outcome).at(0));
  ASSERT_TRUE(values) << format(values.errors()[0]);
  EXPECT_EQ(values->type, ptx::Type::bf16);
  for (std::size_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(values->after[lane], as_text(static_cast<double>(lane ^ 1) / 4));
}

// Values that bit operations changed are shown as bits.
TEST(ShuffleValues, OfBitsNothingIsGuessed) {
  const Outcome outcome = run_kernel(
      "  unsigned bits = __float_as_uint(in[t]) ^ 0x5a5a5a5au;\n"
      "  out[t] = __uint_as_float(__shfl_down_sync(0xffffffffu, bits, 1) ^ 0x5a5a5a5au);\n");
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.at(0));
  const auto values = shuffle_values(outcome, shuffles(outcome).at(0));
  ASSERT_TRUE(values) << format(values.errors()[0]);
  EXPECT_EQ(values->what, diagram::Moved::bits);
  for (std::size_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(values->before[lane],
              fmt::format("{:08x}", std::bit_cast<std::uint32_t>(static_cast<float>(lane)) ^ 0x5a5a5a5au));
}

// A float that is also used in integer arithmetic: it is unknown which of the two the learner means.
TEST(ShuffleValues, WhereInstructionsDisagreeThereAreBits) {
  const Outcome outcome = run_kernel(
      "  const float value = in[t] * 1.5f;\n"
      "  const int bits = __shfl_down_sync(0xffffffffu, __float_as_int(value), 1);\n"
      "  out[t] = value + __int_as_float(max(bits, 5) + 1);\n");
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.at(0));
  const auto values = shuffle_values(outcome, shuffles(outcome).at(0));
  ASSERT_TRUE(values) << format(values.errors()[0]);
  EXPECT_EQ(values->what, diagram::Moved::bits);
}

TEST(ShuffleValues, LanesThatDoNotTakePartHaveNone) {
  const Outcome outcome = run_kernel(
      "  float sum = in[t];\n"
      "  if (t < 16) sum += __shfl_down_sync(0x0000ffffu, sum, 8);\n"
      "  out[t] = sum;\n");
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.at(0));
  const auto values = shuffle_values(outcome, shuffles(outcome).at(0));
  ASSERT_TRUE(values) << format(values.errors()[0]);
  EXPECT_EQ(values->before[3], "3");
  EXPECT_EQ(values->after[3], "11");
  EXPECT_EQ(values->after[12], "?") << "lane 20 does not take part: undefined";
  EXPECT_EQ(values->before[20], "–");
  EXPECT_EQ(values->after[20], "–");
}

// The lanes of a coalesced group are those that the instruction names. A tile's size is its width, even if lanes have
// exited.
TEST(ShuffleValues, KnowATileFromAGroupOfItsOwn) {
  const auto tile_of = [](const std::string& body) {
    const Outcome outcome = run_kernel(body);
    EXPECT_TRUE(outcome.completed);
    const auto values = shuffle_values(outcome, shuffles(outcome).at(0));
    EXPECT_TRUE(values);
    return values ? values->tile() : -1;
  };
  EXPECT_EQ(tile_of("  if (t % 3 == 0) out[t] = __shfl_sync(__activemask(), in[t], 0);\n"), 0);
  EXPECT_EQ(tile_of("  out[t] = __shfl_sync(0xffffffffu, in[t], 0);\n"), 32);
  EXPECT_EQ(tile_of("  if (t < 8) out[t] = __shfl_down_sync(0xffu, in[t], 1, 8);\n"), 8);
}

TEST(ShuffleValues, SayWholeNumbersInFull) {
  const Outcome outcome = run_kernel(
      "  const float value = t == 0 ? 30723.0f : t == 1 ? 3072345.0f : t == 2 ? -1.25e-9f : t == 3 ? 2e20f : "
      "0.123456f;\n"
      "  out[t] = __shfl_xor_sync(0xffffffffu, value, 1);\n");
  ASSERT_TRUE(outcome.completed);
  const auto values = shuffle_values(outcome, shuffles(outcome).at(0));
  ASSERT_TRUE(values);
  EXPECT_EQ(values->before[0], "30723");
  EXPECT_EQ(values->before[1], "3072345");
  EXPECT_EQ(values->before[2], "-1.25e-9");
  EXPECT_EQ(values->before[3], "2e20");
  EXPECT_EQ(values->before[4], "0.1235");
  EXPECT_EQ(values->after[0], "3072345");
}

// The PTX of these says nothing about their values but `ld.global.u32` and `st.global.u32`.
TEST(ShuffleValues, FloatsThatAreOnlyMovedAreFloats) {
  Outcome outcome = run_kernel("  out[t] = __shfl_sync(0xffffffffu, in[t], 31 - t);\n");
  ASSERT_TRUE(outcome.completed);
  const trace::WarpEvent event = shuffles(outcome).at(0);
  const auto values = shuffle_values(outcome, event);
  ASSERT_TRUE(values);
  EXPECT_EQ(values->type, ptx::Type::f32);
  EXPECT_EQ(values->before[7], "7");
  EXPECT_EQ(values->after[7], "24");
  outcome.arguments[1].type = sim::ElementType::i32;
  const auto unclear = shuffle_values(outcome, event);
  ASSERT_TRUE(unclear);
  EXPECT_EQ(unclear->what, diagram::Moved::bits)
      << "floats or integers, nobody knows: no number rather than a wrong one";
  EXPECT_EQ(unclear->before[7], "40e00000");
  outcome.arguments[1].type = sim::ElementType::f16;
  const auto other = shuffle_values(outcome, event);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->what, diagram::Moved::bits) << "two halves may have been loaded at once";
}

TEST(ShuffleValues, OtherEventsHaveNone) {
  const Outcome outcome = run_kernel("  out[t] = in[t];\n");
  ASSERT_TRUE(outcome.completed);
  const auto values = shuffle_values(outcome, outcome.first().trace.events.at(0));
  ASSERT_FALSE(values);
  EXPECT_EQ(values.errors()[0].code, "value.no_shuffle");
}

// The buffers are as the launch before left them.
TEST(ShuffleValues, OfALaterLaunch) {
  Request request;
  request.source = {"k.cu",
                    R"(
__global__ void doubles(float* data) { data[threadIdx.x] *= 2; }
__global__ void takes_next(const float* data, float* out) {
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, data[threadIdx.x] + 1, 1);
}
)",
                    {}};
  request.first().kernel = "doubles";
  request.first().shape.block = {32, 1, 1};
  request.arguments = {{"f32[32]=iota", "data"}};
  request.buffers = {{"f32[32]", "out"}};
  RequestedLaunch again{
      .number = 2, .kernel = "doubles", .shape = request.first().shape, .parameters = {{.buffer = 0}}};
  RequestedLaunch next{.number = 3,
                       .kernel = "takes_next",
                       .shape = request.first().shape,
                       .parameters = {{.buffer = 0}, {.buffer = 1}}};
  request.launches = {request.first(), again, again, next};
  request.record.events = true;
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.at(0));
  const trace::Trace& trace = *outcome.trace_of(3);
  const auto event = std::ranges::find(trace.events, trace::EventKind::shuffle, &trace::WarpEvent::kind);
  ASSERT_NE(event, trace.events.end());
  const auto values = shuffle_values(outcome, *event, 3);
  ASSERT_TRUE(values) << format(values.errors()[0]);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(std::stod(values->before[lane]), 8.0 * static_cast<double>(lane) + 1);
    EXPECT_EQ(std::stod(values->after[lane]), 8.0 * static_cast<double>(lane < 31 ? lane + 1 : lane) + 1);
  }
  EXPECT_FALSE(shuffle_values(outcome, *event, 4));
}

}  // namespace
}  // namespace lanescope::job
