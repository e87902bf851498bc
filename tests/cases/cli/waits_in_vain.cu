__global__ void waits_in_vain(volatile int* flag) {
  while (flag[0] == 0) {
  }
}
