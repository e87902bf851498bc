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

// `shown`: the argument as messages name it. Each member has its natural alignment, and the struct that of its largest
// member, as g++ and nvcc lay out a struct without alignas(). Errors: argument.syntax, and those of the members.
Result<Recipe::Bytes> read_struct_text(const std::string& text, const Wording& shown);

}  // namespace lanescope::job
