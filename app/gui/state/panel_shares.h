#pragma once
// How the learner divided the window among its panels: panels.json, beside the settings. The file is replaced as a
// whole.

#include <string>

namespace lanescope::gui {

// Fractions of the window's width or height, between 0 and 1; 0: the layout's default.
struct PanelShares {
  float lesson = 0, code = 0;                // of the width
  float steps = 0, schedules = 0, time = 0;  // of the height
  bool operator==(const PanelShares&) const = default;
};

// Small and large windows have separate divisions.
struct SavedShares {
  PanelShares small, large;
  bool operator==(const SavedShares&) const = default;
};

// All 0 if the file is missing or damaged; a value outside 0…1 is 0. With an empty folder nothing is saved.
SavedShares saved_shares(const std::string& folder);
void save_shares(const std::string& folder, const SavedShares& shares);

}  // namespace lanescope::gui
