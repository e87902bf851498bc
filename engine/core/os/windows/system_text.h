#pragma once
// Converts between this program's texts, which are UTF-8 with '/' in paths, and the system's.

#include <string>
#include <string_view>

namespace lanescope {

std::wstring wide(std::string_view text);
std::string narrow(std::wstring_view text);
// The same for a path, with '/' between its parts.
std::string as_path(std::wstring_view path);
// With '\' between them: for functions that look up libraries by absolute path.
std::wstring native_path(std::string_view path);

// The system's last error as errno, or beyond_errno plus its own number: for system_error().
int reason_of_last_error();
// The system's text for the error, in the user's language.
std::string words_of_error(unsigned long error);

}  // namespace lanescope
