// Escape times of the Mandelbrot set: neighbouring lanes leave the loop at different times.
// kernel: mandelbrot(times, colours, width, height, x0, y0, step, limit), one thread for each pixel
// run: --kernel mandelbrot --grid 6,5 --block 16,8 --arg u16[3600]=0 --arg u32[3600]=0 --arg i32=90 --arg i32=40 --arg f32=-2.25 --arg f32=-1.25 --arg f32=0.0625 --arg i32=200

// Products and sums are explicitly fused or not, so that every machine counts the same times.
__device__ int escape_time(float cx, float cy, int limit) {
  float x = 0, y = 0;
  int time = 0;
  for (; time < limit; ++time) {
    const float xx = __fmul_rn(x, x), yy = __fmul_rn(y, y);
    if (__fadd_rn(xx, yy) > 4.0f) break;
    const float xy = __fmul_rn(x, y);
    x = __fadd_rn(__fsub_rn(xx, yy), cx);
    y = fmaf(2.0f, xy, cy);
  }
  return time;
}

__device__ __noinline__ unsigned palette(int time) {
  switch (time % 8) {
    case 0: return 0xff202040u;
    case 1: return 0xff2a4b8du;
    case 2: return 0xff3f7fbfu;
    case 3: return 0xff7fb2e5u;
    case 4: return 0xffffffffu;
    case 5: return 0xffe5c07bu;
    case 6: return 0xffbf7f3fu;
    default: return 0xff8d4b2au;
  }
}

__global__ void mandelbrot(unsigned short* times, unsigned* colours, int width, int height, float x0, float y0,
                           float step, int limit) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;

  const int time = escape_time(fmaf(column, step, x0), fmaf(row, step, y0), limit);
  times[row * width + column] = static_cast<unsigned short>(time);
  colours[row * width + column] = time == limit ? 0xff000000u : palette(time);
}
