#pragma once
// How the learner divided the window among its panels: panels.json, beside the settings and replaced whole as they are.

#include <string>

namespace lanescope::gui {

// Parts of the window's width or height, above 0 and below 1; 0: as the layout has it.
struct PanelShares {
  float lesson = 0, code = 0;                // of the width
  float steps = 0, schedules = 0, time = 0;  // of the height
  bool operator==(const PanelShares&) const = default;
};

// A small window is divided otherwise than a large one.
struct SavedShares {
  PanelShares small, large;
  bool operator==(const SavedShares&) const = default;
};

// All 0 where the file is missing or damaged; a value that is no part of a whole is 0. An empty folder keeps nothing.
SavedShares saved_shares(const std::string& folder);
void save_shares(const std::string& folder, const SavedShares& shares);

}  // namespace lanescope::gui
