// Runs a measurement's own kernels in the interpreter: the one that empties L2 reads its whole buffer and writes
// nothing.

#include "gpu/own_kernels.h"

#include <gtest/gtest.h>

#include <cstring>

#include "gpu/gpu.h"
#include "ptx/module.h"
#include "sim/launch.h"

namespace lanescope::gpu {
namespace {

sim::LaunchResult read_by(std::uint32_t blocks, std::uint64_t bytes, std::byte value) {
  const Result<ptx::Module> module = ptx::parse(reader_ptx, "reader.ptx");
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : format(module.errors().front()));
  const auto program = sim::prepare(*module, "lanescope_reader");
  EXPECT_TRUE(program.ok());
  sim::Argument buffer{.type = sim::ElementType::u8, .is_buffer = true};
  buffer.contents.assign(bytes, std::byte{0});
  buffer.contents[bytes - 1] = value;
  sim::Argument size{.type = sim::ElementType::u64};
  size.raw_parameter.resize(sizeof bytes);
  std::memcpy(size.raw_parameter.data(), &bytes, sizeof bytes);
  sim::LaunchRequest request;
  request.launch.grid.x = blocks;
  request.launch.block.x = 512;
  request.arguments = {buffer, size};
  return sim::run(**program, request);
}

TEST(OwnKernels, TheReaderReadsEachSectorOnceAndLeavesNothingToWriteBack) {
  constexpr std::uint64_t bytes = 3 * 40960;  // not a multiple of what the launch reads at a time
  for (const std::uint32_t blocks : {1u, 3u, 40u}) {
    const sim::LaunchResult result = read_by(blocks, bytes, std::byte{0});
    ASSERT_TRUE(result.completed) << format(result.diagnostics.front());
    EXPECT_EQ(result.trace.totals.of(trace::MemoryClass::global_load).sectors, bytes / 32) << blocks;
    EXPECT_EQ(result.trace.totals.of(trace::MemoryClass::global_load).bytes_requested, bytes) << blocks;
    EXPECT_EQ(result.trace.totals.of(trace::MemoryClass::global_store).requests, 0u) << blocks;
  }
}

// Otherwise a compiler could remove the loads.
TEST(OwnKernels, WhatTheReaderReadsIsLookedAt) {
  const sim::LaunchResult result = read_by(1, 65536, std::byte{7});
  ASSERT_TRUE(result.completed);
  EXPECT_EQ(result.trace.totals.of(trace::MemoryClass::global_store).requests, 1u);
}

TEST(CacheStates, HaveNamesThatComeBack) {
  for (const CacheState cache : {CacheState::flushed, CacheState::warm, CacheState::overwritten})
    EXPECT_EQ(cache_state_from(to_string(cache)), cache);
  EXPECT_EQ(to_string(CacheState::overwritten), "overwritten");
  EXPECT_FALSE(cache_state_from("cold"));
}

}  // namespace
}  // namespace lanescope::gpu
