#pragma once
// What the host's code of a source does with the memory behind a pointer. Internal to job/request.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {
struct ScannedLaunch;  // compile/host/launch_scan.h
}  // namespace lanescope::compile

namespace lanescope::job {

class LaunchConstants;   // job/request/launch_constants.h
struct KernelParameter;  // job/request/kernel_signature.h

// The memory that cudaMalloc() assigned to a host pointer.
struct HostMemory {
  std::uint64_t elements = 0;
  int line = 0;  // of the call
  bool managed = false;
};

// `before` is an offset in the text: only calls before it count.
class HostBuffers {
 public:
  // Keeps references.
  HostBuffers(const std::string& text, const LaunchConstants& constants) : text_(text), constants_(constants) {}

  // Of `pointer`, in elements of the type `element`. `parameter`: the kernel's that gets it; nullptr if it is not
  // known.
  std::optional<HostMemory> memory_of(const std::string& pointer, const std::string& element,
                                      const KernelParameter* parameter, std::size_t before) const;
  bool is_zeroed(const std::string& pointer, std::size_t before) const;
  // cudaMemcpyHostToDevice, cudaMemcpyDefault and others: whatever the direction, its destination is written.
  bool is_copied_to(const std::string& pointer, std::size_t before) const;
  // Another kernel gets it before.
  bool is_passed_before(const std::string& pointer, const compile::ScannedLaunch& launch,
                        const std::vector<compile::ScannedLaunch>& all) const;

 private:
  const std::string& text_;
  const LaunchConstants& constants_;
};

}  // namespace lanescope::job
