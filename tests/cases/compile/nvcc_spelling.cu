// kernel: linked
// kernel: compound
// kernel: joined
struct point { float x, y; };
union bits { float f; unsigned u; };
namespace a { struct pair { int first, second; }; }
extern "C"__global__ void linked(int* out) { out[threadIdx.x] = 1; }
__device__ float length_of(point p) { return p.x * p.x + p.y * p.y; }
__device__ point turned(point p) { return (struct point){p.y, p.x}; }
__global__ void compound(float* out, int n) {
  point p;
  p = (struct point){1.0f, 2.0f};
  out[0] = length_of((point){3.0f, 4.0f}) + length_of(n > 0 ? (point) {5, 6} : turned(p));
  bits b = (union bits){1.0f};
  a::pair both = (a::pair){1, 2};
  out[1] = b.u + both.second;
  if (n > (n)) { out[2] = 1; }
  while ((n)) { --n; }
}
#define STORE(i) out[i] = 1; \  
  out[i + 1] = 2;
__global__ void joined(int* out) { STORE(0) }
