// Conway's Game of Life on a torus, one byte for each cell (odd = alive).
// kernel: generation(out, in, width, height), one thread for each cell
// run: --kernel generation --grid 4,5 --block 16,8 --arg u8[2020]=0 --arg u8[2020]=random:41 --arg i32=60 --arg i32=33
// kernel: generations(a, b, width, height, steps), all steps in one cooperative launch; the last one's cells are in a
// after an even number of steps
// run: --kernel generations --grid 4 --block 128 --cooperative --arg u8[1024]=random:42 --arg u8[1024]=0 --arg i32=32 --arg i32=32 --arg i32=6

#include <cooperative_groups.h>

__device__ int alive_around(const unsigned char* cells, int x, int y, int width, int height) {
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      const int column = (x + dx + width) % width;
      const int row = (y + dy + height) % height;
      alive += cells[row * width + column] & 1;
    }
  return alive;
}

__device__ unsigned char next_state(const unsigned char* cells, int x, int y, int width, int height) {
  const int alive = alive_around(cells, x, y, width, height);
  const bool was_alive = cells[y * width + x] & 1;
  return alive == 3 || (was_alive && alive == 2);
}

__global__ void generation(unsigned char* out, const unsigned char* in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = next_state(in, x, y, width, height);
}

__global__ void generations(unsigned char* a, unsigned char* b, int width, int height, int steps) {
  auto grid = cooperative_groups::this_grid();
  const int cells = width * height;
  for (int step = 0; step < steps; ++step) {
    const unsigned char* from = step % 2 == 0 ? a : b;
    unsigned char* to = step % 2 == 0 ? b : a;
    for (int i = static_cast<int>(grid.thread_rank()); i < cells; i += static_cast<int>(grid.size()))
      to[i] = next_state(from, i % width, i / width, width, height);
    grid.sync();
  }
}
