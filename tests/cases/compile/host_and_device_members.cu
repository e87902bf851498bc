// A class with members for the host and for the device, which kernels take by value; its header calls a function of
// the host that another header has.
// kernel: read
#include "parts/host_memory.cuh"
#include "parts/host_pool.cuh"
template <typename T>
class Doubled {
 public:
  void create(int n) { if (cudaMalloc(&data_, n * sizeof(T)) != cudaSuccess) exit(1); }
  int size() const { return 2 * size_; }
  __device__ T at(int i) const { return data_[i] + size(); }

 private:
  T* data_;
  int size_ = 0;
};
__global__ void read(Pool pool, Doubled<int> doubled, int* out) {
  out[threadIdx.x] = pool.get(threadIdx.x) + doubled.at(threadIdx.x);
}
int main() {
  Pool pool;
  pool.create(64);
}
