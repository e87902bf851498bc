#pragma once
// What leaves the window: pictures and tables, into files or onto the clipboard. Wishes of menus and commands, and what
// came of them; gui/exporting.h carries them out.

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
  std::string folder = "lanescope-pictures";  // made when there is none; as of the command line

  // A part of a frame that is to be saved, once menus and hints are off the screen.
  struct Picture {
    PanelRect rect;
    std::string path;
    int frames = 3;  // until then
  };
  std::optional<Picture> picture;

  // Where the numbers' menu stands, beside their heading; none where that is out of sight. Set while they are painted.
  struct Corner {
    float x = 0, y = 0;  // its left edge and vertical centre, pixels
  };
  std::optional<Corner> beside_numbers;

  Wording told;        // what was saved or copied last, shown for a while
  double told_at = 0;  // ImGui's time
  Diagnostics problems;
  std::string last_path;  // of the file that was saved last
};

}  // namespace lanescope::gui
