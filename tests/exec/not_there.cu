// Three calls that the imitated device does not support.
#include <cstdio>

int main() {
  cudaExternalMemory_t memory;
  for (int i = 0; i < 3; ++i) std::printf("%s\n", cudaGetErrorName(cudaImportExternalMemory(&memory, nullptr)));
}
