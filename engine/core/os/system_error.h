#pragma once
// The system's error messages in the user's language.

#include <string>
#include <system_error>

#include "core/diagnostic.h"

namespace lanescope {

// Windows has more errors than errno has numbers: each of the others is its own number plus this.
inline constexpr int beyond_errno = 1 << 16;
// What the standard library reports about files, as a number for system_error().
int reason_of(const std::error_code& error);
// `number` is an errno or beyond it. In English, the system's own text. In Chinese, our text; for rare errors the
// system's text in quotation marks, marked as the system's.
Wording system_error(int number);
// io.cannot_read: why read_file() failed.
Diagnostic unreadable(const std::string& file, int number);
// Whether the disk or the user's quota is full, or the file is too large.
bool is_about_room(int number);

}  // namespace lanescope
