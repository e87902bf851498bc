// kernel: first
#include <vector>
#include <iostream>
__global__ void first(float* out) { out[0] = undeclared_thing; }
int main() {
  std::vector<float> host(16);
  first<<<1, 32>>>(host.data());
  std::cout << host[0];
}
