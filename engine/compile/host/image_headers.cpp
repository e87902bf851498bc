#include "compile/host/image_headers.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "core/text.h"

namespace lanescope::compile {
namespace {

constexpr const char* stb_types = R"(#pragma once
typedef unsigned char stbi_uc;
typedef unsigned short stbi_us;
)";
constexpr const char* opencv_types = R"(#pragma once
typedef unsigned char uchar;
typedef signed char schar;
)";

}  // namespace

void shorten_image_headers(Attempt& attempt, const std::vector<IncludedFile>& files) {
  constexpr std::array<std::string_view, 4> known{"stb_image.h", "stb_image_write.h", "stb_image_resize.h",
                                                  "stb_image_resize2.h"};
  for (const IncludedFile& file : files) {
    const std::string name = std::filesystem::path(file.path).filename().generic_string();
    // A file of that name that was written for kernels is somebody's own.
    if (std::find(known.begin(), known.end(), name) == known.end() || contains(file.content, "__device__")) continue;
    attempt.headers.push_back({file.path, file.names, stb_types});
    attempt.left_out.push_back("<" + name + ">");
  }
}

bool stand_in_for_opencv(Attempt& attempt, const std::string& name) {
  if (!name.starts_with("opencv")) return false;
  attempt.headers.push_back({name, {name}, opencv_types});
  attempt.left_out.push_back("<" + name + ">");
  return true;
}

}  // namespace lanescope::compile
