// Texture and surface objects, one per kind of memory and way to read. Fetches are neither counted nor recorded; the
// values that they give, and the ordinary accesses beside them, are.

// run: --grid 1 --block 32,8 --arg tex:f32[32,8]=iota --arg f32[256]=0
__global__ void image(cudaTextureObject_t in, float* out) {
  out[threadIdx.y * 32 + threadIdx.x] = 2 * tex2D<float>(in, threadIdx.x, threadIdx.y);
}

// run: --grid 2 --block 32 --arg tex:float:u8x4[64]=iota --arg f32[256]=0
__global__ void bytes_as_floats(cudaTextureObject_t in, float4* out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = tex1D<float4>(in, i);
}

// run: --grid 3 --block 8,4 --arg tex:layered:u16[8,4,3]=iota --arg u16[96]=0
__global__ void layers(cudaTextureObject_t in, unsigned short* out) {
  const int i = threadIdx.y * 8 + threadIdx.x;
  out[blockIdx.x * 32 + i] = tex2DLayered<unsigned short>(in, threadIdx.x, threadIdx.y, blockIdx.x);
}

// A whole turn further in each dimension.
// run: --grid 1 --block 4,4,4 --arg tex:normalized,wrap:f32[4,4,4]=iota --arg f32[64]=0
__global__ void volume_that_wraps(cudaTextureObject_t in, float* out) {
  const float x = (threadIdx.x + 0.5f) / 4 + 1, y = (threadIdx.y + 0.5f) / 4 - 1, z = (threadIdx.z + 0.5f) / 4 + 2;
  out[(threadIdx.z * 4 + threadIdx.y) * 4 + threadIdx.x] = tex3D<float>(in, x, y, z);
}

// run: --grid 3 --block 32 --arg tex:memory:i32[96]=iota --arg i32[96]=0
__global__ void fetches_from_linear_memory(cudaTextureObject_t in, int* out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = tex1Dfetch<int>(in, 95 - i);
}

// At the border between two texels each counts a half; behind the last one the border is 0.
// run: --grid 1 --block 32 --arg tex:linear,border:f32[32]=iota --arg f32[32]=0
__global__ void halfway(cudaTextureObject_t in, float* out) {
  out[threadIdx.x] = tex1D<float>(in, threadIdx.x + 1.0f);
}

// run: --grid 2 --block 32 --arg surf:i32x2[32,2]=iota --arg i32[128]=0
__global__ void surface_that_changes(cudaSurfaceObject_t texels, int2* out) {
  int2 texel = surf2Dread<int2>(texels, threadIdx.x * sizeof(int2), blockIdx.x);
  out[blockIdx.x * 32 + threadIdx.x] = texel;
  texel.x += 1000;
  surf2Dwrite(texel, texels, threadIdx.x * sizeof(int2), blockIdx.x);
}
