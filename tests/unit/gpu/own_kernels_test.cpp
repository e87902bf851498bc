// A measurement's own kernels, in the interpreter and as machine code: those that empty L2 read and then discard a
// whole buffer, and write nothing.

#include "gpu/own_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "compile/compiler.h"
#include "compile/fixture.h"
#include "gpu/gpu.h"
#include "ptx/module.h"
#include "sim/launch.h"

namespace lanescope::gpu {
namespace {

// All bytes are 0 but the last.
sim::LaunchResult run_own(const OverBuffer& kernel, std::uint32_t blocks, std::uint32_t threads, std::uint64_t bytes,
                          std::byte last = {}) {
  const Result<ptx::Module> module = ptx::parse(ptx_of(kernel), "own.ptx");
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : format(module.errors().front()));
  const auto program = sim::prepare(*module, std::string(kernel.name));
  EXPECT_TRUE(program.ok());
  sim::Argument buffer{.type = sim::ElementType::u8, .is_buffer = true};
  buffer.contents.assign(bytes, std::byte{0});
  buffer.contents[bytes - 1] = last;
  sim::Argument size{.type = sim::ElementType::u64};
  size.raw_parameter.resize(sizeof bytes);
  std::memcpy(size.raw_parameter.data(), &bytes, sizeof bytes);
  sim::LaunchRequest request;
  request.launch.grid.x = blocks;
  request.launch.block.x = threads;
  request.arguments = {buffer, size};
  return sim::run(**program, request);
}

sim::LaunchResult read_by(std::uint32_t blocks, std::uint64_t bytes, std::byte last) {
  return run_own(reader, blocks, 512, bytes, last);
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

// What was discarded is indeterminate, so the buffer may hold anything.
TEST(OwnKernels, TheReaderWritesNothingWhateverItReads) {
  const sim::LaunchResult result = read_by(1, 65536, std::byte{7});
  ASSERT_TRUE(result.completed);
  EXPECT_EQ(result.trace.totals.of(trace::MemoryClass::global_store).requests, 0u);
}

std::size_t machine_instructions(const OverBuffer& kernel, const std::string& opcode) {
  const Result<compile::Sass> sass = compile::to_sass(ptx_of(kernel), std::string(kernel.name), "sm_90");
  EXPECT_TRUE(sass.ok()) << (sass.ok() ? "" : format(sass.errors().front()));
  if (!sass) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(sass->instructions, [&](const compile::SassInstruction& one) {
    return one.text.find(opcode) != std::string::npos;
  }));
}

TEST(OwnKernels, PtxasKeepsTheLoadsOfTheReader) {
  NEEDS_SASS();
  EXPECT_GE(machine_instructions(reader, "LDG.E.128"), 1u);
}

TEST(OwnKernels, TheDiscarderIsOneInstructionForALine) {
  NEEDS_SASS();
  EXPECT_EQ(machine_instructions(discarder, "CCTL.E.RML2"), 1u);
}

TEST(OwnKernels, TheDiscarderDropsEachLineOfItsBuffer) {
  constexpr std::uint64_t lines = 96, bytes = lines * 128;
  for (const std::uint32_t blocks : {1u, 2u, 3u}) {
    const sim::LaunchResult result = run_own(discarder, blocks, 32, bytes);
    ASSERT_TRUE(result.completed) << format(result.diagnostics.front());
    EXPECT_EQ(result.trace.totals.of(trace::MemoryClass::global_store).requests, 0u);
    // A warp discards 32 lines per turn; its last test leaves the loop.
    EXPECT_EQ(result.trace.totals.branches, lines / 32 + blocks) << blocks;
  }
}

TEST(CacheStates, HaveNamesThatComeBack) {
  for (const CacheState cache : {CacheState::flushed, CacheState::warm, CacheState::overwritten})
    EXPECT_EQ(cache_state_from(to_string(cache)), cache);
  EXPECT_EQ(to_string(CacheState::overwritten), "overwritten");
  EXPECT_FALSE(cache_state_from("cold"));
}

}  // namespace
}  // namespace lanescope::gpu
