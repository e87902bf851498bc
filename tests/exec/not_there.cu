// Three calls of what the imitated device does not have.
#include <cstdio>

int main() {
  cudaExternalMemory_t memory;
  for (int i = 0; i < 3; ++i) std::printf("%s\n", cudaGetErrorName(cudaImportExternalMemory(&memory, nullptr)));
}
