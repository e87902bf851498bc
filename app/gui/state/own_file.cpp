#include "gui/state/own_file.h"

#include <cerrno>
#include <filesystem>
#include <span>
#include <string_view>

#include "core/os/read_file.h"
#include "core/os/replace_file.h"
#include "core/utf8.h"

namespace lanescope::gui {
namespace {

bool is_read_only(const std::string& file) {
  std::error_code failed;
  const std::filesystem::perms bits = std::filesystem::status(file, failed).permissions();
  constexpr std::filesystem::perms may_write =
      std::filesystem::perms::owner_write | std::filesystem::perms::group_write | std::filesystem::perms::others_write;
  return !failed && (bits & may_write) == std::filesystem::perms::none;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace

std::string with_line_ends_of(const std::string& base, const std::string& text) {
  std::size_t pairs = 0, all = 0;
  for (std::size_t at = base.find('\n'); at != std::string::npos; at = base.find('\n', at + 1))
    ++all, pairs += at > 0 && base[at - 1] == '\r';
  if (pairs == 0 || pairs != all || text.find('\r') != std::string::npos) return text;
  std::string made;
  for (const char c : text) {
    if (c == '\n') made += '\r';
    made += c;
  }
  return made;
}

OwnFileWritten write_own_file(const std::string& file, const std::string& base, const std::string& text,
                              const std::optional<OnDisk>& over) {
  using End = OwnFileWritten::End;
  OwnFileWritten made;
  std::string now;
  const int reason = read_file(file, now, most_source_bytes);
  if (reason != 0 && reason != ENOENT) return made.reason = reason, made;
  if (reason == 0) made.found.text = std::move(now);
  const bool agreed = over && *over == made.found;
  if (!made.found.text && !agreed) return made.end = End::gone, made;
  if (made.found.text == text) return made.end = End::saved, made;
  if (made.found.text && *made.found.text != base && !agreed) return made.end = End::changed, made;
  if (is_read_only(file)) return made.end = End::read_only, made;
  if (!is_utf8(base)) return made.end = End::not_text, made;
  made.reason = replace_file(file, {std::as_bytes(std::span(text))}, Flush::to_disk);
  made.end = made.reason == 0 ? End::saved : End::failed;
  return made;
}

}  // namespace lanescope::gui
