// One kernel's handle in both APIs: what the runtime gives for a function of the host is the driver's CUfunction. And
// images of modules from which no kernel can come.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "unit/device/device_texts.h"
#include "unit/device/exec_libraries.h"

namespace lanescope {
namespace {

using device_test::Dim;
using device_test::ExecLibraries;
using device_test::Program;

class KernelHandles : public ExecLibraries {
 protected:
  Program program_{device_test::add_text};
  char stub_ = 0;
  void** binary_ = nullptr;
  unsigned n_ = 100;
  void *from_ = nullptr, *to_ = nullptr;
  void* arguments_[4] = {&from_, &from_, &to_, &n_};

  void SetUp() override {
    ExecLibraries::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    binary_ = start(program_, &stub_, "add");
    from_ = allocate(400);
    to_ = allocate(400);
    const std::vector<float> ones(n_, 1);
    call("cudaMemcpy", from_, static_cast<const void*>(ones.data()), std::size_t{400}, 1);
  }
  void TearDown() override {
    if (binary_ != nullptr) call<void>("__cudaUnregisterFatBinary", binary_);
  }
  void* handle(const char* of) {
    void* made = nullptr;
    EXPECT_EQ(call(of, &made, static_cast<const void*>(&stub_)), 0);
    return made;
  }
  // What `to_` holds, which is then 0 again.
  float first_result() {
    float first = -1;
    EXPECT_EQ(call("cudaMemcpy", static_cast<void*>(&first), static_cast<const void*>(to_), std::size_t{4}, 2), 0);
    EXPECT_EQ(call("cudaMemset", to_, 0, std::size_t{400}), 0);
    return first;
  }
};

TEST_F(KernelHandles, TheDriverLaunchesWhatTheRuntimeGives) {
  for (const char* of : {"cudaGetFuncBySymbol", "cudaGetKernel"}) {
    void* const made = handle(of);
    ASSERT_NE(made, nullptr) << of;
    void *stream = nullptr, **extra = nullptr;
    EXPECT_EQ(call("cuLaunchKernel", made, 4u, 1u, 1u, 32u, 1u, 1u, 0u, stream, &arguments_[0], extra), 0) << of;
    EXPECT_EQ(first_result(), 2) << of;
    int threads = 0;
    EXPECT_EQ(call("cuFuncGetAttribute", &threads, 0, made), 0);
    EXPECT_EQ(threads, 1024);
    EXPECT_EQ(launch(made, {4}, {32}, arguments_), 0) << of;
    EXPECT_EQ(first_result(), 2) << of;
    const char* name = nullptr;
    EXPECT_EQ(call("cudaFuncGetName", &name, static_cast<const void*>(made)), 0);
    EXPECT_STREQ(name, "add");
    EXPECT_EQ(call("cudaKernelSetAttributeForDevice", made, 8, 1024, 0), 0) << "dynamic shared memory";
    EXPECT_EQ(call("cudaKernelSetAttributeForDevice", made, 8, 1024, 1), 101) << "there is one device";
  }
}

// add(const float*, const float*, float*, unsigned): the offsets are C's.
TEST_F(KernelHandles, AParameterHasItsPlace) {
  for (const void* function : {static_cast<const void*>(&stub_), static_cast<const void*>(handle("cudaGetKernel"))}) {
    std::size_t offset = 0, bytes = 0;
    EXPECT_EQ(call("cudaFuncGetParamInfo", function, std::size_t{3}, &offset, &bytes), 0);
    EXPECT_EQ(offset, 24u);
    EXPECT_EQ(bytes, 4u);
    EXPECT_EQ(call("cudaFuncGetParamInfo", function, std::size_t{4}, &offset, &bytes), 1);
  }
}

TEST_F(KernelHandles, AHandleEndsWithItsCode) {
  char other = 0;
  void* none = nullptr;
  EXPECT_EQ(call("cudaGetFuncBySymbol", &none, static_cast<const void*>(&other)), 98);
  void *stream = nullptr, **extra = nullptr;
  void* const made = handle("cudaGetFuncBySymbol");
  ASSERT_EQ(call("cuInit", 0u), 0);
  call("cudaDeviceReset");
  call("cudaFree", none);
  EXPECT_EQ(call("cuLaunchKernel", made, 1u, 1u, 1u, 32u, 1u, 1u, 0u, stream, &arguments_[0], extra), 400);
  void* const again = handle("cudaGetFuncBySymbol");
  call<void>("__cudaUnregisterFatBinary", binary_);
  binary_ = nullptr;
  EXPECT_EQ(call("cuLaunchKernel", again, 1u, 1u, 1u, 32u, 1u, 1u, 0u, stream, &arguments_[0], extra), 400);
}

// The header of a fat binary says how long it is; what is there may be less.
constexpr int invalid_image = 200, file_not_found = 301;

class DamagedImages : public ExecLibraries {
 protected:
  void SetUp() override {
    ExecLibraries::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    void* context = nullptr;
    ASSERT_EQ(call("cuInit", 0u), 0);
    ASSERT_EQ(call("cuCtxCreate_v2", &context, 0u, 0), 0);
    std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/fuzz/corpus/fat_binary/zstd", std::ios::binary);
    whole_ = {std::istreambuf_iterator<char>(file), {}};
    ASSERT_GT(whole_.size(), 1000u);
    path_ = std::filesystem::temp_directory_path() / ("lanescope-image-" + std::to_string(getpid()));
  }
  void TearDown() override { std::filesystem::remove(path_); }
  // Each length near the begin and the end, some between.
  std::vector<std::size_t> lengths() const {
    std::vector<std::size_t> all;
    for (std::size_t length = 4; length < whole_.size(); length += length < 200 || length + 40 > whole_.size() ? 1 : 97)
      all.push_back(length);
    return all;
  }
  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  std::string whole_;
  std::filesystem::path path_;
  void* module_ = nullptr;
};

TEST_F(DamagedImages, FilesThatAreCutOffAreRefused) {
  for (const std::size_t length : lengths()) {
    write(whole_.substr(0, length));
    EXPECT_EQ(call("cuModuleLoad", &module_, path_.c_str()), invalid_image) << length;
  }
  write(whole_);
  EXPECT_EQ(call("cuModuleLoad", &module_, path_.c_str()), 0);
}

// The end lies before memory that cannot be read.
TEST_F(DamagedImages, MemoryThatIsCutOffIsRefused) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t room = (whole_.size() + page - 1) / page * page;
  void* const memory = mmap(nullptr, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  char* const end = static_cast<char*>(memory) + room;
  ASSERT_EQ(munmap(end, page), 0);
  for (const std::size_t length : lengths()) {
    char* const begin = end - length;
    std::memcpy(begin, whole_.data(), length);
    EXPECT_EQ(call("cuModuleLoadData", &module_, static_cast<const void*>(begin)), invalid_image) << length;
  }
  munmap(memory, room);
}

TEST_F(DamagedImages, OfALinkerInputNothingBehindItsEndIsRead) {
  void *link = nullptr, *none = nullptr;
  ASSERT_EQ(call("cuLinkCreate_v2", 0u, none, none, &link), 0);
  constexpr int fat_binary_input = 2;
  for (const std::size_t length : lengths()) {
    std::string cut = whole_.substr(0, length);
    EXPECT_EQ(call("cuLinkAddData_v2", link, fat_binary_input, static_cast<void*>(cut.data()), cut.size(), "", 0u, none,
                   none),
              invalid_image)
        << length;
  }
  EXPECT_EQ(call("cuLinkDestroy", link), 0);
}

TEST_F(DamagedImages, FoldersDevicesAndNothingAreNoFiles) {
  const std::filesystem::path folder = path_.parent_path();
  void* none = nullptr;
  for (const std::string& path : {folder.string(), std::string("/dev/zero"), path_.string()}) {
    EXPECT_EQ(call("cuModuleLoad", &module_, path.c_str()), file_not_found) << path;
    EXPECT_EQ(call("cudaLibraryLoadFromFile", &module_, path.c_str(), none, none, 0u, none, none, 0u), file_not_found)
        << path;
  }
  // A file that says that it is the compiler's wrapper: the address in it is no address.
  std::string wrapper(24, '\x5a');
  const std::uint32_t magic = 0x466243b1;
  std::memcpy(wrapper.data(), &magic, sizeof magic);
  write(wrapper);
  EXPECT_EQ(call("cuModuleLoad", &module_, path_.c_str()), invalid_image);
}

}  // namespace
}  // namespace lanescope
