// kernel: zero<float>
#include <cstdint>
#include <limits>
#include <type_traits>
template <typename T>
__global__ void zero(T* out) {
  static_assert(std::is_floating_point<T>::value, "floats only");
  out[0] = std::numeric_limits<T>::max();
  out[1] = static_cast<T>(std::is_same_v<T, float>);
}
