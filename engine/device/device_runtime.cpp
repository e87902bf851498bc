#include "device/device_runtime.h"

#include <vector>

#include "core/text.h"

namespace lanescope::device {

namespace {

constexpr std::string_view declared = ".extern .func cudaGraphSetConditional";

// The last word of a parameter's declaration, as in ".param .b64 NAME".
std::string last_word(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos) return {};
  const std::size_t before = text.find_last_of(" \t\r\n", end);
  return std::string(text.substr(before + 1, end - before));
}

}  // namespace

std::string with_device_runtime(std::string_view ptx) {
  std::string made;
  for (std::size_t at = ptx.find(declared); at != std::string_view::npos; at = ptx.find(declared)) {
    const std::size_t open = ptx.find('(', at), close = ptx.find(')', at), end = ptx.find(';', at);
    if (open == std::string_view::npos || close == std::string_view::npos || end == std::string_view::npos ||
        !(open < close && close < end))
      break;
    const auto parameters = split(ptx.substr(open + 1, close - open - 1), ',');
    if (parameters.size() != 2) break;
    made += ptx.substr(0, at);
    made += ptx.substr(at + std::string_view(".extern ").size(), end - at - std::string_view(".extern ").size());
    made += "{ .reg .b64 %handle; .reg .b32 %value; ld.param.b64 %handle, [" + last_word(parameters[0]) +
            "]; ld.param.b32 %value, [" + last_word(parameters[1]) + "]; st.global.b32 [%handle], %value; ret; }";
    ptx.remove_prefix(end + 1);
  }
  made += ptx;
  return made;
}

}  // namespace lanescope::device
