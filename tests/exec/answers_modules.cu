// What the driver API answers about modules, libraries and the linker when the arguments are wrong or borderline. See
// answers_memory.cu.
#include "answers.h"

static void modules() {
  enter();
  CUmodule m = nullptr, other = nullptr;
  CUfunction f = nullptr;
  CUdeviceptr at = 0;
  size_t bytes = 0;
  unsigned count = 0;
  const char* name = nullptr;
  char log[256] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof log};
  CUjit_option wrong[] = {(CUjit_option)999};
  T(cuModuleLoadData(nullptr, code));
  T(cuModuleLoadData(&m, nullptr));
  T(cuModuleLoadData(&m, ""));
  T(cuModuleLoadData(&m, "nonsense, nonsense, nonsense, nonsense, nonsense, nonsense, nonsense, nonsense"));
  T(cuModuleLoadData(&m, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { nothing.u32; }\n"));
  T(cuModuleLoadData(&m, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"));
  T(cuModuleLoadData(&m, ".version 99.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n"));
  T(cuModuleLoadData(&m, ".version 8.0\n.target sm_999\n.address_size 64\n.visible .entry k() { ret; }\n"));
  T(cuModuleLoadData(&m, ".version 8.8\n.target sm_100\n.address_size 64\n.visible .entry k() { ret; }\n"));
  T(cuModuleLoadData(&m, ".version 8.0\n.target sm_90\n.address_size 64\n"));
  T(cuModuleLoadDataEx(&m, ".version 8.0\n.target sm_90\n.visible .entry k() { nothing.u32; }\n", 2, options, values));
  V(log[0] != 0);
  T(cuModuleLoadDataEx(&m, code, 1, wrong, values));
  T(cuModuleLoadDataEx(&m, code, 1, nullptr, nullptr));
  T(cuModuleLoad(&m, "/nonexistent.ptx"));
  T(cuModuleLoad(&m, nullptr));
  T(cuModuleLoad(&m, "/"));
  T(cuModuleLoad(nullptr, "/nonexistent.ptx"));
  T(cuModuleLoadFatBinary(&m, nullptr));
  T(cuModuleLoadData(&m, code));
  T(cuModuleGetFunction(&f, m, "missing"));
  T(cuModuleGetFunction(&f, m, ""));
  T(cuModuleGetFunction(&f, m, nullptr));
  T(cuModuleGetFunction(nullptr, m, "none"));
  T(cuModuleGetFunction(&f, nullptr, "none"));
  T(cuModuleGetFunction(&f, m, "cell"));
  T(cuModuleGetFunction(&f, m, "none"));
  T(cuModuleGetGlobal(&at, &bytes, m, "missing"));
  T(cuModuleGetGlobal(&at, &bytes, m, "none"));
  T(cuModuleGetGlobal(&at, &bytes, m, nullptr));
  T(cuModuleGetGlobal(&at, &bytes, nullptr, "cell"));
  T(cuModuleGetGlobal(nullptr, nullptr, m, "cell"));
  T(cuModuleGetGlobal(&at, nullptr, m, "cell"));
  T(cuModuleGetGlobal(nullptr, &bytes, m, "weight"));
  V(bytes);
  T(cuModuleGetFunctionCount(nullptr, m));
  T(cuModuleGetFunctionCount(&count, m));
  V(count);
  CUfunction all[4] = {};
  T(cuModuleEnumerateFunctions(nullptr, 1, m));
  T(cuModuleEnumerateFunctions(all, 0, m));
  T(cuModuleEnumerateFunctions(all, 4, m));
  V(all[1] != nullptr);
  V(all[2] != nullptr);
  CUmoduleLoadingMode mode{};
  T(cuModuleGetLoadingMode(nullptr));
  T(cuModuleGetLoadingMode(&mode));
  V(mode);
  T(cuFuncGetName(&name, nullptr));
  T(cuFuncGetName(nullptr, f));
  T(cuFuncGetModule(nullptr, f));
  T(cuFuncGetModule(&other, nullptr));
  T(cuFuncGetModule(&other, f));
  V(other == m);
  CUfunctionLoadingState state{};
  T(cuFuncIsLoaded(nullptr, f));
  T(cuFuncIsLoaded(&state, nullptr));
  T(cuFuncLoad(nullptr));
  T(cuFuncLoad(f));
  T(cuFuncIsLoaded(&state, f));
  V(state);
  T(cuModuleUnload(nullptr));
  T(cuModuleUnload(m));
}

static void libraries() {
  enter();
  CUlibrary l = nullptr;
  CUkernel k = nullptr;
  CUfunction f = nullptr;
  CUmodule m = nullptr;
  CUdeviceptr at = 0;
  size_t bytes = 0;
  unsigned count = 0;
  int value = 0;
  const char* name = nullptr;
  T(cuLibraryLoadData(nullptr, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
  T(cuLibraryLoadData(&l, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  T(cuLibraryLoadFromFile(&l, "/nonexistent.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0));
  T(cuLibraryLoadFromFile(&l, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  T(cuLibraryLoadData(&l, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
  T(cuLibraryGetKernel(&k, l, "missing"));
  T(cuLibraryGetKernel(&k, l, nullptr));
  T(cuLibraryGetKernel(nullptr, l, "none"));
  T(cuLibraryGetKernel(&k, nullptr, "none"));
  T(cuLibraryGetKernel(&k, l, "none"));
  T(cuLibraryGetKernelCount(nullptr, l));
  T(cuLibraryGetKernelCount(&count, nullptr));
  T(cuLibraryGetKernelCount(&count, l));
  V(count);
  T(cuLibraryEnumerateKernels(nullptr, 1, l));
  T(cuLibraryEnumerateKernels(&k, 0, l));
  T(cuLibraryGetGlobal(&at, &bytes, l, "missing"));
  T(cuLibraryGetGlobal(&at, &bytes, l, "cell"));
  T(cuLibraryGetManaged(&at, &bytes, l, "cell"));
  T(cuLibraryGetModule(nullptr, l));
  T(cuLibraryGetModule(&m, nullptr));
  T(cuLibraryGetModule(&m, l));
  T(cuKernelGetFunction(nullptr, k));
  T(cuKernelGetFunction(&f, nullptr));
  T(cuKernelGetName(nullptr, k));
  T(cuKernelGetName(&name, nullptr));
  T(cuKernelGetAttribute(&value, (CUfunction_attribute)99, k, 0));
  T(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, k, 1));
  T(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr, 0));
  T(cuKernelGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, k, 0));
  T(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, 5, k, 0));
  T(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536, k, 1));
  T(cuKernelSetCacheConfig(k, (CUfunc_cache)9, 0));
  T(cuKernelSetCacheConfig(k, CU_FUNC_CACHE_PREFER_L1, 1));
  T(cuKernelGetParamInfo(k, 0, &bytes, nullptr));
  T(cuLibraryUnload(nullptr));
  T(cuLibraryUnload(l));
}

static void linking() {
  enter();
  CUlinkState link = nullptr;
  void* image = nullptr;
  size_t bytes = 0;
  T(cuLinkCreate(0, nullptr, nullptr, nullptr));
  T(cuLinkCreate(0, nullptr, nullptr, &link));
  T(cuLinkAddData(link, CU_JIT_INPUT_PTX, nullptr, 10, "a", 0, nullptr, nullptr));
  T(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)"nonsense", 9, "a", 0, nullptr, nullptr));
  T(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/nonexistent.ptx", 0, nullptr, nullptr));
  T(cuLinkAddFile(link, CU_JIT_INPUT_PTX, nullptr, 0, nullptr, nullptr));
  T(cuLinkDestroy(link));
  T(cuLinkCreate(0, nullptr, nullptr, &link));
  T(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)code, strlen(code) + 1, nullptr, 0, nullptr, nullptr));
  T(cuLinkAddData(link, (CUjitInputType)77, (void*)code, strlen(code) + 1, "a", 0, nullptr, nullptr));
  T(cuLinkComplete(link, &image, &bytes));
  V(bytes > 0);
  T(cuLinkDestroy(link));
}

int main() {
  group("modules", modules);
  group("libraries", libraries);
  group("linking", linking);
}
