#include "compile/source_text.h"

#include <algorithm>

#include "compile/host/definitions.h"
#include "compile/host/source_scan.h"
#include "core/utf8.h"
#include "core/worded.h"

namespace lanescope::compile {
namespace {

// The compiler parses by recursion on a stack of 1 GiB; these limits keep it far from overflowing.
constexpr std::size_t most_bytes = 8u << 20;
constexpr std::size_t deepest_nesting = 2000;

Diagnostic refusal(const char* code, const Source& source, Wording message, Wording cure) {
  return {Severity::error, code, {source.name, 0, 0}, std::move(message), std::move(cure)};
}

}  // namespace

std::optional<Diagnostic> refuse_utf16(const std::string& name, std::string_view text) {
  if (!text.starts_with("\xff\xfe") && !text.starts_with("\xfe\xff")) return std::nullopt;
  return Diagnostic{Severity::error,
                    "compile.not_text",
                    {name, 1, 0},
                    "the source is UTF-16, which CUDA's compilers do not read",
                    "Save it as UTF-8 in your editor, or with `iconv -f UTF-16 -t UTF-8`."};
}

std::optional<Diagnostic> refuse(const Source& source) {
  if (std::optional<Diagnostic> utf16 = refuse_utf16(source.name, source.text)) return utf16;
  if (source.text.size() > most_bytes)
    return refusal("compile.too_large", source,
                   worded("the source has {} bytes; at most {} are compiled", source.text.size(), most_bytes),
                   "Keep the kernel and what it needs, and remove the rest.");
  if (source.name.find('\n') != std::string::npos)
    return refusal("compile.file_name", source, "PTX cannot refer to a file whose name contains a line break",
                   "Rename the file.");
  for (const std::string& define : source.defines)
    if (std::optional<Diagnostic> wrong = wrong_definition(define)) return wrong;
  const std::size_t nul = source.text.find('\0');
  if (nul != std::string::npos) {
    Diagnostic found = refusal("compile.not_text", source, "the source contains a zero byte, so it is not text",
                               "Open the CUDA source itself, saved as UTF-8.");
    found.place.line = 1 + static_cast<int>(std::count(source.text.begin(),
                                                       source.text.begin() + static_cast<std::ptrdiff_t>(nul), '\n'));
    return found;
  }
  const std::size_t depth = bracket_depth(source.text);
  if (depth > deepest_nesting)
    return refusal("compile.too_nested", source,
                   worded("brackets are nested {} deep; at most {} levels are compiled", depth, deepest_nesting),
                   "Split up the expression or function that is nested this deep.");
  return std::nullopt;
}

std::size_t make_utf8(std::string& text) {
  if (text.starts_with("\xef\xbb\xbf")) text.replace(0, 3, "   ");
  std::size_t replaced = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_sequence(std::string_view(text).substr(at));
    if (length == 0) text[at] = '?', ++replaced;
    at += std::max<std::size_t>(length, 1);
  }
  return replaced;
}

Diagnostic not_utf8(const Source& source, std::size_t bytes) {
  return {Severity::warning,
          "compile.not_utf8",
          {source.name, 0, 0},
          worded("{} bytes of the source are not UTF-8 and were read as `?`", bytes),
          "Save the file as UTF-8."};
}

}  // namespace lanescope::compile
