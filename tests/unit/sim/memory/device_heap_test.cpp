// malloc() and free() in kernels: results, faults, and what stays from one launch to the next.

#include "sim/memory/device_heap.h"

#include <gmock/gmock.h>

#include <set>

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* heap_declarations =
    ".extern .func (.param .b64 r) malloc(.param .b64 a);\n.extern .func free(.param .b64 a);\n";

// `size`: a 64-bit register or number.
std::string allocate(const std::string& to, const std::string& size) {
  return "{\n.param .b64 param0;\nst.param.b64 [param0+0], " + size +
         ";\n.param .b64 retval0;\ncall.uni (retval0), malloc, (param0);\nld.param.b64 " + to + ", [retval0+0];\n}\n";
}
std::string give_back(const std::string& pointer) {
  return "{\n.param .b64 param0;\nst.param.b64 [param0+0], " + pointer + ";\ncall.uni free, (param0);\n}\n";
}
// %r1: the thread, %rd1: out, %rd2: the thread's place there (8 bytes each).
constexpr const char* begin = R"(ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r1, %r2, %r3, %r1;
    mul.wide.u32 %rd2, %r1, 8; add.u64 %rd2, %rd1, %rd2;
)";
Launcher with_heap(const std::string& body) {
  return Launcher(kernel(".param .u64 out", std::string(begin) + body + "ret;", heap_declarations));
}

TEST(DeviceHeap, GivesEachThreadMemoryOfItsOwnThatItMayWriteAndRead) {
  Launcher k = with_heap(allocate("%rd3", "16") + R"(
    st.global.u32 [%rd3], %r1;
    st.global.u32 [%rd3+12], %r1;
    ld.global.u32 %r4, [%rd3+12];
    st.global.u64 [%rd2], %rd3;
)" + give_back("%rd3"));
  k.grid = {3, 1, 1};
  k.block = {40, 1, 1};
  const int out = k.add_buffer(std::vector<std::uint64_t>(120));
  std::vector<std::vector<std::uint64_t>> runs;
  for (const int threads : {1, 4})
    for (const std::uint32_t seed : {0u, 7u}) {
      k.request.threads = threads;
      k.request.schedule_seed = seed;
      const LaunchResult result = k.run();
      const std::vector<std::uint64_t> pointers = Launcher::values<std::uint64_t>(result, out);
      EXPECT_EQ(std::set(pointers.begin(), pointers.end()).size(), 120u);
      for (const std::uint64_t pointer : pointers) EXPECT_EQ(pointer % 16, 0u) << "CUDA promises this";
      runs.push_back(pointers);
      ASSERT_NE(result.heap, nullptr);
      EXPECT_EQ(result.heap->used(), 0u);
    }
  for (const auto& run : runs) EXPECT_EQ(run, runs.front()) << "whatever the order of blocks";
}

TEST(DeviceHeap, GivesNullWhenItIsFullAndSaysSo) {
  Launcher k = with_heap(allocate("%rd3", "1000") + "st.global.u64 [%rd2], %rd3;\n");
  k.request.heap = std::make_shared<const DeviceHeap>(5 * 1008);  // of 16 bytes each
  const int out = k.add_buffer(std::vector<std::uint64_t>(32, 1));
  const LaunchResult result = k.run_anyway();
  EXPECT_TRUE(result.completed);
  const std::vector<std::uint64_t> pointers = Launcher::values<std::uint64_t>(result, out);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(pointers[i] == 0, i >= 5) << i;
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "memory.heap_full");
  EXPECT_EQ(result.diagnostics[0].severity, Severity::warning);
  EXPECT_THAT(result.diagnostics[0].message,
              HasSubstr("27 times, first for 1000 bytes: the device heap of 5040 bytes"));
}

TEST(DeviceHeap, IsEightMebibytesUnlessAskedOtherwise) {
  Launcher k = with_heap(allocate("%rd3", "8388608") + allocate("%rd4", "1") +
                         "st.global.u64 [%rd2], %rd3;\nst.global.u64 [%rd2+8], %rd4;\n");
  k.block = {1, 1, 1};
  const int out = k.add_buffer(std::vector<std::uint64_t>(2, 1));
  const std::vector<std::uint64_t> pointers = Launcher::values<std::uint64_t>(k.run_anyway(), out);
  EXPECT_NE(pointers[0], 0u);
  EXPECT_EQ(pointers[1], 0u);
}

std::string fault_message(const std::string& body, const std::string& code) {
  Launcher k = with_heap(body);
  k.block = {2, 1, 1};
  k.add_buffer(std::vector<std::uint64_t>(4));
  return k.fault(code).message;
}

TEST(DeviceHeap, AnAccessBesideAnAllocationIsAFaultThatNamesIt) {
  EXPECT_THAT(
      fault_message(allocate("%rd3", "24") + "st.global.u32 [%rd3+24], %r1;\n", "memory.out_of_bounds"),
      HasSubstr("just past the end of the 24 bytes that thread (0, 0, 0) of block (0, 0, 0) allocated in line"));
  EXPECT_THAT(fault_message(allocate("%rd3", "24") + "ld.global.u32 %r4, [%rd3+-4];\n", "memory.out_of_bounds"),
              HasSubstr("4 bytes before the start of the 24 bytes that thread"));
  EXPECT_THAT(fault_message(allocate("%rd3", "24") + "ld.global.u32 %r4, [%rd3+8];\n", "memory.uninitialised"),
              HasSubstr("8 bytes into the 24 bytes that thread"));
}

TEST(DeviceHeap, UseAfterFreeAndDoubleFreeAreFaults) {
  const std::string freed = allocate("%rd3", "24") + "st.global.u64 [%rd3+8], %rd3;\n" + give_back("%rd3");
  EXPECT_THAT(fault_message(freed + "ld.global.u64 %rd4, [%rd3+8];\n", "memory.use_after_free"),
              AllOf(HasSubstr("8 bytes into the 24 bytes"), HasSubstr("freed in line")));
  // The first execution of this store is allowed.
  const std::string loop = allocate("%rd3", "24") + "mov.u32 %r5, 0;\nAGAIN:\nst.global.u64 [%rd3+8], %rd3;\n" +
                           "setp.eq.u32 %p1, %r5, 1;\n@%p1 bra GONE;\n" + give_back("%rd3") +
                           "GONE:\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p2, %r5, 2;\n@%p2 bra AGAIN;\n";
  EXPECT_THAT(fault_message(loop, "memory.use_after_free"), HasSubstr("a write of 8 bytes"))
      << "what one instruction may touch ends with free()";
  EXPECT_THAT(fault_message(freed + give_back("%rd3"), "memory.double_free"),
              AllOf(HasSubstr("a second time"), HasSubstr("the 24 bytes that thread (0, 0, 0)")));
  EXPECT_THAT(fault_message(allocate("%rd3", "24") + "add.u64 %rd3, %rd3, 8;\n" + give_back("%rd3"), "memory.bad_free"),
              HasSubstr("8 bytes into the 24 bytes"));
  EXPECT_THAT(fault_message(give_back("%rd1"), "memory.bad_free"),
              HasSubstr("arg 0 (u64[4]): that is not on the device"))
      << "cudaMalloc()'s";
  EXPECT_THAT(fault_message(give_back("64"), "memory.bad_free"), HasSubstr("where nothing is allocated"));
}

TEST(DeviceHeap, FreeOfANullPointerDoesNothing) {
  Launcher k = with_heap(give_back("0"));
  k.add_buffer(std::vector<std::uint64_t>(1));
  EXPECT_TRUE(k.run().completed);
}

// As on an H200: malloc(0) is not null, and must be freed like any other pointer.
TEST(DeviceHeap, ZeroBytesArePlacesOfTheirOwnWhereNothingIs) {
  Launcher k = with_heap(allocate("%rd3", "0") + "st.global.u64 [%rd2], %rd3;\n" + give_back("%rd3"));
  k.block = {32, 1, 1};
  const int out = k.add_buffer(std::vector<std::uint64_t>(32));
  const LaunchResult result = k.run();
  ASSERT_TRUE(result.completed);
  const std::vector<std::uint64_t> pointers = Launcher::values<std::uint64_t>(result, out);
  const std::set<std::uint64_t> different(pointers.begin(), pointers.end());
  EXPECT_EQ(different.size(), 32u);
  EXPECT_FALSE(different.contains(0));
  EXPECT_EQ(result.heap->used(), 0u);
  EXPECT_THAT(fault_message(allocate("%rd3", "0") + "st.global.u8 [%rd3], %r1;\n", "memory.out_of_bounds"),
              HasSubstr("the 0 bytes that thread (0, 0, 0)"));
  fault_message(allocate("%rd3", "0") + give_back("%rd3") + give_back("%rd3"), "memory.bad_free");
  // What is not freed stays for the next launch and takes room.
  Launcher kept = with_heap(allocate("%rd3", "0"));
  kept.add_buffer(std::vector<std::uint64_t>(32));
  const LaunchResult left = kept.run();
  EXPECT_GT(left.heap->used(), 0u);
  kept.request.heap = left.heap;
  EXPECT_TRUE(kept.run().completed);
}

TEST(DeviceHeap, WhatIsNotFreedStaysForTheNextLaunch) {
  Launcher first = with_heap(allocate("%rd3", "8") + "st.global.u32 [%rd3], %r1;\nst.global.u64 [%rd2], %rd3;\n");
  first.grid = {2, 1, 1};
  const int out = first.add_buffer(std::vector<std::uint64_t>(64));
  const LaunchResult before = first.run();
  ASSERT_NE(before.heap, nullptr);
  EXPECT_EQ(before.heap->used(), 64 * 16u);
  const std::string read = "ld.global.u64 %rd3, [%rd2];\nld.global.u32 %r4, [%rd3];\n";
  const auto next = [&](const std::string& body) {
    Launcher k = with_heap(read + body);
    k.grid = {2, 1, 1};
    k.request.heap = before.heap;
    k.add_buffer(Launcher::values<std::uint64_t>(before, out));
    return k;
  };
  Launcher frees = next("cvt.u64.u32 %rd4, %r4;\nst.global.u64 [%rd2], %rd4;\n" + give_back("%rd3"));
  frees.request.threads = 4;
  const LaunchResult after = frees.run();
  std::vector<std::uint64_t> expected(64);
  for (std::size_t i = 0; i < 64; ++i) expected[i] = i;
  EXPECT_EQ(Launcher::values<std::uint64_t>(after, 0), expected);
  EXPECT_EQ(after.heap->used(), 0u);
  EXPECT_EQ(before.heap->used(), 64 * 16u) << "the launch had its own";
  EXPECT_THAT(next("ld.global.u32 %r5, [%rd3+4];\n").fault("memory.uninitialised").message, HasSubstr("4 bytes into"))
      << "what was never written stays so";
}

TEST(DeviceHeap, ARaceOnItIsFoundAndNamed) {
  // Thread 0 allocates and publishes the pointer; after the barrier all threads write without an order.
  Launcher k = with_heap("setp.ne.u32 %p1, %r1, 0;\n@%p1 bra OVER;\n" + allocate("%rd3", "64") +
                         "st.global.u64 [%rd1], %rd3;\nOVER:\nbar.sync 0;\nld.global.u64 %rd3, [%rd1];\n"
                         "st.global.u32 [%rd3+8], %r1;\n");
  k.block = {64, 1, 1};
  k.request.races = true;
  k.add_buffer(std::vector<std::uint64_t>(1));
  const LaunchResult result = k.run_anyway();
  ASSERT_TRUE(result.completed);
  ASSERT_TRUE(result.races.accuses());
  const Race& race = *std::ranges::find_if(result.races.races, [](const Race& one) { return accuses(one.kind); });
  EXPECT_EQ(race.offset, 8u);
  ASSERT_GE(race.buffer, 0);
  const trace::Buffer& buffer = result.trace.buffers.at(static_cast<std::size_t>(race.buffer));
  EXPECT_EQ(buffer.name, "malloc(64)");
  EXPECT_EQ(buffer.bytes, 64u);
}

TEST(DeviceHeap, GivesAddressesAgainOnlyWhereNothingIsAllocated) {
  DeviceHeap heap(1 << 20);
  std::set<std::uint64_t> kept;
  const std::uint32_t line = heap.number_of({{"k.cu", 3, 1}, "k"});
  for (int launch = 0; launch < 40; ++launch) {
    heap.begin_launch(4);
    for (std::uint64_t thread = 0; thread < 4; ++thread) {
      HeapAllocation* const one = heap.allocate(100, thread, {line, {}, {}});
      ASSERT_NE(one, nullptr);
      EXPECT_TRUE(kept.insert(one->address).second);
    }
  }
  EXPECT_EQ(heap.used(), 40 * 4 * 112u);
  for (auto at = kept.begin(); std::next(at) != kept.end(); ++at) EXPECT_GE(*std::next(at) - *at, 1100u);
}

}  // namespace
}  // namespace lanescope::sim
