#pragma once
// What the lesson says: a page of its text, its questions or its tasks.

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
  ImGuiWindow* page_window() const { return page_window_; }  // where its text scrolls; null before it is drawn
  // Appends where a text is on the pages of the lesson on screen.
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
