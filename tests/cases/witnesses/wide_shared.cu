// Accesses of 8 and 16 bytes to shared memory at random places: lanes of one half, or of one quarter, share words with
// lanes of another, or neighbours read the same element. Requests, sectors and bank conflicts are those of the counters.

// run: --grid 1 --block 64 --arg u32[512]=iota --arg u32[64]=random:101:0:15 --arg u32[128]=0
__global__ void load_uint2(const uint2* in, const unsigned* p, uint2* out) {
    __shared__ uint2 s[64];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    out[threadIdx.x] = s[p[threadIdx.x]];
}

// run: --grid 1 --block 52 --arg u32[512]=iota --arg u32[64]=random:102:0:63 --arg u32[128]=0
__global__ void load_uint2_of_some_lanes(const uint2* in, const unsigned* p, uint2* out) {
    __shared__ uint2 s[64];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    if (p[threadIdx.x] & 1) out[threadIdx.x] = s[p[threadIdx.x]];
}

// run: --grid 1 --block 64 --arg u32[512]=iota --arg u32[64]=random:103:0:63 --arg u32[128]=0
__global__ void store_uint2(const uint2* in, const unsigned* p, uint2* out) {
    __shared__ uint2 s[64];
    const unsigned at = p[threadIdx.x];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    s[at] = in[64 + at];
    __syncthreads();
    for (int i = threadIdx.x; i < 64; i += blockDim.x) out[i] = s[i];
}

// run: --grid 1 --block 52 --arg u32[512]=iota --arg u32[64]=random:104:0:15 --arg u32[128]=0
__global__ void store_uint2_of_some_lanes(const uint2* in, const unsigned* p, uint2* out) {
    __shared__ uint2 s[64];
    const unsigned at = p[threadIdx.x];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    if (p[threadIdx.x] & 1) s[at] = in[64 + at];
    __syncthreads();
    for (int i = threadIdx.x; i < 64; i += blockDim.x) out[i] = s[i];
}

// run: --grid 1 --block 64 --arg u32[1024]=iota --arg u32[64]=random:105:0:15 --arg u32[256]=0
__global__ void load_uint4(const uint4* in, const unsigned* p, uint4* out) {
    __shared__ uint4 s[64];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    out[threadIdx.x] = s[p[threadIdx.x]];
}

// run: --grid 1 --block 52 --arg u32[1024]=iota --arg u32[64]=random:106:0:63 --arg u32[256]=0
__global__ void load_uint4_of_some_lanes(const uint4* in, const unsigned* p, uint4* out) {
    __shared__ uint4 s[64];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    if (p[threadIdx.x] & 1) out[threadIdx.x] = s[p[threadIdx.x]];
}

// run: --grid 1 --block 64 --arg u32[1024]=iota --arg u32[64]=random:107:0:63 --arg u32[256]=0
__global__ void store_uint4(const uint4* in, const unsigned* p, uint4* out) {
    __shared__ uint4 s[64];
    const unsigned at = p[threadIdx.x];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    s[at] = in[64 + at];
    __syncthreads();
    for (int i = threadIdx.x; i < 64; i += blockDim.x) out[i] = s[i];
}

// run: --grid 1 --block 52 --arg u32[1024]=iota --arg u32[64]=random:108:0:15 --arg u32[256]=0
__global__ void store_uint4_of_some_lanes(const uint4* in, const unsigned* p, uint4* out) {
    __shared__ uint4 s[64];
    const unsigned at = p[threadIdx.x];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    if (p[threadIdx.x] & 1) s[at] = in[64 + at];
    __syncthreads();
    for (int i = threadIdx.x; i < 64; i += blockDim.x) out[i] = s[i];
}

// Lanes of a pair read the same element: phases join.
// run: --grid 1 --block 64 --arg u32[512]=iota --arg u32[64]=random:110:0:63 --arg u32[128]=0
__global__ void load_uint2_in_pairs(const uint2* in, const unsigned* p, uint2* out) {
    __shared__ uint2 s[64];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    out[threadIdx.x] = s[p[threadIdx.x / 2 * 2]];
}

// run: --grid 1 --block 64 --arg u32[512]=iota --arg u32[64]=random:111:0:63 --arg u32[128]=0
__global__ void load_uint2_of_even_lanes(const uint2* in, const unsigned* p, uint2* out) {
    __shared__ uint2 s[64];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    if (threadIdx.x % 2 == 0) out[threadIdx.x] = s[p[threadIdx.x]];
}

// run: --grid 1 --block 64 --arg u32[1024]=iota --arg u32[64]=random:112:0:63 --arg u32[256]=0
__global__ void load_uint4_in_pairs(const uint4* in, const unsigned* p, uint4* out) {
    __shared__ uint4 s[64];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    out[threadIdx.x] = s[p[threadIdx.x / 2 * 2]];
}

// run: --grid 1 --block 64 --arg u32[1024]=iota --arg u32[64]=random:113:0:63 --arg u32[256]=0
__global__ void load_uint4_of_even_lanes(const uint4* in, const unsigned* p, uint4* out) {
    __shared__ uint4 s[64];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    if (threadIdx.x % 2 == 0) out[threadIdx.x] = s[p[threadIdx.x]];
}
