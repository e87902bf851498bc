// kernel: careless
__global__ void careless(int* out) {
  int unused = 3;
  int never_set;
  out[0] = never_set;
  return;
  out[1] = 1;
}
#warning "a warning of its own"
