// A program's saved launch on a GPU, whose memory has other addresses than the interpreter's.

#include "job/witness/kept_on_gpu.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>

#include "device/saved_run_reader.h"
#include "golden.h"
#include "job/run/kept.h"
#include "job/witness/interpreted_gpu.h"
#include "job/witness/verify.h"
#include "ptx_text.h"
#include "sim/memory/address_space.h"
#include "sim/memory/device_memory.h"
#include "sim/memory/tensor_map.h"
#include "unit/device/saved_program.h"

namespace lanescope::job {
namespace {

constexpr std::uint64_t first_address = 0x3100'0000'0000, apart = 32ull << 20;

// The interpreter with its own memory and addresses. It finds the recording kernel by its assembled bytes.
class GpuElsewhere final : public test::IdleGpu {
 public:
  explicit GpuElsewhere(const Outcome& run)
      : IdleGpu("elsewhere"), module_(*ptx::parse(run.first().ptx, "kernel.ptx")) {}
  Result<gpu::KernelAttributes> load(std::span<const std::uint8_t> cubin,
                                     const std::vector<gpu::Launch>& launches) override {
    cubin_.assign(cubin.begin(), cubin.end());
    launch_ = launches.at(0);
    return IdleGpu::load(cubin, launches);
  }
  Result<gpu::Completed> run(std::vector<gpu::Argument> arguments, double) override {
    const ptx::Module module = loaded();
    std::deque<sim::DeviceAllocation> memory;
    sim::VariablePlaces places;
    for (gpu::Argument& argument : arguments) {
      if (!argument.is_buffer) continue;
      argument.bytes.resize(std::max<std::size_t>(argument.bytes.size(), argument.zero_bytes));
      argument.address = first_address + apart * memory.size();
      memory.push_back({argument.address, argument.bytes.size(), argument.bytes.data()});
      if (!argument.variable.empty()) places[argument.variable] = argument.address;
    }
    sim::LaunchRequest request;
    request.launch = launch_.shape;
    request.threads = 1;
    request.parameters.emplace();
    for (gpu::Argument& argument : arguments)
      if (argument.is_buffer) put_addresses(argument.bytes, argument, arguments);
    last_memory.clear();
    for (const gpu::Argument& argument : arguments) last_memory.push_back(argument.bytes);
    for (sim::DeviceAllocation& one : memory) all_.push_back(&one);
    request.device_memory = all_;
    const ptx::Function& kernel = *module.find_function(launch_.kernel);
    request.parameters->resize(kernel.parameter_bytes);
    for (std::size_t i = 0; i < launch_.parameters.size(); ++i)
      put(*request.parameters, kernel.parameters.at(i).offset,
          arguments.at(static_cast<std::size_t>(launch_.parameters[i].argument)), arguments);
    const sim::LaunchResult result = sim::run(**sim::prepare(module, launch_.kernel, places), request);
    all_.clear();
    if (!result.completed) return result.diagnostics;
    return gpu::Completed{std::move(arguments)};
  }
  std::vector<std::vector<std::byte>> last_memory;  // of each argument, as the last launch found it

 private:
  ptx::Module loaded() const {
    if (module_.find_function(launch_.kernel)->parameters.size() == launch_.parameters.size()) return module_;
    using enum instrument::Pass;
    for (const instrument::Pass pass : {memory, block_entries, operations}) {
      const instrument::Instrumented kernel = *instrument::instrument(module_, launch_.kernel, pass);
      if (compile::to_cubin(kernel.ptx, kernel.kernel, device_.arch())->cubin == cubin_)
        return *ptx::parse(kernel.ptx, "recording.ptx");
    }
    return module_;
  }
  static void put_addresses(std::vector<std::byte>& bytes, const gpu::Argument& argument,
                            const std::vector<gpu::Argument>& all) {
    for (const gpu::Argument::Address& one : argument.addresses) {
      const std::uint64_t address = all.at(static_cast<std::size_t>(one.argument)).address + one.offset;
      std::memcpy(bytes.data() + one.at, &address, sizeof address);
    }
  }
  static void put(std::vector<std::byte>& to, std::uint64_t at, const gpu::Argument& argument,
                  const std::vector<gpu::Argument>& all) {
    std::vector<std::byte> bytes = argument.bytes;
    const std::uint64_t own = argument.address + argument.base_offset;
    if (argument.is_buffer) {
      bytes.resize(sizeof own);
      std::memcpy(bytes.data(), &own, sizeof own);
    } else {
      put_addresses(bytes, argument, all);
    }
    std::copy(bytes.begin(), bytes.end(), to.begin() + static_cast<std::ptrdiff_t>(at));
  }

  ptx::Module module_;
  std::vector<std::uint8_t> cubin_;
  gpu::Launch launch_;
  sim::DeviceMemory all_;
};

class KeptOnGpuTest : public testing::Test {
 protected:
  test::TempFolder folder_;
  std::shared_ptr<const device::SavedRun> run_;

  void SetUp() override {
    auto run = device::SavedRun::open(device_test::save_three_launches(folder_.path()));
    ASSERT_TRUE(run.ok());
    run_ = *run;
  }
  Request request_of_launch(std::size_t index) {
    Request request = request_of(*run_->launch(index));
    request.record.events = true;
    return request;
  }
};

TEST_F(KeptOnGpuTest, MemoryAndVariablesLieElsewhereAndAllWitnessesAgree) {
  const Outcome interpreted = run(request_of_launch(1));
  ASSERT_TRUE(interpreted.completed);
  GpuElsewhere gpu(interpreted);
  const auto agreements = verify(interpreted, gpu, {});
  ASSERT_TRUE(agreements.ok()) << format(agreements.errors().front());
  const Agreement& agreement = agreements->front();
  EXPECT_TRUE(agreement.same_result);
  EXPECT_TRUE(agreement.recording_kept_result);
  ASSERT_EQ(agreement.records.size(), 3u);
  for (const RecordComparison& one : agreement.records) {
    EXPECT_TRUE(one.agrees()) << to_string(one.pass);
    EXPECT_GT(one.interpreted, 0u);
  }
  for (const AgreementRow& row : agreement.rows) EXPECT_EQ(row.interpreted, row.recorded) << row.number;
}

TEST_F(KeptOnGpuTest, AResultThatDiffersIsPlacedInItsMemory) {
  const Outcome interpreted = run(request_of_launch(0));
  GpuElsewhere gpu(interpreted);
  Result<GpuRun> ran = run_on_gpu(interpreted, gpu, {.time = false});
  ASSERT_TRUE(ran.ok());
  EXPECT_TRUE(ran->same_result);
  std::vector<sim::Argument> wrong = ran->after_first;
  for (const DeviceRange& range : ran->kept_ranges) {
    auto& contents = wrong[static_cast<std::size_t>(range.argument)].contents;
    if (contents.size() != 4000) continue;
    contents[36] ^= std::byte{1};
    EXPECT_EQ(first_difference_of_kept(interpreted, ran->kept_ranges, wrong),
              "cudaMalloc of 4000 bytes (allocation 1), byte 36");
    break;
  }
}

// a[4] and a[5] point into b; b[10] and b[11] point back into a. They hold the GPU's addresses there, and the
// interpreter's here.
TEST_F(KeptOnGpuTest, StoredAddressesAreThoseOfTheGpu) {
  const Request request = request_of_launch(0);
  const device::KeptLaunch& launch = *request.kept;
  std::vector<sim::DeviceAllocation*> buffers;
  for (sim::DeviceAllocation* one : launch.memory)
    if (one->bytes == 4000) buffers.push_back(one);
  ASSERT_EQ(buffers.size(), 3u);
  const std::uint64_t into_b = buffers[1]->address + 100, into_a = buffers[0]->address;
  std::memcpy(buffers[0]->data + 16, &into_b, sizeof into_b);
  std::memcpy(buffers[1]->data + 40, &into_a, sizeof into_a);
  const Outcome interpreted = run(request);
  GpuElsewhere gpu(interpreted);
  Result<GpuRun> ran = run_on_gpu(interpreted, gpu, {.time = false});
  ASSERT_TRUE(ran.ok()) << format(ran.errors().front());
  const gpu::Argument& a = ran->given[4];
  ASSERT_EQ(a.addresses.size(), 1u);
  EXPECT_EQ(a.addresses[0].at, 16u);
  EXPECT_EQ(a.addresses[0].argument, 5);
  EXPECT_EQ(a.addresses[0].offset, 100u);
  ASSERT_EQ(ran->given[5].addresses.size(), 1u);
  EXPECT_EQ(ran->given[5].addresses[0].argument, 4);
  std::uint64_t there = 0;
  std::memcpy(&there, gpu.last_memory.at(4).data() + 16, sizeof there);
  EXPECT_EQ(there, first_address + apart + 100);
  // a and b come back unchanged. The kernel also added the addresses as numbers. A number that looks like an address
  // would be changed too, so this is reported.
  EXPECT_EQ(ran->after_first[4].contents, ran->before[4].contents);
  EXPECT_EQ(ran->after_first[5].contents, ran->before[5].contents);
  EXPECT_EQ(ran->first_difference, "cudaMalloc of 4000 bytes (allocation 3), byte 16");
}

TEST_F(KeptOnGpuTest, TheAddressOfAFunctionIsRefused) {
  const Outcome interpreted = run(request_of_launch(0));
  const device::KeptLaunch& launch = *interpreted.request.kept;
  const auto first = std::ranges::find(launch.memory, 4000u, &sim::DeviceAllocation::bytes);
  ASSERT_NE(first, launch.memory.end());
  const std::uint64_t function = sim::address_space::functions + 256;
  std::memcpy((*first)->data + 16, &function, sizeof function);
  const Result<KeptOnGpu> refused = kept_on_gpu(interpreted);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.errors().front().code, "gpu.stored_address");
  EXPECT_EQ(
      refused.errors().front().message,
      "cudaMalloc of 4000 bytes (allocation 1), byte 16, holds the address of a function, which lies elsewhere on "
      "a GPU.");
}

// Copies a box of 4 × 8 words from one tensor to the same place of another.
constexpr const char* box_kernel = R"(
.visible .entry k(.param .align 64 .b8 in[128], .param .align 64 .b8 out[128])
{
  .reg .pred %p<4>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  .shared .align 128 .b8 box[128];
  .shared .align 8 .b64 object;
  mov.b64 %rd1, in;
  cvta.param.u64 %rd1, %rd1;
  mov.b64 %rd2, out;
  cvta.param.u64 %rd2, %rd2;
  mov.u32 %r1, box;
  mov.u32 %r2, object;
  mbarrier.init.shared.b64 [object], 1;
  mbarrier.arrive.expect_tx.shared.b64 _, [object], 128;
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {8, 4}], [%r2];
AGAIN:
  mbarrier.try_wait.parity.shared.b64 %p1, [object], 0;
  @!%p1 bra AGAIN;
  cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd2, {8, 4}], [%r1];
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
  ret;
}
)";

// The second tensor is where the first map's sizes, read as one number, would point.
TEST(TensorMapOnGpu, ItsAddressIsTheGpusAndItsOtherNumbersStay) {
  auto kept = std::make_shared<device::KeptLaunch>();
  kept->ptx = test::ptx_module(box_kernel);
  kept->program = *sim::prepare(*ptx::parse(kept->ptx, "k.ptx"), "k");
  kept->about.mangled = kept->about.kernel = "k";
  kept->about.arch = "sm_90";
  kept->about.launch.block = {1, 1, 1};
  sim::TensorMap map;
  map.type = sim::TensorType::u32;
  map.rank = 2;
  map.dim = {257, 32, 1, 1, 1};
  map.stride = {0, 1040, 0, 0, 0};
  map.box = {4, 8, 1, 1, 1};
  constexpr std::uint64_t sizes = 31ull << 32 | 256, bytes = 32 * 1040;
  std::vector<std::vector<std::byte>> contents(2, std::vector<std::byte>(bytes, std::byte{7}));
  contents[1].assign(bytes, std::byte{0});
  std::deque<sim::DeviceAllocation> memory;
  kept->parameters.resize(256);
  for (const std::uint64_t address : {sizes + 0x40000000, sizes - 256}) {
    const std::size_t which = memory.size();
    memory.push_back({address, bytes, contents[which].data()});
    map.address = address;
    const sim::TensorMapBytes words = sim::encode(map);
    std::memcpy(kept->parameters.data() + 128 * which, words.data(), sizeof words);
  }
  kept->memory = {&memory[1], &memory[0]};
  Request request = request_of(kept);
  request.record.events = true;
  const Outcome interpreted = run(request);
  ASSERT_TRUE(interpreted.completed);
  GpuElsewhere gpu(interpreted);
  Result<GpuRun> ran = run_on_gpu(interpreted, gpu, {.time = false});
  ASSERT_TRUE(ran.ok()) << format(ran.errors().front());
  EXPECT_TRUE(ran->same_result) << ran->first_difference;
  for (const std::size_t which : {0u, 1u}) {
    ASSERT_EQ(ran->given[which].addresses.size(), 1u);
    EXPECT_EQ(ran->given[which].addresses[0].at, 0u);
    EXPECT_EQ(ran->given[which].addresses[0].offset, 0u);
  }
  const std::vector<std::byte>& out = ran->after_first.at(3).contents;
  EXPECT_EQ(std::ranges::count(out, std::byte{7}), 128);
  EXPECT_EQ(out.at(4 * 1040 + 32), std::byte{7});
}

}  // namespace
}  // namespace lanescope::job
