// Loads of 8 and 16 bytes per lane from shared memory, for ncu: which lanes are served together (docs/glossary.md,
// "Phase"). Prints, for each pair of launches, the element that each lane reads (-1: the lane does not).
//
//   nvcc -arch=native -o wide bench/gpu/wide_shared_loads.cu
//   ncu --csv --metrics l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,\
//       l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum ./wide
#include <cstdio>
#include <cstdlib>

struct Elements {
  int of[32];
};

template <typename T>
__global__ void load(Elements elements, T* out) {
  extern __shared__ int words[];
  for (int i = threadIdx.x; i < 2048; i += 32) words[i] = i;
  __syncwarp();
  const int element = elements.of[threadIdx.x];
  if (element >= 0) out[threadIdx.x] = reinterpret_cast<T*>(words)[element];
}

void* out;

template <typename Element>
void run(Element element, unsigned lanes = ~0u) {
  Elements made;
  for (int l = 0; l < 32; ++l) made.of[l] = lanes >> l & 1 ? element(l) : -1;
  load<int2><<<1, 32, 8192>>>(made, static_cast<int2*>(out));
  load<int4><<<1, 32, 8192>>>(made, static_cast<int4*>(out));
  cudaDeviceSynchronize();
  for (const int one : made.of) std::printf("%d ", one);
  std::printf("\n");
}

int main() {
  cudaMalloc(&out, 512);
  run([](int l) { return l; });
  run([](int) { return 0; });
  for (const int lanes : {2, 4, 8, 16})
    for (const int apart : {1, 2, 4, 8}) {
      run([&](int l) { return l / lanes * apart; });
      run([&](int l) { return l % lanes * apart; });
    }
  for (const unsigned lanes : {0x55555555u, 0xaaaaaaaau, 0x33333333u, 0xccccccccu, 0x11111111u, 0x0f0f0f0fu, 0x80000001u,
                               0x00010001u, 0xffffu, 0xff00ffu, 0x5a5a5a5au, 0x66666666u, 1u, 3u, 7u, 0x5555ffffu}) {
    run([](int l) { return l; }, lanes);
    run([](int l) { return l * 3 % 97; }, lanes);
    run([](int) { return std::rand() % 256; }, lanes);
  }
  for (int i = 0; i < 60; ++i) {
    const int places = 1 << std::rand() % 8, shared_by = std::rand() % 4;
    int at[32];
    for (int& one : at) one = std::rand() % places;
    run([&](int l) { return at[l & ~shared_by]; }, std::rand() % 2 ? ~0u : std::rand() | std::rand() << 16);
  }
}
