// Launches once, then crashes on the host.
#include <csignal>

__global__ void nothing() {}

int main() {
  nothing<<<1, 32>>>();
  cudaDeviceSynchronize();
  raise(SIGSEGV);
}
