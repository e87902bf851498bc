#include "gui/state/panel_shares.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/os/read_file.h"
#include "core/os/replace_file.h"
#include "job/report/json.h"

namespace lanescope::gui {
namespace {

constexpr std::pair<const char*, float PanelShares::*> panels[] = {{"lesson", &PanelShares::lesson},
                                                                   {"code", &PanelShares::code},
                                                                   {"steps", &PanelShares::steps},
                                                                   {"schedules", &PanelShares::schedules},
                                                                   {"time", &PanelShares::time}};
constexpr std::pair<const char*, PanelShares SavedShares::*> windows[] = {{"small", &SavedShares::small},
                                                                          {"large", &SavedShares::large}};

std::string path_in(const std::string& folder) {
  return folder + "/panels.json";
}

}  // namespace

SavedShares saved_shares(const std::string& folder) {
  constexpr std::size_t most = std::size_t{1} << 16;
  SavedShares shares;
  std::error_code failed;
  std::string text;
  if (folder.empty() || !std::filesystem::is_regular_file(path_in(folder), failed) ||
      read_file(path_in(folder), text, most) != 0)
    return shares;
  const nlohmann::ordered_json json = job::parsed_json(text);
  if (!json.is_object()) return shares;
  for (const auto& [window, of_window] : windows) {
    const auto found = json.find(window);
    if (found == json.end() || !found->is_object()) continue;
    for (const auto& [panel, share] : panels) {
      const auto value = found->find(panel);
      if (value == found->end() || !value->is_number()) continue;
      const double part = value->get<double>();
      if (part > 0 && part < 1) (shares.*of_window).*share = static_cast<float>(part);
    }
  }
  return shares;
}

void save_shares(const std::string& folder, const SavedShares& shares) {
  if (folder.empty()) return;
  nlohmann::ordered_json json;
  for (const auto& [window, of_window] : windows)
    for (const auto& [panel, share] : panels) json[window][panel] = (shares.*of_window).*share;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  // A disk error is reported when an edit is saved.
  (void)replace_file(path_in(folder), job::dumped(json, true) + "\n");
}

}  // namespace lanescope::gui
