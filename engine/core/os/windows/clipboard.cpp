#include "core/os/abilities.h"

#include <windows.h>

#include <cstring>
#include <vector>

#include "core/os/system_error.h"
#include "core/worded.h"

namespace lanescope {
namespace {

Diagnostic cannot_copy() {
  return {Severity::error,
          "clipboard.picture",
          {},
          worded("The picture could not be copied: {}.", "another program holds the clipboard"),
          how_to_copy_pictures()};
}

// The clipboard owns the memory from then on.
bool put(UINT format, std::span<const std::uint8_t> bytes) {
  const HGLOBAL memory = ::GlobalAlloc(GMEM_MOVEABLE, bytes.size());
  if (memory == nullptr) return false;
  void* const to = ::GlobalLock(memory);
  if (to != nullptr) std::memcpy(to, bytes.data(), bytes.size());
  ::GlobalUnlock(memory);
  if (to != nullptr && ::SetClipboardData(format, memory) != nullptr) return true;
  ::GlobalFree(memory);
  return false;
}

// For programs that do not read PNG: a bitmap, bottom row first, as blue, green, red and an unused byte.
std::vector<std::uint8_t> as_bitmap(const ClipboardPicture& picture) {
  BITMAPINFOHEADER header{};
  header.biSize = sizeof header;
  header.biWidth = picture.width, header.biHeight = picture.height;
  header.biPlanes = 1, header.biBitCount = 32, header.biCompression = BI_RGB;
  std::vector<std::uint8_t> bytes(sizeof header + picture.rgba.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  const std::size_t row = static_cast<std::size_t>(picture.width) * 4;
  std::uint8_t* to = bytes.data() + sizeof header;
  for (std::size_t y = static_cast<std::size_t>(picture.height); y-- > 0;)
    for (std::size_t x = 0; x < row; x += 4, to += 4) {
      const std::uint8_t* const from = &picture.rgba[y * row + x];
      to[0] = from[2], to[1] = from[1], to[2] = from[0];
    }
  return bytes;
}

}  // namespace

bool clipboard_takes_pictures() {
  return true;
}

Wording what_the_clipboard_lacks() {
  return {};
}

Wording how_to_copy_pictures() {
  return "Try again, or save the picture as PNG.";
}

Result<std::monostate> copy_picture(const ClipboardPicture& picture) {
  if (::OpenClipboard(::GetActiveWindow()) == 0) return cannot_copy();
  ::EmptyClipboard();
  const bool png = put(::RegisterClipboardFormatW(L"PNG"), picture.png);
  const bool bitmap = put(CF_DIB, as_bitmap(picture));
  ::CloseClipboard();
  if (!png && !bitmap) return cannot_copy();
  return std::monostate{};
}

}  // namespace lanescope
