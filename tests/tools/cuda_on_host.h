#pragma once
// CUDA C++ on the host, for the kernels of random_kernels.py. Their expected buffers are computed with this by g++ and
// the processor's own arithmetic, without any code of Lanescope. Every thread is a coroutine; a barrier or an exchange
// among lanes lets the other threads run until all participants have arrived. Sources: "CUDA C++ Programming Guide",
// "PTX ISA". Compile with -O0 -std=c++17 -frounding-math -ffp-contract=off -fwrapv -fno-strict-aliasing.

#include "cuda_on_host/floats.h"
#include "cuda_on_host/halves.h"
#include "cuda_on_host/integers.h"
#include "cuda_on_host/lanes.h"
#include "cuda_on_host/ptx_integers.h"
#include "cuda_on_host/threads.h"
#include "cuda_on_host/types.h"

// A launch's buffers, filled as `--arg` says (see `lanescope trace --help`).
namespace cuda_on_host {
inline u64 splitmix64(u64 seed, u64 k) {
  u64 z = seed + (k + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
template <typename T>
T* zeros(std::size_t count) {
  return static_cast<T*>(std::calloc((count * sizeof(T) + 255) / 256 * 256, 1));
}
template <typename T>
T* random(std::size_t count, u64 seed) {
  T* const made = zeros<T>(count);
  for (std::size_t k = 0; k < count; ++k) made[k] = static_cast<T>(splitmix64(seed, k) >> (64 - 8 * sizeof(T)));
  return made;
}
// Prints one line: kernel, argument, FNV-1a of the bytes. Also writes the bytes into `folder`, unless it is null.
inline void tell(const char* folder, const char* kernel, int argument, const void* bytes, std::size_t count) {
  u64 hash = 0xcbf29ce484222325ull;
  for (std::size_t i = 0; i < count; ++i)
    hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3ull;
  std::printf("%s %d %016llx\n", kernel, argument, hash);
  if (folder == nullptr) return;
  char path[4096];
  std::snprintf(path, sizeof path, "%s/%s.%d", folder, kernel, argument);
  if (std::FILE* file = std::fopen(path, "wb")) {
    std::fwrite(bytes, 1, count, file);
    std::fclose(file);
  }
}
}  // namespace cuda_on_host

using std::isnan;
#define fminf(a, b) lesser<float>(a, b)
#define fmaxf(a, b) greater<float>(a, b)
#define fmin(a, b) lesser<double>(a, b)
#define fmax(a, b) greater<double>(a, b)
