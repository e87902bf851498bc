#pragma once
// A texture or surface object for a guessed launch. Internal to job/request.

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::job {

// As for --arg: "tex:memory:u8x4[4096]=iota", "surf:f32[64,64]". Dimensions and texels are those of the first call in
// `code`, which has no blanks, that gets the object `name`; two and f32 if there is none. `side`: of two dimensions.
std::string guessed_texture(std::string_view code, std::string_view name, bool surface, std::int64_t side);

}  // namespace lanescope::job
