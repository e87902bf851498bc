#include "device/api/graph_conditions.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/worded.h"
#include "device/api/library.h"

namespace lanescope::device::api {

namespace {

// The four bytes of a condition. Released with the last graph that has it.
struct Place {
  std::uint64_t address = 0;
  explicit Place(std::uint64_t at) : address(at) {}
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    if (Allocation* left = device().memory().find(address); left != nullptr) device().memory().release(left);
  }
};

std::size_t body_count(const Choice& choice) {
  return std::max(choice.bodies.size(), choice.copies.size());
}

const Graph& body_of(const Choice& choice, std::size_t number) {
  return choice.copies.empty() ? *find<Graph>(choice.bodies[number]) : *choice.copies[number];
}

bool read(Device& device, std::uint64_t condition, unsigned& value) {
  const Allocation* place = device.memory().find(condition);
  if (place == nullptr) return false;  // after cudaDeviceReset
  std::memcpy(&value, place->at(condition), sizeof value);
  return true;
}

bool is_size_of(ChoiceKind kind, unsigned size) {
  switch (kind) {
    case ChoiceKind::if_else:
      return size == 1 || size == 2;
    case ChoiceKind::while_loop:
      return size == 1;
    case ChoiceKind::switch_case:
      return size >= 1;
  }
  return false;
}

bool may_be_in_a_body(NodeKind kind) {
  constexpr NodeKind allowed[] = {NodeKind::kernel, NodeKind::memcpy, NodeKind::memset,
                                  NodeKind::graph,  NodeKind::empty,  NodeKind::conditional};
  return std::ranges::find(allowed, kind) != std::end(allowed);
}

}  // namespace

Status make_condition(Device& device, const void* handle, unsigned value, unsigned flags, std::uint64_t* to) {
  constexpr unsigned assign_default = 1;
  Graph* graph = find<Graph>(handle);
  if (graph == nullptr || to == nullptr || flags > assign_default) return Status::invalid_value;
  Allocation* made = device.memory().allocate_variable(false, sizeof value, worded("a graph's condition"));
  if (made == nullptr) return Status::memory_allocation;
  made->of_module = true;
  graph->conditions.push_back({made->address, value, flags == assign_default, std::make_shared<Place>(made->address)});
  *to = made->address;
  return Status::success;
}

Status add_choice(void** to, const void* handle, const void* const* after, std::size_t count, std::uint64_t condition,
                  int kind, unsigned size, void*** bodies) {
  const Graph* graph = find<Graph>(handle);
  if (graph == nullptr || bodies == nullptr || !is_size_of(static_cast<ChoiceKind>(kind), size))
    return Status::invalid_value;
  // A body may use the conditions of the graph that contains it.
  const bool known = std::ranges::any_of(all<Graph>(), [&](const auto& one) {
    return std::ranges::any_of(one.second->conditions, [&](const auto& of) { return of.address == condition; });
  });
  if (!known) return Status::invalid_value;
  auto choice = std::make_shared<Choice>(Choice{condition, static_cast<ChoiceKind>(kind), {}, {}});
  if (const Status status = add_node(to, handle, after, count, {NodeKind::conditional, {}, choice});
      status != Status::success)
    return status;
  for (unsigned i = 0; i < size; ++i) make(&choice->bodies.emplace_back(), Graph{});
  *bodies = choice->bodies.data();
  return Status::success;
}

std::shared_ptr<Choice> copy_of(const Choice& choice) {
  auto made = std::make_shared<Choice>(Choice{choice.condition, choice.kind, {}, {}});
  for (std::size_t i = 0; i < body_count(choice); ++i) made->copies.push_back(body_of(choice, i).copy());
  return made;
}

const std::shared_ptr<Choice>* choice_of(const GraphNode& node) {
  return std::any_cast<std::shared_ptr<Choice>>(&node.parameters);
}

bool has_choices(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, [](const auto& node) { return choice_of(*node) != nullptr; });
}

Status choose(Device& device, const Choice& choice) {
  const std::size_t count = body_count(choice);
  for (unsigned value = 0; read(device, choice.condition, value);) {
    const bool loop = choice.kind == ChoiceKind::while_loop;
    const std::size_t number = choice.kind == ChoiceKind::switch_case ? value : value != 0 ? 0 : loop ? count : 1;
    if (number >= count) break;
    if (const Status status = run(device, body_of(choice, number).in_order()); status != Status::success) return status;
    // After a fault kernels no longer run, so nothing would end the loop.
    if (!loop || device.wait() != Status::success) break;
  }
  return Status::success;
}

bool bodies_are_allowed(const Graph& graph) {
  return std::ranges::all_of(graph.nodes, [](const auto& node) {
    const auto* choice = choice_of(*node);
    if (choice == nullptr) return true;
    for (std::size_t i = 0; i < body_count(**choice); ++i) {
      const Graph& body = body_of(**choice, i);
      if (!bodies_are_allowed(body)) return false;
      if (!std::ranges::all_of(body.nodes, [](const auto& one) { return may_be_in_a_body(one->kind); })) return false;
    }
    return true;
  });
}

}  // namespace lanescope::device::api
