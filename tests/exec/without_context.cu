// Which calls of the driver's API a GPU carries out while no context is current, and whether a context keeps its
// preference for the cache. Prints each answer. Build it with -lcuda.
#include <cstdio>

#include <cuda.h>

static void told(const char* call, CUresult result) {
  const char* name = "?";
  cuGetErrorName(result, &name);
  std::printf("%s: %s\n", call, name);
}

int main() {
  CUcontext context, popped;
  CUdeviceptr device_memory = 0, managed = 0, of_pool = 0;
  CUstream stream;
  CUmemoryPool pool = nullptr;
  CUmemPoolProps of_device{};
  of_device.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  of_device.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  cuInit(0);
  told("cuMemPoolCreate before any context", cuMemPoolCreate(&pool, &of_device));
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxPushCurrent(context);
  CUfunc_cache cache = CU_FUNC_CACHE_PREFER_NONE;
  told("cuCtxSetCacheConfig", cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
  told("cuCtxGetCacheConfig", cuCtxGetCacheConfig(&cache));
  std::printf("the preference is %d\n", static_cast<int>(cache));
  told("cuMemAlloc", cuMemAlloc(&device_memory, 1024));
  told("cuMemAllocManaged", cuMemAllocManaged(&managed, 1024, CU_MEM_ATTACH_GLOBAL));
  told("cuStreamCreate", cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  told("cuMemAllocAsync", cuMemAllocAsync(&of_pool, 1024, stream));
  CUcontext of_memory = nullptr;
  told("the context of a pool's memory",
       cuPointerGetAttribute(&of_memory, CU_POINTER_ATTRIBUTE_CONTEXT, of_pool));
  std::printf("it is %s\n", of_memory == nullptr ? "none" : of_memory == context ? "the current one" : "another");
  cuCtxPopCurrent(&popped);
  char byte = 1;
  told("cuMemcpyHtoD", cuMemcpyHtoD(device_memory, &byte, 1));
  told("cuMemcpy", cuMemcpy(device_memory, managed, 1));
  told("cuMemFreeAsync", cuMemFreeAsync(of_pool, stream));
  told("cuStreamSynchronize", cuStreamSynchronize(stream));
  told("cuStreamDestroy", cuStreamDestroy(stream));
  told("cuMemFree of managed memory", cuMemFree(managed));
  told("cuMemFree", cuMemFree(device_memory));
  if (pool != nullptr) told("cuMemPoolDestroy", cuMemPoolDestroy(pool));
}
