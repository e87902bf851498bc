#pragma once
// Asks for an export as the menus do, and reads what was saved.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "driver.h"
#include "gui/exporting.h"

namespace lanescope::test {

inline std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// With LANESCOPE_SHOTS, the saved file stays in that folder for people to look at.
inline void wishes(ImGuiTestContext& ui, Learner& learner, gui::ExportPart part, gui::ExportForm form) {
  learner.state().exports->told = {};
  learner.state().exports->wish = gui::Exports::Wish{part, form};
  EXPECT_TRUE(learner.wait_for(ui, [&] {
    const gui::Exports& exports = *learner.state().exports;
    return !exports.wish && !exports.picture && (!exports.told.empty() || !exports.problems.empty());
  }));
  const std::string& path = learner.state().exports->last_path;
  if (const char* shots = std::getenv("LANESCOPE_SHOTS"); shots != nullptr && std::filesystem::exists(path))
    std::filesystem::copy_file(path, std::filesystem::path(shots) / std::filesystem::path(path).filename(),
                               std::filesystem::copy_options::overwrite_existing);
}

}  // namespace lanescope::test
