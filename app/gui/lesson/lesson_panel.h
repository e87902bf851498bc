#pragma once
// The lesson: a page of its text, its questions or its tasks.

#include <memory>
#include <string_view>
#include <vector>

#include "gui/lesson/exercises.h"
#include "gui/parts/ui.h"

struct ImGuiWindow;

namespace lanescope::gui {

class LessonPanel {
 public:
  LessonPanel();
  ~LessonPanel();
  void draw(const Ui& ui, const PanelRect& rect);
  // The scrolling window of its text; null before it is drawn.
  // The place of a number that was followed is still to be gone to.
  bool arriving() const;
  ImGuiWindow* page_window() const { return page_window_; }
  // Appends the matches of `wanted` on the pages of the lesson on screen.
  void find(const Ui& ui, std::string_view wanted, std::vector<FoundText>& into);

 private:
  struct Cache;
  void load(const Ui& ui);  // the text of the lesson and language on screen
  void page(const Ui& ui);
  void follow(const Ui& ui, const std::string& link);
  void arrive(const Ui& ui);
  std::unique_ptr<Cache> cache_;
  ImGuiWindow* page_window_ = nullptr;
  QuestionCards questions_;
  TaskCards tasks_;
};

}  // namespace lanescope::gui
