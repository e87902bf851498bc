// kernel: pad
#include "parts/host_helpers.h"
constexpr int LAUNCHES = 3;  // used by the host alone
__global__ void pad(int* out, int n) { out[threadIdx.x] = rounded_up(n, 32); }
int main() {
  double start = seconds_now();
  int* out;
  CHECKED(cudaMalloc(&out, 128));
  for (int i = 0; i < LAUNCHES; ++i) pad<<<1, 32>>>(out, 7);
  Report report{"pad", seconds_now() - start};
  std::printf("%s %f\n", report.title.c_str(), report.seconds);
}
