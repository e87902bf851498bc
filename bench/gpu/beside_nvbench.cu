// Our timing and nvbench's cold measurement of the same kernels in one process, one context, one module and on the same
// buffers, alternating. Build it with nvbench and the engine; the kernels (timed_kernels.cu) are a shared library:
//   nvcc -O3 -arch=sm_90 -shared -Xcompiler -fPIC bench/gpu/timed_kernels.cu -o libtimed_kernels.so
//   nvcc -std=c++20 -arch=sm_90 -I NVBENCH -I engine bench/gpu/beside_nvbench.cu NVBENCH_OBJECTS liblanescope_engine.a
//   … -o beside_nvbench
//   ./beside_nvbench ./libtimed_kernels.so [how many of the cases]
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <nvbench/benchmark.cuh>
#include <nvbench/benchmark_manager.cuh>
#include <nvbench/callable.cuh>
#include <nvbench/create.cuh>
#include <nvbench/detail/kernel_launcher_timer_wrapper.cuh>
#include <nvbench/detail/measure_cold.cuh>
#include <nvbench/device_manager.cuh>

#include "gpu/gpu.h"

namespace {

constexpr int rounds = 7, samples = 100;

int (*timed_launch)(void* stream);
std::vector<double> nvbench_times;  // seconds, of the last run

// nvbench's unchanged measurement; only its samples are read.
template <typename Launcher>
struct Cold : nvbench::detail::measure_cold<Launcher> {
  using nvbench::detail::measure_cold<Launcher>::measure_cold;
  const std::vector<double>& times() const { return this->m_cuda_times; }
};

void chosen_case(nvbench::state& state) {
  const auto launch = [](nvbench::launch& on) { timed_launch(on.get_stream().get_stream()); };
  nvbench::detail::kernel_launch_timer_wrapper timed{launch};
  Cold<decltype(timed)> cold(state, timed);
  cold();
  nvbench_times = cold.times();
}
NVBENCH_BENCH(chosen_case);

double median(std::vector<double> of) {
  std::sort(of.begin(), of.end());
  return of.empty() ? 0 : (of[(of.size() - 1) / 2] + of[of.size() / 2]) / 2;
}

std::vector<double> by_nvbench() {
  auto benchmark = nvbench::benchmark_manager::get().get_benchmark("chosen_case").clone();
  benchmark->set_devices(std::vector<int>{0});
  benchmark->set_stopping_criterion("sample-count");
  benchmark->set_criterion_param_int64("target-samples", samples);
  benchmark->set_min_samples(samples);
  benchmark->run();
  return nvbench_times;
}

std::vector<double> by_us(lanescope::gpu::Session& session, const char* library) {
  lanescope::gpu::TimingOptions options;
  options.min_samples = options.max_samples = samples;
  options.time_limit_seconds = 10;
  const auto timing = session.time_library(library, 1, options);
  if (timing) return timing->samples;
  std::printf("%s\n", lanescope::format(timing.errors().front()).c_str());
  std::exit(1);
}

}  // namespace

int main(int count, char** arguments) {
  const char* library = arguments[1];
  const int cases = count > 2 ? std::atoi(arguments[2]) : 1000;
  auto session = lanescope::gpu::Session::open(0);
  void* kernels = dlopen(library, RTLD_NOW);
  if (!session || !kernels) return std::printf("no GPU, or no %s\n", library), 1;
  const auto prepare = reinterpret_cast<bool (*)(int, char*, std::size_t)>(dlsym(kernels, "timed_case"));
  timed_launch = reinterpret_cast<int (*)(void*)>(dlsym(kernels, "timed_launch"));
  nvbench::benchmark_manager::get().initialize();

  std::printf("%s; µs; medians of %d rounds of %d samples each, taking turns\n", (*session)->device().name.c_str(), rounds, samples);
  std::printf("%-28s %10s %10s %8s   %s\n", "KERNEL", "OURS", "NVBENCH", "RATIO", "OF EACH ROUND");
  char name[64];
  for (int number = 0; number < cases && prepare(number, name, sizeof name); ++number) {
    std::vector<double> ours, theirs, ratios;
    for (int round = 0; round < rounds; ++round) {
      std::vector<double> own, other;
      if (round % 2) other = by_nvbench();
      own = by_us(**session, library);
      if (round % 2 == 0) other = by_nvbench();
      ratios.push_back(median(own) / median(other));
      ours.insert(ours.end(), own.begin(), own.end());
      theirs.insert(theirs.end(), other.begin(), other.end());
    }
    std::printf("%-28s %10.3f %10.3f %8.4f  ", name, median(ours) * 1e6, median(theirs) * 1e6, median(ours) / median(theirs));
    for (const double ratio : ratios) std::printf(" %.3f", ratio);
    std::printf("\n");
    std::fflush(stdout);
  }
}
