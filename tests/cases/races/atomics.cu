// Litmus kernels of atomics of several sizes: half-precision ones act on each half.
#include <cuda_fp16.h>

// run: --grid 2 --block 32 --arg f16[2]=0
// verdict: safe
__global__ void halves(__half* sum) { atomicAdd(sum + threadIdx.x % 2, __float2half(1.0f)); }

// run: --grid 2 --block 32 --arg f16[2]=0
// verdict: safe
__global__ void pairs(__half2* sum) { atomicAdd(sum, __float2half2_rn(1.0f)); }

// A pair is two halves, each atomic for itself.
// run: --grid 2 --block 32 --arg f16[2]=0
// verdict: safe
__global__ void pairs_and_halves(__half* sum) {
  if (threadIdx.x % 2 == 0) atomicAdd(reinterpret_cast<__half2*>(sum), __float2half2_rn(1.0f));
  else atomicAdd(sum + 1, __float2half(1.0f));
}

// The neighbour within the word is another location.
// run: --grid 1 --block 64 --arg f16[2]=0
// verdict: safe
__global__ void half_beside_a_store(__half* sum) {
  if (threadIdx.x == 0) sum[0] = __float2half(3.0f);
  if (threadIdx.x >= 32) atomicAdd(sum + 1, __float2half(1.0f));
}

// run: --grid 1 --block 64 --arg f16[2]=0
// verdict: atomic_plain __syncthreads()
__global__ void pair_over_a_store(__half* sum) {
  if (threadIdx.x == 0) sum[0] = __float2half(3.0f);
  if (threadIdx.x >= 32) atomicAdd(reinterpret_cast<__half2*>(sum), __float2half2_rn(1.0f));
}

// Atomics on a word and on the double word around it are not atomic to each other.
// run: --grid 1 --block 64 --arg u32[2]=0
// verdict: write_write __syncthreads()
__global__ void words_and_double_words(unsigned* sum) {
  if (threadIdx.x == 0) atomicAdd(reinterpret_cast<unsigned long long*>(sum), 1ull);
  if (threadIdx.x == 32) atomicAdd(sum, 1u);
}

// The loop of the programming guide: what its first read returns does not matter.
// run: --grid 2 --block 64 --arg f64[4]=0
// verdict: safe
__global__ void sum_by_swaps(double* sum) {
  auto* p = reinterpret_cast<unsigned long long*>(sum + threadIdx.x % 4);
  unsigned long long old = *p, assumed;
  do {
    assumed = old;
    old = atomicCAS(p, assumed, __double_as_longlong(1.0 + __longlong_as_double(assumed)));
  } while (assumed != old);
}

// The read before a maximum may also find that there is nothing to do.
// run: --grid 2 --block 64 --arg f32[1]=0
// verdict: safe
__global__ void maximum_by_swaps(float* most) {
  int* p = reinterpret_cast<int*>(most);
  int old = *p;
  while (__int_as_float(old) < threadIdx.x) {
    const int assumed = old;
    old = atomicCAS(p, assumed, __float_as_int(static_cast<float>(threadIdx.x)));
    if (old == assumed) break;
  }
}

// A store of the whole word is not ordered with the swaps.
// run: --grid 1 --block 64 --arg f64[1]=0
// verdict: atomic_plain __syncthreads()
__global__ void swaps_and_a_store(double* sum) {
  auto* p = reinterpret_cast<unsigned long long*>(sum);
  if (threadIdx.x == 0) *sum = 3.0;
  if (threadIdx.x < 32) return;
  unsigned long long old = *p, assumed;
  do {
    assumed = old;
    old = atomicCAS(p, assumed, __double_as_longlong(1.0 + __longlong_as_double(assumed)));
  } while (assumed != old);
}

__device__ void add_to_byte(unsigned char* byte, unsigned value) {
  const auto address = reinterpret_cast<unsigned long long>(byte);
  auto* word = reinterpret_cast<unsigned*>(address & ~3ull);
  const unsigned shift = (address & 3) * 8;
  unsigned old = *word, assumed;
  do {
    assumed = old;
    const unsigned sum = (assumed >> shift) + value & 255;
    old = atomicCAS(word, assumed, assumed & ~(255u << shift) | sum << shift);
  } while (assumed != old);
}

// An atomic on a byte is a loop on its word, which leaves the neighbours as they are.
// run: --grid 1 --block 65 --arg u8[4]=0
// verdict: safe
__global__ void bytes_beside_stores(unsigned char* bytes) {
  if (threadIdx.x < 64) add_to_byte(bytes + threadIdx.x % 2, 1);
  else bytes[2] = 9;
}

// run: --grid 1 --block 65 --arg u8[4]=0
// verdict: atomic_plain __syncthreads()
__global__ void bytes_over_a_store(unsigned char* bytes) {
  if (threadIdx.x < 64) add_to_byte(bytes + threadIdx.x % 2, 1);
  else bytes[1] = 9;
}

// A swap that changes nothing is a read of the whole word.
// run: --grid 1 --block 64 --arg u32[1]=0 --arg u32[1]=0
// verdict: atomic_plain __syncthreads()
__global__ void read_by_a_swap(unsigned* flag, unsigned* out) {
  if (threadIdx.x == 0) reinterpret_cast<unsigned char*>(flag)[3] = 1;
  if (threadIdx.x == 32) *out = atomicCAS(flag, 0, 0);
}

struct Extent {
  unsigned from_end, last, count;
};

__device__ void raise(unsigned* to, unsigned value) {
  unsigned old = *to, assumed;
  do {
    assumed = old;
    old = atomicCAS(to, assumed, assumed < value ? value : assumed);
  } while (assumed != old);
}

// Two members of one struct: nvcc reads the second at the address of the first plus 4, and computes that of the swap
// from the index anew.
// run: --grid 2 --block 64 --arg u32[30]=0 --arg i32=2
// verdict: safe
__global__ void maxima_of_members(Extent* extents, int at) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&extents[at].count, 1u);
  raise(&extents[at].from_end, 1000 - i);
  raise(&extents[at].last, i);
}
