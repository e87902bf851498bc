#pragma once
// The arguments of a launch in device memory. A failed driver call throws CudaError (LANESCOPE_CUDA). Internal to gpu/.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "gpu/device_pool.h"
#include "gpu/device_texture.h"
#include "gpu/driver_api.h"
#include "gpu/gpu.h"

namespace lanescope::gpu {

// The arguments of a launch on the device: buffers are uploaded, scalars are kept where cuLaunchKernel reads them.
class DeviceArguments {
 public:
  // `module`: the module whose variables Argument::variable names.
  DeviceArguments(const DriverApi& api, MemoryPool& pool, CUmodule module, const std::vector<Argument>& arguments)
      : api_(api), pool_(pool) {
    values_.resize(arguments.size());
    for (const Argument& argument : arguments) place(argument, module);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Argument& argument = arguments[i];
      if (textures_[i]) {
        const std::uint64_t handle = textures_[i]->handle();
        values_[i].resize(sizeof handle);
        std::memcpy(values_[i].data(), &handle, sizeof handle);
      } else if (argument.is_buffer) {
        values_[i].resize(sizeof(CUdeviceptr));
        put_address(values_[i], 0, addresses_[i] + argument.base_offset);
      } else {
        values_[i] = addressed(argument);
      }
    }
    upload(arguments);
  }
  void upload(const std::vector<Argument>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (!arguments[i].is_buffer) continue;
      if (textures_[i]) {
        textures_[i]->upload(arguments[i].bytes);
        continue;
      }
      if (arguments[i].zero_bytes) LANESCOPE_CUDA(api_.memset_d8(addresses_[i], 0, arguments[i].zero_bytes));
      if (arguments[i].zero_bytes || arguments[i].bytes.empty()) continue;
      std::vector<std::byte> with_addresses;
      if (!arguments[i].addresses.empty()) with_addresses = addressed(arguments[i]);
      const std::vector<std::byte>& bytes = with_addresses.empty() ? arguments[i].bytes : with_addresses;
      LANESCOPE_CUDA(api_.memcpy_h_to_d(addresses_[i], bytes.data(), bytes.size()));
    }
    // A copy from pageable memory may return before it is complete, and the kernels' stream does not wait for the
    // default stream.
    LANESCOPE_CUDA(api_.ctx_synchronize());
  }
  // Keeps copies of the uploaded buffers on the device; restore() reads them.
  void keep_originals(const std::vector<Argument>& arguments) {
    for (const Argument& argument : arguments) {
      const std::size_t bytes = argument.bytes.size();
      const bool kept = argument.is_buffer && argument.restored && !argument.zero_bytes && bytes > 0 &&
                        bytes <= TimingOptions::most_restored_bytes;
      DeviceMemory& original = kept ? originals_.emplace_back(pool_, bytes) : originals_.emplace_back();
      if (!kept) continue;
      if (argument.texture)
        LANESCOPE_CUDA(api_.memcpy_h_to_d(original.get(), argument.bytes.data(), bytes));
      else
        LANESCOPE_CUDA(api_.memcpy_d_to_d_async(original.get(), addresses_[originals_.size() - 1], bytes, nullptr));
    }
    LANESCOPE_CUDA(api_.ctx_synchronize());
  }
  void restore(const std::vector<Argument>& arguments, CUstream stream) {
    for (std::size_t i = 0; i < originals_.size(); ++i) {
      if (!arguments[i].restored) continue;
      if (arguments[i].zero_bytes)
        LANESCOPE_CUDA(api_.memset_d8_async(addresses_[i], 0, arguments[i].zero_bytes, stream));
      else if (textures_[i] && originals_[i].get())
        textures_[i]->restore(originals_[i].get(), stream);
      else if (originals_[i].get())
        LANESCOPE_CUDA(api_.memcpy_d_to_d_async(addresses_[i], originals_[i].get(), arguments[i].bytes.size(), stream));
    }
  }
  void download(std::vector<Argument>& arguments) const {
    for (std::size_t i = 0; i < arguments.size(); ++i) arguments[i].address = addresses_[i];
    for (Argument& argument : arguments)
      if (argument.zero_bytes) argument.bytes.resize(argument.zero_bytes);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (textures_[i])
        textures_[i]->download(arguments[i].bytes);
      else if (arguments[i].is_buffer && !arguments[i].bytes.empty())
        LANESCOPE_CUDA(api_.memcpy_d_to_h(arguments[i].bytes.data(), addresses_[i], arguments[i].bytes.size()));
  }
  void abandon() {
    for (auto* list : {&buffers_, &originals_})
      for (DeviceMemory& memory : *list) memory.abandon();
    for (const std::unique_ptr<DeviceTexture>& texture : textures_)
      if (texture) texture->abandon();
  }
  // The parameter values of a launch, in order.
  std::vector<std::vector<std::byte>> values_of(const Launch& launch) const {
    std::vector<std::vector<std::byte>> values;
    for (const Launch::Parameter& parameter : launch.parameters) {
      if (parameter.argument < 0) {
        values.push_back(parameter.bytes);
        continue;
      }
      std::vector<std::byte>& value = values.emplace_back(values_.at(static_cast<std::size_t>(parameter.argument)));
      if (parameter.offset == 0) continue;
      CUdeviceptr address = 0;
      std::memcpy(&address, value.data(), sizeof address);
      put_address(value, 0, address + parameter.offset);
    }
    return values;
  }

 private:
  // Allocates memory for a buffer, or uses the module's variable, or makes a texture.
  void place(const Argument& argument, CUmodule module) {
    DeviceMemory& memory = buffers_.emplace_back();
    CUdeviceptr& address = addresses_.emplace_back(0);
    std::unique_ptr<DeviceTexture>& texture = textures_.emplace_back();
    if (!argument.is_buffer) return;
    if (argument.texture) {
      texture = std::make_unique<DeviceTexture>(api_, pool_, *argument.texture, argument.bytes.size());
      return;
    }
    const std::size_t bytes = std::max<std::size_t>(argument.bytes.size(), argument.zero_bytes);
    if (!argument.variable.empty()) {
      std::size_t there = 0;
      const CUresult code = api_.module_get_global(&address, &there, module, argument.variable.c_str());
      if (code == CUDA_SUCCESS && there >= bytes) return;
      if (code != CUDA_ERROR_NOT_FOUND) check(code, "cuModuleGetGlobal");
    }
    memory = DeviceMemory(pool_, bytes);
    address = memory.get();
  }
  // The argument's bytes with the device addresses of buffers filled in.
  std::vector<std::byte> addressed(const Argument& argument) const {
    std::vector<std::byte> bytes = argument.bytes;
    for (const Argument::Address& one : argument.addresses)
      put_address(bytes, one.at, addresses_.at(static_cast<std::size_t>(one.argument)) + one.offset);
    return bytes;
  }
  static void put_address(std::vector<std::byte>& bytes, std::uint64_t at, CUdeviceptr address) {
    if (at + sizeof address <= bytes.size())
      std::copy_n(reinterpret_cast<const std::byte*>(&address), sizeof address, bytes.data() + at);
  }

  const DriverApi& api_;
  MemoryPool& pool_;
  std::vector<DeviceMemory> buffers_, originals_;
  std::vector<CUdeviceptr> addresses_;                    // indexed by argument; 0 for scalars and textures
  std::vector<std::unique_ptr<DeviceTexture>> textures_;  // likewise; null for all others
  std::vector<std::vector<std::byte>> values_;
};

}  // namespace lanescope::gpu
