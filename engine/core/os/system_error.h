#pragma once
// The system's error messages in the user's language.

#include "core/wording.h"

namespace lanescope {

// `number` is an errno. In English, the system's own text. In Chinese, our text; for rare errors the system's text in
// quotation marks, marked as the system's.
Wording system_error(int number);
// Whether the disk or the user's quota is full, or the file is too large.
bool is_about_room(int number);

}  // namespace lanescope
