// kernel: place
struct Point {
  int x, y = 0;
  float weight;
};
template <typename T>
concept Small = sizeof(T) <= 4;
template <Small T>
__device__ T half_of(T whole) { return whole / 2; }
__global__ void place(float* to) {
  const Point point{.x = 3, .weight = 0.5f};
  to[0] = half_of(point.x * point.weight + point.y);
}
