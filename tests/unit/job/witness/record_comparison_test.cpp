// Records of the same kernel from two witnesses that place memory differently.

#include <gtest/gtest.h>

#include "compile/compiler.h"
#include "job/run/job.h"
#include "job/witness/record_comparison.h"
#include "sim/memory/address_space.h"

namespace lanescope::job {
namespace {

class RecordComparisonTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
  }
  // Both as in the file, so that the kernel has the same lines and sites.
  static trace::Trace trace_of(const std::string& variables, const std::string& index) {
    Request request;
    request.source = {"k.cu", variables + "\n__global__ void k() {\n  b[threadIdx.x] = a[" + index + "] + c;\n}\n", {}};
    request.first().kernel = "k";
    request.first().shape.block = {32, 1, 1};
    request.record.events = true;
    Outcome outcome = run(request);
    EXPECT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
    return std::move(outcome.launches.front().trace);
  }
  static RecordComparison compared(const std::string& variables, const std::string& index) {
    const trace::Trace one = trace_of("__device__ int a[33], b[40], c;", "threadIdx.x");
    return compare_records(one, trace_of(variables, index), instrument::Pass::memory, 0, 1, {});
  }
};

// Other sizes move each variable by another distance, as a GPU's order of them does.
TEST_F(RecordComparisonTest, VariablesAtOtherDistancesAreTheSame) {
  for (const char* variables : {"__device__ int a[33], b[40], c;", "__device__ int a[4000], b[40], c;",
                                "__device__ int a[33], b[4000], c;", "__device__ int a[700], b[4000], c;"}) {
    const RecordComparison records = compared(variables, "threadIdx.x");
    EXPECT_EQ(records.interpreted, 3u);
    EXPECT_TRUE(records.agrees()) << variables;
  }
}
TEST_F(RecordComparisonTest, OtherElementsAreNot) {
  const RecordComparison records = compared("__device__ int a[700], b[4000], c;", "threadIdx.x ^ 1");
  EXPECT_EQ(records.interpreted, 3u);
  EXPECT_EQ(records.equal, 2u) << "all but the load of a";
}

// A GPU has the shared memory that cooperative groups keep at address 0, and the kernel's own behind it.
TEST_F(RecordComparisonTest, ReservedSharedMemoryLiesBeforeTheKernelsOwn) {
  Request request;
  request.source = {"k.cu",
                    "#include <cooperative_groups.h>\n"
                    "namespace cg = cooperative_groups;\n"
                    "__global__ void k(int* out) {\n"
                    "  __shared__ int own[128];\n"
                    "  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());\n"
                    "  own[threadIdx.x] = threadIdx.x;\n"
                    "  tile.sync();\n"
                    "  out[threadIdx.x] = own[threadIdx.x ^ 63];\n"
                    "}\n",
                    {}};
  request.first().kernel = "k";
  request.first().shape.block = {128, 1, 1};
  request.arguments = {{"i32[128]=0", ""}};
  request.record.events = true;
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
  const trace::Trace& here = outcome.launches.front().trace;
  trace::Trace there = here;
  constexpr std::uint32_t own_bytes = 512;
  int of_groups = 0;
  const auto moved = [&](std::uint64_t address) {
    of_groups += address >= own_bytes;
    return address >= own_bytes ? address - sim::address_space::reserved_shared(own_bytes)
                                : address + sim::address_space::reserved_shared_bytes;
  };
  for (trace::WarpEvent& event : there.events) {
    if (event.kind != trace::EventKind::memory || event.space != trace::MemorySpace::shared) continue;
    event.first_address = moved(event.first_address);
    for (int i = 0; !event.affine() && i < event.executed.count(); ++i)
      there.addresses[event.side + static_cast<std::uint32_t>(i)] = moved(there.addresses[event.side + i]);
  }
  EXPECT_GT(of_groups, 0);
  std::vector<DeviceRange> device;
  for (const trace::Buffer& buffer : here.buffers) device.push_back({buffer.argument, buffer.address, buffer.bytes});
  const RecordComparison records = compare_records(here, there, instrument::Pass::memory, 0, 1, device);
  EXPECT_TRUE(records.agrees()) << records.equal << " of " << records.interpreted;
}

}  // namespace
}  // namespace lanescope::job
