// kernel: launcher
__global__ int answer() { return 42; }
__global__ void child(int* out) { out[0] = 1; }
__global__ void launcher(int* out, int n) {
  child<<<1, 1>>>(out);
  __shared__ int tile[n];
  const int fixed = 1;
  fixed = 2;
  atomicAdd(out, 1.5f, 2);
  child(out, 3);
  return 1;
}
struct Holder {
  __global__ void member();
};
