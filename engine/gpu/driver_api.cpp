#include "gpu/driver_api.h"

#include <mutex>
#include <string_view>

#include <fmt/format.h>

#include "core/os/abilities.h"
#include "core/os/dynamic_library.h"
#include "core/os/program_name.h"
#include "core/worded.h"

namespace lanescope::gpu {
namespace {

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

struct Loaded {
  DriverApi api;
  Diagnostics errors;
};

Diagnostic error(std::string code, Wording message, Wording cure) {
  return {.code = std::move(code), .message = std::move(message), .cure = std::move(cure)};
}

// From NVIDIA's table of driver and CUDA versions: 580 is the first driver that loads what CUDA 13 compiles, and it
// still supports the older GPUs.
constexpr const char* update_the_driver = "Update the NVIDIA driver to version 580 or newer.";

Diagnostic too_old(const char* symbol) {
  return error("gpu.driver_too_old", worded("The NVIDIA driver has no {}: it is too old for this program.", symbol),
               update_the_driver);
}

template <typename Function>
bool find(const DynamicLibrary& library, const char* symbol, Function*& function) {
  if (library.find(symbol, function)) return true;
  // Drivers before CUDA 12.8 export it under its first name with the same parameters. That is enough for GPUs that CUDA
  // 12 supports.
  return std::string_view(symbol) == TEXT(cuEventElapsedTime) && library.find("cuEventElapsedTime", function);
}

void load(Loaded& out) {
  if (!can_use_a_gpu()) {
    out.errors = {error("gpu.no_driver", "Lanescope does not use the GPU on this operating system.",
                        "Use Lanescope on Linux or in WSL2 for that; here kernels run in the CPU interpreter.")};
    return;
  }
  DynamicLibrary library = DynamicLibrary::open("libcuda.so.1", Symbols::global);
  if (!library) library = DynamicLibrary::open("/usr/local/nvidia/lib64/libcuda.so.1", Symbols::global);
  if (!library) {
    out.errors = {error("gpu.no_driver", "There is no NVIDIA driver on this machine (libcuda.so.1).",
                        "Install the NVIDIA driver for your GPU; without one, kernels run in the CPU interpreter.")};
    return;
  }
  void* own = nullptr;
  // This is our own driver library (engine/device/api): kernels would be compared with themselves.
  if (library.find("lanescope_cuInit", own)) {
    out.errors = {
        error("gpu.no_driver", "The CUDA driver here is the interpreter, as programs see it: it is no GPU.",
              "Start this outside of such a program, without the folder of its libraries in LD_LIBRARY_PATH.")};
    return;
  }
#define ROW(member, symbol) \
  if (!find(library, TEXT(symbol), out.api.member) && out.errors.empty()) out.errors = {too_old(TEXT(symbol))};
  LANESCOPE_DRIVER_FUNCTIONS(ROW)
#undef ROW
  if (!out.errors.empty()) return;
  if (const CUresult code = out.api.init(0); code != CUDA_SUCCESS) {
    const char* meaning = "unknown error";
    out.api.get_error_string(code, &meaning);
    out.errors = {
        error(code == CUDA_ERROR_NO_DEVICE ? "gpu.no_device" : "gpu.no_driver",
              worded("The NVIDIA driver does not start: {}.", meaning),
              "Check with nvidia-smi that the driver sees the GPU; without one, kernels run in the CPU interpreter.")};
    return;
  }
  int count = 0;
  if (out.api.device_get_count(&count) != CUDA_SUCCESS || count == 0)
    out.errors = {
        error("gpu.no_device", "The NVIDIA driver is there but sees no GPU.",
              "Check CUDA_VISIBLE_DEVICES and nvidia-smi; without a GPU, kernels run in the CPU interpreter.")};
}

const DriverApi* loaded_api = nullptr;  // for check(), which is only reached after a driver call

}  // namespace

Result<const DriverApi*> driver() {
  static Loaded loaded;
  static std::once_flag once;
  std::call_once(once, [] {
    load(loaded);
    loaded_api = &loaded.api;
  });
  if (!loaded.errors.empty()) return loaded.errors;
  return &loaded.api;
}

Diagnostic image_refused(CUresult code, int driver_version, int compiler_major) {
  const char* meaning = "unknown error";
  if (loaded_api) loaded_api->get_error_string(code, &meaning);
  return error("gpu.driver_too_old",
               worded("The NVIDIA driver supports CUDA {} and cannot load code from the CUDA {} compiler: {}.",
                      version_text(driver_version), compiler_major, meaning ? meaning : "unknown error"),
               update_the_driver);
}

std::string version_text(int version) {
  return fmt::format("{}.{}", major_of_version(version), minor_of_version(version));
}

CudaError::CudaError(const char* call, CUresult code, const std::string& name, const std::string& meaning)
    : std::runtime_error(fmt::format("{}: {} ({})", call, meaning, name)),
      call_(call),
      name_(name),
      meaning_(meaning),
      code_(code) {}

bool CudaError::sticky() const {
  switch (code_) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_ASSERT:
      return true;
    default:
      return false;
  }
}

Diagnostic CudaError::diagnostic() const {
  Wording cure;
  switch (code_) {
    case CUDA_ERROR_OUT_OF_MEMORY:
      cure = "Make the buffers smaller, or free GPU memory that other programs hold (nvidia-smi lists them).";
      break;
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_LAUNCH_FAILED:
      cure = "Run the launch in the interpreter: it reports the line, the thread and the buffer.";
      break;
    case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
      cure = "Use fewer blocks: all of them must be resident at once.";
      break;
    case CUDA_ERROR_INVALID_CLUSTER_SIZE:
      cure =
          "Use smaller clusters, or less shared memory and fewer threads per block: all blocks of a cluster run at the "
          "same time, in one part of the GPU. The grid must be a multiple of the cluster in each dimension.";
      break;
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
      cure =
          "Update the NVIDIA driver and fetch the compiler again (third_party/fetch cuda): one of them does not know "
          "this GPU.";
      break;
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
      cure = "Use fewer threads per block, or fewer registers per thread (__launch_bounds__).";
      break;
    case CUDA_ERROR_LAUNCH_TIMEOUT:
      cure = "The kernel ran longer than the display driver allows; use a smaller size.";
      break;
    default:
      cure = worded("Run `{} doctor` to see what the GPU and its driver report.", program_name());
  }
  return error(sticky() ? "gpu.kernel_fault" : "gpu.cuda_error",
               worded("The GPU call {} failed: {} ({}).", call_, meaning_, name_), cure);
}

void check(CUresult code, const char* call) {
  if (code == CUDA_SUCCESS) return;
  const char* name = "?";
  const char* meaning = "unknown error";
  if (loaded_api) {
    loaded_api->get_error_name(code, &name);
    loaded_api->get_error_string(code, &meaning);
  }
  // "api.mem_alloc(&p, n)" is shown as "cuMemAlloc".
  std::string text(call);
  if (const auto open = text.find('('); open != std::string::npos) text.resize(open);
  if (const auto dot = text.find_last_of(".>"); dot != std::string::npos) text = text.substr(dot + 1);
#define ROW(member, symbol) \
  if (text == #member) text = #symbol;
  LANESCOPE_DRIVER_FUNCTIONS(ROW)
#undef ROW
  throw CudaError(text.c_str(), code, name ? name : "?", meaning ? meaning : "unknown error");
}

}  // namespace lanescope::gpu
