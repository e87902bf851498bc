#include "device/api/graph_structure.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace lanescope::device::api {

namespace {

// cudaLaunchAttributeID.
constexpr int window_of_kernel = 1, cooperative = 2, cluster = 4, cluster_scheduling = 5, priority_of_kernel = 8,
              domain_map_of_kernel = 9, domain_of_kernel = 10, preferred_cluster = 11, carveout = 14;
constexpr std::array kept = {
    window_of_kernel, cluster_scheduling, priority_of_kernel, domain_map_of_kernel, domain_of_kernel, preferred_cluster,
    carveout};

KernelCall* call_of(const void* handle) {
  GraphNode* node = find_node(handle);
  return node == nullptr ? nullptr : std::any_cast<KernelCall>(&node->parameters);
}

Status set_cluster(LaunchShape& shape, const unsigned (&extent)[3]) {
  if (extent[0] == 0 || extent[1] == 0 || extent[2] == 0) return Status::invalid_value;
  if (shape.grid.x % extent[0] != 0 || shape.grid.y % extent[1] != 0 || shape.grid.z % extent[2] != 0)
    return Status::invalid_cluster_size;
  shape.cluster = {extent[0], extent[1], extent[2]};
  shape.cluster_given = true;
  return Status::success;
}

}  // namespace

bool is_kept_attribute(int which) {
  return std::ranges::find(kept, which) != kept.end();
}

Status set_attribute_of_kernel(const void* handle, int which, const void* value) {
  KernelCall* call = call_of(handle);
  if (call == nullptr || value == nullptr) return Status::invalid_value;
  unsigned words[3] = {};
  std::memcpy(words, value, sizeof words);
  if (which == cluster) {
    if (const Status status = set_cluster(call->shape, words); status != Status::success) return status;
  } else if (which == cooperative) {
    call->shape.cooperative = words[0] != 0;
  } else if (is_kept_attribute(which)) {
    std::memcpy(call->attributes[which].data(), value, sizeof(AttributeValue));
  } else {
    return Status::invalid_value;
  }
  find_node(handle)->work = launching(*call);
  return Status::success;
}

Status attribute_of_kernel(const void* handle, int which, void* value) {
  const KernelCall* call = call_of(handle);
  const bool known = which == cluster || which == cooperative || is_kept_attribute(which);
  if (call == nullptr || value == nullptr || !known) return Status::invalid_value;
  AttributeValue answer{};
  const Dim3& extent = call->shape.cluster;
  const std::array<unsigned, 3> words = which == cooperative ? std::array{call->shape.cooperative ? 1u : 0u, 0u, 0u}
                                        : which == cluster && call->shape.cluster_given
                                            ? std::array{extent.x, extent.y, extent.z}
                                            : std::array{0u, 0u, 0u};
  std::memcpy(answer.data(), words.data(), sizeof words);
  if (const auto found = call->attributes.find(which); found != call->attributes.end()) answer = found->second;
  std::memcpy(value, answer.data(), sizeof answer);
  return Status::success;
}

Status copy_attributes_of_kernel(const void* to, const void* from) {
  KernelCall* target = call_of(to);
  const KernelCall* source = call_of(from);
  if (target == nullptr || source == nullptr) return Status::invalid_value;
  target->attributes = source->attributes;
  target->shape.cooperative = source->shape.cooperative;
  target->shape.cluster = source->shape.cluster;
  target->shape.cluster_given = source->shape.cluster_given;
  find_node(to)->work = launching(*target);
  return Status::success;
}

}  // namespace lanescope::device::api
