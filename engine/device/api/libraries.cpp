#include "device/api/libraries.h"

#include <set>

#include "core/os/read_file.h"
#include "device/api/image.h"
#include "device/api/library.h"

namespace lanescope::device::api {

namespace {

struct Handles {
  std::set<const void*> modules, kernels;
};
Handles& all_handles() {
  static auto* const all = new Handles;
  return *all;
}

}  // namespace

Module* module_at(const void* handle) {
  return all_handles().modules.contains(handle) ? static_cast<Module*>(const_cast<void*>(handle)) : nullptr;
}
Kernel* kernel_at(const void* handle) {
  return all_handles().kernels.contains(handle) ? static_cast<Kernel*>(const_cast<void*>(handle)) : nullptr;
}
void make_handle(Kernel* kernel) {
  all_handles().kernels.insert(kernel);
}
void forget_handles_of(const Module* module) {
  std::erase_if(all_handles().kernels,
                [&](const void* one) { return static_cast<const Kernel*>(one)->module == module; });
  all_handles().modules.erase(module);
}
void forget_all() {
  all_handles() = {};
}

std::vector<std::string> kernels_of(const Module& module) {
  std::vector<std::string> names;
  for (const ptx::Function& function : module.text().functions)
    if (function.is_entry && !function.is_declaration) names.push_back(function.name);
  return names;
}

namespace {

// `image`: its address, or its contents.
template <typename Image>
Status load(Device& device, void** to, const Image& image) {
  std::string ptx;
  Status status = ptx_of_image(device, image, ptx);
  if (status != Status::success) return status;
  Module* module = device.load(ptx, "PTX of the program", status);
  if (module == nullptr) return status;
  all_handles().modules.insert(module);
  *to = module;
  return Status::success;
}

}  // namespace

Status load_image(Device& device, void** to, const void* image) {
  return to == nullptr || image == nullptr ? Status::invalid_value : load(device, to, image);
}

Status load_file(Device& device, void** to, const char* path) {
  if (to == nullptr || path == nullptr) return Status::invalid_value;
  std::string contents;
  return read_file(path, contents) != 0 ? Status::file_not_found : load(device, to, contents);
}

Status unload_module(Device& device, const void* handle) {
  Module* module = module_at(handle);
  if (module == nullptr) return Status::invalid_handle;
  forget_handles_of(module);
  device.unload(module);
  return Status::success;
}

Status find_kernel(void** to, const void* handle, const char* name) {
  Module* module = module_at(handle);
  if (module == nullptr) return Status::invalid_handle;
  if (to == nullptr || name == nullptr) return Status::invalid_value;
  Kernel* kernel = module->kernel(name);
  if (kernel == nullptr) return Status::not_found;
  make_handle(kernel);
  *to = kernel;
  return Status::success;
}

Status find_variable(std::uint64_t* to, std::size_t* bytes, const void* handle, const char* name, bool managed) {
  const Module* module = module_at(handle);
  if (module == nullptr) return Status::invalid_handle;
  if (name == nullptr) return Status::invalid_value;
  const Module::Variable* variable = module->variable(name);
  if (variable == nullptr || variable->managed < managed) return Status::not_found;
  if (to != nullptr) *to = variable->allocation->address;
  if (bytes != nullptr) *bytes = variable->allocation->bytes;
  return Status::success;
}

Status count_kernels(unsigned* count, const void* handle) {
  const Module* module = module_at(handle);
  if (module == nullptr) return Status::invalid_handle;
  if (count == nullptr) return Status::invalid_value;
  *count = static_cast<unsigned>(kernels_of(*module).size());
  return Status::success;
}

Status list_kernels(void** to, unsigned count, const void* handle) {
  Module* module = module_at(handle);
  if (module == nullptr) return Status::invalid_handle;
  if (to == nullptr && count != 0) return Status::invalid_value;
  for (const std::string& name : kernels_of(*module)) {
    if (count-- == 0) break;
    Kernel* kernel = module->kernel(name);
    make_handle(kernel);
    *to++ = kernel;
  }
  return Status::success;
}

}  // namespace lanescope::device::api
