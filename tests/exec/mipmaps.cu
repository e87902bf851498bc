// Mipmapped arrays: their levels, and what fetches at levels between them give. The output must be the same on a GPU,
// built with `nvcc mipmaps.cu -lcuda`, and under `lanescope exec --nvcc=-lcuda mipmaps.cu`.
#include <cstdio>
#include <cstring>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

void tell(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}
void tell(const char* what, CUresult error) {
  const char* name = "";
  cuGetErrorName(error, &name);
  std::printf("%s: %s\n", what, name);
}

struct At {
  float x, y, level, dx[2], dy[2];
};
enum How { plain, lod, grad, in_layer, in_space, on_line };

__global__ void fetch(cudaTextureObject_t from, const At* at, float* to, int count, How how) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const At a = at[i];
  switch (how) {
    case plain: to[i] = tex2D<float>(from, a.x, a.y); break;
    case lod: to[i] = tex2DLod<float>(from, a.x, a.y, a.level); break;
    case grad: to[i] = tex2DGrad<float>(from, a.x, a.y, make_float2(a.dx[0], a.dx[1]), make_float2(a.dy[0], a.dy[1])); break;
    case in_layer: to[i] = tex2DLayeredLod<float>(from, a.x, a.y, 1, a.level); break;
    case in_space: to[i] = tex3DLod<float>(from, a.x, a.y, 0.5f, a.level); break;
    case on_line: to[i] = tex1DLod<float>(from, a.x, a.level); break;
  }
}
__global__ void fetch_bytes(cudaTextureObject_t from, const At* at, float4* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = tex2DLod<float4>(from, at[i].x, at[i].y, at[i].level);
}
__global__ void fill(cudaSurfaceObject_t to, int width, int height) {
  for (int y = threadIdx.x; y < height; y += blockDim.x)
    for (int x = 0; x < width; ++x) surf2Dwrite(10000.0f + 100 * y + x, to, x * 4, y);
}

// Texel (x, y, z) of a level.
float texel(int level, int x, int y, int z) {
  return 1000.0f * level + 32.0f * y + x + 0.5f * z;
}

struct Made {
  cudaMipmappedArray_t array = nullptr;
  cudaExtent extent{};
  unsigned levels = 0, flags = 0;
};
cudaExtent extent_of(const Made& made, unsigned level) {
  const auto half = [&](size_t of) { return of == 0 ? 0 : (of >> level) == 0 ? 1 : of >> level; };
  const bool layered = (made.flags & cudaArrayLayered) != 0;
  return {half(made.extent.width), half(made.extent.height), layered ? made.extent.depth : half(made.extent.depth)};
}
Made make(cudaExtent extent, unsigned levels, unsigned flags) {
  Made made{nullptr, extent, levels, flags};
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  if (const cudaError_t error = cudaMallocMipmappedArray(&made.array, &format, extent, levels, flags); error != cudaSuccess)
    tell("make", error);
  for (unsigned level = 0; level < levels; ++level) {
    cudaArray_t one = nullptr;
    cudaGetMipmappedArrayLevel(&one, made.array, level);
    const cudaExtent size = extent_of(made, level);
    const size_t rows = size.height == 0 ? 1 : size.height, slices = size.depth == 0 ? 1 : size.depth;
    std::vector<float> texels;
    for (size_t z = 0; z < slices; ++z)
      for (size_t y = 0; y < rows; ++y)
        for (size_t x = 0; x < size.width; ++x)
          texels.push_back(texel(static_cast<int>(level), static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), size.width * 4, size.width, rows);
    copy.dstArray = one;
    copy.extent = make_cudaExtent(size.width, rows, slices);
    copy.kind = cudaMemcpyHostToDevice;
    if (const cudaError_t error = cudaMemcpy3D(&copy); error != cudaSuccess) tell("fill a level", error);
  }
  return made;
}

cudaTextureDesc sampling(bool linear, bool between) {
  cudaTextureDesc made{};
  for (auto& mode : made.addressMode) mode = cudaAddressModeClamp;
  made.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  made.mipmapFilterMode = between ? cudaFilterModeLinear : cudaFilterModePoint;
  made.normalizedCoords = 1;
  made.maxMipmapLevelClamp = 100;
  return made;
}
cudaTextureObject_t texture_of(cudaMipmappedArray_t array, const cudaTextureDesc& how) {
  cudaResourceDesc what{};
  what.resType = cudaResourceTypeMipmappedArray;
  what.res.mipmap.mipmap = array;
  cudaTextureObject_t made = 0;
  if (const cudaError_t error = cudaCreateTextureObject(&made, &what, &how, nullptr); error != cudaSuccess) tell("texture", error);
  return made;
}

void print(const char* what, cudaTextureObject_t from, const std::vector<At>& at, How how) {
  const int count = static_cast<int>(at.size());
  At* places = nullptr;
  float* results = nullptr;
  cudaMalloc(&places, sizeof(At) * at.size()), cudaMalloc(&results, 4 * at.size());
  cudaMemcpy(places, at.data(), sizeof(At) * at.size(), cudaMemcpyHostToDevice);
  fetch<<<(count + 63) / 64, 64>>>(from, places, results, count, how);
  std::vector<float> back(at.size());
  const cudaError_t error = cudaMemcpy(back.data(), results, 4 * at.size(), cudaMemcpyDeviceToHost);
  std::printf("%s: %s", what, cudaGetErrorName(error));
  for (const float one : back) std::printf(" %.9g", one);
  std::printf("\n");
  cudaFree(places), cudaFree(results), cudaDestroyTextureObject(from);
}

std::vector<At> places() {
  std::vector<At> all;
  for (const float level : {-1.0f, 0.0f, 0.1f, 0.25f, 0.499f, 0.5f, 0.501f, 0.75f, 1.0f, 1.3f, 1.5f, 1.9990f, 1.9985f, 2.0f, 2.6f, 3.75f, 4.0f, 9.0f})
    for (const auto& [x, y] : {std::pair{0.3f, 0.6f}, std::pair{0.8f, 0.1f}}) all.push_back({x, y, level, {}, {}});
  return all;
}
std::vector<At> fine_levels() {
  std::vector<At> all;
  for (int i = 0; i < 64; ++i) all.push_back({0.3f, 0.6f, 1 + i / 1024.0f, {}, {}});
  return all;
}
std::vector<At> slopes() {
  std::vector<At> all;
  for (const float size : {0.0f, 0.5f, 1.0f, 2.0f, 3.0f, 4.0f, 6.0f, 8.0f, 12.0f, 100.0f}) {
    all.push_back({0.3f, 0.6f, 0, {size / 16, 0}, {0, 0}});
    all.push_back({0.3f, 0.6f, 0, {0, 0}, {0, size / 8}});
    all.push_back({0.3f, 0.6f, 0, {size / 16, size / 8}, {0, 0}});
    all.push_back({0.3f, 0.6f, 0, {0, size / 8}, {size / 32, 0}});
  }
  return all;
}

void results() {
  const Made plane = make({16, 8, 0}, 5, 0);
  print("without a level", texture_of(plane.array, sampling(false, false)), {{0.3f, 0.6f}, {0.8f, 0.1f}}, plain);
  for (const bool linear : {false, true})
    for (const bool between : {false, true}) {
      std::printf("filter %d, between levels %d\n", linear, between);
      print("levels", texture_of(plane.array, sampling(linear, between)), places(), lod);
    }
  print("fine levels", texture_of(plane.array, sampling(false, true)), fine_levels(), lod);
  for (const float bias : {0.5f, -0.75f, 0.1f, 20.0f}) {
    cudaTextureDesc how = sampling(false, true);
    how.mipmapLevelBias = bias;
    std::printf("bias %g ", bias);
    print("levels", texture_of(plane.array, how), places(), lod);
  }
  for (const auto& [from, to] : {std::pair{1.0f, 3.0f}, std::pair{0.7f, 1.2f}, std::pair{2.0f, 1.0f}, std::pair{0.0f, 0.0f}}) {
    cudaTextureDesc how = sampling(false, true);
    how.minMipmapLevelClamp = from, how.maxMipmapLevelClamp = to;
    std::printf("clamped to %g and %g ", from, to);
    print("levels", texture_of(plane.array, how), places(), lod);
    print("without a level", texture_of(plane.array, how), {{0.3f, 0.6f}, {0.8f, 0.1f}}, plain);
  }
  print("slopes", texture_of(plane.array, sampling(false, false)), slopes(), grad);
  print("slopes between levels", texture_of(plane.array, sampling(false, true)), slopes(), grad);
  const Made layers = make({16, 8, 3}, 4, cudaArrayLayered);
  print("layers", texture_of(layers.array, sampling(true, true)), places(), in_layer);
  const Made space = make({8, 8, 4}, 4, 0);
  print("space", texture_of(space.array, sampling(true, true)), places(), in_space);
  const Made line = make({16, 0, 0}, 5, 0);
  print("line", texture_of(line.array, sampling(true, true)), places(), on_line);
  const Made odd = make({13, 5, 0}, 4, 0);
  print("odd sizes", texture_of(odd.array, sampling(true, true)), places(), lod);

  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<uchar4>();
  cudaMipmappedArray_t array = nullptr;
  tell("bytes", cudaMallocMipmappedArray(&array, &bytes, make_cudaExtent(4, 4, 0), 3, 0));
  for (unsigned level = 0; level < 3; ++level) {
    cudaArray_t one = nullptr;
    cudaGetMipmappedArrayLevel(&one, array, level);
    std::vector<uchar4> texels(16, make_uchar4(10 + 60 * level, 255 - 100 * level, 3, 77 * level));
    texels[1].x += 9;
    cudaMemcpy2DToArray(one, 0, 0, texels.data(), 16, (4 >> level) * 4, 4 >> level, cudaMemcpyHostToDevice);
  }
  cudaTextureDesc how = sampling(true, true);
  how.readMode = cudaReadModeNormalizedFloat;
  const cudaTextureObject_t of_bytes = texture_of(array, how);
  const std::vector<At> at = places();
  At* where = nullptr;
  float4* to = nullptr;
  cudaMalloc(&where, sizeof(At) * at.size()), cudaMalloc(&to, 16 * at.size());
  cudaMemcpy(where, at.data(), sizeof(At) * at.size(), cudaMemcpyHostToDevice);
  fetch_bytes<<<1, 64>>>(of_bytes, where, to, static_cast<int>(at.size()));
  std::vector<float4> back(at.size());
  tell("bytes", cudaMemcpy(back.data(), to, 16 * at.size(), cudaMemcpyDeviceToHost));
  for (const float4& one : back) std::printf("%.9g %.9g %.9g %.9g\n", one.x, one.y, one.z, one.w);
}

void calls() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array = nullptr;
  tell("no place", cudaMallocMipmappedArray(nullptr, &format, make_cudaExtent(8, 8, 0), 2, 0));
  tell("no format", cudaMallocMipmappedArray(&array, nullptr, make_cudaExtent(8, 8, 0), 2, 0));
  tell("no levels", cudaMallocMipmappedArray(&array, &format, make_cudaExtent(8, 8, 0), 0, 0));
  tell("no width", cudaMallocMipmappedArray(&array, &format, make_cudaExtent(0, 8, 0), 1, 0));
  tell("more levels than there are", cudaMallocMipmappedArray(&array, &format, make_cudaExtent(8, 8, 0), 9, 0));
  cudaArray_t level = nullptr;
  int known = 0;
  for (unsigned i = 0; i < 10; ++i) known += cudaGetMipmappedArrayLevel(&level, array, i) == cudaSuccess;
  cudaGetLastError();
  std::printf("%d levels\n", known);
  tell("free", cudaFreeMipmappedArray(array));
  tell("make", cudaMallocMipmappedArray(&array, &format, make_cudaExtent(16, 4, 0), 3, cudaArraySurfaceLoadStore));
  for (unsigned i = 0; i < 4; ++i) {
    tell("level", cudaGetMipmappedArrayLevel(&level, array, i));
    cudaExtent extent{};
    unsigned flags = 99;
    if (i < 3) {
      cudaArrayGetInfo(nullptr, &extent, &flags, level);
      std::printf("%zu %zu %zu, flags %u\n", extent.width, extent.height, extent.depth, flags);
    }
  }
  cudaArray_t again = nullptr;
  cudaGetMipmappedArrayLevel(&level, array, 1), cudaGetMipmappedArrayLevel(&again, array, 1);
  std::printf("the same level again: %d\n", level == again);
  tell("level without a place", cudaGetMipmappedArrayLevel(nullptr, array, 0));
  cudaResourceDesc what{};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = level;
  cudaSurfaceObject_t surface = 0;
  tell("surface of a level", cudaCreateSurfaceObject(&surface, &what));
  fill<<<1, 32>>>(surface, 8, 2);
  cudaDestroySurfaceObject(surface);
  float texels[16] = {};
  tell("copy it", cudaMemcpy2DFromArray(texels, 32, level, 0, 0, 32, 2, cudaMemcpyDeviceToHost));
  std::printf("%g %g %g\n", texels[0], texels[7], texels[15]);
  print("its values", texture_of(array, sampling(false, false)), {{0.01f, 0.01f, 1}, {0.99f, 0.99f, 1}}, lod);

  what.resType = cudaResourceTypeMipmappedArray;
  what.res.mipmap.mipmap = array;
  cudaTextureObject_t texture = 0;
  cudaTextureDesc how = sampling(true, true);
  tell("surface of all levels", cudaCreateSurfaceObject(&surface, &what));
  tell("texture", cudaCreateTextureObject(&texture, &what, &how, nullptr));
  cudaResourceDesc is{};
  cudaTextureDesc is_how{};
  tell("its resource", cudaGetTextureObjectResourceDesc(&is, texture));
  tell("its sampling", cudaGetTextureObjectTextureDesc(&is_how, texture));
  std::printf("mipmap %d, the same array %d, between levels %d, up to %g\n", is.resType == cudaResourceTypeMipmappedArray,
              is.res.mipmap.mipmap == array, is_how.mipmapFilterMode == cudaFilterModeLinear, is_how.maxMipmapLevelClamp);
  cudaResourceViewDesc view{};
  tell("its view", cudaGetTextureObjectResourceViewDesc(&view, texture));
  tell("destroy", cudaDestroyTextureObject(texture));
  tell("free", cudaFreeMipmappedArray(array));
  tell("free nothing", cudaFreeMipmappedArray(nullptr));

  CUmipmappedArray of_driver = nullptr;
  CUDA_ARRAY3D_DESCRIPTOR shape{8, 4, 0, CU_AD_FORMAT_FLOAT, 2, 0};
  tell("the driver's", cuMipmappedArrayCreate(&of_driver, &shape, 3));
  CUarray of_level = nullptr;
  tell("its level", cuMipmappedArrayGetLevel(&of_level, of_driver, 2));
  CUDA_ARRAY3D_DESCRIPTOR is_shape{};
  tell("its shape", cuArray3DGetDescriptor(&is_shape, of_level));
  std::printf("%zu %zu %zu, %u channels, flags %u\n", is_shape.Width, is_shape.Height, is_shape.Depth, is_shape.NumChannels, is_shape.Flags);
  tell("level 3", cuMipmappedArrayGetLevel(&of_level, of_driver, 3));
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  resource.res.mipmap.hMipmappedArray = of_driver;
  CUDA_TEXTURE_DESC sampled{};
  sampled.flags = CU_TRSF_NORMALIZED_COORDINATES, sampled.maxMipmapLevelClamp = 2;
  CUtexObject object = 0;
  tell("its texture", cuTexObjectCreate(&object, &resource, &sampled, nullptr));
  tell("destroy", cuTexObjectDestroy(object));
  tell("destroy", cuMipmappedArrayDestroy(of_driver));
}

int main() {
  calls();
  results();
  tell("at last", cudaDeviceSynchronize());
}
