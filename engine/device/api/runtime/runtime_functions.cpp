// Functions that nvcc's host code registers at the program's start, and their launches.

#include "device/api/runtime/runtime.h"

#include <dlfcn.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "core/source_name.h"
#include "device/api/graph_structure.h"
#include "device/api/image.h"
#include "device/api/streams.h"
#include "device/device_runtime.h"

namespace lanescope::device::api {

// The structure to which nvcc's host code points (fatbinary_section.h).
struct FatWrapper {
  std::int32_t magic, version;
  const std::byte* data;
  void* prelinked;
};
constexpr std::int32_t wrapper_magic = 0x466243b1, prelinked_version = 2;

struct HostVariable {
  FatBinary* binary = nullptr;
  std::string name;
  std::uint64_t bytes = 0;
  bool constant = false;
  void** managed = nullptr;       // the host's pointer to it
  Allocation* unnamed = nullptr;  // if the PTX does not have it, so that no kernel uses it
};

// The device code of one source file. Its PTX is read when it is used for the first time.
struct FatBinary {
  const FatWrapper* wrapper = nullptr;
  Module* module = nullptr;
  Status status = Status::success;  // why there is no module
  Diagnostics unread;               // why linked parts have no PTX: a kernel that is not in the module may be in them
  std::vector<HostVariable*> managed;
};

namespace {

struct Registered {
  std::map<void**, std::unique_ptr<FatBinary>> binaries;
  std::map<const void*, std::unique_ptr<HostFunction>> functions;
  std::map<const void*, std::unique_ptr<HostVariable>> variables;
};

Registered& registered() {
  static Registered* const all = new Registered;
  return *all;
}

ImageUse use_of(const FatBinary& binary, const std::string& kernel) {
  Dl_info info;
  const bool known = dladdr(binary.wrapper, &info) != 0 && info.dli_fname != nullptr;
  return {known ? info.dli_fname : "", kernel.empty() ? "" : source_name(kernel)};
}

// With separate compilation (nvcc -rdc=true) the linked code is only machine code, but the parts that were linked have
// PTX. A part without it may be a library such as cudadevrt, from which kernels need only what device_runtime.h has.
Status read_linked_parts(FatBinary& binary, const ImageUse& use, std::vector<std::string>& texts) {
  Status status = Status::success;
  for (auto* part = static_cast<const void* const*>(binary.wrapper->prelinked); *part != nullptr; ++part) {
    ImagePtx read = read_image(device(), *part, use.file);
    if (read.status == Status::success) {
      if (!is_device_runtime(read.text)) texts.push_back(std::move(read.text));
    } else {
      status = read.status;
      binary.unread.insert(binary.unread.end(), read.errors.begin(), read.errors.end());
    }
  }
  if (!texts.empty()) return Status::success;
  refuse(device(), std::exchange(binary.unread, {}), use);
  return status;
}

// `kernel`: the one that is launched; empty if it is something else that needs the module.
Status load(FatBinary& binary, const std::string& kernel) {
  const ImageUse use = use_of(binary, kernel);
  if (binary.wrapper->magic != wrapper_magic) return Status::invalid_image;
  std::vector<std::string> texts;
  Status status = binary.wrapper->version == prelinked_version
                      ? read_linked_parts(binary, use, texts)
                      : ptx_of_image(device(), binary.wrapper->data, texts.emplace_back(), use);
  if (status != Status::success) return status;
  binary.module = device().load(texts.size() == 1 ? texts.front() : linked(texts), "PTX of the program", status);
  if (binary.module == nullptr) return status;
  for (HostVariable* variable : binary.managed)
    if (const auto* made = binary.module->variable(variable->name))
      *variable->managed = pointer(made->allocation->address);
  return Status::success;
}

Module* module_of(FatBinary& binary, Status& status, const std::string& kernel = "") {
  if (binary.module == nullptr && binary.status == Status::success) binary.status = load(binary, kernel);
  status = binary.status;
  return binary.module;
}

FatBinary* binary_of(void** handle) {
  const auto found = registered().binaries.find(handle);
  return found == registered().binaries.end() ? nullptr : found->second.get();
}

// The configuration between <<<…>>>, which pushes it, and the kernel's stub, which pops it. Per thread.
struct Configuration {
  dim3 grid, block;
  std::size_t shared = 0;
  void* stream = nullptr;
};
std::vector<Configuration>& configurations() {
  thread_local std::vector<Configuration> pushed;
  return pushed;
}

Dim3 dim_of(dim3 from) {
  return {from.x, from.y, from.z};
}

Status refuse_stream(const Kernel& kernel, const LaunchShape& shape) {
  return device().refuse_launch(kernel, shape, "device.bad_stream", "its stream does not exist",
                                "Launch into a stream that cudaStreamCreate made, and destroy it after its last use.",
                                Status::invalid_handle);
}

Status launch(const void* function, LaunchShape shape, std::size_t shared, const void* stream, void** arguments,
              const cudaLaunchConfig_t* config = nullptr) {
  Status status = Status::success;
  Kernel* kernel = kernel_of(function, status);
  shape.dynamic_shared_bytes = static_cast<std::uint32_t>(std::min<std::size_t>(shared, ~0u));
  if (!is_stream(stream)) return kernel == nullptr ? Status::invalid_handle : refuse_stream(*kernel, shape);
  if (kernel == nullptr) return status;
  if (Stream* captured = captured_stream(stream)) {
    KernelCall call;
    status = captured->capture->broken ? Status::capture_invalidated
                                       : KernelCall::make(function, *kernel, shape, arguments, call);
    if (status == Status::success) status = told_by_the_runtime(device().check_launch(*kernel, shape));
    captured->capture->broken |= status != Status::success;
    if (config != nullptr) keep_attributes(call, config->attrs, config->numAttrs);
    return status == Status::success ? note(*captured, NodeKind::kernel, launching(call), call) : status;
  }
  if (status = allowed_in(stream); status != Status::success) return status;
  return told_by_the_runtime(device().launch(*kernel, shape, arguments));
}

}  // namespace

Status told_by_the_runtime(Status of_launch) {
  return of_launch == Status::invalid_configuration && loaded_runtime_version() >= 13000 ? Status::invalid_value
                                                                                         : of_launch;
}

// Attributes about the order or the speed of work need no action, because everything is executed in order.
LaunchShape shape_of(const cudaLaunchConfig_t& config) {
  LaunchShape shape{dim_of(config.gridDim), dim_of(config.blockDim)};
  shape.dynamic_shared_bytes = static_cast<std::uint32_t>(std::min<std::size_t>(config.dynamicSmemBytes, ~0u));
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& one = config.attrs[i];
    if (one.id == cudaLaunchAttributeCooperative) shape.cooperative = one.val.cooperative != 0;
    if (one.id != cudaLaunchAttributeClusterDimension) continue;
    shape.cluster = {one.val.clusterDim.x, one.val.clusterDim.y, one.val.clusterDim.z};
    shape.cluster_given = true;
  }
  return shape;
}

HostFunction* handle_of(const void* function) {
  const auto found = registered().functions.find(function);
  if (found != registered().functions.end()) return found->second.get();
  for (const auto& [host, one] : registered().functions)
    if (one.get() == function) return one.get();
  return nullptr;
}

Kernel* kernel_of(const void* function, Status& status) {
  HostFunction* host = handle_of(function);
  if (host == nullptr) {
    Kernel* kernel = kernel_at(function);
    status = kernel != nullptr     ? Status::success
             : function == nullptr ? Status::invalid_device_function
                                   : Status::invalid_handle;
    return kernel;
  }
  status = Status::invalid_device_function;
  if (host->kernel == nullptr) {
    Module* module = module_of(*host->binary, status, host->name);
    if (module == nullptr) return nullptr;
    host->kernel = module->kernel(host->name);
    status = Status::invalid_device_function;
    if (Diagnostics& unread = host->binary->unread; host->kernel == nullptr && !unread.empty()) {
      refuse(device(), std::exchange(unread, {}), use_of(*host->binary, host->name));
      status = Status::no_kernel_image;
    }
  }
  if (host->kernel != nullptr) status = Status::success;
  return host->kernel;
}

std::string host_variable_at(std::uint64_t at) {
  const auto behind = registered().variables.upper_bound(pointer(at));
  if (behind == registered().variables.begin()) return "";
  const auto& [host, variable] = *std::prev(behind);
  const bool within = variable->managed == nullptr && at - address(host) < std::max<std::uint64_t>(variable->bytes, 1);
  return within ? source_name(variable->name) : "";
}

Allocation* variable_of(const void* symbol, Status& status) {
  status = Status::invalid_symbol;
  // A managed variable's name is its address on the device too.
  const auto found = std::ranges::find_if(registered().variables, [&](const auto& one) {
    return one.first == symbol ||
           (one.second->managed != nullptr && *one.second->managed == symbol && symbol != nullptr);
  });
  if (found == registered().variables.end()) return nullptr;
  HostVariable& host = *found->second;
  Module* module = module_of(*host.binary, status);
  if (module == nullptr) return nullptr;
  if (const auto* made = module->variable(host.name)) return made->allocation;
  if (host.unnamed == nullptr)
    host.unnamed = device().memory().allocate_variable(host.constant, host.bytes, Wording(host.name));
  status = host.unnamed == nullptr ? Status::memory_allocation : Status::success;
  return host.unnamed;
}

Status handle_for(void** to, const void* function) {
  if (to == nullptr) return Status::invalid_value;
  Status status = Status::success;
  Kernel* kernel = kernel_of(function, status);
  if (kernel == nullptr) return status == Status::invalid_handle ? Status::invalid_device_function : status;
  make_handle(kernel);
  *to = kernel;
  return Status::success;
}

void forget_modules() {
  forget_all();
  for (auto& [handle, binary] : registered().binaries) {
    binary->module = nullptr;
    binary->status = Status::success;
  }
  for (auto& [host, function] : registered().functions) function->kernel = nullptr;
  for (auto& [host, variable] : registered().variables) variable->unnamed = nullptr;
}

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  Call call;
  auto binary = std::make_unique<FatBinary>();
  binary->wrapper = static_cast<const FatWrapper*>(wrapper);
  void** handle = reinterpret_cast<void**>(binary.get());
  registered().binaries[handle] = std::move(binary);
  return handle;
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  if (is_forked_child()) return;
  // A program may end while another of its threads is launching, and must not wait for that.
  const auto lock = device().try_lock();
  FatBinary* binary = lock.owns_lock() ? binary_of(handle) : nullptr;
  if (binary == nullptr) return;
  std::erase_if(registered().functions, [&](const auto& one) { return one.second->binary == binary; });
  std::erase_if(registered().variables, [&](const auto& one) { return one.second->binary == binary; });
  if (binary->module != nullptr) {
    forget_handles_of(binary->module);
    device().unload(binary->module);
  }
  registered().binaries.erase(handle);
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  Call call;
  if (FatBinary* binary = binary_of(handle))
    registered().functions[host] = std::make_unique<HostFunction>(HostFunction{binary, name, nullptr});
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t bytes, int constant, int) {
  Call call;
  if (FatBinary* binary = binary_of(handle))
    registered().variables[host] =
        std::make_unique<HostVariable>(HostVariable{binary, name, bytes, constant != 0, nullptr, nullptr});
}

void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int, std::size_t bytes, int constant,
                              int) {
  Call call;
  FatBinary* binary = binary_of(handle);
  if (binary == nullptr) return;
  auto variable = std::make_unique<HostVariable>(HostVariable{binary, name, bytes, constant != 0, host, nullptr});
  binary->managed.push_back(variable.get());
  registered().variables[host] = std::move(variable);
}

char __cudaInitModule(void** handle) {
  Call call;
  FatBinary* binary = binary_of(handle);
  Status status = Status::success;
  return binary != nullptr && module_of(*binary, status) != nullptr;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, void* stream) {
  configurations().push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (configurations().empty()) return remember(Status::missing_configuration);
  const Configuration top = configurations().back();
  configurations().pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *static_cast<void**>(stream) = top.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  return answer(
      [&](Device&) {
        HostFunction* found = handle_of(host);
        *kernel = reinterpret_cast<cudaKernel_t>(found);
        return found == nullptr ? Status::invalid_device_function : Status::success;
      },
      Tells::nothing);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* to, const void* symbol) {
  return answer([&](Device&) { return handle_for(reinterpret_cast<void**>(to), symbol); });
}
cudaError_t cudaGetKernel(cudaKernel_t* to, const void* symbol) {
  return answer([&](Device&) { return handle_for(reinterpret_cast<void**>(to), symbol); });
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
  return answer(
      [&](Device&) {
        return launch(function, {dim_of(grid), dim_of(block)}, shared, stream, arguments);
      },
      Tells::nothing);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared, cudaStream_t stream) {
  LaunchShape shape{dim_of(grid), dim_of(block)};
  shape.cooperative = true;
  return answer([&](Device&) { return launch(function, shape, shared, stream, arguments); }, Tells::nothing);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  if (!is_readable(config) || !all_of_launches(config->attrs, config->numAttrs)) return remember(Status::invalid_value);
  const LaunchShape shape = shape_of(*config);
  return answer(
      [&](Device&) { return launch(function, shape, config->dynamicSmemBytes, config->stream, arguments, config); },
      Tells::nothing);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (function == nullptr) return remember(Status::invalid_value);
  if (Call call; Stream* captured = captured_stream(stream))
    return remember(note(
        *captured, NodeKind::host, [=](Device&) { return function(data), Status::success; },
        cudaHostNodeParams{function, data}));
  const cudaError_t before = answer([&](Device&) { return expect_stream(stream); });
  if (before == cudaSuccess) function(data);
  return before;
}

}  // extern "C"
