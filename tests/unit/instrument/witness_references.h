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

// By kernel name.
const std::map<std::string, std::function<void(HostArguments&)>>& witness_references();

}  // namespace lanescope::test
