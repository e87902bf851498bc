struct Pair {
  float a, b;
};

extern "C" __global__ void plain_c(float* out, long long n) {
  if (threadIdx.x < n) out[threadIdx.x] = 1.0f;
}

__global__ void by_value(float* out, Pair pair, double scale, unsigned char small) {
  out[threadIdx.x] = pair.a * float(scale) + pair.b + float(small);
}
