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
enum class ExportForm : std::uint8_t { png, svg, csv, copy_picture, copy_svg, copy_table, count_ };

struct Exports {
  struct Wish {
    ExportPart part{};
    ExportForm form{};
  };
  std::optional<Wish> wish;
  std::string folder = "lanescope-pictures";  // created if missing; the same as on the command line

  // A part of a frame to save or copy once menus and hints have disappeared from the screen.
  struct Picture {
    PanelRect rect;
    std::string path;  // empty: to the clipboard
    int frames = 3;    // frames to wait
  };
  std::optional<Picture> picture;

  // The place of the numbers' menu beside their heading; nullopt if that is not visible. Set while they are painted.
  struct Corner {
    float x = 0, y = 0;  // its left edge and vertical centre, pixels
  };
  std::optional<Corner> beside_numbers;
  // The place of the times' menu in the row above the plot; nullopt if that is not visible. A corner would be over the
  // names of the axis.
  std::optional<Corner> beside_times;

  Wording clipboard_lacks;  // what copying a picture lacks; asked when a menu opens, because it searches folders
  Wording told;             // the latest saved or copied item, shown for a while
  double told_at = 0;       // ImGui's time
  void tell(Wording what, double now) { told = std::move(what), told_at = now; }
  Diagnostics problems;
  std::string last_path;  // of the file saved last
};

}  // namespace lanescope::gui
