// The imitated device itself: memory, modules, launches, and the errors that faults return.

#include "device/device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "core/os/pages.h"
#include "sim/memory/address_space.h"
#include "unit/device/device_texts.h"

namespace lanescope::device {
namespace {

struct Heard {
  Diagnostics said;
  std::vector<CopyDirection> copies;
  int launches = 0;
};

class Recorder : public Observer {
 public:
  explicit Recorder(Heard& heard) : heard_(heard) {}
  bool counts(const std::string&) override { return true; }
  void launched(const LaunchReport& report) override {
    ++heard_.launches;
    for (const Diagnostic& one : report.result->diagnostics) heard_.said.push_back(one);
  }
  void copied(CopyDirection direction, std::uint64_t) override { heard_.copies.push_back(direction); }
  void missing(const std::string&, std::uint64_t) override {}
  void said(const Diagnostic& diagnostic) override { heard_.said.push_back(diagnostic); }

 private:
  Heard& heard_;
};

class DeviceTest : public testing::Test {
 protected:
  Heard heard_;
  Device device_{DeviceSettings{}, std::make_unique<Recorder>(heard_)};
  Module* module_ = nullptr;

  void SetUp() override {
    Status status = Status::unknown;
    module_ = device_.load(device_test::add_text, "add.ptx", status);
    ASSERT_EQ(status, Status::success);
  }
  std::uint64_t allocate(std::uint64_t bytes) {
    return device_.memory().allocate(MemoryKind::device, bytes, "cudaMalloc")->address;
  }
  Status put(std::uint64_t to, const void* from, std::uint64_t bytes) {
    return device_.copy({to, bytes, Device::Side::device},
                        {reinterpret_cast<std::uint64_t>(from), bytes, Device::Side::host}, "cudaMemcpy");
  }
  Status get(void* to, std::uint64_t from, std::uint64_t bytes) {
    return device_.copy({reinterpret_cast<std::uint64_t>(to), bytes, Device::Side::host},
                        {from, bytes, Device::Side::device}, "cudaMemcpy");
  }
  template <typename... T>
  Status run(const char* kernel, std::uint32_t blocks, std::uint32_t threads, const T&... arguments) {
    const void* pointers[] = {&arguments..., nullptr};
    return device_.launch(*module_->kernel(kernel), {{blocks, 1, 1}, {threads, 1, 1}}, pointers);
  }
  std::string codes() const {
    std::string all;
    for (const Diagnostic& one : heard_.said) all += one.code + " ";
    return all;
  }
};

TEST_F(DeviceTest, SaysOnceWhoseTimesAProgramMeasures) {
  device_.note_times();
  device_.note_times();
  ASSERT_EQ(heard_.said.size(), 1u);
  EXPECT_EQ(heard_.said[0].severity, Severity::note);
  EXPECT_EQ(heard_.said[0].code, "device.interpreter_time");
}

TEST_F(DeviceTest, SaysOnceWhatAClockCounts) {
  constexpr const char* text = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry tick(.param .u64 to)
{
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [to];
  mov.u64 %rd2, %clock64;
  st.global.u64 [%rd1], %rd2;
  ret;
}
)";
  Status status = Status::unknown;
  Module* const clocks = device_.load(text, "tick.ptx", status);
  ASSERT_EQ(status, Status::success);
  const std::uint64_t to = allocate(8);
  const void* arguments[] = {&to};
  for (int launch = 0; launch < 2; ++launch)
    ASSERT_EQ(device_.launch(*clocks->kernel("tick"), {}, arguments), Status::success);
  EXPECT_EQ(codes(), "device.interpreter_clock ");
}

TEST_F(DeviceTest, AddsVectorsAndKeepsItsVariablesBetweenLaunches) {
  const std::uint32_t n = 1000, step = 3;
  std::vector<float> a(n), b(n), c(n);
  for (std::uint32_t i = 0; i < n; ++i) a[i] = static_cast<float>(i), b[i] = 0.5f * static_cast<float>(i);
  const std::uint64_t da = allocate(4 * n), db = allocate(4 * n), dc = allocate(4 * n);
  ASSERT_EQ(put(da, a.data(), 4 * n), Status::success);
  ASSERT_EQ(put(db, b.data(), 4 * n), Status::success);
  ASSERT_EQ(put(module_->variable("step")->allocation->address, &step, 4), Status::success);
  for (int launch = 0; launch < 2; ++launch) ASSERT_EQ(run("add", 4, 256, da, db, dc, n), Status::success);
  ASSERT_EQ(device_.wait(), Status::success);
  ASSERT_EQ(get(c.data(), dc, 4 * n), Status::success);
  for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(c[i], a[i] + b[i]);
  std::uint32_t hits = 0;
  ASSERT_EQ(get(&hits, module_->variable("hits")->allocation->address, 4), Status::success);
  EXPECT_EQ(hits, 2 * n * step);
  EXPECT_EQ(codes(), "");
  EXPECT_EQ(heard_.launches, 2);
}

TEST_F(DeviceTest, APointerThatAKernelStoredHoldsInTheNextLaunch) {
  const std::uint64_t at = allocate(4);
  ASSERT_EQ(run("keep", 1, 1, at), Status::success);
  ASSERT_EQ(run("through_kept", 1, 1, std::uint32_t{77}), Status::success);
  std::uint32_t value = 0;
  ASSERT_EQ(get(&value, at, 4), Status::success);
  EXPECT_EQ(value, 77u);
}

TEST_F(DeviceTest, WhatWasNeverWrittenIsAWarningOnceALineAndTheLaunchGoesOn) {
  const std::uint64_t da = allocate(4096), db = allocate(4096), dc = allocate(4096);
  ASSERT_EQ(run("add", 4, 256, da, db, dc, std::uint32_t{1000}), Status::success);
  EXPECT_EQ(device_.wait(), Status::success);
  ASSERT_FALSE(heard_.said.empty());
  for (const Diagnostic& one : heard_.said) {
    EXPECT_EQ(one.code, "memory.uninitialised");
    EXPECT_EQ(one.severity, Severity::warning);
    EXPECT_EQ(one.place.line, 4);
  }
  EXPECT_EQ(heard_.said.size(), 2u);  // the two loads
  heard_.said.clear();
  // The first 1,000 elements of c were written; device memory outlives the launch.
  ASSERT_EQ(run("add", 4, 256, dc, dc, da, std::uint32_t{1000}), Status::success);
  EXPECT_EQ(codes(), "");
  ASSERT_EQ(run("add", 4, 256, dc, dc, da, std::uint32_t{1024}), Status::success);
  EXPECT_EQ(codes(), "memory.uninitialised memory.uninitialised ");
}

TEST_F(DeviceTest, AnOverrunNamesItsAllocationAndIsStickyOnceItIsTold) {
  const std::uint64_t da = allocate(4096), db = allocate(4096), dc = allocate(4000);
  const std::vector<std::byte> zeros(4096);
  put(da, zeros.data(), 4096);
  put(db, zeros.data(), 4096);
  EXPECT_EQ(run("add", 4, 256, da, db, dc, std::uint32_t{1024}), Status::success) << "a launch does not wait";
  EXPECT_EQ(device_.lost(), Status::success);
  EXPECT_EQ(device_.wait(), Status::illegal_address);
  EXPECT_EQ(device_.lost(), Status::illegal_address);
  EXPECT_EQ(run("add", 1, 32, da, db, dc, std::uint32_t{1}), Status::illegal_address);
  ASSERT_EQ(heard_.said.size(), 1u);
  EXPECT_EQ(heard_.said[0].place.line, 5);
  EXPECT_NE(heard_.said[0].message.find("just past the end of cudaMalloc of 4000 bytes (allocation 3)"),
            std::string::npos)
      << heard_.said[0].message;
  EXPECT_NE(heard_.said[0].message.find("thread (232, 0, 0) of block (3, 0, 0)"), std::string::npos)
      << heard_.said[0].message;
  device_.reset();
  EXPECT_EQ(device_.wait(), Status::success);
  EXPECT_EQ(device_.memory().used(), 0u);
}

TEST_F(DeviceTest, PointersOfTheHostAndOfWhatWasFreedAreSaidToBeThat) {
  float host = 0;
  const std::uint64_t good = allocate(4), freed = allocate(4);
  ASSERT_EQ(device_.free(freed, false, "cudaFree"), Status::success);
  ASSERT_EQ(put(good, &host, 4), Status::success);
  run("add", 1, 1, reinterpret_cast<std::uint64_t>(&host), good, good, std::uint32_t{1});
  EXPECT_EQ(device_.wait(), Status::illegal_address);
  EXPECT_NE(heard_.said.back().message.find("it may be a pointer of the host"), std::string::npos)
      << heard_.said.back().message;
  Heard other_heard;
  Device other(DeviceSettings{}, std::make_unique<Recorder>(other_heard));
  Status status = Status::unknown;
  Module* module = other.load(device_test::add_text, "add.ptx", status);
  Allocation* allocation = other.memory().allocate(MemoryKind::device, 64, "cudaMalloc");
  const std::uint64_t at = allocation->address + 8;
  other.memory().release(allocation);
  const void* arguments[] = {&at, nullptr};
  ASSERT_EQ(other.launch(*module->kernel("dynamic"), {}, arguments), Status::success);
  EXPECT_EQ(other.wait(), Status::illegal_address);
  EXPECT_NE(
      other_heard.said.back().message.find("8 bytes into cudaMalloc of 64 bytes (allocation 1), which was given back"),
      std::string::npos)
      << other_heard.said.back().message;
}

TEST_F(DeviceTest, LaunchesThatCannotBeginAnswerAtOnceAndAreNotSticky) {
  const std::uint64_t at = allocate(8);
  Kernel& kernel = *module_->kernel("dynamic");
  const void* arguments[] = {&at, nullptr};
  EXPECT_EQ(device_.launch(kernel, {{0, 1, 1}, {32, 1, 1}}, arguments), Status::invalid_configuration);
  EXPECT_EQ(device_.launch(kernel, {{1, 1, 1}, {1025, 1, 1}}, arguments), Status::invalid_configuration);
  EXPECT_EQ(device_.launch(kernel, {{1, 1, 1}, {1, 1, 65}}, arguments), Status::invalid_configuration);
  EXPECT_EQ(device_.launch(kernel, {{1, 65536, 1}, {1, 1, 1}}, arguments), Status::invalid_configuration);
  const LaunchShape large{{1, 1, 1}, {1, 1, 1}, 64 << 10};
  EXPECT_EQ(device_.launch(kernel, large, arguments), Status::invalid_value);
  kernel.max_dynamic_shared_bytes = 64 << 10;
  EXPECT_EQ(device_.launch(kernel, large, arguments), Status::success);
  EXPECT_EQ(device_.wait(), Status::success);
}

TEST_F(DeviceTest, CopiesAndFreesThatAreWrongAreRefusedAndSaid) {
  std::vector<std::byte> host(256);
  const std::uint64_t at = allocate(100);
  EXPECT_EQ(put(at, host.data(), 101), Status::invalid_value);
  EXPECT_EQ(put(at + 50, host.data(), 51), Status::invalid_value);
  EXPECT_EQ(get(host.data(), reinterpret_cast<std::uint64_t>(host.data()), 10), Status::invalid_value);
  EXPECT_EQ(put(at, reinterpret_cast<void*>(at), 10), Status::success);  // said, but copied
  EXPECT_EQ(put(at + 8, reinterpret_cast<void*>(at + 8), 10), Status::success) << "said once for each call";
  EXPECT_EQ(device_.free(at + 4, false, "cudaFree"), Status::invalid_value);
  EXPECT_EQ(device_.free(at, true, "cudaFreeHost"), Status::invalid_value);
  EXPECT_EQ(device_.free(at, false, "cudaFree"), Status::success);
  EXPECT_EQ(device_.free(at, false, "cudaFree"), Status::invalid_value);
  EXPECT_EQ(put(at, host.data(), 10), Status::invalid_value);
  EXPECT_EQ(device_.free(reinterpret_cast<std::uint64_t>(host.data()), false, "cudaFree"), Status::invalid_value);
  EXPECT_EQ(codes(),
            "device.copy_too_long device.copy_too_long device.host_pointer device.device_pointer device.bad_free "
            "device.bad_free device.bad_free device.freed device.bad_free ");
  EXPECT_NE(heard_.said[0].message.find("go 1 bytes past its end"), std::string::npos) << heard_.said[0].message;
}

TEST_F(DeviceTest, ManagedAndPinnedMemoryIsTheHostsToo) {
  for (const MemoryKind kind : {MemoryKind::managed, MemoryKind::pinned}) {
    Allocation* made = device_.memory().allocate(kind, 8, "call");
    ASSERT_EQ(reinterpret_cast<std::uint64_t>(made->data), made->address);
    ASSERT_EQ(run("dynamic", 1, 1, made->address), Status::success);
    ASSERT_EQ(device_.wait(), Status::success);
    EXPECT_EQ(*reinterpret_cast<std::uint64_t*>(made->address), made->address);
  }
}

TEST_F(DeviceTest, RowsAreCopiedWithTheirPitchesAndWhatWasWrittenComesWithThem) {
  const std::uint64_t from = allocate(16 * 4), to = allocate(8 * 4);
  std::vector<std::uint8_t> host(32), back(32);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<std::uint8_t>(i);
  ASSERT_EQ(
      device_.copy_rows({from, 8, Device::Side::device}, 16,
                        {reinterpret_cast<std::uint64_t>(host.data()), 8, Device::Side::host}, 8, 4, "cudaMemcpy2D"),
      Status::success);
  EXPECT_EQ(device_.memory().find(from)->at(from + 17)[0], std::byte{9});
  EXPECT_FALSE(device_.memory().find(from)->written.complete());
  ASSERT_EQ(device_.copy_rows({to, 8, Device::Side::device}, 8, {from, 8, Device::Side::device}, 16, 4, "cudaMemcpy2D"),
            Status::success);
  EXPECT_TRUE(device_.memory().find(to)->written.complete());
  ASSERT_EQ(get(back.data(), to, 32), Status::success);
  EXPECT_EQ(back, host);
}

// One block runs alone; sixteen may run on several threads, which keep what they overwrite. The fastest of many
// launches is compared, since other programs may use the machine meanwhile.
TEST_F(DeviceTest, ALaunchCostsTheSameWithLittleMemoryAndWithMuch) {
  const std::uint32_t n = 16 * 32;
  const auto fastest = [&](std::uint64_t bytes, std::uint32_t blocks) {
    const std::uint64_t a = allocate(bytes), b = allocate(bytes), c = allocate(bytes);
    const std::vector<float> zeros(n);
    put(a, zeros.data(), 4 * n);
    put(b, zeros.data(), 4 * n);
    double best = 1e9;
    for (int launch = 0; launch < 20; ++launch) {
      const auto start = std::chrono::steady_clock::now();
      EXPECT_EQ(run("add", blocks, 32, a, b, c, n), Status::success);
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    for (const std::uint64_t one : {a, b, c}) device_.free(one, false, "cudaFree");
    return best;
  };
  for (const std::uint32_t blocks : {1u, 16u}) {
    const double little = fastest(std::uint64_t{1} << 20, blocks), much = fastest(std::uint64_t{1} << 30, blocks);
    EXPECT_LT(much, 3 * little + 0.002) << blocks << " blocks";
  }
  EXPECT_EQ(codes(), "");
}

// malloc() gives large memory that begins shortly after a page. A copy is slow if its target begins shortly after its
// source, modulo a page.
TEST_F(DeviceTest, LargeMemoryBeginsFarFromWhereMallocsDoes) {
  const Allocation* large = device_.memory().allocate(MemoryKind::device, 1 << 20, "test");
  ASSERT_NE(large, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large->data) % 4096, 2048u);
  EXPECT_EQ(large->data[0], std::byte{0});
  EXPECT_EQ(large->data[(1 << 20) - 1], std::byte{0});
}

// Where the system maps a program's memory changes from run to run. No address is accessed here.
TEST_F(DeviceTest, MemoryOfTheHostIsRegisteredWhereverItLiesButInTheInterpretersOwnPlaces) {
  const auto is_taken = [&](std::uint64_t address) {
    Allocation* const made = device_.memory().take_host(reinterpret_cast<void*>(address), 1 << 20);
    if (made != nullptr) device_.memory().release(made);
    return made != nullptr;
  };
  for (const std::uint64_t address : {0x5555'0000'0000, 0x7eff'ffff'0000 - (1 << 20), 0x7f00'3000'0000,
                                      0x7f10'0000'0000, 0x7f20'0000'0000, 0x7f40'0000'0000, 0x7fff'0000'0000})
    EXPECT_TRUE(is_taken(address)) << std::hex << address;
  for (const std::uint64_t own :
       {sim::address_space::shared_window, sim::address_space::local_window, sim::address_space::workspace}) {
    EXPECT_FALSE(is_taken(own)) << std::hex << own;
    EXPECT_EQ(pages::take_sparse_at(reinterpret_cast<void*>(own), 4096), nullptr) << "the system may map memory there";
  }
}

TEST_F(DeviceTest, AsMuchMemoryAsThereIsAndNotMore) {
  EXPECT_EQ(device_.memory().allocate(MemoryKind::device, device_.memory().total() + 1, "cudaMalloc"), nullptr);
  EXPECT_NE(device_.memory().allocate(MemoryKind::pinned, 1 << 20, "cudaMallocHost"), nullptr);
}

TEST(DeviceStatus, DiagnosticsAnswerAsTheDocumentationSays) {
  const auto of = [](std::string code, const char* message = "") {
    return status_of({Severity::error, std::move(code), {}, message, {}});
  };
  EXPECT_EQ(of("memory.null"), Status::illegal_address);
  EXPECT_EQ(of("memory.out_of_bounds", "a read of 4 bytes at global address 0x1 is"), Status::illegal_address);
  EXPECT_EQ(of("memory.out_of_bounds", "a read of 4 bytes at shared address 0x1 is"), Status::launch_failure);
  EXPECT_EQ(of("memory.misaligned"), Status::misaligned_address);
  EXPECT_EQ(of("run.assertion_failed"), Status::assertion);
  EXPECT_EQ(of("run.step_budget"), Status::launch_timeout);
  EXPECT_EQ(driver_status(Status::invalid_configuration), 1);
  EXPECT_EQ(driver_status(Status::invalid_symbol), 500);
  EXPECT_EQ(driver_status(Status::illegal_address), 700);
}

TEST(ThreadsWorthwhile, AKernelWhoseLaunchesAreShortRunsOnOneThreadUpToAsManyBlocks) {
  ThreadsWorthwhile threads;
  EXPECT_TRUE(threads.for_launch(1)) << "nothing is known";
  threads.took(16, 1'000'000);
  EXPECT_TRUE(threads.for_launch(16));
  threads.took(16, 6'144);
  EXPECT_FALSE(threads.for_launch(16));
  EXPECT_FALSE(threads.for_launch(1));
  EXPECT_TRUE(threads.for_launch(17));
  threads.took(8, 1'000'000);
  EXPECT_TRUE(threads.for_launch(8)) << "its arguments made that one long";
  EXPECT_TRUE(threads.for_launch(16));
  EXPECT_FALSE(threads.for_launch(7));
}

// ptxas makes one variable of the module of it; its name belongs to the function alone.
TEST_F(DeviceTest, AVariableOfABodyKeepsItsValueFromLaunchToLaunch) {
  Status status = Status::unknown;
  module_ = device_.load(
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".func bump(.reg .b64 out)\n"
      "{\n"
      "  .reg .b32 %r<4>;\n"
      "  .global .u32 calls = 100;\n"
      "  .const .u32 step = 10;\n"
      "  ld.global.u32 %r1, [calls];\n"
      "  ld.const.u32 %r2, [step];\n"
      "  add.u32 %r1, %r1, %r2;\n"
      "  st.global.u32 [calls], %r1;\n"
      "  st.global.u32 [out], %r1;\n"
      "  ret;\n"
      "}\n"
      ".visible .entry count(.param .u64 out)\n"
      "{\n"
      "  .reg .b32 %r<4>;\n"
      "  .reg .b64 %rd<4>;\n"
      "  .global .u32 calls;\n"
      "  ld.param.u64 %rd1, [out];\n"
      "  ld.global.u32 %r1, [calls];\n"
      "  add.u32 %r1, %r1, 1;\n"
      "  st.global.u32 [calls], %r1;\n"
      "  st.global.u32 [%rd1+4], %r1;\n"
      "  call bump, (%rd1);\n"
      "  ret;\n"
      "}\n",
      "count.ptx", status);
  ASSERT_EQ(status, Status::success) << codes();
  const std::uint64_t out = allocate(8);
  for (std::uint32_t time = 1; time <= 3; ++time) {
    ASSERT_EQ(run("count", 1, 1, out), Status::success) << codes();
    std::uint32_t given[2] = {};
    ASSERT_EQ(get(given, out, sizeof given), Status::success);
    EXPECT_EQ(given[0], 100 + 10 * time);
    EXPECT_EQ(given[1], time);
  }
}

}  // namespace
}  // namespace lanescope::device
