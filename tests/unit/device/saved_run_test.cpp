// A program's launches in one file: each runs again as it ran. Arbitrary bytes are refused safely.

#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

#include "device/device.h"
#include "device/log_observer.h"
#include "device/saved_run.h"
#include "device/saved_run_reader.h"
#include "golden.h"
#include "sim/memory/device_heap.h"
#include "unit/device/device_texts.h"

namespace lanescope::device {
namespace {

namespace fs = std::filesystem;

// The code of the first diagnostic; empty if there is none.
template <typename T>
std::string code_of(const Result<T>& result) {
  return result.ok() ? "" : result.errors().front().code;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put_bytes(const fs::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

class SavedRunTest : public testing::Test {
 protected:
  test::TempFolder folder_;
  std::string file_ = (folder_ / "run.lanescope").string(), log_ = (folder_ / "run.log").string();
  std::unique_ptr<Device> device_;
  Module* module_ = nullptr;

  void start(const std::string& launches = "", std::uint64_t limit = std::uint64_t{1} << 30) {
    ExecOptions options;
    options.log = log_;
    options.save = file_;
    options.save_limit = limit;
    options.launches = launches;
    device_ = std::make_unique<Device>(DeviceSettings{}, std::make_unique<LogObserver>(options));
    Status status = Status::unknown;
    module_ = device_->load(device_test::add_text, "add.ptx", status);
    ASSERT_EQ(status, Status::success);
  }
  std::uint64_t allocate(std::uint64_t bytes) {
    return device_->memory().allocate(MemoryKind::device, bytes, "cudaMalloc")->address;
  }
  template <typename T>
  void put(std::uint64_t to, const std::vector<T>& values) {
    const std::uint64_t bytes = values.size() * sizeof(T);
    ASSERT_EQ(device_->copy({to, bytes, Device::Side::device},
                            {reinterpret_cast<std::uint64_t>(values.data()), bytes, Device::Side::host}, "cudaMemcpy"),
              Status::success);
  }
  template <typename... T>
  void run(const char* kernel, std::uint32_t blocks, std::uint32_t threads, const T&... arguments) {
    const void* pointers[] = {&arguments..., nullptr};
    ASSERT_EQ(device_->launch(*module_->kernel(kernel), {{blocks, 1, 1}, {threads, 1, 1}}, pointers), Status::success);
  }
  // Three launches of `add`: `a` has other values before the third, and `hits` grows with each.
  void three_launches(std::uint32_t n = 1000) {
    std::vector<float> a(n), b(n);
    for (std::uint32_t i = 0; i < n; ++i) a[i] = static_cast<float>(i), b[i] = 0.5f;
    const std::uint64_t da = allocate(4 * n), db = allocate(4 * n), dc = allocate(4 * n);
    put(da, a), put(db, b), put(module_->variable("step")->allocation->address, std::vector<std::uint32_t>{3});
    run("add", 4, 256, da, db, dc, n);
    run("add", 8, 128, da, db, dc, n);
    a[7] = 1000;
    put(da, a);
    run("add", 4, 256, da, db, dc, n);
  }
  std::vector<LaunchRow> rows() const {
    const auto read = read_run_log(log_);
    std::vector<LaunchRow> found;
    for (const LogRow& row : *read)
      if (const auto* one = std::get_if<LaunchRow>(&row)) found.push_back(*one);
    return found;
  }
  std::vector<std::string> said() const {
    const auto read = read_run_log(log_);
    std::vector<std::string> found;
    for (const LogRow& row : *read)
      if (const auto* one = std::get_if<Diagnostic>(&row)) found.push_back(one->code);
    return found;
  }
};

// Executes a launch of the file again, on a copy of its memory.
struct Again {
  std::shared_ptr<const KeptLaunch> launch;
  std::unique_ptr<sim::DeviceMemoryCopy> copy;
  sim::LaunchResult result;

  Again(const SavedRun& run, std::size_t index) {
    auto kept = run.launch(index);
    if (!kept) {
      ADD_FAILURE() << format(kept.errors().front());
      return;
    }
    launch = *kept;
    copy = std::make_unique<sim::DeviceMemoryCopy>(launch->memory, launch->textures.get());
    sim::LaunchRequest request = launch->request();
    request.device_memory = copy->memory();
    request.textures = copy->textures();
    result = sim::run(*launch->program, request);
  }
  const sim::DeviceAllocation* at(std::uint64_t address) const {
    for (const sim::DeviceAllocation* one : copy->memory())
      if (one->address == address) return one;
    return nullptr;
  }
};

TEST_F(SavedRunTest, EachLaunchRunsAgainWithTheNumbersOfTheProgramsTable) {
  start();
  three_launches();
  const auto run = SavedRun::open(file_);
  ASSERT_TRUE(run.ok()) << format(run.errors().front());
  EXPECT_TRUE((*run)->remarks().empty());
  std::vector<LaunchRow> table = rows();
  ASSERT_EQ((*run)->launches().size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    Again again(**run, i);
    trace::Totals totals = again.result.trace.totals;
    totals.sites.clear();
    EXPECT_TRUE(again.result.completed);
    const LaunchEntry& entry = (*run)->launches()[i];
    EXPECT_EQ(entry.number, i + 1);
    EXPECT_EQ(entry.kernel, "add");
    const auto row = std::ranges::find_if(table, [&](const LaunchRow& one) {
      return one.times != 0 && one.totals == totals && one.launch.grid == entry.launch.grid &&
             one.launch.block == entry.launch.block;
    });
    ASSERT_NE(row, table.end()) << i;
    --row->times;
    EXPECT_EQ(entry.source_file, "add.cu");
    EXPECT_EQ(entry.line, 3);
  }
  for (const LaunchRow& one : table) EXPECT_EQ(one.times, 0u);  // so the table has no other launch
}

TEST_F(SavedRunTest, ALaunchBeginsWithTheMemoryThatItFoundAndLeavesWhatItLeft) {
  start();
  three_launches();
  const std::uint64_t hits = module_->variable("hits")->allocation->address;
  const auto run = SavedRun::open(file_);
  ASSERT_TRUE(run.ok());
  // Opened out of order: no launch leaves anything behind for the next.
  for (const std::size_t i : {2u, 0u, 1u, 0u}) {
    Again again(**run, i);
    std::uint32_t counted = 0;
    std::memcpy(&counted, again.at(hits)->data, 4);
    EXPECT_EQ(counted, 3000u * (i + 1)) << i;
  }
  Again last(**run, 2);
  for (const sim::DeviceAllocation* now : device_->memory().all()) {
    const sim::DeviceAllocation* then = last.at(now->address);
    ASSERT_NE(then, nullptr);
    EXPECT_EQ(then->bytes, now->bytes);
    EXPECT_EQ(std::memcmp(then->data, now->data, now->bytes), 0) << now->name;
    EXPECT_EQ(then->written.complete(), now->written.complete()) << now->name;
    EXPECT_EQ(std::string(then->name), std::string(now->name));
  }
}

TEST_F(SavedRunTest, WhatWasNeverWrittenIsStillNeverWritten) {
  start();
  const std::uint32_t n = 100;
  const std::uint64_t a = allocate(400), b = allocate(400), c = allocate(400);
  put(a, std::vector<float>(60, 1.0f));
  put(b, std::vector<float>(n, 1.0f));
  run("add", 1, 128, a, b, c, n);
  const auto run = SavedRun::open(file_);
  ASSERT_TRUE(run.ok());
  Again again(**run, 0);
  const std::vector<LaunchRow> table = rows();
  ASSERT_EQ(table.front().diagnostics.size(), 1u);
  ASSERT_EQ(again.result.diagnostics.size(), 1u);
  EXPECT_EQ(format(again.result.diagnostics.front()), format(table.front().diagnostics.front()));
}

TEST_F(SavedRunTest, LargeMemoryGoesInPiecesAndOnlyWhatChanged) {
  start();
  const std::uint32_t n = 1 << 20;
  std::vector<std::uint32_t> random(n);
  std::mt19937 numbers(1);
  for (std::uint32_t& one : random) one = numbers() & 0x3fff'ffff;
  const std::uint64_t a = allocate(4ull * n), b = allocate(4ull * n), c = allocate(4ull * n);
  put(a, random), put(b, random);
  run("add", 1, 32, a, b, c, std::uint32_t{32});
  const auto first = fs::file_size(file_);
  random[n / 2] = 5;
  put(a, random);
  run("add", 1, 32, a, b, c, std::uint32_t{32});
  EXPECT_GT(first, 3u << 20) << "the same bytes stand in two buffers, and once in the file";
  EXPECT_LT(first, 5u << 20);
  EXPECT_LT(fs::file_size(file_) - first, 200u << 10);
  const auto run = SavedRun::open(file_);
  ASSERT_TRUE(run.ok());
  const auto kept = (*run)->launch(1);
  ASSERT_TRUE(kept.ok());
  for (const sim::DeviceAllocation* one : (*kept)->memory)
    if (one->address == a) {
      EXPECT_EQ(std::memcmp(one->data, random.data(), 4ull * n), 0);
    }
}

TEST_F(SavedRunTest, MemoryThatWasGivenBackIsNotThere) {
  start();
  const std::uint32_t n = 32;
  const std::uint64_t a = allocate(128), b = allocate(128), c = allocate(128), gone = allocate(4096);
  put(a, std::vector<float>(n, 1.0f)), put(b, std::vector<float>(n, 2.0f));
  run("add", 1, 32, a, b, c, n);
  device_->free(gone, false, "cudaFree");
  run("add", 1, 32, a, b, c, n);
  const auto run = SavedRun::open(file_);
  ASSERT_TRUE(run.ok());
  EXPECT_NE(Again(**run, 0).at(gone), nullptr);
  EXPECT_EQ(Again(**run, 1).at(gone), nullptr);
}

TEST_F(SavedRunTest, OnlyWhatIsCountedIsSavedUnderItsNumber) {
  start("2-");
  three_launches();
  const auto run = SavedRun::open(file_);
  ASSERT_TRUE(run.ok());
  ASSERT_EQ((*run)->launches().size(), 2u);
  EXPECT_EQ((*run)->launches()[0].number, 2u);
  EXPECT_EQ((*run)->find(3), 1u);
  EXPECT_EQ((*run)->find(1), std::nullopt);
  Again again(**run, 1);
  trace::Totals totals = again.result.trace.totals;
  totals.sites.clear();
  EXPECT_EQ(totals, rows()[2].totals);
}

TEST_F(SavedRunTest, TheFileStaysBelowItsLimitAndSaysFromWhereOn) {
  start();
  three_launches();
  const std::uint64_t whole = fs::file_size(file_);
  device_.reset();  // Windows removes no file that is open
  fs::remove(file_), fs::remove(log_);
  start("", whole - 1);
  three_launches();
  EXPECT_LE(fs::file_size(file_), whole - 1);
  EXPECT_THAT(said(), testing::ElementsAre("program.saved_enough"));
  const auto run = SavedRun::open(file_);
  ASSERT_TRUE(run.ok());
  EXPECT_TRUE((*run)->remarks().empty()) << "it ends with a whole launch";
  EXPECT_EQ((*run)->launches().size(), 2u);
}

TEST_F(SavedRunTest, AFileThatAnotherProcessHasIsLeftAlone) {
  start();
  three_launches();
  const std::string before = bytes_of(file_);
  start();
  three_launches();
  EXPECT_THAT(said(), testing::ElementsAre("program.saved_by_another"));
  EXPECT_EQ(bytes_of(file_), before);
}

TEST_F(SavedRunTest, ALaunchAfterMallocInAKernelIsNotSaved) {
  start();
  SavedRunWriter writer((folder_ / "other").string(), std::uint64_t{1} << 30);
  sim::LaunchRequest request;
  request.device_memory = device_->memory().all();
  request.parameters.emplace(28);
  Kernel& kernel = *module_->kernel("add");
  EXPECT_TRUE(writer.add(1, kernel, request).empty());
  request.heap = std::make_shared<const sim::DeviceHeap>();
  const Diagnostics refused = writer.add(2, kernel, request);
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused.front().code, "program.not_saved_heap");
  EXPECT_FALSE(writer.saves());
  EXPECT_EQ((*SavedRun::open((folder_ / "other").string()))->launches().size(), 1u);
}

TEST_F(SavedRunTest, TheEventBudgetIsThereAgainButForOneThatIsTooLarge) {
  const std::string other = (folder_ / "other").string();
  const auto budget = [&](std::uint64_t asked) {
    start();
    SavedRunWriter writer(other, std::uint64_t{1} << 30, asked);
    sim::LaunchRequest request;
    request.device_memory = device_->memory().all();
    request.parameters.emplace(28);
    put_bytes(other, "");
    EXPECT_TRUE(writer.add(1, *module_->kernel("add"), request).empty());
    const auto run = SavedRun::open(other);
    EXPECT_TRUE(run.ok());
    return (*(*run)->launch(0))->event_budget;
  };
  EXPECT_EQ(budget(0), 0u);
  EXPECT_EQ(budget(7 << 20), 7u << 20);
  EXPECT_EQ(budget(UINT64_MAX), most_event_budget);
}

TEST_F(SavedRunTest, TheLimitsThatTheProgramSetAreThereAgain) {
  start();
  EXPECT_EQ(device_->limits().set(Limits::heap, 20 << 20), Status::success);
  EXPECT_EQ(device_->limits().set(Limits::printf_buffer, 2 << 20), Status::success);
  three_launches();
  const auto run = SavedRun::open(file_);
  ASSERT_TRUE(run.ok()) << format(run.errors().front());
  const Again launch(**run, 0);
  const sim::LaunchRequest again = launch.launch->request();
  EXPECT_EQ(again.heap_bytes, std::uint64_t{20} << 20);
  EXPECT_EQ(again.printf_bytes, std::uint64_t{2} << 20);
}

// look(object, out): out[0] = tex2D(object, 1.5, 1.5). put(object): writes 42 to texel (4, 1) of a surface.
constexpr const char* texture_text = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry look(.param .u64 object, .param .u64 out)
{
  .reg .b64 %rd<4>; .reg .f32 %f<8>;
  ld.param.u64 %rd1, [object]; ld.param.u64 %rd2, [out];
  mov.f32 %f1, 0f3FC00000;
  tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd1, {%f1, %f1}];
  st.global.f32 [%rd2], %f2;
  ret;
}
.visible .entry put(.param .u64 object)
{
  .reg .b64 %rd<2>; .reg .b32 %r<4>;
  ld.param.u64 %rd1, [object];
  mov.u32 %r1, 16; mov.u32 %r2, 1; mov.b32 %r3, 0f42280000;
  sust.b.2d.b32.trap [%rd1, {%r1, %r2}], {%r3};
  ret;
}
)";

TEST_F(SavedRunTest, TexturesAndSurfacesAreThereAgain) {
  start();
  Status status = Status::unknown;
  module_ = device_->load(texture_text, "look.ptx", status);
  ASSERT_EQ(status, Status::success);
  sim::TextureDescription texels;
  ASSERT_EQ(set_channels(texels, {32, 0, 0, 0}, sim::ChannelKind::floating), Status::success);
  const std::uint64_t extent[3] = {8, 4, 0};
  Array* array = device_->textures().make_array(texels, extent, surface_array, "cudaMallocArray", status);
  ASSERT_NE(array, nullptr);
  for (int i = 0; i < 32; ++i) {
    const auto value = static_cast<float>(i);
    std::memcpy(array->memory->data + 4 * i, &value, 4);
  }
  mark_written(*array->memory, array->memory->address, array->memory->bytes);
  std::uint64_t texture = 0, surface = 0;
  sim::TextureDescription description;
  description.border = {1, 2, -3, std::numeric_limits<float>::infinity()};
  ASSERT_EQ(device_->textures().make(description, array, 0, texture), Status::success);
  description.surface = true;
  ASSERT_EQ(device_->textures().make(description, array, 0, surface), Status::success);
  const std::uint64_t out = allocate(4);
  run("look", 1, 1, texture, out);
  run("put", 1, 1, surface);
  const auto saved = SavedRun::open(file_);
  ASSERT_TRUE(saved.ok());
  Again looked(**saved, 0), stored(**saved, 1);
  ASSERT_TRUE(looked.result.completed) << format(looked.result.diagnostics.front());
  ASSERT_TRUE(stored.result.completed) << format(stored.result.diagnostics.front());
  ASSERT_EQ(looked.launch->textures->size(), 2u);
  EXPECT_EQ(looked.launch->textures->front().description.border, description.border);
  float value = 0;
  std::memcpy(&value, looked.at(out)->data, 4);
  EXPECT_EQ(value, 9);  // texel (1, 1); rows have 8
  std::memcpy(&value, stored.at(array->memory->address)->data + 4 * (8 + 4), 4);
  EXPECT_EQ(value, 42);
}

TEST_F(SavedRunTest, OtherFilesAreRefused) {
  EXPECT_EQ(code_of(SavedRun::open((folder_ / "none").string())), "io.cannot_read");
  EXPECT_EQ(code_of(SavedRun::open(folder_.path().string())), "io.cannot_read");
  for (const std::string_view text : {"", "l",
                                      "\x7f"
                                      "ELF and some more bytes",
                                      "lanescope-ru"}) {
    put_bytes(file_, text);
    EXPECT_EQ(code_of(SavedRun::open(file_)), "saved_run.not_one") << text;
  }
  put_bytes(file_, std::string_view("lanescope-run\0\x02\0", 16));
  EXPECT_EQ(code_of(SavedRun::open(file_)), "saved_run.newer");
}

TEST_F(SavedRunTest, CutAnywhereItHasTheWholeLaunchesBeforeThat) {
  start();
  three_launches(40);
  const std::string whole = bytes_of(file_);
  const fs::path cut = folder_ / "cut";
  std::size_t launches = 0;
  for (std::size_t bytes = saved_magic_bytes; bytes < whole.size(); ++bytes) {
    put_bytes(cut, std::string_view(whole).substr(0, bytes));
    const auto run = SavedRun::open(cut.string());
    ASSERT_TRUE(run.ok()) << bytes << ": " << format(run.errors().front());
    ASSERT_GE((*run)->launches().size(), launches) << bytes;
    if ((*run)->launches().size() == launches) continue;
    launches = (*run)->launches().size();
    EXPECT_TRUE((*run)->launch(launches - 1).ok()) << bytes;
  }
  EXPECT_EQ(launches, 2u);
}

TEST_F(SavedRunTest, ABitThatFlippedIsNoticed) {
  start();
  three_launches(40);
  const std::string whole = bytes_of(file_);
  const fs::path flipped = folder_ / "flipped";
  put_bytes(flipped, whole);
  std::fstream file(flipped, std::ios::binary | std::ios::in | std::ios::out);
  std::mt19937 numbers(7);
  for (int i = 0; i < 10000; ++i) {
    const std::size_t at = numbers() % whole.size();
    const auto put = [&](char byte) { file.seekp(static_cast<std::streamoff>(at)).put(byte).flush(); };
    put(static_cast<char>(whole[at] ^ (1 << numbers() % 8)));
    const auto run = SavedRun::open(flipped.string());
    bool noticed = !run.ok();
    for (std::size_t launch = noticed ? 0 : (*run)->launches().size(); launch-- > 0 && !noticed;)
      noticed = !(*run)->launch(launch).ok();
    ASSERT_TRUE(noticed) << "byte " << at;
    put(whole[at]);
  }
}

}  // namespace
}  // namespace lanescope::device
