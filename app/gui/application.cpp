#include "gui/application.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <utility>

#include "core/os/clock.h"
#include "core/os/environment.h"
#include "core/worded.h"
#include "gui/end_of_process.h"
#include "gui/exporting.h"
#include "gui/parts/presenting.h"
#include "gui/parts/saved_runs.h"
#include "gui/programs/file_kind.h"
#include "gui/tour_view.h"

namespace lanescope::gui {
namespace {

constexpr double settings_delay = 0.5;  // seconds between a change of the settings and saving them

Diagnostic no_such(const char* code, const Wording& said, const std::string& known) {
  return {Severity::error, code, {}, said, worded("Choose one of: {}.", known)};
}

template <typename List>
std::string names_of(const List& list) {
  std::string all;
  for (const auto& one : list) all += (all.empty() ? "" : ", ") + one.id;
  return all;
}

}  // namespace

std::string language_of_locale() {
  const std::string language = language_of_user();
  return code_of(language.empty() ? Language::english : language_of(language));
}

namespace {

// What to show first: the choice of the command line, else the last one.
struct Beginning {
  std::string lesson, variant;
};

Result<Beginning> beginning_of(const Options& options, const SavedSettings& saved,
                               const std::vector<lesson::Lesson>& lessons) {
  const auto find = [&](const std::string& id) {
    const auto found = std::ranges::find(lessons, id, &lesson::Lesson::id);
    return found == lessons.end() ? nullptr : &*found;
  };
  if (!options.lesson.empty() && find(options.lesson) == nullptr)
    return no_such("lesson.no_such", worded("There is no lesson `{}`.", options.lesson), names_of(lessons));
  const lesson::Lesson* lesson = find(options.lesson.empty() ? saved.lesson : options.lesson);
  if (lesson == nullptr) lesson = &lessons.front();
  if (!options.variant.empty() && lesson->find_variant(options.variant) == nullptr)
    return no_such("lesson.no_such_variant", worded("There is no variant `{}`.", options.variant),
                   names_of(lesson->variants));
  for (const auto& [name, value] : options.controls) {
    const lesson::Control* control = lesson->find_control(name);
    if (control == nullptr) {
      std::string all;
      for (const lesson::Control& c : lesson->controls) all += (all.empty() ? "" : ", ") + c.name;
      return no_such("control.unknown", worded("There is no control `{}`.", name), all);
    }
    if (!control->allows(value))
      return Diagnostic{Severity::error,
                        "control.out_of_range",
                        {},
                        worded("`{}` cannot be {}.", name, value),
                        worded("Legal values: {}.", control->legal_values())};
  }
  std::string variant = options.variant;
  if (const auto last = saved.variant_of.find(lesson->id);
      variant.empty() && last != saved.variant_of.end() && lesson->find_variant(last->second) != nullptr)
    variant = last->second;
  return Beginning{lesson->id, variant};
}

Settings settings_of(const Options& options, const SavedSettings& saved) {
  Settings settings;
  settings.theme = (options.theme.empty() ? saved.theme : options.theme) == "light" ? Theme::light : Theme::dark;
  const std::string language = options.language.empty() ? saved.language : options.language;
  settings.language = language_of(language.empty() ? language_of_locale() : language);
  settings.zoom = saved.zoom >= 0.6f && saved.zoom <= 3.0f ? saved.zoom : 1.0f;
  settings.reduce_motion = saved.reduce_motion;
  return settings;
}

Result<std::unique_ptr<Display>> open_display(const Options& options, const SavedSettings& saved, bool visible) {
  int width = options.width, height = options.height;
  if (visible && saved.width >= 640 && saved.height >= 400) width = saved.width, height = saved.height;
  if (!visible && options.scale > 0)
    width = static_cast<int>(static_cast<float>(width) * options.scale),
    height = static_cast<int>(static_cast<float>(height) * options.scale);
  return Display::open(width, height, visible);
}

std::string recordings_of(const Options& options) {
  if (!options.recordings_folder.empty()) return options.recordings_folder;
  return (std::filesystem::path(options.lessons_folder) / "../assets/recordings").lexically_normal().generic_string();
}

// Opens the file that replaces the lessons, if there is one. Returns why it could not be opened.
Diagnostics open_first(const Options& options, Session& session, WindowState& state) {
  if (options.run.empty()) return {};
  if (is_run(kind_of_file(options.run)))
    return open_file(session, state, options.run, options.run_arguments, options.run_folder,
                     {options.include_paths, options.defines});
  open_file(session, state, options.run, {}, {}, {options.include_paths, options.defines});
  if (session.selection.is_lesson()) return session.notices();
  if (session.selection.run() == nullptr) return {};
  if (const auto index = session.selection.run()->file->find(options.run_launch)) session.choose_variant(*index);
  return {};
}

}  // namespace

Result<std::unique_ptr<Application>> Application::start(const Options& options, bool visible) {
  std::unique_ptr<Application> app(new Application);
  app->started_at_ = seconds_now();
  app->options_ = options;
  StateStore store(options.keep_state ? StateStore::default_folder() : "");
  const SavedSettings& saved = app->saved_ = store.settings();
  // Reading the lessons and opening the display take about as long as each other.
  std::future<lesson::Library> reading =
      std::async(std::launch::async, [&options] { return lesson::load_library(options.lessons_folder); });
  auto display = open_display(options, saved, visible);
  lesson::Library library = reading.get();
  // Those that loaded: a broken lesson does not affect the others.
  std::vector<lesson::Lesson>* const lessons = &library.lessons;
  if (lessons->empty() && !library.problems.empty()) return std::move(library.problems);
  if (lessons->empty())
    return Diagnostic{Severity::error,
                      "lesson.io",
                      {options.lessons_folder, 0, 0},
                      "The folder contains no lesson.",
                      "Choose "
                      "another "
                      "folder."};

  app->state_.settings = settings_of(options, saved);
  if (visible && saved.lesson.empty()) app->state_.page = Page::read;  // a new user starts on the first page
  const auto beginning = beginning_of(options, saved, *lessons);
  if (!beginning) return beginning.errors();

  app->session_ = std::make_unique<Session>(
      std::move(*lessons), std::move(store), [] { Display::wake(); }, recordings_of(options), options.gpus);
  Session& session = *app->session_;
  if (!options.own_program.empty()) session.program.set_command({options.own_program});
  session.runs.choose_device(options.device.empty() ? saved.device : options.device == "gpu" ? "" : options.device);
  if (options.device.empty()) session.runs.look_elsewhere(saved.place);
  session.runs.choose_cache(gpu::cache_state_from(saved.l2).value_or(gpu::CacheState::flushed));

  if (!display) return display.take_errors();
  app->display_ = std::move(*display);
  app->state_.recent_runs = saved.recent_runs;
  app->state_.programs = saved.programs;
  app->state_.answers = saved.answers;
  for (const auto& [answer, given] : saved.answers) app->state_.answered.insert(answer);
  app->state_.passed.insert(saved.passed.begin(), saved.passed.end());
  session.choose(beginning->lesson, beginning->variant, options.controls);
  if (Diagnostics wrong = open_first(options, session, app->state_); !wrong.empty()) return wrong;

  app->look_.load_fonts(find_font_files());
  app->window_ = std::make_unique<MainWindow>(app->look_, session, app->state_);
  app->window_->tell(std::move(library.problems));
  if (!visible) return app;
  const std::string folder = options.keep_state ? StateStore::default_folder() : "";
  if (saved.lesson.empty() && !tour_was_seen(folder)) {
    app->state_.tour->start();
    remember_tour(folder);
  }
  app->state_lock_ = std::make_unique<StateLock>(folder);
  if (app->state_lock_->taken_by_another())
    app->window_->tell(
        {Diagnostic{Severity::warning,
                    "state.in_use",
                    {StateStore::default_folder()},
                    "Another Lanescope window is open: each window overwrites the edits that the other saved.",
                    "Close one of them, or edit in only one."}});
  return app;
}

Application::~Application() {
  if (session_ != nullptr) {
    session_->selection.flush();
    if (window_ != nullptr) save_settings();
  }
}

namespace {

// Enlargement of present mode compared with a window of 1440 × 900; 1 in smaller windows. Two variants side by side
// have no larger texts of their own: they are laid out as in a window of the smallest size.
float present_scale(ImVec2 window, float pixels, bool comparing) {
  const ImVec2 as = comparing ? ImVec2(1024, 640) : ImVec2(1440, 900);
  return std::clamp(std::min(window.x / (as.x * pixels), window.y / (as.y * pixels)), 1.0f, 3.0f);
}

// Above 1920 × 1080 everything grows with the window, but more slowly: 1.6 times as large at 3840 × 2160, where text of
// a laptop's size would be lost in empty panels. It grows in steps, so that dragging an edge does not change every size
// with each pixel.
float large_window_scale(ImVec2 window, float pixels) {
  const float ratio = std::min(window.x / (1920 * pixels), window.y / (1080 * pixels));
  if (ratio <= 1) return 1;
  return std::min(2.5f, std::floor(std::pow(ratio, 0.7f) * 16) / 16);
}

// The room that all panels need for their texts, in device-independent pixels; one panel alone and a picture in present
// mode need less.
constexpr ImVec2 least_of_all_panels{1024, 640}, least_of_one{853, 533};
constexpr float height_of_film = 140, height_of_controls = 70;  // below a picture in present mode

// Of present mode, which fills the window already at the scale of 1: what was chosen for reading panels at a desk must
// not push half of the picture out of the window. Only what is chosen while presenting may.
float presented_zoom(const Presenting& shown, float of_window, ImVec2 window, float scale, bool comparing) {
  if (shown.zoom > 0) return shown.zoom;
  ImVec2 least = comparing ? least_of_all_panels : least_of_one;
  if (!comparing && !shown.times)
    least.y += (shown.film ? height_of_film : 0) + (shown.controls ? height_of_controls : 0);
  const float room = std::min(window.x / (least.x * scale), window.y / (least.y * scale));
  return std::min(of_window, std::max(room, 1.0f));
}

}  // namespace

void Application::apply_look() {
  const Settings& settings = state_.settings;
  float scale = options_.scale > 0 ? options_.scale : display_->content_scale();
  const ImVec2 window = display_->room();
  const bool comparing = session_->selection.compared().has_value();
  scale *= state_.present ? present_scale(window, scale, comparing) : large_window_scale(window, scale);
  if (state_.present && state_.presenting != nullptr && state_.presenting->times && !comparing)
    scale *= PresentView::scale_of_times(window, scale);
  float zoom = settings.zoom;
  if (state_.present && state_.presenting != nullptr)
    zoom = state_.presenting->applied_zoom = presented_zoom(*state_.presenting, zoom, window, scale, comparing);
  scale *= zoom;
  if (settings.language == Language::chinese || state_.other_languages) look_.load_cjk();
  if (scale == applied_scale_ && settings.theme == applied_theme_) return;
  applied_scale_ = scale, applied_theme_ = settings.theme;
  look_.apply(settings.theme, scale);
}

SavedSettings Application::settings_now() const {
  const Settings& settings = state_.settings;
  SavedSettings now = saved_;
  now.theme = settings.theme == Theme::dark ? "dark" : "light";
  now.language = code_of(settings.language);
  now.zoom = settings.zoom;
  now.reduce_motion = settings.reduce_motion;
  const Selection& selection = session_->selection;
  now.lesson = selection.lessons()[selection.lesson_index()].id;
  now.recent_runs = state_.recent_runs;
  now.programs = state_.programs;
  now.answers = state_.answers;
  now.passed.assign(state_.passed.begin(), state_.passed.end());
  now.device = session_->runs.gpus().wish();
  const std::string& place = session_->runs.gpus().place();
  now.place = !place.empty() && contains(now.device, "(" + place + ")") ? place : "";
  now.l2 = gpu::to_string(session_->runs.gpus().cache());
  if (selection.is_lesson()) now.variant_of[now.lesson] = selection.variant().id;
  if (const ImVec2 size = display_->room(); options_.keep_state && size.x > 0)
    now.width = static_cast<int>(size.x), now.height = static_cast<int>(size.y);
  return now;
}

void Application::save_settings() {
  SavedSettings now = settings_now();
  settings_changed_at_ = -1;
  if (now == saved_) return;
  saved_ = std::move(now);
  (void)session_->selection.store().save(saved_);  // a disk error is reported when an edit is saved
}

// Saved a moment after a change, so that dragging the window's edge does not write a file with each pixel.
void Application::save_settings_in_time() {
  if (settings_changed_at_ < 0 && settings_now() != saved_) settings_changed_at_ = seconds_now();
  if (settings_changed_at_ >= 0 && seconds_now() >= settings_changed_at_ + settings_delay) save_settings();
}

void Application::open_dropped() {
  for (const std::string& path : display_->take_dropped())
    if (Diagnostics wrong = window_->is_code(ImGui::GetIO().MousePos) ? replace_code(*session_, state_, path)
                                                                      : open_file(*session_, state_, path);
        !wrong.empty())
      window_->tell(std::move(wrong));
}

void Application::frame() {
  session_->update();
  apply_look();
  const ImVec2 least = state_.present || state_.presenting->grown ? least_of_one : least_of_all_panels;
  display_->begin_frame({look_.px(least.x), look_.px(least.y)});
  open_dropped();  // where the pointer is now
  window_->frame();
  if (const ImVec2 by = std::exchange(state_.move_part, {0, 0}); by.x != 0 || by.y != 0) {
    display_->move_by(look_, by);
    state_.moving = true;  // the part is seen in the next frame
  }
  display_->end_frame(look_);
  take_picture(*state_.exports, *display_);
  save_settings_in_time();
  if (first_frame_seconds_ == 0) first_frame_seconds_ = seconds_now() - started_at_;
}

bool Application::settled() const {
  return !session_->busy() && !state_.moving;
}

// Seconds until the next frame without an event; < 0: no limit.
double Application::wait_limit(double since_input) const {
  constexpr double animation = 0, hint_delay = 0.6, progress = 0.1;
  if (state_.moving) return animation;
  double limit = -1;
  const auto at_most = [&](double seconds) { limit = limit < 0 ? seconds : std::min(limit, seconds); };
  if (since_input < hint_delay) at_most(0.1);  // a hint may be about to appear
  if (session_->runs.running().busy || session_->runs.gpu_running().busy || session_->schedules.running() ||
      session_->program.busy())
    at_most(progress);
  if (const double save = session_->selection.seconds_to_next_save(); save >= 0) at_most(save + 0.01);
  if (const double note = session_->file_save.seconds_of_note(); note >= 0) at_most(note + 0.01);
  if (settings_changed_at_ >= 0) at_most(std::max(0.0, settings_changed_at_ + settings_delay - seconds_now()) + 0.01);
  return limit;
}

void Application::loop() {
  // ImGui needs a few frames after a change, because sizes are known one frame late.
  constexpr int frames_a_change = 3;
  int owed = frames_a_change;
  double input_at = seconds_now();
  const EndOfProcess ended([this] {
    session_->selection.flush();
    save_settings();
  });
  while (!display_->should_close() && !state_.quit && !ended.asked()) {
    const double limit = owed > 0 ? 0 : wait_limit(seconds_now() - input_at);
    // Another program may change the file on screen while nothing else happens: it is looked at without a frame.
    const double look = session_->file_watch.seconds_to_next_look();
    const bool to_look = look >= 0 && (limit < 0 || look < limit);
    const double waits_since = seconds_now();
    const bool input = display_->wait(to_look ? look : limit);
    const bool news = session_->update();
    const bool due = limit >= 0 && seconds_now() - waits_since >= limit;
    if ((session_->file_watch.take_looked() || to_look) && !input && !news && !due && !ended.asked()) continue;
    if (input) input_at = seconds_now();
    if (input || news) owed = frames_a_change;
    frame();
    if (owed > 0) --owed;
  }
  // What was typed before the end was asked for may still be waiting: Dear ImGui takes a character or two per frame.
  constexpr int enough = 100;
  for (int i = 0; i < enough && display_->wait(0); ++i) frame();
}

}  // namespace lanescope::gui
