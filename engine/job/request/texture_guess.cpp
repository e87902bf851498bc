#include "job/request/texture_guess.h"

#include <array>

#include <fmt/format.h>

#include "core/text.h"

namespace lanescope::job {

namespace {

// "tex2D<float4>(" → the name and what stands between < and >.
struct TextureCall {
  std::string_view function, type;
};

TextureCall call_before(std::string_view code, std::size_t open) {
  TextureCall call;
  std::size_t end = open;
  if (end > 0 && code[end - 1] == '>') {
    const std::size_t less = code.rfind('<', end);
    if (less == std::string_view::npos) return call;
    call.type = code.substr(less + 1, end - less - 2);
    end = less;
  }
  std::size_t begin = end;
  while (begin > 0 && is_name_char(code[begin - 1])) --begin;
  call.function = code.substr(begin, end - begin);
  return call;
}

// The first call that has the name as its first or second argument: tex2D<float>(name, …), surf2Dwrite(v, name, …).
TextureCall first_call(std::string_view code, std::string_view name) {
  for (std::size_t at = code.find(name); at != std::string_view::npos; at = code.find(name, at + name.size())) {
    const std::size_t end = at + name.size();
    if (at == 0 || end >= code.size() || code[end] != ',' || (code[at - 1] != '(' && code[at - 1] != ',')) continue;
    int depth = 0;
    std::size_t open = at;
    while (open > 0 && !(code[open - 1] == '(' && depth == 0)) {
      depth += code[open - 1] == ')' ? 1 : code[open - 1] == '(' ? -1 : 0;
      --open;
    }
    const TextureCall call = open == 0 ? TextureCall{} : call_before(code, open - 1);
    if (call.function.starts_with("tex") || call.function.starts_with("surf")) return call;
  }
  return {};
}

std::string texel_of(std::string_view type) {
  struct Named {
    std::string_view name, text;
  };
  static constexpr std::array named{Named{"float", "f32"},        Named{"int", "i32"},
                                    Named{"uint", "u32"},         Named{"unsignedint", "u32"},
                                    Named{"unsigned", "u32"},     Named{"short", "i16"},
                                    Named{"ushort", "u16"},       Named{"unsignedshort", "u16"},
                                    Named{"char", "i8"},          Named{"signedchar", "i8"},
                                    Named{"uchar", "u8"},         Named{"unsignedchar", "u8"},
                                    Named{"unsignedlong", "u32"}, Named{"unsignedlongint", "u32"}};
  const bool vector = !type.empty() && (type.ends_with('2') || type.ends_with('4') || type.ends_with('1'));
  const std::string_view base = vector ? type.substr(0, type.size() - 1) : type;
  for (const Named& one : named)
    if (one.name == base)
      return std::string(one.text) + (vector && type.back() != '1' ? fmt::format("x{}", type.back()) : "");
  return "f32";
}

}  // namespace

std::string guessed_texture(std::string_view code, std::string_view name, bool surface, std::int64_t side) {
  const TextureCall call = first_call(code, name);
  const std::string texel = texel_of(call.type), fill = surface ? "" : "=iota";
  const std::string_view function = call.function;
  std::string sizes = contains(function, "3D")   ? "16,16,16"
                      : contains(function, "1D") ? "4096"
                                                 : fmt::format("{},{}", side, side);
  const bool layered = contains(function, "Layered");
  if (layered) sizes += ",4";
  return fmt::format("{}:{}{}[{}]{}", surface ? "surf" : "tex",
                     function == "tex1Dfetch" ? "memory:"
                     : layered                ? "layered:"
                                              : "",
                     texel, sizes, fill);
}

}  // namespace lanescope::job
