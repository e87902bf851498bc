// A name that stands here several times is no slip of the keyboard.
__device__ floatX half_of(floatX a) { return a / 2; }
__global__ void scale(floatX* a) { a[0] = half_of(a[0]); }
