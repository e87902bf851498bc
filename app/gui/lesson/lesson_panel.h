#pragma once
// What the lesson says: a page of its text, its questions or its tasks.

#include <memory>

#include "gui/lesson/exercises.h"
#include "gui/parts/ui.h"

namespace lanescope::gui {

class LessonPanel {
 public:
  LessonPanel();
  ~LessonPanel();
  void draw(const Ui& ui, const PanelRect& rect);

 private:
  struct Cache;
  void page(const Ui& ui);
  void follow(const Ui& ui, const std::string& link);
  void arrive(const Ui& ui);
  std::unique_ptr<Cache> cache_;
  QuestionCards questions_;
  TaskCards tasks_;
};

}  // namespace lanescope::gui
