#pragma once
// "{i32=16,f32[256]=iota}": a struct by value, as its members. Internal to job/values.

#include <string>

#include "core/result.h"
#include "core/wording.h"
#include "job/values/argument.h"

namespace lanescope::job {

inline bool is_struct_text(const std::string& text) {
  return text.starts_with('{');
}
// "&{f32[64]=iota,f32[64]}": a buffer that holds these members.
inline bool is_members_text(const std::string& text) {
  return text.starts_with("&{");
}

// `shown`: the argument as messages name it. Each member has its natural alignment, and the struct that of its largest
// member, as g++ and nvcc lay out a struct without alignas(). Errors: argument.syntax, argument.too_large, and those of
// the members.
Result<Recipe::Bytes> read_struct_text(const std::string& text, const Wording& shown);

// The element type of a buffer with these members: that of all its scalars, or else an unsigned one of its alignment.
sim::ElementType element_type_of(const Recipe::Bytes& members);

}  // namespace lanescope::job
