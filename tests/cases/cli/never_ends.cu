__global__ void never_ends(unsigned* out) {
  for (unsigned i = 1; i != 0; i = i * 3) {
    out[threadIdx.x] = i;
  }
}
