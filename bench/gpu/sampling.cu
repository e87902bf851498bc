// What determines a short kernel's median, one factor at a time and in one process: the work before and after a sample,
// the buffers' addresses, and how long the GPU was idle.
//   nvcc -O3 -arch=sm_90 bench/gpu/sampling.cu -o sampling && ./sampling
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "timing.cu"

void check(cudaError_t code) {
  if (code == cudaSuccess) return;
  std::printf("%s\n", cudaGetErrorString(code));
  std::exit(1);
}

// Holds the stream until the host writes the first word; the second word says that it runs.
__global__ void gate(volatile unsigned* words) {
  words[1] = 1;
  while (words[0] == 0) {}
}
// What nvbench launches before and after each sample to read the clock: one thread on every multiprocessor.
__global__ void stamp(unsigned long long* into) {
  unsigned multiprocessor;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  if (multiprocessor == 0) *into = clock64();
}

struct Way {
  const char* name;
  bool restore;          // both buffers are copied from others before the flush
  int flushes;
  bool stamp_before, stamp_after;
};
constexpr Way ways[] = {{"plain", false, 1, false, false},
                        {"restored", true, 1, false, false},
                        {"flushed twice", false, 2, false, false},
                        {"a kernel before", false, 1, true, false},
                        {"before and after (nvbench)", false, 1, true, true}};

struct Place {
  float *in, *out, *third, *in_copy, *out_copy;
  void* gap;
};

struct Work {
  std::string name;
  std::size_t bytes;     // a buffer
  std::function<void(const Place&, cudaStream_t)> launch;
};

class Sampler {
 public:
  Sampler() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaDeviceGetAttribute(&l2_, cudaDevAttrL2CacheSize, 0));
    check(cudaMalloc(&flush_, l2_));
    check(cudaMalloc(&stamps_, 2 * sizeof *stamps_));
    check(cudaHostAlloc(&words_, 2 * sizeof *words_, cudaHostAllocMapped));
    check(cudaHostGetDevicePointer(&words_on_device_, words_, 0));
    check(cudaEventCreate(&start_));
    check(cudaEventCreate(&stop_));
  }

  float sample(const Work& work, const Place& place, const Way& way) {
    if (way.restore) {
      check(cudaMemcpyAsync(place.in, place.in_copy, work.bytes, cudaMemcpyDeviceToDevice, stream_));
      check(cudaMemcpyAsync(place.out, place.out_copy, work.bytes, cudaMemcpyDeviceToDevice, stream_));
    }
    for (int i = 0; i < way.flushes; ++i) check(cudaMemsetAsync(flush_, i, l2_, stream_));
    check(cudaStreamSynchronize(stream_));
    volatile unsigned* words = words_;
    words[0] = words[1] = 0;
    gate<<<1, 1, 0, stream_>>>(words_on_device_);
    if (way.stamp_before) stamp<<<132, 1, 0, stream_>>>(stamps_);
    check(cudaEventRecord(start_, stream_));
    work.launch(place, stream_);
    check(cudaEventRecord(stop_, stream_));
    if (way.stamp_after) stamp<<<132, 1, 0, stream_>>>(stamps_ + 1);
    while (words[1] == 0) {}
    words[0] = 1;
    check(cudaStreamSynchronize(stream_));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return milliseconds * 1e3f;
  }

 private:
  cudaStream_t stream_;
  int l2_ = 0;
  char* flush_;
  unsigned long long* stamps_;
  unsigned *words_, *words_on_device_;
  cudaEvent_t start_, stop_;
};

float median(std::vector<float> samples) {
  std::sort(samples.begin(), samples.end());
  return samples.empty() ? 0 : samples[samples.size() / 2];
}

Place place_for(const Work& work, int number) {
  Place place;
  check(cudaMalloc(&place.gap, number % 2 ? (number + 1) << 20 : (number + 1) << 14));  // moves the next buffers
  for (float** buffer : {&place.in, &place.out, &place.third, &place.in_copy, &place.out_copy}) {
    check(cudaMalloc(buffer, work.bytes));
    check(cudaMemset(*buffer, 0, work.bytes));
  }
  check(cudaDeviceSynchronize());
  return place;
}

void by_way(Sampler& sampler, const Work& work, const Place& place) {
  constexpr int rounds = 10, samples = 20, first = 2;
  std::vector<std::vector<float>> taken(std::size(ways));
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < std::size(ways); ++i) {
      const std::size_t way = (i + round) % std::size(ways);
      for (int k = 0; k < samples + first; ++k) {
        const float one = sampler.sample(work, place, ways[way]);
        if (k >= first) taken[way].push_back(one);
      }
    }
  for (std::size_t i = 0; i < std::size(ways); ++i) std::printf("  %s %.3f", ways[i].name, median(taken[i]));
}

void by_place(Sampler& sampler, const Work& work, const std::vector<Place>& places) {
  std::printf("\n  by place:");
  for (const Place& place : places) {
    std::vector<float> taken;
    for (int k = 0; k < 200; ++k) taken.push_back(sampler.sample(work, place, ways[0]));
    std::printf(" %.3f", median(taken));
  }
}

void after_idling(Sampler& sampler, const Work& work, const Place& place) {
  using namespace std::chrono;
  for (const double seconds : {0.02, 0.5, 6.0}) {
    check(cudaDeviceSynchronize());
    std::this_thread::sleep_for(duration<double>(seconds));
    const auto begin = steady_clock::now();
    std::vector<float> early, late;
    for (double passed = 0; passed < 0.15; passed = duration<double>(steady_clock::now() - begin).count())
      (passed < 0.001 ? early : late).push_back(sampler.sample(work, place, ways[0]));
    std::printf("\n  after %.2f s without work: the first millisecond %.3f, the next 149 %.3f", seconds, median(early), median(late));
  }
}

int main() {
  Sampler sampler;
  std::vector<Work> all;
  for (const int steps : {512, 4096})
    all.push_back({"dependent_chain, " + std::to_string(steps) + " steps", 132 * 128 * sizeof(float),
                   [=](const Place& p, cudaStream_t s) { dependent_chain<<<132, 128, 0, s>>>(p.out, steps); }});
  for (const int n : {1 << 20, 1 << 22, 1 << 24})
    all.push_back({"copy, " + std::to_string(n) + " floats", n * sizeof(float),
                   [=](const Place& p, cudaStream_t s) { copy<<<n / 256, 256, 0, s>>>(p.in, p.out, n); }});
  all.push_back({"matmul, 256", 256 * 256 * sizeof(float),
                 [](const Place& p, cudaStream_t s) { matmul<<<dim3(16, 16), dim3(16, 16), 0, s>>>(p.in, p.third, p.out, 256); }});
  for (const Work& work : all) {
    std::vector<Place> places;
    for (int i = 0; i < (work.bytes > (32u << 20) ? 4 : 16); ++i) places.push_back(place_for(work, i));
    std::printf("%s, µs:", work.name.c_str());
    by_way(sampler, work, places[0]);
    by_place(sampler, work, places);
    if (work.bytes <= (4u << 20)) after_idling(sampler, work, places[0]);
    std::printf("\n");
    for (const Place& place : places)
      for (void* one : {static_cast<void*>(place.in), static_cast<void*>(place.out), static_cast<void*>(place.third),
                        static_cast<void*>(place.in_copy), static_cast<void*>(place.out_copy), place.gap})
        check(cudaFree(one));
  }
}
