// kernel: fill
#include <cstdio>
__global__ void fill(int* x) {
  x[threadIdx.x] = 1;
}
while (1);
int main() {
  printf("filled");
}
