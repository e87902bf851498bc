#pragma once
// A program's run as the device saves it: three launches of `add` (device_texts.h) on the same memory, with its source.

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "device/device.h"
#include "device/log_observer.h"
#include "unit/device/device_texts.h"

namespace lanescope::device_test {

inline constexpr const char* add_source = R"(__device__ unsigned hits;
__constant__ unsigned step;
extern "C" __global__ void add(const float* a, const float* b, float* c, unsigned n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n)
    c[i] = a[i] + b[i], atomicAdd(&hits, step);
}
)";

struct SavedLaunches {
  std::uint32_t elements = 1000;
  int count = 3;
  bool with_lines = true;  // false: as without nvcc's -lineinfo
  bool shifted = false;    // the second launch reads from a[1] on, which takes another sector per request
};

// Writes add.cu and run.lanescope into the folder; returns the path of the latter. The second launch has other blocks,
// the third another value in a[7].
inline std::string save_launches(const std::filesystem::path& folder, const SavedLaunches& wanted) {
  const std::uint32_t n = wanted.elements;
  const std::string source = (folder / "add.cu").generic_string();
  std::ofstream(source, std::ios::binary) << add_source;
  std::string ptx = add_text;
  ptx.replace(ptx.find("add.cu"), std::strlen("add.cu"), source);
  for (std::size_t at = 0; !wanted.with_lines && (at = ptx.find(".loc", at)) != std::string::npos;)
    ptx.erase(at, ptx.find('\n', at) - at);
  // As the compiler mangles add(const float*, const float*, float*, unsigned int).
  const std::string entry = ".entry add(";
  ptx.replace(ptx.find(entry), entry.size(), ".entry _Z3addPKfS0_Pfj(");
  device::ExecOptions options;
  options.log = (folder / "run.log").string();
  options.save = (folder / "run.lanescope").string();
  device::Device device(device::DeviceSettings{}, std::make_unique<device::LogObserver>(options));
  device::Status status = device::Status::unknown;
  device::Module* module = device.load(ptx, "add.ptx", status);
  const auto allocate = [&] {
    return device.memory().allocate(device::MemoryKind::device, 4ull * n, "cudaMalloc")->address;
  };
  const auto put = [&](std::uint64_t to, const void* from, std::uint64_t bytes) {
    using Side = device::Device::Side;
    device.copy({to, bytes, Side::device}, {reinterpret_cast<std::uint64_t>(from), bytes, Side::host}, "cudaMemcpy");
  };
  std::vector<float> values(n);
  for (std::uint32_t i = 0; i < n; ++i) values[i] = static_cast<float>(i);
  const std::vector<float> halves(n, 0.5f);
  const std::uint32_t step = 3;
  const std::uint64_t a = allocate(), b = allocate(), c = allocate();
  put(a, values.data(), 4ull * n), put(b, halves.data(), 4ull * n);
  put(module->variable("step")->allocation->address, &step, 4);
  const void* arguments[] = {&a, &b, &c, &n};
  device::Kernel& add = *module->kernel("_Z3addPKfS0_Pfj");
  device.launch(add, {{4, 1, 1}, {256, 1, 1}}, arguments);
  const std::uint64_t second = wanted.shifted ? a + 4 : a;
  const std::uint32_t fewer = wanted.shifted ? n - 1 : n;
  const void* others[] = {&second, &b, &c, &fewer};
  if (wanted.count > 1) device.launch(add, {{8, 1, 1}, {128, 1, 1}}, others);
  values[7] = 1000;
  put(a, values.data(), 4ull * n);
  if (wanted.count > 2) device.launch(add, {{4, 1, 1}, {256, 1, 1}}, arguments);
  return options.save;
}

inline std::string save_three_launches(const std::filesystem::path& folder, std::uint32_t n = 1000,
                                       bool with_lines = true) {
  return save_launches(folder, {n, 3, with_lines, false});
}

}  // namespace lanescope::device_test
