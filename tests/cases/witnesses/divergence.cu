// Lanes that diverge.

// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=0
__global__ void switch_of_seven(const int* in, int* out) {
  const int i = threadIdx.x;
  int v = in[i];
  switch (v % 7) {
    case 0: v = in[63 - i] + 1; break;
    case 1: v = in[i / 2] * 3; break;
    case 2: v = in[i % 8] - 7;
    case 3: v += in[(i + 5) % 64]; break;
    case 4: out[i] = v; return;
    case 5: v = -v; break;
    default: v ^= 0x55;
  }
  out[i] = v;
}

// run: --grid 2 --block 48 --arg i32[96]=iota --arg i32[96]=0
__global__ void nested_loops_with_break(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int a = 0; a < 6; ++a) {
    for (int b = 0; b < 5; ++b) {
      if ((in[i] + a * b) % 4 == 3) break;
      if ((a + b) % 3 == 1) continue;
      sum += in[(i + a + b) % 96];
    }
    if (sum > 400) break;
  }
  out[i] = sum;
}

// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=permutation:3 --arg i32[64]=0
__global__ void short_circuit(const int* a, const int* b, int* out) {
  const int i = threadIdx.x;
  if ((a[i] % 3 == 0 && b[i] % 2 == 0) || (b[i] > 20 && a[b[i]] % 5 < 2)) out[i] = a[63 - i];
  else out[i] = -b[i];
}

// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=0
__global__ void steps_to_one(const int* in, int* out) {
  int v = in[threadIdx.x] + 1, steps = 0;
  while (v != 1) {
    v = v % 2 ? 3 * v + 1 : v / 2;
    ++steps;
  }
  out[threadIdx.x] = steps;
}

// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=permutation:5 --arg i32[64]=0
__global__ void either_load(const int* a, const int* b, int* out) {
  const int i = threadIdx.x;
  out[i] = i % 3 ? a[i] : b[i];
}

// run: --grid 2 --block 40 --arg i32[100]=iota --arg i32[80]=0
__global__ void binary_search(const int* sorted, int* out) {
  const int wanted = (blockIdx.x * blockDim.x + threadIdx.x) * 17 % 120;
  int low = 0, high = 100;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sorted[middle] == wanted) {
      low = middle;
      break;
    }
    if (sorted[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = low;
}

// run: --grid 1 --block 64 --arg i32[64]=permutation:9 --arg i32[64]=0
__global__ void stores_in_three_arms(const int* in, int* out) {
  const int v = in[threadIdx.x];
  if (v < 10) out[v] = 1;
  else if (v < 40) out[v] = v;
  else if (v % 2) out[v] = -v;
}

// run: --grid 2 --block 33 --arg f32[66]=iota --arg f32[66]=0
__global__ void loop_to_convergence(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float root = 1;
  for (int k = 0; k < 50; ++k) {
    const float next = 0.5f * (root + in[i] / root);
    if (fabsf(next - root) <= 1e-3f * next) break;
    root = next;
  }
  out[i] = root;
}
