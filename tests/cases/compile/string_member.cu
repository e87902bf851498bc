// kernel: scale
#include <string>
struct Layer {
  std::string name;
  int width;
  __device__ int twice() const { return 2 * width; }
};
__global__ void scale(float* x, const Layer* layer) {
  x[threadIdx.x] *= layer->twice();
}
