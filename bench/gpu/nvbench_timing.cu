// The kernels of timing.cu under nvbench, with the launches of compare_timing: build it against nvbench and run
//   nvbench_timing --stopping-criterion stdrel --min-samples 100 --jsonbin nvbench.json
#include <nvbench/nvbench.cuh>

#include <thrust/device_vector.h>

#include "timing.cu"

void chain(nvbench::state& state) {
  const int steps = static_cast<int>(state.get_int64("size"));
  thrust::device_vector<float> out(132 * 128);
  // The longer, the fewer: the interpreter has to walk through them too.
  const int blocks = steps <= 32768 ? 132 : steps <= 262144 ? 8 : 1, threads = steps <= 262144 ? 128 : 32;
  state.exec([&](nvbench::launch& launch) {
    dependent_chain<<<blocks, threads, 0, launch.get_stream()>>>(thrust::raw_pointer_cast(out.data()), steps);
  });
}
NVBENCH_BENCH(chain).add_int64_axis("size", {512, 4096, 32768, 262144, 2097152});

void copy_floats(nvbench::state& state) {
  const int n = static_cast<int>(state.get_int64("size"));
  thrust::device_vector<float> in(n, 1.0f), out(n);
  state.exec([&](nvbench::launch& launch) {
    copy<<<(n + 255) / 256, 256, 0, launch.get_stream()>>>(thrust::raw_pointer_cast(in.data()), thrust::raw_pointer_cast(out.data()), n);
  });
}
NVBENCH_BENCH(copy_floats).add_int64_axis("size", {1 << 20, 1 << 22, 1 << 24, 1 << 26});

void product(nvbench::state& state) {
  const int n = static_cast<int>(state.get_int64("size"));
  thrust::device_vector<float> a(n * n, 1.0f), b(n * n, 1.0f), c(n * n);
  state.exec([&](nvbench::launch& launch) {
    matmul<<<dim3(n / 16, n / 16), dim3(16, 16), 0, launch.get_stream()>>>(
        thrust::raw_pointer_cast(a.data()), thrust::raw_pointer_cast(b.data()), thrust::raw_pointer_cast(c.data()), n);
  });
}
NVBENCH_BENCH(product).add_int64_axis("size", {256, 512, 1024});
