// The window shows what goes wrong in the worker process, so no part of a diagnostic may be lost on the way.

#include "gpu/message.h"

#include <gtest/gtest.h>

#include <tuple>

#include "core/worded.h"
#include "words/messages.h"

namespace lanescope::gpu {
namespace {

TEST(GpuMessage, DiagnosticsKeepTheirPatternAndValues) {
  const Wording reason = worded("The kernel did not end within {:g} s on the GPU.", 2.5);
  const Wording nested = worded("Launch {}, `{}`: {}", 2, std::string("k"), reason);
  const Wording both = Wording::bilingual("two", "二");
  const Diagnostics sent{{.code = "gpu.hang", .place = {"k.cu", 3, 7}, .message = nested, .cure = "Run again."},
                         {.severity = Severity::note, .code = "gpu.fault_elsewhere", .message = both, .cure = ""}};
  const Diagnostics back = diagnostics_from(Message::from_cbor(Message::to_cbor(to_message(sent))));
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].message, sent[0].message);
  EXPECT_EQ(back[0].place, sent[0].place);
  EXPECT_EQ(back[1].severity, Severity::note);
  for (std::size_t i = 0; i < 2; ++i)
    for (const diagram::Language language : {diagram::Language::english, diagram::Language::chinese}) {
      EXPECT_EQ(diagram::translated(back[i].message, language), diagram::translated(sent[i].message, language));
      EXPECT_EQ(diagram::translated(back[i].cure, language), diagram::translated(sent[i].cure, language));
    }
  EXPECT_EQ(diagram::translated(back[0].message, diagram::Language::chinese),
            "第 2 次启动，`k`：kernel 在 GPU 上 2.5 秒内没有结束。");
}

TEST(GpuMessage, AnArgumentTakesItsAddressesAndItsVariableWithIt) {
  std::vector<Argument> sent(2);
  sent[0].bytes.resize(16);
  sent[0].addresses = {{8, 1, 400}};
  sent[1].is_buffer = true;
  sent[1].bytes.resize(800, std::byte{7});
  sent[1].variable = "table";
  Outgoing behind;
  const Message message = Message::from_cbor(Message::to_cbor(to_message(sent, behind)));
  std::vector<Bytes> bytes;
  for (const Out& one : behind) bytes.emplace_back(one.bytes.begin(), one.bytes.end());
  const std::vector<Argument> back = arguments_from(message, bytes);
  ASSERT_EQ(back.size(), 2u);
  ASSERT_EQ(back[0].addresses.size(), 1u);
  EXPECT_EQ(back[0].addresses[0].at, 8u);
  EXPECT_EQ(back[0].addresses[0].argument, 1);
  EXPECT_EQ(back[0].addresses[0].offset, 400u);
  EXPECT_EQ(back[1].variable, "table");
  EXPECT_EQ(back[1].bytes, sent[1].bytes);
}

TEST(GpuMessage, CountedInstructionsKeepTheirPlaces) {
  CountedInstructions sent;
  sent.instructions = {{"_Z1kPf", 0x90, {1, 2}}, {"helper", 0, {0, ~std::uint64_t{0}}}};
  const Message message = Message::from_cbor(Message::to_cbor(to_message(sent)));
  EXPECT_EQ(counted_instructions_from(message).instructions, sent.instructions);
}

// A field that is missing from the list would come back with its default value.
TEST(GpuMessage, AnArgumentWithoutItsBytesIsAnError) {
  Outgoing behind;
  const Message sent = to_message(std::vector<Argument>(2), behind);
  std::vector<Bytes> one(1), two(2);
  EXPECT_NO_THROW(arguments_from(sent, two));
  EXPECT_THROW(arguments_from(sent, one), Message::exception);
  Message negative = sent;
  negative[1]["bytes"] = -1;
  EXPECT_THROW(arguments_from(negative, two), Message::exception);
  Message half = sent;
  half[1]["addresses"] = 2;
  std::vector<Bytes> three(3);
  three[2].resize(23);
  EXPECT_THROW(arguments_from(half, three), Message::exception) << "not whole addresses";
}

TEST(GpuMessage, EveryFieldOfADeviceComesBack) {
  const Device sent{3,          "A GPU",   9,    1,         132,    2048,         65536, 233472,   150'000'000'000,
                    50'000'000, 3'201'000, 6144, 1'980'000, "13.0", "580.159.04", true,  "ssh:lab"};
  const Device back = device_from(Message::from_cbor(Message::to_cbor(to_message(sent))));
  const auto& [index, name, major, minor, multiprocessors, threads, registers, shared, memory, l2, memory_clock, bus,
               sm_clock, cuda, driver, cooperative, where] = back;
  EXPECT_EQ(index, 3);
  EXPECT_EQ(name, "A GPU");
  EXPECT_EQ(major, 9);
  EXPECT_EQ(minor, 1);
  EXPECT_EQ(multiprocessors, 132);
  EXPECT_EQ(threads, 2048);
  EXPECT_EQ(registers, 65536);
  EXPECT_EQ(shared, 233472u);
  EXPECT_EQ(memory, 150'000'000'000u);
  EXPECT_EQ(l2, 50'000'000u);
  EXPECT_EQ(memory_clock, 3'201'000);
  EXPECT_EQ(bus, 6144);
  EXPECT_EQ(sm_clock, 1'980'000);
  EXPECT_EQ(cuda, "13.0");
  EXPECT_EQ(driver, "580.159.04");
  EXPECT_TRUE(cooperative);
  EXPECT_EQ(where, "ssh:lab");
}

TEST(GpuMessage, EveryFieldOfATimingComesBack) {
  Timing sent;
  sent.samples = {3.3e-6, 1.00000000001e-6, 2e-6};
  sent.discarded = 16;
  sent.cache = CacheState::overwritten;
  sent.sm_clock_khz_low = 1'500'000, sent.sm_clock_khz_high = 1'980'000;
  sent.stop_reason = "time limit";
  const Timing back = timing_from(Message::from_cbor(Message::to_cbor(to_message(sent))));
  const auto& [seconds, samples, discarded, cache, low, high, stop] = back;
  EXPECT_EQ(samples, sent.samples) << "to the last bit";
  EXPECT_DOUBLE_EQ(seconds.median, 2e-6);
  EXPECT_EQ(discarded, 16u);
  EXPECT_EQ(cache, CacheState::overwritten);
  EXPECT_EQ(low, 1'500'000);
  EXPECT_EQ(high, 1'980'000);
  EXPECT_EQ(stop, "time limit");
}

TEST(GpuMessage, EveryFieldOfOptionsLaunchAndAttributesComesBack) {
  const TimingOptions options =
      timing_options_from(to_message(TimingOptions{CacheState::warm, 4, 21, 2001, 0.25, 1.5, 0.75, false}));
  const auto& [cache, warm_up, least_samples, most_samples, width, limit, least, restore] = options;
  EXPECT_EQ(cache, CacheState::warm);
  EXPECT_EQ(std::tuple(warm_up, least_samples, most_samples), std::tuple(4, 21, 2001));
  EXPECT_EQ(std::tuple(width, limit, least, restore), std::tuple(0.25, 1.5, 0.75, false));
  const std::vector<Launch> launches =
      launches_from(to_message(std::vector<Launch>{{"first",
                                                    {{2, 3, 4}, {5, 6, 7}, 8, 9, true, {2, 1, 4}},
                                                    {{3, 0x1'0000'0000, {}}, {-1, 0, {std::byte{1}, std::byte{2}}}},
                                                    4096},
                                                   {"second", {}, {}}}));
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[1].kernel, "second");
  const auto& [kernel, shape, parameters, stack_bytes] = launches[0];
  EXPECT_EQ(stack_bytes, 4096u);
  EXPECT_EQ(kernel, "first");
  ASSERT_EQ(parameters.size(), 2u);
  EXPECT_EQ(std::tuple(parameters[0].argument, parameters[0].offset), std::tuple(3, std::uint64_t{0x1'0000'0000}));
  EXPECT_EQ(std::tuple(parameters[1].argument, parameters[1].bytes),
            std::tuple(-1, std::vector<std::byte>{std::byte{1}, std::byte{2}}));
  const auto& [grid, block, dynamic_bytes, static_bytes, cooperative, cluster] = shape;
  EXPECT_EQ(std::tuple(grid.x, grid.y, grid.z), std::tuple(2u, 3u, 4u));
  EXPECT_EQ(std::tuple(block.x, block.y, block.z), std::tuple(5u, 6u, 7u));
  EXPECT_EQ(std::tuple(dynamic_bytes, static_bytes, cooperative), std::tuple(8u, 9u, true));
  EXPECT_EQ(std::tuple(cluster.x, cluster.y, cluster.z), std::tuple(2u, 1u, 4u));
  const KernelAttributes attributes = attributes_from(to_message(KernelAttributes{32, 1024, 8, 512, 4, 0.5}));
  const auto& [registers, shared, local, threads, resident, occupancy] = attributes;
  EXPECT_EQ(std::tuple(registers, shared, local, threads, resident, occupancy),
            std::tuple(32, std::uint64_t{1024}, std::uint64_t{8}, 512, 4, 0.5));
}

}  // namespace
}  // namespace lanescope::gpu
