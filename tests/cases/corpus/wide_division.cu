// Quotients and remainders of 128-bit integers: chains of carries in which additions read what subtractions left.
// run: --kernel wide_division --grid 4 --block 128 --arg u64[1000]=random:41 --arg u64[1000]=random:42 --arg u64[1000]=0 --arg u64[1000]=0 --arg i32=500

// a and b hold two words for each number, the high one first; so do the results.
__global__ void wide_division(const unsigned long long* a, const unsigned long long* b, unsigned long long* quotients,
                              unsigned long long* remainders, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned __int128 x = a[2 * i], y = b[2 * i];
  x = x << 64 | a[2 * i + 1];
  y = (y << 64 | b[2 * i + 1]) >> i % 128 | 1;
  const unsigned __int128 quotient = x / y, remainder = x % y;
  quotients[2 * i] = static_cast<unsigned long long>(quotient >> 64);
  quotients[2 * i + 1] = static_cast<unsigned long long>(quotient);
  remainders[2 * i] = static_cast<unsigned long long>(remainder >> 64);
  remainders[2 * i + 1] = static_cast<unsigned long long>(remainder);
}
