// Atomics on shared memory, for ncu: how many wavefronts and conflicts the lanes of one instruction make, and where
// ptxas combines their operands first (docs/glossary.md, "Turn"). Prints, for each launch, the form and the element
// that each lane changes (-1: the lane does not). tests/cases/turns/h200.txt has the conflicts that an H200 counted.
//
//   nvcc -arch=native -o atomics bench/gpu/shared_atomics.cu
//   ncu --csv --metrics l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum,\
//       l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum,smsp__inst_executed_op_shared_atom.sum ./atomics
#include <cuda_fp16.h>
#include <cstdio>
#include <cstdlib>

struct Elements {
  int of[32];
};

// clang-format off
#define FORMS \
  X(add) X(add_used) X(add_one) X(add_one_used) X(add_two) X(inc_all) X(inc_seven) X(dec_all) X(min_) X(max_used) \
  X(and_) X(exch) X(cas) X(exch64) X(cas64) X(exch128) X(add_float) X(add_float_used) X(add_double) X(add_u64) \
  X(add_u64_one) X(max_u64) X(add_half2) X(add_half) X(uni_add) X(uni_add_used) X(uni_one) X(uni_one_used) \
  X(uni_two) X(uni_max) X(uni_max_used) X(uni_dec) X(uni_exch) X(uni_float) X(uni_u64_one) X(generic_add) \
  X(generic_one)
// clang-format on
enum Form {
#define X(name) name,
  FORMS
#undef X
      forms
};
const char* names[] = {
#define X(name) #name,
    FORMS
#undef X
};

template <int F>
__global__ void atomic(Elements elements, unsigned* out, int where, unsigned* other) {
  extern __shared__ __align__(16) unsigned words[];
  for (int i = threadIdx.x; i < 4096; i += 32) words[i] = 0;
  __syncwarp();
  const int element = elements.of[threadIdx.x];
  const unsigned v = out[threadIdx.x + 64];
  unsigned r = 0;
  auto* words64 = reinterpret_cast<unsigned long long*>(words);
  if (element >= 0) {
    if (F == add) atomicAdd(&words[element], v);
    if (F == add_used) r = atomicAdd(&words[element], v);
    if (F == add_one) atomicAdd(&words[element], 1);
    if (F == add_one_used) r = atomicAdd(&words[element], 1);
    if (F == add_two) atomicAdd(&words[element], 2);
    if (F == inc_all) atomicInc(&words[element], 0xffffffff);
    if (F == inc_seven) atomicInc(&words[element], 7);
    if (F == dec_all) atomicDec(&words[element], 0xffffffff);
    if (F == min_) atomicMin(&words[element], v);
    if (F == max_used) r = atomicMax(&words[element], v);
    if (F == and_) atomicAnd(&words[element], v);
    if (F == exch) r = atomicExch(&words[element], v);
    if (F == cas) r = atomicCAS(&words[element], v, 5u);
    if (F == exch64) r = atomicExch(&words64[element], (unsigned long long)v);
    if (F == cas64) r = atomicCAS(&words64[element], (unsigned long long)v, 5ull);
    if (F == exch128) {
      unsigned long long lo = v, hi = v, a, b;
      asm volatile("{ .reg .b128 q, s; mov.b128 q, {%2,%3}; atom.shared.exch.b128 s, [%4], q; mov.b128 {%0,%1}, s; }"
                   : "=l"(a), "=l"(b)
                   : "l"(lo), "l"(hi), "r"((unsigned)__cvta_generic_to_shared(&words64[2 * element]))
                   : "memory");
      r = a + b;
    }
    if (F == add_float) atomicAdd(reinterpret_cast<float*>(&words[element]), (float)v);
    if (F == add_float_used) r = atomicAdd(reinterpret_cast<float*>(&words[element]), (float)v);
    if (F == add_double) atomicAdd(reinterpret_cast<double*>(&words64[element]), (double)v);
    if (F == add_u64) atomicAdd(&words64[element], (unsigned long long)v);
    if (F == add_u64_one) atomicAdd(&words64[element], 1ull);
    if (F == max_u64) atomicMax(&words64[element], (unsigned long long)v + 1);
    if (F == add_half2) atomicAdd(reinterpret_cast<__half2*>(&words[element]), __half2(1.f, 2.f));
    if (F == add_half) atomicAdd(reinterpret_cast<__half*>(words) + element, __half(1.f));
    if (F == uni_add) atomicAdd(&words[where], v);
    if (F == uni_add_used) r = atomicAdd(&words[where], v);
    if (F == uni_one) atomicAdd(&words[where], 1);
    if (F == uni_one_used) r = atomicAdd(&words[where], 1);
    if (F == uni_two) atomicAdd(&words[where], 2);
    if (F == uni_max) atomicMax(&words[where], v);
    if (F == uni_max_used) r = atomicMax(&words[where], v);
    if (F == uni_dec) atomicDec(&words[where], 0xffffffff);
    if (F == uni_exch) r = atomicExch(&words[where], v);
    if (F == uni_float) atomicAdd(reinterpret_cast<float*>(&words[where]), (float)v);
    if (F == uni_u64_one) atomicAdd(&words64[where], 1ull);
    unsigned* p = where < 0 ? other : words;
    if (F == generic_add) atomicAdd(p + element, v);
    if (F == generic_one) atomicAdd(p + element, 1);
  }
  __syncwarp();
  out[threadIdx.x] = r + words[threadIdx.x + 3];
}

unsigned* out;
int patterns = 0;

template <int F>
void all_forms(const Elements& e) {
  if constexpr (F < forms) {
    std::printf("%s %d:", names[F], patterns);
    for (const int one : e.of) std::printf(" %d", one);
    std::printf("\n");
    atomic<F><<<1, 32, 16384>>>(e, out, 40, out);
    all_forms<F + 1>(e);
  }
}

template <typename Element>
void run(Element element, unsigned lanes = ~0u) {
  Elements made;
  for (int l = 0; l < 32; ++l) made.of[l] = lanes >> l & 1 ? element(l) : -1;
  all_forms<0>(made);
  ++patterns;
}

int main() {
  cudaMalloc(&out, 1024);
  cudaMemset(out, 1, 1024);
  for (const int s : {0, 1, 2, 3, 4, 8, 16, 32}) run([=](int l) { return l * s; });
  for (const int g : {2, 4, 8, 16}) run([=](int l) { return l / g; });
  for (const int g : {2, 4, 8, 16}) run([=](int l) { return l % g; });
  run([](int l) { return l % 2 * 32; });
  run([](int l) { return l / 2 * 32; });
  run([](int l) { return l < 8 ? 5 : l; });
  run([](int l) { return l < 20 ? 5 : 37; });
  run([](int) { return 7; }, 0x1);
  run([](int) { return 7; }, 0xffff);
  run([](int) { return 7; }, 0xaaaaaaaa);
  run([](int l) { return l * 32; }, 0x00ff00ff);
  run([](int l) { return l; }, 0x80000001);
  unsigned s = 12345;
  const auto rnd = [&](unsigned n) {
    s = s * 1664525u + 1013904223u;
    return int((s >> 8) % n);
  };
  for (const int n : {4, 8, 16, 32, 64, 256, 1000}) run([&](int) { return rnd(n); });
  for (const int n : {8, 64, 256}) run([&](int) { return rnd(n); }, 0x9d3c71e5u);
  cudaDeviceSynchronize();
  std::fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
}
