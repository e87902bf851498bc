// kernel: zero<float>
#include <type_traits>
using namespace std;
template <typename T, typename U = enable_if_t<sizeof(T) == 4, unsigned>>
__global__ void zero(T* out) {
  out[0] = static_cast<T>(sizeof(U));
}
