#pragma once
// The expected buffers of the kernels in tests/cases/witnesses/, computed on the host.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/launch.h"

namespace lanescope::test {

// A launch's arguments by position, as before the launch. The functions change the buffers as the kernel must.
class HostArguments {
 public:
  explicit HostArguments(std::vector<sim::Argument> arguments) : arguments_(std::move(arguments)) {}
  template <typename T>
  T* of(std::size_t index) {
    return reinterpret_cast<T*>(arguments_.at(index).contents.data());
  }
  int number(std::size_t index) const { return static_cast<int>(arguments_.at(index).scalar_bits); }
  const std::vector<std::byte>& bytes(std::size_t index) const { return arguments_.at(index).contents; }

 private:
  std::vector<sim::Argument> arguments_;
};

using WitnessReference = std::function<void(HostArguments&)>;
using WitnessReferences = std::map<std::string, WitnessReference>;  // by kernel name
const WitnessReferences& witness_references();
// Parts of the above.
void add_clusters(WitnessReferences& all);   // those of cluster_*.cu
void add_fragments(WitnessReferences& all);  // those of fragments.cu
void add_textures(WitnessReferences& all);   // those of textures.cu

}  // namespace lanescope::test
