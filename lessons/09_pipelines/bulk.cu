// An mbarrier counts arrivals and bytes: a phase is over when one thread has arrived and all announced bytes are there.
__device__ unsigned address_of(const void* shared) { return static_cast<unsigned>(__cvta_generic_to_shared(shared)); }
__device__ void prepare(unsigned barrier) {
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier) : "memory");
}
// Asks the copy engine (TMA) for 4 KiB: one thread, one instruction.
__device__ void request(unsigned barrier, unsigned to, const float* from) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(barrier) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];"
               ::"r"(to), "l"(from), "r"(barrier) : "memory");
}
__device__ void wait(unsigned barrier, unsigned parity) {
  asm volatile("{ .reg .pred done;\n"
               "again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
               "@!done bra again; }" ::"r"(barrier), "r"(parity) : "memory");
}

// The same again, but one thread asks for a whole tile, and an mbarrier tells everybody when it is there.
template <int stages>
__global__ void bulk(const float* in, float* out, int tiles) {
  __shared__ __align__(128) float tile[stages][1024];
  __shared__ __align__(8) unsigned long long full[stages];
  const int thread = threadIdx.x, step = gridDim.x;
  // @phase load
  if (thread == 0) {
    for (int s = 0; s < stages; ++s) prepare(address_of(&full[s]));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");  // the copy engine sees them too
    for (int s = 0; s < stages - 1; ++s) {
      const int t = blockIdx.x + s * step;
      if (t < tiles) request(address_of(&full[s]), address_of(tile[s]), in + t * 1024);  // @first
    }
  }
  __syncthreads();
  for (int t = blockIdx.x, turn = 0; t < tiles; t += step, ++turn) {
    // @phase load
    const int ahead = t + (stages - 1) * step, free = (turn + stages - 1) % stages;
    if (thread == 0 && ahead < tiles)
      request(address_of(&full[free]), address_of(tile[free]), in + ahead * 1024);  // @fetch
    wait(address_of(&full[turn % stages]), turn / stages % 2);                      // @wait
    // @phase work
    const float* here = tile[turn % stages];
    for (int i = thread; i < 1024; i += 256) {
      const float sum = here[i] + here[(i + 1) % 1024];  // @add
      out[t * 1024 + i] = sum;                             // @store
    }
    __syncthreads();
  }
}
