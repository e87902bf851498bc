#pragma once
// What the learner is doing: which lesson and variant, which text and controls, which step, and what the last runs
// gave. Knows nothing of painting. Runs happen on a Worker; update() brings their results in.

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gui/session/gpu_runs.h"
#include "gui/session/replays.h"
#include "gui/session/run_result.h"
#include "gui/session/state_store.h"
#include "gui/session/worker.h"
#include "job/lesson/lesson_numbers.h"
#include "job/lesson/questions.h"
#include "job/lesson/recording.h"
#include "job/run/numbers.h"
#include "job/run/schedules.h"
#include "job/run/shuffle_values.h"
#include "lesson/lesson.h"

namespace lanescope::gui {

// The event on screen: the step counts this warp's kept events.
struct Position {
  std::uint32_t block = 0, warp = 0;
  std::size_t step = 0;
};

// One number over the values of a control, each value a run of its own.
struct Sweep {
  RunKey base;  // with the swept control at any value
  std::string control;
  int launch = 1;  // whose totals the points hold
  struct Point {
    std::int64_t value = 0;
    bool ok = false;
    trace::Totals totals;
  };
  std::vector<Point> points;  // those that have arrived, in order
  std::size_t wanted = 0;     // how many there will be
};

class Session {
 public:
  // A lesson's recordings of a GPU are read in the background when it is first chosen; the folder need not exist.
  // Without `gpus` there is the interpreter alone.
  Session(std::vector<lesson::Lesson> lessons, StateStore store, std::function<void()> wake,
          const std::string& recordings_folder = {}, std::shared_ptr<GpuBackend> gpus = nullptr);

  const std::vector<lesson::Lesson>& lessons() const { return lessons_; }
  const lesson::Lesson& lesson() const { return lessons_[lesson_]; }
  const lesson::Variant& variant() const { return lesson().variants[variant_]; }
  std::size_t lesson_index() const { return lesson_; }
  std::size_t variant_index() const { return variant_; }
  // Both keep edits and controls, show what the variant showed last, and run it where that is out of date.
  void choose_lesson(std::size_t index);
  void choose_variant(std::size_t index);
  // By name, with these values of the lesson's controls; names and values must exist (variant empty = the first).
  void choose(const std::string& lesson, const std::string& variant, const lesson::ControlValues& controls);

  // The kernel's text: the lesson's own until it is edited.
  const std::string& source() const;
  const std::string& original_source() const;
  bool edited() const { return source() != original_source(); }
  bool edited(const lesson::Variant& variant) const;
  void set_source(const std::string& text);  // saved a moment later

  std::vector<const lesson::Control*> controls() const;  // those of the variant
  std::int64_t control(const std::string& name) const;
  void set_control(const std::string& name, std::int64_t value);

  // A second variant beside the first, for comparing; it is run whenever the first is.
  std::optional<std::size_t> compared() const { return compared_; }
  void compare(std::optional<std::size_t> variant);

  RunKey wanted() const;  // what a run now would run
  void run();
  void run_if_needed();  // unless shown and wanted agree, or a run of it is under way
  void stop();
  Worker::Status running() const;
  bool fast() const;  // the last run was quick enough to run while dragging

  // The last good result of this variant; null before the first. Pictures and numbers come from here only: the
  // interpreter's, or, where the learner asked for it and it is there, what the GPU recorded.
  const RunResult* shown() const;
  bool shows_recorded() const;
  // What is shown does not belong to the text and controls on screen (which must then be said beside every number).
  bool stale() const;
  // The same of any variant of the lesson on screen, always the interpreter's.
  const RunResult* shown(std::size_t variant) const;
  // Of one of its launches, from 1; null where there is no such launch or it was repeated zero times.
  const RunResult* shown(std::size_t variant, int launch) const;
  bool stale(std::size_t variant) const;
  const Diagnostics& problems(std::size_t variant) const;
  // The launch of shown() that pictures and numbers are of, from 1, and how many there are. Lessons say which opens.
  int launch() const { return launch(variant_); }
  int launch(std::size_t variant) const;
  int launch_count() const { return launch_count(variant_); }
  int launch_count(std::size_t variant) const;
  void set_launch(int launch);  // clamped; one that was repeated zero times is passed over
  // The same of the compared variant, which may be the variant on screen at another launch. There must be one.
  int compared_launch() const;
  void set_compared_launch(int launch);
  // Of the last run of this variant, when it failed: errors, with their place. Else empty.
  const Diagnostics& problems() const;
  // Those; of a run that came to its end, what is wrong with its result, and then what the compiler and the interpreter
  // remarked on, while it is of what is on screen.
  const Diagnostics& remarks() const;
  // Text was edited since those problems were found.
  bool problems_outdated() const;
  const Diagnostics& notices() const { return notices_; }  // about the window itself (a save that failed)
  void dismiss_notices() { notices_.clear(); }

  Position position() const;  // always valid for shown(); {} without events
  void set_block(std::uint32_t block);
  void set_warp(std::uint32_t warp);
  void set_step(std::size_t step);
  void step_by(std::ptrdiff_t delta);
  std::size_t step_count() const;
  const trace::WarpEvent* event() const;  // null when no events were kept
  const trace::Site* site() const;

  // Of the kernel that is shown(), which there must be: started by the first call, filled in as results arrive, started
  // again when another one is shown.
  const Sweep& sweep(const std::string& control);

  // ---- the learner's own GPU. A run goes to it as soon as the interpreter has run.
  const GpuRuns& gpus() const { return gpus_; }
  void choose_device(const std::string& wish);  // see GpuRuns::wish()
  void choose_cache(gpu::CacheState cache);
  // What it said of this variant, on the device and with the state of L2 that are chosen; null when nothing.
  const GpuResult* gpu() const { return gpu(variant_); }
  const GpuResult* gpu(std::size_t variant) const;
  // It does not belong to what is shown (and must be labelled so).
  bool gpu_stale() const { return gpu_stale(variant_); }
  bool gpu_stale(std::size_t variant) const;
  // What it said of the launch on screen: null while that is not there. They are stale when gpu_stale() says so.
  const job::Agreement* agreement() const;
  const RunResult* gpu_recording() const;
  Worker::Status gpu_running() const;
  int gpu_launch_under_way() const { return gpus_.launch_under_way("gpu"); }  // see GpuRuns::launch_under_way()
  void stop_gpu() { gpus_.stop(); }
  // Pictures and numbers of the recording in the interpreter's place, whenever there is one.
  void show_recorded(bool wanted);
  // Times the kernel that is shown() over a control; see gpu_sweep().
  void measure_sweep(const std::string& control);
  void stop_measuring() { gpus_.stop_sweep(); }
  const GpuSweep* gpu_sweep(const std::string& control) const;  // null: of another kernel or control

  // What a GPU measured of the lesson on screen; null when no recording of it is there.
  const job::LessonRecording* recording() const;
  // The measured run of exactly the text and controls that are shown(); null when there is none.
  const job::RecordedRun* recorded_run() const { return recorded_run(variant_); }
  const job::RecordedRun* recorded_run(std::size_t variant) const;

  // What that run's GPU counted, held against what is shown(); empty when it counted nothing. Of launch 1.
  const std::vector<job::AgreementRow>& recorded_agreement();

  // SASS of what is shown: asked for on first use. Null while it is being made.
  const Result<compile::Sass>* sass();

  // What the shuffle on screen moves: asked for on first use. Null while it is being made, and where the step is no
  // shuffle or its values cannot be told.
  const job::ShuffleValues* shuffle_values();
  // The same of an event of shown(variant, launch), of several at once: `slot` names who asks.
  const job::ShuffleValues* shuffle_values(const std::string& slot, std::size_t variant, int launch,
                                           const trace::WarpEvent& event);

  // Values of the step on screen, the interpreter's; null while they are being made, and of a recording.
  const Result<job::StepValues>* step_values();
  // Where the values of replays().lane came from at this step; null without a lane too.
  const Result<job::Origins>* step_origins();
  // Goes to the last write of an element, "out[37]", or has replays() say why there is none.
  void go_to_writer_of(const std::string& element);
  // Goes to a step and a lane of it, from where the learner is: both join the trail. Else replays() says why not.
  void follow(int launch, const sim::Step& step, int lane);
  void go_back_to(std::size_t visit);  // of the trail
  Replays& replays() { return replays_; }

  // What became of an answer to a question of the lesson. It belongs to the run in `key`.
  struct Verdict {
    RunKey key;
    bool known = false;  // false: being worked out
    bool right = false;
    job::Answer given, correct;
    const lesson::Misunderstanding* why = nullptr;  // of a wrong answer; null: it has no name
    std::optional<Diagnostic> cannot;               // why it cannot be asked of this run
    bool nothing = false;                           // nothing of the kind happens in this run
    // Of a question about time: the numbers that decide it, with the label to show.
    struct Time {
      std::string option;
      metrics::Interval seconds;
      Wording label;
    };
    std::vector<Time> times;
  };
  // Questions about time can be asked only where somebody measured every option, of the lesson's own text.
  enum class Askable : std::uint8_t { yes, not_measured, edited };
  Askable askable(const lesson::Question& question);
  void answer(const lesson::Question& question, const job::Answer& given);
  const Verdict* verdict(const lesson::Question& question) const;  // null: not answered
  // Goes to the place that a question is about, in the variant on screen.
  void go_to(const lesson::Look& look);
  // The same, at the very execution whose number or lanes are asked for. A choice among variants that names no place is
  // shown in the variant that was chosen, so that a misunderstanding is met where it arises.
  void go_to(const lesson::Question& question);
  bool shows_place(const lesson::Question& question) const;
  // The variant and the values of controls that a number of a text is of; it runs where that has not been shown.
  void show_run_of(const lesson::NumberReference& number);
  // Where in shown() that number comes from: its marked line, else the first step of its kind; stays where there is
  // none.
  void go_to(const lesson::NumberReference& number);

  // The code on screen under many legal orders of warps and lanes, and every two accesses held to happens-before: of
  // each variant the last that was asked for. Runs beside everything else.
  struct Orders {
    RunKey key;
    std::uint32_t asked = 0;
    bool known = false;                                 // false: under way
    std::shared_ptr<const job::ScheduleReport> report;  // when it is known
    std::shared_ptr<std::atomic<std::uint32_t>> done;   // while it is under way
  };
  void run_orders(std::uint32_t count);
  void stop_orders();            // what was done until then is kept
  const Orders* orders() const;  // null: not asked for
  bool orders_stale() const;     // of another text or other values than those on screen
  bool orders_running() const { return orders_worker_.status("orders").busy; }
  // Goes to where a thread makes an access: its block, warp and step, of several the last one where that is asked for;
  // false when no such step was kept.
  bool go_to_access(int launch, const job::RacePlace& place, bool last = false);
  // Goes to the last write of an element that is wrong: remarks()[index] is about it. Where the kept events do not
  // tell, it is looked for by running again, and gone to when it is found. False where no thread wrote the element.
  bool go_to_writer(std::size_t index);

  // Tasks: the code on screen, held to a task's rules.
  struct Grade {
    RunKey key;
    bool known = false, passed = false;
    std::vector<job::CheckResult> checks;
    std::vector<job::RaceText> races, races_chinese;  // that accuse: what is right by luck does not pass
    Diagnostics problems;                             // when the code did not compile or run to its end
  };
  void open_task(const lesson::Task& task);
  std::string start_of(const lesson::Task& task) const;
  // `most_steps`: warp instructions that its run may take; 0 = as many as any run of a lesson.
  void grade(const lesson::Task& task, std::uint64_t most_steps = 0);
  const Grade* grade_of(const lesson::Task& task) const;  // null: not asked for

  // A number that the lesson's text quotes. The variant on screen gives what is shown(); others, and other values of
  // controls, are run in the background from the lesson's own source: nullopt until that is done.
  std::optional<double> number(const lesson::NumberReference& reference);
  // The label that must be shown with a measured number of the text; empty if it was not measured.
  Wording label_of(const lesson::NumberReference& reference);
  std::uint64_t revision() const { return revision_; }  // grows whenever something on screen may have changed

  // Brings in results and saves edits. True when something changed. Call once a frame.
  bool update();
  bool busy() const {
    return !runner_.idle() || !background_.idle() || !gpus_.idle() || !orders_worker_.idle() || !reader_.idle() ||
           !replays_.idle();
  }
  double seconds_to_next_save() const;  // < 0: nothing to save
  void flush();                         // saves at once

  StateStore& store() { return store_; }

 private:
  using VariantId = std::pair<std::string, std::string>;
  std::optional<std::size_t> chosen_in(const lesson::Question& question) const;
  struct Problem {
    RunKey key;
    Diagnostics diagnostics;
  };
  // Where in a trace the learner looks, told without indices so that it survives another run.
  struct Place {
    std::uint32_t block = 0, warp = 0;
    std::size_t step = 0;
    bool chosen = false;
    std::uint64_t settled_in = 0;  // the result that block, warp and step are of
    std::string opcode;
    int line = 0;
    std::size_t occurrence = 0;
  };

  VariantId id() const { return {lesson().id, variant().id}; }
  VariantId place_id() const;  // each launch has a place of its own
  int launch_of(std::size_t variant, const std::map<VariantId, int>& chosen) const;
  int next_launch(std::size_t variant, int from, int wanted) const;
  job::LessonNumbers& numbers_of_others();
  RunKey key_of(const lesson::Lesson& lesson, const lesson::Variant& variant) const;
  bool is_key_of(const RunKey& key, const lesson::Lesson& lesson, const lesson::Variant& variant) const;
  std::int64_t control_of(const lesson::Lesson& lesson, const std::string& name) const;
  const RunResult* quoted(RunKey key);
  std::size_t first_step(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp) const;
  std::size_t first_step_of(const lesson::Look& look, const trace::Trace& trace, std::uint32_t block,
                            std::uint32_t warp) const;
  const std::string& source_of(const lesson::Lesson& lesson, const lesson::Variant& variant) const;
  void start(const char* slot, std::size_t variant);
  void start_if_needed(const char* slot, std::size_t variant);
  void arrived(std::shared_ptr<const RunResult> result);
  const RunResult* recorded() const;  // the recording that takes the interpreter's place
  void run_on_gpu_if_needed();
  std::vector<std::int64_t> sweep_values(const std::string& control) const;
  void settle_place();
  void remember_place();
  void leave_variant();  // before another one, or another lesson, comes on screen; then enter_variant()
  void enter_variant(std::size_t index);
  void clamp_place();
  bool go_to_step(int launch, const sim::Step& step);  // false: not kept
  void find_writer(int argument, std::int64_t index, std::string element);
  void go_to_execution(const lesson::NumberReference& number);  // of a mark, in one warp
  void post_sweep_point(std::size_t index, std::vector<std::int64_t> values);
  void save_pending();
  void read_recordings();  // of the lesson on screen, unless they were

  std::vector<lesson::Lesson> lessons_;
  StateStore store_;
  std::size_t lesson_ = 0, variant_ = 0;
  std::map<std::string, std::size_t> last_variant_;  // by lesson
  std::map<VariantId, std::string> edits_;
  std::map<std::string, std::map<std::string, std::int64_t>> controls_;  // by lesson
  std::map<VariantId, std::shared_ptr<const RunResult>> results_;
  std::map<VariantId, Problem> problems_;
  std::map<VariantId, Place> places_;
  std::map<VariantId, int> launches_, compared_launches_;  // that were chosen, alone or as A, and as B
  std::map<VariantId, Orders> orders_;
  struct Quote {
    RunKey key;
    std::shared_ptr<const RunResult> result;  // null while it is being made
  };
  std::vector<Quote> quotes_;  // of the lesson on screen
  std::optional<std::size_t> compared_;
  std::map<std::string, RunKey> running_keys_;  // by slot
  double last_run_seconds_ = 0;
  Sweep sweep_;
  struct SassSlot {
    std::string ptx, mangled;  // what it was made from
    std::optional<Result<compile::Sass>> result;
  } sass_;
  struct CountedSlot {
    std::uint64_t result = 0;
    const job::RecordedRun* run = nullptr;
    std::vector<job::AgreementRow> rows;
  } counted_;
  const std::string recordings_folder_;
  std::set<std::string> recordings_asked_, recordings_reported_;  // lessons, and files that do not open
  std::vector<job::LessonRecording> recordings_;
  struct ShuffleSlot {
    std::uint64_t result = 0;
    const trace::WarpEvent* event = nullptr;
    std::optional<job::ShuffleValues> values;
  };
  std::map<std::string, ShuffleSlot> shuffles_;  // by who asked
  std::map<std::string, Verdict> verdicts_;      // by question, as the grades by task: of this lesson
  std::map<std::string, Grade> grades_;
  std::shared_ptr<job::LessonNumbers> other_numbers_;                    // of the lesson on screen
  std::map<VariantId, double> unsaved_;                                  // since when
  std::map<std::string, std::unique_ptr<job::LessonNumbers>> measured_;  // by lesson: times alone
  job::LessonNumbers& measured_numbers();
  Diagnostics notices_;
  bool changed_ = false;
  std::uint64_t revision_ = 1, quote_number_ = 0;
  bool recorded_wanted_ = false;
  bool gpu_again_ = false;  // the run under way was asked for: the GPU runs too, whatever it said before
  // Last: their threads end before what their completions touch.
  Worker background_, runner_, orders_worker_, reader_;
  Replays replays_;
  GpuRuns gpus_;
};

}  // namespace lanescope::gui
