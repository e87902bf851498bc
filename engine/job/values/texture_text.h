#pragma once
// The texture and surface objects among a kernel's arguments, as --arg takes them.

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/result.h"
#include "sim/launch_request.h"
#include "sim/memory/texture.h"

namespace lanescope::job {

// "tex:linear,wrap,normalized:u8x4[64,32]=…", "surf:f32[1024]=…": the part before '='.
struct TextureText {
  std::shared_ptr<const sim::TextureDescription> description;
  sim::ElementType type = sim::ElementType::f32;
  std::uint64_t count = 0;  // numbers in all channels of all texels
  std::string_view rest;    // from '=' on, or empty
};
bool is_texture_text(std::string_view text);
// `shown`: how messages refer to the argument. Errors: argument.syntax, argument.type, argument.number.
Result<TextureText> read_texture_text(std::string_view text, const Wording& shown);

}  // namespace lanescope::job
