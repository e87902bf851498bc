#pragma once
// The sizes of the launches of plain_kernels.cu, for both programs that make them.

#include <vector>

struct PlainCase {
  const char* kernel;
  int n;
};
inline constexpr int plain_threads = 256;
inline constexpr PlainCase plain_cases[] = {{"empty", plain_threads}, {"axpy", 1 << 25}, {"fill", 1 << 26},
                                            {"gather", 1 << 24},      {"axpy", 1 << 22}, {"fill", 1 << 22},
                                            {"gather", 1 << 20}};
inline unsigned plain_blocks(const PlainCase& one) {
  return static_cast<unsigned>((one.n + plain_threads - 1) / plain_threads);
}

// A permutation of the indices with distant neighbours: multiplication by an odd number modulo a power of two.
inline std::vector<int> gathered_from(int n) {
  std::vector<int> from(static_cast<unsigned>(n));
  for (unsigned i = 0; i < from.size(); ++i) from[i] = static_cast<int>(i * 2654435761u & static_cast<unsigned>(n - 1));
  return from;
}
