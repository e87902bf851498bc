// Times the kernels of plain_kernels.cu by engine/gpu, with L2 in each state, to compare with ncu's results for them
// (beside_ncu.cu):
//   nvcc -O3 -arch=sm_90 -cubin bench/gpu/plain_kernels.cu -o plain_kernels.cubin
//   g++ -std=c++20 -O2 -I engine bench/gpu/beside_ncu.cpp build/headless/liblanescope_engine.a … -o beside_ncu_ours
//   ./beside_ncu_ours plain_kernels.cubin
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "gpu/gpu.h"
#include "plain_cases.h"

namespace {

using namespace lanescope;

template <typename T>
gpu::Argument scalar(T value) {
  gpu::Argument made;
  made.bytes.resize(sizeof value);
  std::memcpy(made.bytes.data(), &value, sizeof value);
  return made;
}

template <typename T>
gpu::Argument buffer(const std::vector<T>& contents) {
  gpu::Argument made;
  made.is_buffer = true;
  made.restored = false;
  made.bytes.resize(contents.size() * sizeof(T));
  std::memcpy(made.bytes.data(), contents.data(), made.bytes.size());
  return made;
}

std::vector<gpu::Argument> arguments_of(const PlainCase& one) {
  const std::string kernel = one.kernel;
  const std::vector<float> zeros(kernel == "empty" ? 0 : static_cast<std::size_t>(one.n));
  if (kernel == "axpy") return {buffer(zeros), buffer(zeros), scalar(2.0f), scalar(one.n)};
  if (kernel == "fill") return {buffer(zeros), scalar(1.0f), scalar(one.n)};
  if (kernel == "gather") return {buffer(zeros), buffer(gathered_from(one.n)), buffer(zeros), scalar(one.n)};
  return {};
}

int fail(const Diagnostics& errors) {
  std::fprintf(stderr, "%s\n", format(errors.front()).c_str());
  return 1;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return std::fprintf(stderr, "beside_ncu_ours CUBIN\n"), 2;
  std::ifstream file(words[1], std::ios::binary);
  const std::vector<std::uint8_t> cubin{std::istreambuf_iterator<char>(file), {}};
  auto session = gpu::Session::open(0);
  if (!session) return fail(session.errors());
  std::printf("kernel,n,l2,median_us,low_us,high_us,samples\n");
  for (const PlainCase& one : plain_cases) {
    trace::Launch launch;
    launch.grid.x = std::string(one.kernel) == "empty" ? 1 : plain_blocks(one);
    launch.block.x = std::string(one.kernel) == "empty" ? 32 : plain_threads;
    const std::vector<gpu::Argument> arguments = arguments_of(one);
    for (const gpu::CacheState cache :
         {gpu::CacheState::flushed, gpu::CacheState::overwritten, gpu::CacheState::warm}) {
      const std::vector<gpu::Launch> launches{{one.kernel, launch, gpu::parameters_in_order(arguments.size())}};
      if (auto loaded = (*session)->load(cubin, launches); !loaded) return fail(loaded.errors());
      gpu::TimingOptions options;
      options.cache = cache;
      options.max_samples = 300;
      options.target_relative_half_width = 0.001;
      const auto timing = (*session)->time(arguments, options, [] { return true; });
      if (!timing) return fail(timing.errors());
      const auto& s = timing->seconds;
      std::printf("%s,%d,%s,%.3f,%.3f,%.3f,%llu\n", one.kernel, one.n,
                  std::string(gpu::to_string(timing->cache)).c_str(), s.median * 1e6, s.low * 1e6, s.high * 1e6,
                  static_cast<unsigned long long>(s.samples));
    }
  }
}
