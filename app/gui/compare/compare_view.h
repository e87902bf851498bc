#pragma once
// Two variants of a lesson side by side, stepping together by the lesson's phases.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "gui/compare/code_diff.h"
#include "gui/compare/comparison.h"
#include "gui/kit/scene_painter.h"
#include "gui/parts/block_picture.h"
#include "gui/parts/said_first.h"
#include "gui/parts/ui.h"

namespace lanescope::gui {

class CompareView {
 public:
  void draw(const Ui& ui, const PanelRect& rect);
  // For the keys: on and back by joint steps, clamped.
  void step_by(std::ptrdiff_t delta);
  void go_to(std::size_t step);  // from 0, clamped; its telling accesses
  std::size_t step() const { return step_; }
  // Within the step: both sides by the accesses that they pair, one side by its own accesses, also into other steps.
  // Clamped.
  void access_by(std::ptrdiff_t delta);
  void step_alone(bool a, std::ptrdiff_t delta);
  // The event of its warp that a side shows.
  std::optional<std::size_t> event(bool of_a) const;
  const std::vector<JointStep>& steps() const;  // none while they are made
  std::optional<std::size_t> parting() const;   // where the two part
  // The block and the warp that both sides show, as far as each has them: the session's, or those chosen here.
  Position place(const Session& session) const;
  void go_to_warp(Session& session, std::uint32_t block, std::uint32_t warp);
  // For tests: what a side shows.
  std::uint32_t block(bool of_a) const { return of_a ? a_.block : b_.block; }
  const RunResult* result(bool of_a) const { return of_a ? a_.result : b_.result; }
  const std::vector<DiffRow>& text_rows() const { return texts_.rows; }
  const diagram::Scene& picture(bool of_a) const { return of_a ? a_.access_scene : b_.access_scene; }

 private:
  struct Side {
    std::shared_ptr<const RunResult> whole;
    const RunResult* result = nullptr;  // of it: the launch that is chosen
    const Diagnostics* problems = nullptr;
    int launch_count() const { return whole == nullptr ? 1 : whole->launch_count(); }
    std::size_t variant = 0;
    int launch = 1;
    std::uint32_t block = 0, warp = 0;  // those on screen, or the last ones that the launch has
    bool stale = false;
    std::optional<std::size_t> alone;                 // the event that this side was stepped to without the other
    std::unordered_map<std::size_t, BlockWork> work;  // of the passes that were in sight
    // Of the block up to the step; of the launch; of all launches of the variant.
    std::vector<metrics::Measurement> so_far, of_launch, of_all;
    BlockSums::Sum last_sum;  // that so_far was made of
    BlockPicture block_picture;
    SceneView access_view;
    Hover hover;
    // What the pictures show; none where the variant has no such step.
    struct Shown {
      std::uint64_t result = 0;
      std::uint32_t block = 0, warp = 0;
      std::size_t event = 0;
      Teller of_block;
      WarpTab tab = WarpTab::count_;
      const job::ShuffleValues* values = nullptr;
      friend bool operator==(const Shown&, const Shown&) = default;
    };
    std::optional<Shown> shown;
    diagram::Scene access_scene;
    bool has_access = false;
    PointSentence sentence;
    std::string point;  // the lesson's, with this side's numbers; empty where it has none
    const std::string& answer() const { return has_access ? access_scene.caption : block_picture.scene().caption; }
  };
  // How the upper panels are filled, both alike so that their pictures stand side by side; px unless said.
  struct Layout {
    std::optional<Side::Shown> a, b;  // what it was made for
    float width = 0, height = 0;      // of a panel below its strip, pixels
    Language language{};
    std::string point_a, point_b;
    int around = 2;                                      // lines of code on either side of the step's
    float row = 22;                                      // of code
    float zoom = 1;                                      // of the pictures
    bool blocks = true;                                  // the warps of the block are drawn, not only told
    float block_height = 0;                              // that they were given, of the picture's own units
    float pictures_zoom = 0, pictures_block_height = 0;  // what the pictures were made with last
    std::uint64_t of_a = 0, of_b = 0;                    // results
    float answer = 0;                                    // height of the answer below, pixels
    bool low = false;
    std::optional<bool> as_code;  // the lines of both sides fit in the size of code
  };
  // What the joint steps are made for, and what has been made so far.
  struct Made {
    std::uint64_t a = 0, b = 0;  // results
    std::uint32_t block = 0, warp = 0;
    friend bool operator==(const Made&, const Made&) = default;
  };
  struct InWork {
    std::shared_ptr<const Comparison> made;
    bool searched = false;  // for where they part
    std::optional<std::size_t> parting;
  };
  bool both() const { return a_.result != nullptr && b_.result != nullptr; }
  void update(const Ui& ui);
  void look_at(const Session& session, Side& side, bool is_a);
  void side(const Ui& ui, Side& side, bool is_a, const PanelRect& rect);
  float strip_of(const Ui& ui, const Side& side, bool is_a, const Strip& strip);
  void own_values(const Ui& ui);
  void earlier_launches(const Ui& ui, float width);
  void code(const Ui& ui, const Side& side, bool is_a, const PanelRect& rect);
  void access_of(const Ui& ui, const Side& side, bool is_a, const Strip& strip, float left, float right);
  std::span<const trace::WarpEvent> events(const Side& side) const;
  const ComparedSide& made(const Side& side) const;  // there must be one
  const PhasePass* pass_of(const Side& side, std::size_t event) const;
  const BlockWork& work_of(Side& side, std::size_t pass);
  bool several_launches() const;
  std::optional<Side::Shown> wanted_of(const Ui& ui, Side& side, bool is_a);
  float answer_height(const Ui& ui, const Side& side, float width) const;
  void said(const Ui& ui, const Side& side) const;
  void lay_out(const Ui& ui, float width, float height);
  float try_layout(const Ui& ui, float room);
  void make_pictures(const Ui& ui, Side& side, float block_height, float access_height);
  void body(const Ui& ui, Side& side, bool is_a, const PanelRect& rect);
  void absent(const Ui& ui, const Side& side, bool is_a, const PanelRect& rect);
  void present_step(const Ui& ui, const Side& side, std::size_t pass, float names);
  void absent_step(const Ui& ui, bool is_a) const;
  float places(const Ui& ui, const Strip& strip);
  void together(const Ui& ui, const PanelRect& rect);
  float arrows(const Ui& ui, const Strip& strip);
  void ways(const Ui& ui, const Strip& strip, float left, float right);
  struct Films;
  void column(const Ui& ui, std::size_t step, const Films& films);
  void work_cells(const Ui& ui, Side& side, bool is_a, std::size_t pass, ImVec2 at, const Films& films);
  std::string column_name(const Ui& ui, std::size_t step, const Films& films) const;
  void begin(Session& session);
  void sum_up();
  bool blocks_do_the_same_share() const;
  void totals(const Ui& ui, const PanelRect& rect);

  // B may have blocks and warps that A, whose place the session keeps, has not.
  struct Chosen {
    Position session;  // as it was then: once it is elsewhere, that counts
    std::uint32_t block = 0, warp = 0;
  };
  std::optional<Chosen> chosen_;
  Side a_, b_;
  // The two texts beside each other, made for these results; they scroll together, and to the step where it changes.
  struct Texts {
    std::uint64_t a = 0, b = 0;
    std::vector<DiffRow> rows;
    float scroll = 0;
    int shown_line = 0;
  } texts_;
  Layout layout_;
  Made wanted_;
  std::shared_ptr<InWork> in_work_;
  std::shared_ptr<const Comparison> made_;  // null while it is made
  JointStep now_;                           // the one on screen, its accesses paired
  JointStep before_;                        // the last one that was on screen, by name and number
  std::size_t step_ = 0, access_ = 0;
  std::optional<std::size_t> summed_step_;  // that so_far was made for
  bool totals_chosen_ = false;              // by the learner
};

}  // namespace lanescope::gui
