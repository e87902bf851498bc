#pragma once
// Between this program's texts, which are UTF-8 with paths written with /, and the system's.

#include <string>
#include <string_view>

namespace lanescope {

std::wstring wide(std::string_view text);
std::string narrow(std::wstring_view text);
// The same of a path, with / between its parts.
std::string as_path(std::wstring_view path);
// With \ between them: for what looks libraries up by their whole path.
std::wstring native_path(std::string_view path);

// What the system said last, as errno has it; EIO for what errno has no number for.
int reason_of_last_error();
// In the system's words, for the user's language.
std::string words_of_error(unsigned long error);

}  // namespace lanescope
