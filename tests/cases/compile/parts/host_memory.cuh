#include <cstdint>
#include <cstdio>
#include <cstdlib>
#define OR_EXIT(call) do { cudaError_t error = call; if (error != cudaSuccess) { printf("%s\n", cudaGetErrorString(error)); exit(1); } } while (0)
namespace memory {
template <typename T>
cudaError_t allocate(T*& data, std::size_t count) { return cudaMalloc((void**)&data, count * sizeof(T)); }
}  // namespace memory
