// A program that contains a runtime, as nvcc's default `-cudart static` makes them. This one computes nothing and
// answers 999, so that a test sees which calls `exec` has replaced. LANESCOPE_OF_CUDA_12: as CUDA 12's.

#include <cstddef>
#include <cstdio>
#include <cstring>

// noipa: as in another file, whose code the calls do not rely on.
#ifdef __clang__
#define OF_THE_RUNTIME extern "C" __attribute__((noinline, optnone, aligned(16), used))
#else
#define OF_THE_RUNTIME extern "C" __attribute__((noipa, aligned(16), used))
#endif

OF_THE_RUNTIME void** __cudaRegisterFatBinary(void*) {
  return nullptr;
}
OF_THE_RUNTIME int cudaGetExportTable(const void**, const void*) {
  return 999;
}
OF_THE_RUNTIME int cudaGetDriverEntryPointByVersion(const char*, void**, unsigned, unsigned long long, int*) {
  return 999;
}
#ifdef LANESCOPE_OF_CUDA_12
OF_THE_RUNTIME int cudaGetDeviceProperties_v2(void*, int) {
  return 999;
}
#endif
OF_THE_RUNTIME int cudaRuntimeGetVersion(int*) {
  return 999;
}
OF_THE_RUNTIME int cudaMemcpy2D(void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t, int) {
  return 999;
}
OF_THE_RUNTIME int cudaPointerGetAttributes(void*, const void*) {
  return 999;
}
// Not one of CUDA's: stays as it is.
OF_THE_RUNTIME int cudaOfTheProgram() {
  return 7;
}

int main() {
  int version = 0;
  const int asked = cudaRuntimeGetVersion(&version);
  const char from[] = "ab..cd..ef..";
  char to[] = "------";
  const int copied = cudaMemcpy2D(to, 2, from, 4, 2, 3, 0);  // the last of seven arguments is on the stack
  unsigned long attributes[32];
  std::memset(attributes, 0x55, sizeof attributes);
  const int described = cudaPointerGetAttributes(attributes, from);
  int untouched = 0;
  while (untouched < 32 && attributes[31 - untouched] == 0x5555555555555555) ++untouched;
  std::printf("%d CUDA %d, %d %s, %d %lu bytes, %d\n", asked, version / 1000, copied, to, described,
              (32 - untouched) * sizeof attributes[0], cudaOfTheProgram());
  return 0;
}
