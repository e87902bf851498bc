// Pictures of what is on screen, to a file or to the clipboard.

#include <algorithm>
#include <filesystem>

#include "core/os/abilities.h"
#include "core/worded.h"
#include "gui/application.h"
#include "gui/exporting.h"

namespace lanescope::gui {
namespace {

Display::Picture part_of(const Display& display, const PanelRect& rect) {
  const Display::Picture all = display.whole_frame();
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  const auto inside = [](float at, int most) {
    return static_cast<std::size_t>(std::clamp(static_cast<int>(at), 0, most));
  };
  const std::size_t x0 = inside(rect.x * scale.x, all.width), x1 = inside((rect.x + rect.width) * scale.x, all.width);
  const std::size_t y0 = inside(rect.y * scale.y, all.height);
  const std::size_t y1 = inside((rect.y + rect.height) * scale.y, all.height);
  Display::Picture part{static_cast<int>(x1 - x0), static_cast<int>(y1 - y0), {}};
  part.rgba.reserve((x1 - x0) * (y1 - y0) * 4);
  for (std::size_t y = y0; y < y1; ++y) {
    const auto row = all.rgba.begin() + static_cast<std::ptrdiff_t>((y * static_cast<std::size_t>(all.width) + x0) * 4);
    part.rgba.insert(part.rgba.end(), row, row + static_cast<std::ptrdiff_t>((x1 - x0) * 4));
  }
  return part;
}

}  // namespace

void take_picture(Exports& exports, const Display& display) {
  if (!exports.picture || --exports.picture->frames > 0) return;
  const Exports::Picture wanted = *exports.picture;
  exports.picture.reset();
  const Display::Picture part = part_of(display, wanted.rect);
  if (wanted.path.empty()) {
    const std::vector<std::uint8_t> png = png_of(part.width, part.height, part.rgba);
    if (auto copied = copy_picture({part.width, part.height, part.rgba, png}); !copied)
      exports.problems = copied.take_errors();
    else
      exports.tell(worded("Copied to the clipboard: a picture of {} × {} pixels", part.width, part.height),
                   ImGui::GetTime());
    return;
  }
  auto saved = save_png(wanted.path, part.width, part.height, part.rgba);
  if (!saved) {
    exports.problems = saved.take_errors();
    std::error_code ignored;
    std::filesystem::remove(wanted.path, ignored);
    return;
  }
  exports.last_path = wanted.path;
  exports.tell(worded("Saved: {}", wanted.path), ImGui::GetTime());
}

}  // namespace lanescope::gui
