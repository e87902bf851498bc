#pragma once
// Pictures and tables that leave the window as files or through the clipboard: the requests of menus and commands, and
// their results. gui/exporting.h carries them out.

#include <cstdint>
#include <optional>
#include <string>

#include "core/diagnostic.h"
#include "gui/kit/widgets.h"

namespace lanescope::gui {

enum class ExportPart : std::uint8_t { warp, steps, numbers, time, window, count_ };
enum class ExportForm : std::uint8_t { png, svg, csv, copy, count_ };

struct Exports {
  struct Wish {
    ExportPart part{};
    ExportForm form{};
  };
  std::optional<Wish> wish;
  std::string folder = "lanescope-pictures";  // created if missing; the same as on the command line

  // A part of a frame to save once menus and hints have disappeared from the screen.
  struct Picture {
    PanelRect rect;
    std::string path;
    int frames = 3;  // frames to wait
  };
  std::optional<Picture> picture;

  Wording told;        // the latest saved or copied item, shown for a while
  double told_at = 0;  // ImGui's time
  Diagnostics problems;
  std::string last_path;  // of the file saved last
};

}  // namespace lanescope::gui
