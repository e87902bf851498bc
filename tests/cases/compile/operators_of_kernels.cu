// Operators whose sign is one of the language's own brackets or `=`; the class beside them is for the host.
#include <cstdio>

__device__ uchar4 operator^(uchar4 a, uchar4 b) { return make_uchar4(a.x ^ b.x, a.y ^ b.y, 0, 0); }
__device__ void operator^=(uchar4& a, uchar4 b) { a = a ^ b; }
struct Twice {
  __device__ int operator()(int x) const { return 2 * x; }
};

class Picture {
 public:
  void load(const char* name) {
    FILE* file = fopen(name, "rb");
    fclose(file);
  }
};

__global__ void mix(uchar4* a, const uchar4* b) { a[threadIdx.x] ^= b[Twice()(threadIdx.x)]; }

int main() {
  Picture picture;
  picture.load("in");
}
