extern __shared__ int all[];
__global__ void k(int* o){ all[threadIdx.x]=1; o[threadIdx.x]=all[threadIdx.x]; }
