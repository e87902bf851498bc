__global__ void inline_assembly(int* out) {
  const int i = threadIdx.x;
  asm volatile("frobnicate.b32 %0;" ::"r"(i));
  out[i] = i;
}
