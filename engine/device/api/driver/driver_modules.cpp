// Modules, libraries and the linker of the driver API. Only PTX can be loaded, plain or in a fat binary, and the result
// of linking is PTX too.

#include "device/api/driver/driver.h"
#include "device/api/libraries.h"

namespace lanescope::device::api {

namespace {

CUresult load_to(void** to, const void* image) {
  return driver_answer([&](Device& on) { return load_image(on, to, image); });
}

// What of the options of the just-in-time compiler has an effect here: the texts that a program asks for.
struct JitLog {
  char* text = nullptr;
  std::size_t room = 0;
};
bool read_options(unsigned count, const CUjit_option* options, void** values, JitLog& errors) {
  if (count != 0 && (options == nullptr || values == nullptr)) return false;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] < CU_JIT_MAX_REGISTERS || options[i] >= CU_JIT_NUM_OPTIONS) return false;
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER) errors.text = static_cast<char*>(values[i]);
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) errors.room = reinterpret_cast<std::size_t>(values[i]);
  }
  return true;
}
CUresult load_to(void** to, const void* image, unsigned count, const CUjit_option* options, void** values) {
  JitLog errors;
  if (!read_options(count, options, values, errors)) return CUDA_ERROR_INVALID_VALUE;
  return driver_answer([&](Device& on) {
    const Status status = load_image(on, to, image);
    if (errors.text != nullptr && errors.room != 0) {
      const std::string said = status == Status::invalid_ptx ? on.why_not_loaded() : "";
      errors.text[said.copy(errors.text, errors.room - 1)] = '\0';
    }
    return status;
  });
}
CUresult load_file_to(void** to, const char* path) {
  return driver_answer([&](Device& on) { return load_file(on, to, path); });
}
CUresult unload(const void* handle) {
  return driver_answer([&](Device& on) { return unload_module(on, handle); });
}
CUresult kernel_named(void** to, const void* handle, const char* name) {
  return driver_answer([&](Device&) { return find_kernel(to, handle, name); });
}
CUresult variable_named(CUdeviceptr* to, std::size_t* bytes, const void* handle, const char* name, bool managed) {
  return driver_answer([&](Device&) {
    if (to == nullptr && bytes == nullptr) return Status::invalid_value;
    std::uint64_t at = 0;
    const Status status = find_variable(&at, bytes, handle, name, managed);
    if (status == Status::success && to != nullptr) *to = at;
    return status;
  });
}
CUresult kernel_count(unsigned* count, const void* handle) {
  return driver_answer([&](Device&) { return count_kernels(count, handle); });
}
CUresult kernel_list(void** to, unsigned count, const void* handle) {
  return driver_answer([&](Device&) { return list_kernels(to, count, handle); });
}

CUresult name_of(const char** to, const void* handle) {
  return driver_answer([&](Device&) {
    const Kernel* kernel = kernel_at(handle);
    if (to == nullptr || handle == nullptr) return Status::invalid_value;
    if (kernel == nullptr) return Status::invalid_handle;
    *to = kernel->function->name.c_str();
    return Status::success;
  });
}

CUresult parameter_of(const void* handle, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return driver_answer([&](Device&) {
    const Kernel* kernel = kernel_at(handle);
    if (handle == nullptr || offset == nullptr) return Status::invalid_value;
    if (kernel == nullptr) return Status::invalid_handle;
    if (index >= kernel->function->parameters.size()) return Status::invalid_value;
    const ptx::Parameter& parameter = kernel->function->parameters[index];
    *offset = parameter.offset;
    if (bytes != nullptr) *bytes = parameter.bytes();
    return Status::success;
  });
}

// Converts between handles of the same kernel.
template <typename To>
CUresult same_kernel(To* to, const void* handle) {
  return driver_answer([&](Device&) {
    Kernel* kernel = kernel_at(handle);
    if (to == nullptr) return Status::invalid_value;
    if (kernel == nullptr) return Status::invalid_handle;
    *to = reinterpret_cast<To>(kernel);
    return Status::success;
  });
}
template <typename To>
CUresult module_of_kernel(To* to, const void* handle) {
  return driver_answer([&](Device&) {
    const Kernel* kernel = kernel_at(handle);
    if (to == nullptr || handle == nullptr) return Status::invalid_value;
    if (kernel == nullptr) return Status::invalid_handle;
    *to = reinterpret_cast<To>(kernel->module);
    return Status::success;
  });
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

CUresult cuModuleLoadData(CUmodule* to, const void* image) {
  return load_to(reinterpret_cast<void**>(to), image);
}
CUresult cuModuleLoadDataEx(CUmodule* to, const void* image, unsigned count, CUjit_option* options, void** values) {
  return load_to(reinterpret_cast<void**>(to), image, count, options, values);
}
CUresult cuModuleLoadFatBinary(CUmodule* to, const void* image) {
  return load_to(reinterpret_cast<void**>(to), image);
}
CUresult cuModuleLoad(CUmodule* to, const char* path) {
  return load_file_to(reinterpret_cast<void**>(to), path);
}
CUresult cuModuleUnload(CUmodule module) {
  return unload(module);
}
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return driver_answer(
      [&](Device&) {
        if (mode == nullptr) return Status::invalid_value;
        *mode = CU_MODULE_LAZY_LOADING;
        return Status::success;
      },
      Reports::nothing, Needs::driver);
}
CUresult cuModuleGetFunction(CUfunction* to, CUmodule module, const char* name) {
  if (name != nullptr && *name == '\0') return CUDA_ERROR_INVALID_VALUE;
  return kernel_named(reinterpret_cast<void**>(to), module, name);
}
CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return kernel_count(count, module);
}
CUresult cuModuleEnumerateFunctions(CUfunction* to, unsigned count, CUmodule module) {
  return kernel_list(reinterpret_cast<void**>(to), count, module);
}
CUresult cuModuleGetGlobal(CUdeviceptr* to, std::size_t* bytes, CUmodule module, const char* name) {
  return variable_named(to, bytes, module, name, false);
}

CUresult cuLibraryLoadData(CUlibrary* to, const void* code, CUjit_option*, void**, unsigned, CUlibraryOption*, void**,
                           unsigned) {
  return load_to(reinterpret_cast<void**>(to), code);
}
CUresult cuLibraryLoadFromFile(CUlibrary* to, const char* path, CUjit_option*, void**, unsigned, CUlibraryOption*,
                               void**, unsigned) {
  return load_file_to(reinterpret_cast<void**>(to), path);
}
CUresult cuLibraryUnload(CUlibrary library) {
  return unload(library);
}
CUresult cuLibraryGetModule(CUmodule* to, CUlibrary library) {
  return driver_answer([&](Device&) {
    Module* module = module_at(library);
    if (to == nullptr) return Status::invalid_value;
    if (module == nullptr) return Status::invalid_handle;
    *to = reinterpret_cast<CUmodule>(module);
    return Status::success;
  });
}
CUresult cuLibraryGetKernel(CUkernel* to, CUlibrary library, const char* name) {
  return kernel_named(reinterpret_cast<void**>(to), library, name);
}
CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  return kernel_count(count, library);
}
CUresult cuLibraryEnumerateKernels(CUkernel* to, unsigned count, CUlibrary library) {
  return kernel_list(reinterpret_cast<void**>(to), count, library);
}
CUresult cuLibraryGetGlobal(CUdeviceptr* to, std::size_t* bytes, CUlibrary library, const char* name) {
  return variable_named(to, bytes, library, name, false);
}
CUresult cuLibraryGetManaged(CUdeviceptr* to, std::size_t* bytes, CUlibrary library, const char* name) {
  return variable_named(to, bytes, library, name, true);
}
// No library of this device has such a function. This is what an H200 answers.
CUresult cuLibraryGetUnifiedFunction(void**, CUlibrary library, const char*) {
  return driver_answer(
      [&](Device&) { return module_at(library) == nullptr ? Status::invalid_handle : Status::invalid_value; });
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
  if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return cuFuncLoad(function);
}

}  // extern "C"
