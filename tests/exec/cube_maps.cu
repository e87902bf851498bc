// Cube maps: each direction must meet the texel that the programming guide's table names. With the argument "edges" it
// prints, besides, what lies at the edges of faces, where CUDA says nothing; run on a GPU, that shows what it does there.
//   nvcc -arch=native tests/exec/cube_maps.cu -o cube_maps && ./cube_maps edges
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int width = 4, cubes = 2, texels = width * width;

struct Direction {
  float x, y, z;
  int layer;
};

__global__ void fetch(cudaTextureObject_t from, bool layered, const Direction* at, float* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  to[i] = layered ? texCubemapLayered<float>(from, at[i].x, at[i].y, at[i].z, at[i].layer)
                  : texCubemap<float>(from, at[i].x, at[i].y, at[i].z);
}

__global__ void add_to_faces(cudaSurfaceObject_t to) {
  float value = 0;
  surfCubemapread(&value, to, threadIdx.x * sizeof(float), threadIdx.y, blockIdx.x);
  surfCubemapwrite(value + 0.5f, to, threadIdx.x * sizeof(float), threadIdx.y, blockIdx.x);
}

static void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) std::printf("%s: %s\n", what, cudaGetErrorString(error));
}

// The direction that meets a face at s and t, both from -1 to 1.
static Direction towards(int face, float s, float t, int layer = 0) {
  const Direction all[] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}};
  Direction made = all[face];
  made.layer = layer;
  return made;
}

static float on_face(float texel) { return texel / width * 2 - 1; }

static cudaArray_t cube(int count, unsigned flags) {
  std::vector<float> values;
  for (int face = 0; face < 6 * count; ++face)
    for (int i = 0; i < texels; ++i) values.push_back(float(100 * face + i / width * 10 + i % width));
  cudaArray_t array;
  const cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
  check(cudaMalloc3DArray(&array, &one, make_cudaExtent(width, width, 6 * count), flags), "cudaMalloc3DArray");
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(values.data(), width * sizeof(float), width, width);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, width, 6 * count);
  copy.kind = cudaMemcpyHostToDevice;
  check(cudaMemcpy3D(&copy), "cudaMemcpy3D");
  return array;
}

static cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

static std::vector<float> fetched(cudaArray_t array, bool layered, const std::vector<Direction>& at, cudaTextureFilterMode filter,
                                  cudaTextureAddressMode mode = cudaAddressModeClamp, bool seamless = false, bool normalized = true) {
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc texture = {};
  for (auto& one : texture.addressMode) one = mode;
  texture.filterMode = filter;
  texture.normalizedCoords = normalized;
  texture.seamlessCubemap = seamless;
  std::vector<float> got(at.size(), -1);
  cudaTextureObject_t object;
  const cudaError_t made = cudaCreateTextureObject(&object, &resource, &texture, nullptr);
  if (made != cudaSuccess) return got;
  Direction* from;
  float* to;
  cudaMalloc(&from, at.size() * sizeof at[0]);
  cudaMalloc(&to, at.size() * sizeof(float));
  cudaMemcpy(from, at.data(), at.size() * sizeof at[0], cudaMemcpyHostToDevice);
  fetch<<<(at.size() + 63) / 64, 64>>>(object, layered, from, to, int(at.size()));
  check(cudaMemcpy(got.data(), to, at.size() * sizeof(float), cudaMemcpyDeviceToHost), "fetch");
  cudaDestroyTextureObject(object);
  cudaFree(from);
  cudaFree(to);
  return got;
}

static int wrong(const char* what, const std::vector<float>& got, const std::vector<float>& expected) {
  int count = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    if (got[i] != expected[i] && ++count == 1) std::printf("%s: fetch %zu gives %g, not %g\n", what, i, got[i], expected[i]);
  std::printf("%s: %zu fetches, %d wrong\n", what, got.size(), count);
  return count;
}

static int centres(cudaArray_t array, int count, bool layered, float more) {
  std::vector<Direction> at;
  std::vector<float> expected;
  for (int face = 0; face < 6 * count; ++face)
    for (int i = 0; i < texels; ++i) {
      at.push_back(towards(face % 6, on_face(i % width + 0.5f), on_face(i / width + 0.5f), face / 6));
      expected.push_back(float(100 * face + i / width * 10 + i % width) + more);
    }
  return wrong(layered ? "layered, points" : "points", fetched(array, layered, at, cudaFilterModePoint), expected) +
         wrong(layered ? "layered, linear" : "linear", fetched(array, layered, at, cudaFilterModeLinear), expected);
}

static int between(cudaArray_t array) {
  std::vector<Direction> at;
  std::vector<float> expected;
  for (int face = 0; face < 6; ++face)
    for (int step = 0; step <= 8; ++step) {
      at.push_back(towards(face, on_face(1.5f + step / 8.0f), on_face(2.5f)));
      expected.push_back(float(100 * face) + 21 + step / 8.0f);
    }
  return wrong("between two texels", fetched(array, false, at, cudaFilterModeLinear), expected);
}

static void print(const char* what, const std::vector<float>& values) {
  std::printf("%s:", what);
  for (const float value : values) std::printf(" %g", value);
  std::printf("\n");
}

static void edges(cudaArray_t array) {
  std::vector<Direction> ties, over;
  for (int signs = 0; signs < 8; ++signs)
    for (int least = 0; least < 4; ++least) {  // two components equally long, or all three
      float at[3] = {signs & 1 ? -1.f : 1.f, signs & 2 ? -1.f : 1.f, signs & 4 ? -1.f : 1.f};
      if (least < 3) at[least] *= 0.5f;
      ties.push_back({at[0], at[1], at[2], 0});
    }
  ties.push_back({0, 0, 0, 0});
  for (int face = 0; face < 6; ++face)
    for (int side = 0; side < 4; ++side) {
      const float edge = on_face(side & 1 ? width - 0.25f : 0.25f), middle = on_face(1.5f);
      over.push_back(side & 2 ? towards(face, middle, edge) : towards(face, edge, middle));
    }
  print("ties, points", fetched(array, false, ties, cudaFilterModePoint));
  const char* names[] = {"wrap", "clamp", "mirror", "border"};
  for (int mode = 0; mode < 4; ++mode) {
    std::printf("%s, ", names[mode]);
    print("ties, linear", fetched(array, false, ties, cudaFilterModeLinear, cudaTextureAddressMode(mode)));
    std::printf("%s, ", names[mode]);
    print("a quarter of a texel from the edges, linear", fetched(array, false, over, cudaFilterModeLinear, cudaTextureAddressMode(mode)));
  }
  print("seamless", fetched(array, false, over, cudaFilterModeLinear, cudaAddressModeClamp, true));
  print("not normalized", fetched(array, false, over, cudaFilterModeLinear, cudaAddressModeClamp, false, false));
}

int main(int count, char** arguments) {
  const cudaArray_t plain = cube(1, cudaArrayCubemap | cudaArraySurfaceLoadStore), layers = cube(cubes, cudaArrayCubemap | cudaArrayLayered);
  int failed = centres(plain, 1, false, 0) + centres(layers, cubes, true, 0) + between(plain);
  const cudaResourceDesc resource = resource_of(plain);
  cudaSurfaceObject_t surface;
  check(cudaCreateSurfaceObject(&surface, &resource), "cudaCreateSurfaceObject");
  add_to_faces<<<6, dim3(width, width)>>>(surface);
  check(cudaDeviceSynchronize(), "add_to_faces");
  failed += centres(plain, 1, false, 0.5f);
  cudaExtent extent;
  unsigned flags;
  cudaArrayGetInfo(nullptr, &extent, &flags, layers);
  std::printf("%zu x %zu x %zu, flags %u\n", extent.width, extent.height, extent.depth, flags);
  if (count > 1 && std::strcmp(arguments[1], "edges") == 0) edges(cube(1, cudaArrayCubemap));
  std::printf(failed == 0 ? "ok\n" : "%d wrong\n", failed);
  return failed != 0;
}
