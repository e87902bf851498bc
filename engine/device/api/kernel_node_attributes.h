#pragma once
// Attributes of a graph's kernel nodes, for both APIs: `which` is of cudaLaunchAttributeID. The cooperative launch and
// the cluster change the launch; the others are hints, which are kept and change nothing.

#include "device/api/graphs.h"

namespace lanescope::device::api {

// `value` has the size of AttributeValue. invalid_value: no kernel node, or an attribute that it does not have.
Status set_attribute_of_kernel(const void* node, int which, const void* value);
// Zeros if it was never set.
Status attribute_of_kernel(const void* node, int which, void* value);
Status copy_attributes_of_kernel(const void* to, const void* from);

// For a launch that is captured: keeps those that a kernel node has and the shape has not.
template <typename Attribute>
void keep_attributes(KernelCall& call, const Attribute* list, std::size_t count);
bool is_kept_attribute(int which);

template <typename Attribute>
void keep_attributes(KernelCall& call, const Attribute* list, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (is_kept_attribute(static_cast<int>(list[i].id))) {
      // The value is the last member, of 64 bytes, in both APIs.
      static_assert(sizeof(AttributeValue) <= sizeof list[i]);
      const auto* end = reinterpret_cast<const std::byte*>(&list[i] + 1);
      std::copy_n(end - sizeof(AttributeValue), sizeof(AttributeValue),
                  call.attributes[static_cast<int>(list[i].id)].data());
    }
}

}  // namespace lanescope::device::api
