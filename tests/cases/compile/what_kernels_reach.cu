// kernel: sum_up
// Host code of a library that is not there, types of it too; a class for both sides.
#include <ostream>
#include <string>
#include <vendor/matrix.hpp>
typedef vendor::Matrix<float> Matrix;
using Clock = vendor::Clock;
using std::cout;
enum { WIDTH = 16, UNUSED };
const vendor::Options options{WIDTH};
#define LEFT(point) ((point).x - half_of(WIDTH))
__device__ int half_of(int n);
struct Point {
  int x, y;
  __device__ int left() const { return LEFT(*this); }
  friend std::ostream& operator<<(std::ostream& to, const Point& point) { return to << point.x; }
  std::string text() const { return std::to_string(x); }
};
static Matrix load(const char* file) {
#ifdef VERBOSE
  cout << file;
#else
  return vendor::read(file);
#endif
}
__global__ void sum_up(const Point* points, int* sum) { atomicAdd(sum, points[threadIdx.x].left()); }
__device__ int half_of(int n) { return n / 2; }
int main() {
  Matrix matrix = load("a");
  Clock clock;
}
