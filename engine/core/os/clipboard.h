#pragma once
// Pictures on the system's clipboard. Text goes there through Dear ImGui.

#include <cstdint>
#include <span>
#include <string>

#include "core/result.h"

namespace lanescope {

struct ClipboardPicture {
  int width = 0, height = 0;
  std::span<const std::uint8_t> rgba;  // top row first
  std::span<const std::uint8_t> png;   // the same picture
};

// Whether this session's clipboard takes pictures. On Linux a program does it that need not be installed: wl-copy under
// Wayland, xclip under X11.
bool clipboard_takes_pictures();
// What is missing, in a few words, and a cure; empty if nothing is.
Wording what_the_clipboard_lacks();
Wording how_to_copy_pictures();

// Replaces the clipboard's contents. Call on the thread of the window. The picture stays there after this process has
// ended. Diagnostic: clipboard.picture.
Result<std::monostate> copy_picture(const ClipboardPicture& picture);

}  // namespace lanescope
