#pragma once
// Two variants of a lesson side by side, stepping together by the lesson's phases.

#include <string>
#include <vector>

#include "gui/compare_model.h"
#include "gui/scene_painter.h"
#include "gui/ui.h"

namespace lanescope::gui {

class CompareView {
 public:
  void draw(const Ui& ui, const PanelRect& rect);
  // For the keys: on and back by joint steps, clamped.
  void step_by(std::ptrdiff_t delta);
  std::size_t step() const { return step_; }
  const std::vector<JointStep>& steps() const { return steps_; }
  std::optional<std::size_t> parting() const { return parting_; }  // where the two part

 private:
  struct Side {
    const RunResult* result = nullptr;
    std::size_t variant = 0;
    bool stale = false;
    std::vector<PhasePass> passes;
    std::vector<BlockWork> work;  // parallel to passes
    std::vector<metrics::Measurement> so_far;  // of the block on screen, up to the step
    SceneView block, access;
    Hover hover;
    // The pictures, and what they were made for.
    struct Drawn {
      std::uint64_t result = 0;
      std::uint32_t block = 0, warp = 0;
      std::size_t event = 0;
      WarpTab tab = WarpTab::count_;
      float width = 0;
      Language language{};
      friend bool operator==(const Drawn&, const Drawn&) = default;
    } drawn;
    diagram::Scene block_scene, access_scene;
    bool has_access = false;
    const std::string& answer() const {
      return has_access ? access_scene.caption : block_scene.caption;
    }
  };
  // What the joint steps were made for.
  struct Made {
    std::uint64_t a = 0, b = 0;
    std::uint32_t block = 0, warp = 0;
    friend bool operator==(const Made&, const Made&) = default;
  };
  enum class Total : std::uint8_t { so_far, launch };
  void update(const Ui& ui);
  void side(const Ui& ui, Side& side, bool is_a, const PanelRect& rect);
  void make_pictures(const Ui& ui, Side& side, std::size_t pass, float width);
  void body(const Ui& ui, Side& side, bool is_a, std::size_t pass, const PanelRect& rect);
  void together(const Ui& ui, const PanelRect& rect);
  void sum_up(const Ui& ui);
  void totals(const Ui& ui, const PanelRect& rect);

  Side a_, b_;
  Made made_;
  std::vector<JointStep> steps_;
  std::optional<std::size_t> parting_;
  std::size_t step_ = 0;
  Total total_ = Total::so_far;
  std::optional<std::size_t> summed_step_;  // that so_far was made for
};

}  // namespace lanescope::gui
