// The driver's types, declared once more as libcu++ declares them.
// kernel: k
#include <cuda.h>
struct CUtensorMap_st;
typedef struct CUtensorMap_st CUtensorMap;
__global__ void k(int* a, const __grid_constant__ CUtensorMap map) {
  a[0] = static_cast<int>(sizeof(map)) + static_cast<int>(alignof(CUtensorMap));
}
