// Kernels that launch kernels. CUDA lets no kernel wait for its children, and starts them at the end of their parent at
// the latest. So they are executed then.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include "core/worded.h"
#include "device/device.h"
#include "device/device_runtime.h"

namespace lanescope::device {

namespace {

constexpr int most_levels = 24;  // CUDA Programming Guide: the hardware's limit of nesting

struct Waiting {
  Kernel* kernel;
  LaunchShape shape;
  std::vector<std::byte> parameters;
  int level;  // of nesting; 0: the host's launch, and tail launches of that
  std::uint32_t number;
  bool tail;
};

template <typename T>
T value_in(const Allocation& variable, std::uint64_t offset) {
  T value;
  std::memcpy(&value, variable.data + offset, sizeof value);
  return value;
}

Waiting waiting(Module& module, const Allocation& variable, std::uint64_t at, int level_of_parent) {
  const auto child = value_in<ChildLaunch>(variable, at);
  const bool tail = child.stream == child_launches::tail_stream;
  Waiting made{module.kernel_at(child.function),
               {{child.grid[0], child.grid[1], child.grid[2]}, {child.block[0], child.block[1], child.block[2]}},
               {},
               tail ? level_of_parent : level_of_parent + 1,
               child.number,
               tail};
  made.shape.dynamic_shared_bytes = child.dynamic_shared_bytes;
  if (made.kernel == nullptr) return made;
  const std::byte* const from = variable.data + at + child_launches::parameters_at;
  const std::size_t most = child_launches::each - child_launches::parameters_at;
  made.parameters.assign(from, from + std::min(most, made.kernel->function->parameter_bytes));
  return made;
}

// Takes what the module's kernels launched since the last call, those to be executed first at the end. `lacking`: how
// many launches found no buffer.
std::vector<Waiting> take_children(Module& module, int level_of_parent, std::uint32_t& lacking) {
  std::vector<Waiting> all;
  lacking = 0;
  const Module::Variable* variable = module.variable(child_launches::variable);
  if (variable == nullptr) return all;
  const Allocation& memory = *variable->allocation;
  const auto head = value_in<child_launches::Head>(memory, 0);
  const std::uint32_t buffers = std::min(head.buffers, child_launches::most);
  lacking = head.buffers - buffers;
  for (std::uint32_t i = 0; i < buffers; ++i) {
    const std::uint64_t at = child_launches::first_at + i * child_launches::each;
    if (value_in<ChildLaunch>(memory, at).number != 0) all.push_back(waiting(module, memory, at, level_of_parent));
    std::memset(memory.data + at, 0, sizeof(ChildLaunch));
  }
  std::memset(memory.data, 0, offsetof(child_launches::Head, handles));
  std::ranges::sort(all, [](const Waiting& a, const Waiting& b) {
    return std::pair(a.tail, a.number) > std::pair(b.tail, b.number);
  });
  return all;
}

}  // namespace

Status Device::launch(Kernel& kernel, const LaunchShape& shape, std::span<const std::byte> parameters) {
  const Status status = launch_alone(kernel, shape, parameters);
  if (status != Status::success) return status;
  std::vector<Waiting> all;  // the next at the end
  const auto add_children_of = [&](Module& module, int level_of_parent) {
    std::uint32_t lacking = 0;
    std::vector<Waiting> children = take_children(module, level_of_parent, lacking);
    if (lacking != 0)
      say("device.too_many_children",
          worded("{} launches by kernels are lost: up to {} may wait for their parent's end", lacking,
                 child_launches::most),
          "Launch from fewer threads, each with a larger grid.");
    if (!children.empty()) note_children();
    const auto too_deep = [](const Waiting& one) { return one.level > most_levels; };
    if (std::erase_if(children, too_deep) != 0)
      say("device.children_too_deep",
          worded("kernels that launch kernels are nested more than {} levels deep; the further launches are lost",
                 most_levels),
          "Let each level do more work, or launch into cudaStreamTailLaunch.");
    std::ranges::move(children, std::back_inserter(all));
  };
  add_children_of(*kernel.module, 0);
  while (!all.empty() && pending_ == Status::success) {
    const Waiting next = std::move(all.back());
    all.pop_back();
    if (next.kernel == nullptr) {
      say("device.child_unknown", "a kernel launches something that is not a kernel of its module",
          "Launch a __global__ function that is linked into the same program.");
      continue;
    }
    launch_alone(*next.kernel, next.shape, next.parameters);  // has reported why it cannot start
    add_children_of(*next.kernel->module, next.level);
  }
  return Status::success;
}

}  // namespace lanescope::device
