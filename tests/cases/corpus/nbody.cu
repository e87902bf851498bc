// Gravity among n bodies: positions pass through shared memory one block's worth at a time.
// kernel: nbody(positions, velocities, next, n, dt), float4 bodies (x, y, z, mass), one thread for each body
// run: --kernel nbody --grid 3 --block 64 --shared 1024 --arg f32[640]=random:31 --arg f32[640]=0 --arg f32[640]=0 --arg i32=160 --arg f32=0.01

constexpr float SOFTENING = 0.01f;

__device__ float3 attraction(float4 me, float4 other, float3 sum) {
  const float3 away = make_float3(other.x - me.x, other.y - me.y, other.z - me.z);
  const float square = away.x * away.x + away.y * away.y + away.z * away.z + SOFTENING;
  const float inverse = rsqrtf(square);
  const float pull = other.w * inverse * inverse * inverse;
  sum.x += away.x * pull;
  sum.y += away.y * pull;
  sum.z += away.z * pull;
  return sum;
}

__global__ void nbody(const float4* __restrict__ positions, float4* velocities, float4* next, int n, float dt) {
  extern __shared__ float4 stage[];

  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = i < n ? positions[i] : make_float4(0, 0, 0, 0);
  float3 pull = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += blockDim.x) {
    const int other = first + threadIdx.x;
    stage[threadIdx.x] = other < n ? positions[other] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < blockDim.x; ++j) pull = attraction(me, stage[j], pull);
    __syncthreads();
  }
  if (i >= n) return;

  float4 velocity = velocities[i];
  velocity.x += pull.x * dt;
  velocity.y += pull.y * dt;
  velocity.z += pull.z * dt;
  velocities[i] = velocity;
  next[i] = make_float4(me.x + velocity.x * dt, me.y + velocity.y * dt, me.z + velocity.z * dt, me.w);
}
