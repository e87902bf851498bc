// kernel: clamp_at_zero<float>
// Two kernels and a helper of theirs need a library that is not here. The third needs nothing of it.
#include <tensors/accessor.h>

__device__ float first_of(const tensors::accessor<float>& values) {
  return values[0];
}

__global__ void scale(tensors::accessor<float> values) {
  values[threadIdx.x] *= first_of(values);
}

__global__ void scale_once(float* values, int n) {
  if (n > 0) values[0] *= first_of(values);
}

__device__ float at_least(float least, float value) {
  return value > least ? value : least;
}

template <typename T>
__global__ void clamp_at_zero(T* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = at_least(0, values[i]);
}

tensors::tensor clamp(tensors::tensor values) {
  DISPATCH(values.type(), [&] {
    clamp_at_zero<scalar><<<(values.size() + 255) / 256, 256, 0, tensors::stream()>>>(values.data<scalar>(), values.size());
  });
  return values;
}
