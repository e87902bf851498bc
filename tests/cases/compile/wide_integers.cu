// kernel: product
// __int128, which nvcc takes without an option and NVRTC does not.
__global__ void product(const unsigned long long* a, unsigned long long* high, unsigned long long* low) {
  const unsigned __int128 wide = static_cast<unsigned __int128>(a[threadIdx.x]) * a[threadIdx.x];
  high[threadIdx.x] = static_cast<unsigned long long>(wide >> 64);
  low[threadIdx.x] = static_cast<unsigned long long>(wide);
}
