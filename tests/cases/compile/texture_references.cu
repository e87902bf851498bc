texture<float> tex;
texture<float4, 1, cudaReadModeElementType> tex4;
__global__ void reads(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch(tex, i) + tex1Dfetch(tex4, i).x;
}
int main() { cudaBindTexture(0, tex, 0, 4); }
