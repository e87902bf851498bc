#pragma once
// The film of the warp on screen, zoomed and scrolled by wheel, drag and keys; and the map of the whole film.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagram/film.h"
#include "gui/kit/kept_shapes.h"
#include "gui/kit/scene_painter.h"
#include "gui/parts/ui.h"

namespace lanescope::gui {

class FilmView {
 public:
  // There must be steps. Takes requests by keys from WindowState::film.
  void draw(const Ui& ui, const PanelRect& rect);
  // Replaces the slider over the steps if the film is longer than its visible part: shows the whole warp and which part
  // of it is visible. Clicking and dragging choose a step. `centre`: vertical centre.
  void map(const Ui& ui, float x, float centre, float width);
  // True if the last painted film showed all steps one by one.
  bool shows_all() const { return shows_all_; }
  diagram::FilmPart painted() const { return part_; }  // the last time, whichever warp that was
  // To draw again: what was painted last, if that was this warp of this run; else what a picture of this width shows
  // first. Needs a step.
  diagram::FilmPart part(const Ui& ui, float width) const;
  // A column that was clicked stays marked, and what its step is stays in sight, until another one is or unpin(). Not
  // shown beside another run or warp.
  std::optional<std::size_t> pinned(const Session& session) const;  // the step
  bool unpin();                                                     // false: nothing was pinned

 private:
  // The inputs of the last film.
  struct Shown {
    std::uint64_t result = 0;
    std::uint32_t block = 0, warp = 0;
    std::size_t step = 0, first = 0, count = 0;
    float width = 0, height = 0;
    Language language{};
    bool summarised = false;
    friend bool operator==(const Shown&, const Shown&) = default;
  };
  void choose_part(const Ui& ui, std::size_t steps, float width);
  void take_wishes(const Ui& ui, std::size_t steps, std::size_t selected);
  void zoom(double factor, double at, std::size_t steps, std::size_t selected);
  void scroll(double by, std::size_t steps);
  void pointer(const Ui& ui, ImVec2 origin, float width, std::size_t steps);
  void clicked(const Ui& ui, std::size_t tag, ImVec2 origin, float width);
  void link_line(const Ui& ui, std::size_t step) const;
  void mark_pin(const Ui& ui, ImVec2 origin) const;
  void pin_row(const Ui& ui, ImVec2 at, float width);
  void said(const Ui& ui, ImVec2 origin, float width);
  void remember_map(const metrics::StepPyramid& all, std::size_t steps, int columns);

  SceneView film_;
  Hover hover_;
  Shown shown_;
  diagram::Scene scene_;
  std::vector<std::string> phases_;  // belong to part_
  diagram::FilmPart part_;
  // Chosen by the learner; count 0: the default part around the step on screen.
  double first_ = 0, count_ = 0;
  std::size_t steps_before_ = 0, selected_before_ = 0;
  std::size_t fit_ = 0;  // number of steps that fit one by one
  bool shows_all_ = true, dragged_ = false;
  struct Pinned {
    std::uint64_t result = 0;
    std::uint32_t block = 0, warp = 0;
    std::size_t step = 0;
  };
  std::optional<Pinned> pinned_;
  std::uint64_t said_number_ = 0;  // the last answer that was shown

  struct Mapped {
    std::uint64_t result = 0;
    std::uint32_t block = 0, warp = 0;
    int columns = 0;
    friend bool operator==(const Mapped&, const Mapped&) = default;
  } mapped_;
  std::vector<metrics::StepSummary> map_;  // per column of the map
  KeptShapes kept_map_;
};

}  // namespace lanescope::gui
