#pragma once
// The system's error messages in the user's language.

#include "core/wording.h"

namespace lanescope {

// `number` as in errno. In English the system's own words; in Chinese ours, or, of a rare reason, the system's in
// quotation marks and said to be its own.
Wording system_error(int number);
// The disk or what the user may have of it is full, or the file too large for it.
bool is_about_room(int number);

}  // namespace lanescope
