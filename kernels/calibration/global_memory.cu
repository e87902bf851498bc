// Facts about global memory: what one request of a full warp moves.
#include <cstdint>

// run: --grid 1 --block 32 --arg f32[32]=iota --arg f32[32]
// expect: global_load.requests == 1
// expect: global_load.sectors == 4
// expect: global_store.sectors == 4
__global__ void stride_1(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }

// run: --grid 1 --block 32 --arg f32[64]=iota --arg f32[32]
// expect: global_load.sectors == 8
__global__ void stride_2(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x * 2]; }

// run: --grid 1 --block 32 --arg f32[96]=iota --arg f32[32]
// expect: global_load.sectors == 12
__global__ void stride_3(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x * 3]; }

// run: --grid 1 --block 32 --arg f32[128]=iota --arg f32[32]
// expect: global_load.sectors == 16
__global__ void stride_4(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x * 4]; }

// run: --grid 1 --block 32 --arg f32[256]=iota --arg f32[32]
// expect: global_load.sectors == 32
__global__ void stride_8(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x * 8]; }

// run: --grid 1 --block 32 --arg f32[1024]=iota --arg f32[32]
// expect: global_load.sectors == 32
__global__ void stride_32(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x * 32]; }

// run: --grid 1 --block 32 --arg f32[32]=iota --arg f32[32]
// expect: global_load.sectors == 1
__global__ void same_address(const float* in, float* out) { out[threadIdx.x] = in[7]; }

// run: --grid 1 --block 32 --arg f32[32]=iota --arg f32[32]
// expect: global_load.sectors == 4
__global__ void reversed(const float* in, float* out) { out[threadIdx.x] = in[31 - threadIdx.x]; }

// run: --grid 1 --block 32 --arg f32[64]=iota --arg f32[32]
// expect: global_load.sectors == 5
__global__ void offset_1(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x + 1]; }

// run: --grid 1 --block 32 --arg f32[64]=iota --arg f32[32]
// expect: global_load.sectors == 4
__global__ void offset_8(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x + 8]; }

// run: --grid 1 --block 32 --arg u8[32]=iota --arg u8[32]
// expect: global_load.sectors == 1
// expect: global_store.sectors == 1
__global__ void width_1(const std::uint8_t* in, std::uint8_t* out) { out[threadIdx.x] = in[threadIdx.x]; }

// run: --grid 1 --block 32 --arg u16[32]=iota --arg u16[32]
// expect: global_load.sectors == 2
// expect: global_store.sectors == 2
__global__ void width_2(const std::uint16_t* in, std::uint16_t* out) { out[threadIdx.x] = in[threadIdx.x]; }

// run: --grid 1 --block 32 --arg f64[32]=iota --arg f64[32]
// expect: global_load.requests == 1
// expect: global_load.sectors == 8
// expect: global_store.sectors == 8
__global__ void width_8(const double* in, double* out) { out[threadIdx.x] = in[threadIdx.x]; }

// run: --grid 1 --block 32 --arg f32[128]=iota --arg f32[128]
// expect: global_load.requests == 1
// expect: global_load.sectors == 16
// expect: global_store.sectors == 16
__global__ void width_16(const float4* in, float4* out) { out[threadIdx.x] = in[threadIdx.x]; }

// run: --grid 1 --block 32 --arg f32[32]=iota --arg f32[32]
// expect: global_load.requests == 1
// expect: global_load.sectors == 2
// expect: global_store.sectors == 2
__global__ void half_of_the_warp(const float* in, float* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = in[threadIdx.x];
}

// run: --grid 1 --block 32 --arg f32[32]=iota --arg f32[32]
// expect: global_load.requests == 1
// expect: global_load.sectors == 4
__global__ void every_other_lane(const float* in, float* out) {
  if (threadIdx.x % 2 == 0) out[threadIdx.x] = in[threadIdx.x];
}
