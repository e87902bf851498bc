#pragma once
// Ctrl + O: opens a file by its path, which is completed as it is typed: a saved run, a program with its arguments, or
// CUDA code.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/parts/ui.h"
#include "gui/programs/path_entries.h"

struct ImGuiInputTextCallbackData;

namespace lanescope::gui {

class OpenOverlay {
 public:
  void draw(const Ui& ui);  // call after all panels, in the same window
  bool is_open() const { return open_; }
  // The entries that are listed.
  const std::vector<PathEntry>& entries() const { return found_->entries; }

 private:
  void begin(const Ui& ui);
  void look(const Ui& ui);
  void fields(const Ui& ui, float width);
  bool row(const Ui& ui, const PathEntry& entry, bool chosen, float width);
  void rows(const Ui& ui, float width);
  void choose(const Ui& ui, const PathEntry& entry);
  void put(const std::string& path);  // into the field
  void enter(const Ui& ui);
  void open(const Ui& ui, const std::string& path);
  static int edited(ImGuiInputTextCallbackData* data);

  // Filled off the frame.
  struct Found {
    std::string typed;
    std::vector<PathEntry> entries;
  };
  bool open_ = false, moved_ = false;
  bool focus_path_ = false, focus_arguments_ = false;
  std::array<char, 4096> path_{}, arguments_{};
  std::string looked_for_;
  std::shared_ptr<Found> found_ = std::make_shared<Found>();
  std::optional<std::size_t> chosen_;  // by an arrow key
  std::optional<std::string> put_;     // replaces the text of the field when it is next drawn
};

}  // namespace lanescope::gui
