#pragma once
// Loads the CUDA libraries by name, as a program does, and calls their entry points.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "test_paths.h"

namespace lanescope::device_test {

struct Dim {
  unsigned x = 1, y = 1, z = 1;
};

// What nvcc's host code registers: a fat binary with one uncompressed PTX text.
struct Program {
  std::vector<std::byte> image;
  struct Wrapper {
    std::int32_t magic = 0x466243b1, version = 1;
    const std::byte* data = nullptr;
    void* none = nullptr;
  } wrapper;

  explicit Program(const std::string& ptx) {
    const std::uint64_t payload = (ptx.size() + 8) / 8 * 8, entry = 64, header = 16;
    image.resize(header + entry + payload);
    put<std::uint32_t>(0, 0xBA55ED50);
    put<std::uint16_t>(4, 1);
    put<std::uint16_t>(6, header);
    put<std::uint64_t>(8, entry + payload);
    put<std::uint16_t>(header, 1);  // PTX
    put<std::uint16_t>(header + 2, 0x101);
    put<std::uint32_t>(header + 4, entry);
    put<std::uint64_t>(header + 8, payload);
    put<std::uint32_t>(header + 28, 75);
    std::memcpy(image.data() + header + entry, ptx.data(), ptx.size());
    wrapper.data = image.data();
  }

 private:
  template <typename T>
  void put(std::size_t at, std::uint64_t value) {
    const auto narrow = static_cast<T>(value);
    std::memcpy(image.data() + at, &narrow, sizeof narrow);
  }
};

class ExecLibraries : public testing::Test {
 protected:
  void* runtime_ = nullptr;
  void* driver_ = nullptr;

  void SetUp() override {
    const std::filesystem::path folder = LANESCOPE_EXEC_FOLDER;
    if (folder.empty()) GTEST_SKIP() << "the libraries are not built: CUDA's headers are not fetched";
    runtime_ = dlopen((folder / "libcudart.so.13").c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(runtime_, nullptr) << dlerror();
    driver_ = dlopen((folder / "libcuda.so.1").c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(driver_, nullptr) << dlerror();
    call("cudaDeviceReset");
  }
  template <typename Result = int, typename... T>
  Result call(const char* name, T... arguments) {
    void* const function = dlsym(std::strncmp(name, "cu", 2) == 0 && name[2] != 'd' ? driver_ : runtime_, name);
    EXPECT_NE(function, nullptr) << name;
    return reinterpret_cast<Result (*)(T...)>(function)(arguments...);
  }
  // Registers the program's kernel under the address of `host`.
  void** start(Program& program, const void* host, const char* kernel) {
    void** handle = call<void**>("__cudaRegisterFatBinary", static_cast<void*>(&program.wrapper));
    void* none = nullptr;
    call<void>("__cudaRegisterFunction", handle, host, kernel, kernel, -1, none, none, none, none, none);
    call<void>("__cudaRegisterFatBinaryEnd", handle);
    return handle;
  }
  int launch(const void* host, Dim grid, Dim block, void** arguments) {
    return call("cudaLaunchKernel", host, grid, block, arguments, std::size_t{0}, static_cast<void*>(nullptr));
  }
  void* allocate(std::size_t bytes) {
    void* at = nullptr;
    EXPECT_EQ(call("cudaMalloc", &at, bytes), 0);
    return at;
  }
};

}  // namespace lanescope::device_test
