// Modules, libraries and the linker of the driver API. Only PTX can be loaded, plain or in a fat binary, and the result
// of linking is PTX too.

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>

#include "device/api/driver/driver.h"
#include "device/api/image.h"

namespace lanescope::device::api {

namespace {

struct Handles {
  std::set<const void*> modules, kernels;
};
Handles& handles() {
  static auto* const all = new Handles;
  return *all;
}

Status load(Module** to, std::string_view ptx) {
  Status status = Status::success;
  Module* module = device().load(ptx, "PTX of the program", status);
  if (module == nullptr) return status;
  handles().modules.insert(module);
  *to = module;
  return Status::success;
}

template <typename Handle>
CUresult load_image(Handle* to, const void* image) {
  return driver_answer([&](Device& on) {
    if (to == nullptr || image == nullptr) return Status::invalid_value;
    std::string ptx;
    if (const Status status = ptx_of_image(on, image, ptx); status != Status::success) return status;
    return load(reinterpret_cast<Module**>(to), ptx);
  });
}

template <typename Handle>
CUresult load_file(Handle* to, const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return CUDA_ERROR_FILE_NOT_FOUND;
  std::string image((std::istreambuf_iterator<char>(file)), {});
  return load_image(to, image.c_str());
}

CUresult unload(const void* handle) {
  return driver_answer([&](Device& on) {
    Module* module = module_at(handle);
    if (module == nullptr) return Status::invalid_handle;
    forget_handles_of(module);
    on.unload(module);
    return Status::success;
  });
}

CUresult find_kernel(void** to, const void* handle, const char* name) {
  return driver_answer([&](Device&) {
    Module* module = module_at(handle);
    if (module == nullptr) return Status::invalid_handle;
    if (to == nullptr || name == nullptr) return Status::invalid_value;
    Kernel* kernel = module->kernel(name);
    if (kernel == nullptr) return Status::not_found;
    make_handle(kernel);
    *to = kernel;
    return Status::success;
  });
}

CUresult find_variable(CUdeviceptr* to, std::size_t* bytes, const void* handle, const char* name, bool managed) {
  return driver_answer([&](Device&) {
    const Module* module = module_at(handle);
    if (module == nullptr) return Status::invalid_handle;
    if (name == nullptr) return Status::invalid_value;
    const Module::Variable* variable = module->variable(name);
    if (variable == nullptr || variable->managed < managed) return Status::not_found;
    if (to != nullptr) *to = variable->allocation->address;
    if (bytes != nullptr) *bytes = variable->allocation->bytes;
    return Status::success;
  });
}

std::vector<std::string> kernels_of(const Module& module) {
  std::vector<std::string> names;
  for (const ptx::Function& function : module.text().functions)
    if (function.is_entry && !function.is_declaration) names.push_back(function.name);
  return names;
}

CUresult count_kernels(unsigned* count, const void* handle) {
  return driver_answer([&](Device&) {
    const Module* module = module_at(handle);
    if (module == nullptr) return Status::invalid_handle;
    *count = static_cast<unsigned>(kernels_of(*module).size());
    return Status::success;
  });
}

CUresult list_kernels(void** to, unsigned count, const void* handle) {
  return driver_answer([&](Device&) {
    Module* module = module_at(handle);
    if (module == nullptr) return Status::invalid_handle;
    for (const std::string& name : kernels_of(*module)) {
      if (count-- == 0) break;
      Kernel* kernel = module->kernel(name);
      make_handle(kernel);
      *to++ = kernel;
    }
    return Status::success;
  });
}

CUresult name_of(const char** to, const void* handle) {
  return driver_answer([&](Device&) {
    const Kernel* kernel = kernel_at(handle);
    if (kernel == nullptr) return Status::invalid_handle;
    *to = kernel->function->name.c_str();
    return Status::success;
  });
}

CUresult parameter_of(const void* handle, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return driver_answer([&](Device&) {
    const Kernel* kernel = kernel_at(handle);
    if (kernel == nullptr) return Status::invalid_handle;
    if (index >= kernel->function->parameters.size()) return Status::invalid_value;
    const ptx::Parameter& parameter = kernel->function->parameters[index];
    if (offset != nullptr) *offset = parameter.offset;
    if (bytes != nullptr) *bytes = parameter.bytes();
    return Status::success;
  });
}

// Converts between handles of the same kernel.
template <typename To>
CUresult same_kernel(To* to, const void* handle) {
  return driver_answer([&](Device&) {
    Kernel* kernel = kernel_at(handle);
    if (kernel == nullptr) return Status::invalid_handle;
    *to = reinterpret_cast<To>(kernel);
    return Status::success;
  });
}
template <typename To>
CUresult module_of_kernel(To* to, const void* handle) {
  return driver_answer([&](Device&) {
    const Kernel* kernel = kernel_at(handle);
    if (kernel == nullptr) return Status::invalid_handle;
    *to = reinterpret_cast<To>(kernel->module);
    return Status::success;
  });
}

}  // namespace

Module* module_at(const void* handle) {
  return handles().modules.contains(handle) ? static_cast<Module*>(const_cast<void*>(handle)) : nullptr;
}
Kernel* kernel_at(const void* handle) {
  return handles().kernels.contains(handle) ? static_cast<Kernel*>(const_cast<void*>(handle)) : nullptr;
}
void make_handle(Kernel* kernel) {
  handles().kernels.insert(kernel);
}
void forget_handles_of(const Module* module) {
  std::erase_if(handles().kernels, [&](const void* one) { return static_cast<const Kernel*>(one)->module == module; });
  handles().modules.erase(module);
}
void forget_all() {
  handles() = {};
}

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

CUresult cuModuleLoadData(CUmodule* to, const void* image) {
  return load_image(to, image);
}
CUresult cuModuleLoadDataEx(CUmodule* to, const void* image, unsigned, CUjit_option*, void**) {
  return load_image(to, image);
}
CUresult cuModuleLoadFatBinary(CUmodule* to, const void* image) {
  return load_image(to, image);
}
CUresult cuModuleLoad(CUmodule* to, const char* path) {
  return load_file(to, path);
}
CUresult cuModuleUnload(CUmodule module) {
  return unload(module);
}
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return driver_answer([&](Device&) { return *mode = CU_MODULE_LAZY_LOADING, Status::success; }, Reports::nothing,
                       Needs::driver);
}
CUresult cuModuleGetFunction(CUfunction* to, CUmodule module, const char* name) {
  return find_kernel(reinterpret_cast<void**>(to), module, name);
}
CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return count_kernels(count, module);
}
CUresult cuModuleEnumerateFunctions(CUfunction* to, unsigned count, CUmodule module) {
  return list_kernels(reinterpret_cast<void**>(to), count, module);
}
CUresult cuModuleGetGlobal(CUdeviceptr* to, std::size_t* bytes, CUmodule module, const char* name) {
  return find_variable(to, bytes, module, name, false);
}

CUresult cuLibraryLoadData(CUlibrary* to, const void* code, CUjit_option*, void**, unsigned, CUlibraryOption*, void**,
                           unsigned) {
  return load_image(to, code);
}
CUresult cuLibraryLoadFromFile(CUlibrary* to, const char* path, CUjit_option*, void**, unsigned, CUlibraryOption*,
                               void**, unsigned) {
  return load_file(to, path);
}
CUresult cuLibraryUnload(CUlibrary library) {
  return unload(library);
}
CUresult cuLibraryGetModule(CUmodule* to, CUlibrary library) {
  return driver_answer([&](Device&) {
    Module* module = module_at(library);
    if (module == nullptr) return Status::invalid_handle;
    *to = reinterpret_cast<CUmodule>(module);
    return Status::success;
  });
}
CUresult cuLibraryGetKernel(CUkernel* to, CUlibrary library, const char* name) {
  return find_kernel(reinterpret_cast<void**>(to), library, name);
}
CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  return count_kernels(count, library);
}
CUresult cuLibraryEnumerateKernels(CUkernel* to, unsigned count, CUlibrary library) {
  return list_kernels(reinterpret_cast<void**>(to), count, library);
}
CUresult cuLibraryGetGlobal(CUdeviceptr* to, std::size_t* bytes, CUlibrary library, const char* name) {
  return find_variable(to, bytes, library, name, false);
}
CUresult cuLibraryGetManaged(CUdeviceptr* to, std::size_t* bytes, CUlibrary library, const char* name) {
  return find_variable(to, bytes, library, name, true);
}
CUresult cuKernelGetFunction(CUfunction* to, CUkernel kernel) {
  return same_kernel(to, kernel);
}
CUresult cuKernelGetLibrary(CUlibrary* to, CUkernel kernel) {
  return module_of_kernel(to, kernel);
}
CUresult cuKernelGetName(const char** to, CUkernel kernel) {
  return name_of(to, kernel);
}
CUresult cuKernelGetParamInfo(CUkernel kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return parameter_of(kernel, index, offset, bytes);
}
CUresult cuFuncGetModule(CUmodule* to, CUfunction function) {
  return module_of_kernel(to, function);
}
CUresult cuFuncGetName(const char** to, CUfunction function) {
  return name_of(to, function);
}
CUresult cuFuncGetParamInfo(CUfunction function, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return parameter_of(function, index, offset, bytes);
}
CUresult cuFuncLoad(CUfunction function) {
  return kernel_at(function) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}
CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return cuFuncLoad(function);
}

}  // extern "C"
