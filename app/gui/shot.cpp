// Saves the window's contents as a PNG.

#include <algorithm>
#include <chrono>
#include <span>
#include <thread>

#include "core/os/program_name.h"
#include "core/os/read_file.h"
#include "core/os/replace_file.h"
#include "core/os/system_error.h"
#include "core/worded.h"
#include "gui/application.h"
#include "gui/parts/tabs.h"
#include "gui/parts/views.h"
#include "job/lesson/lesson_request.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <imstb_image_write.h>

namespace lanescope::gui {
namespace {

constexpr std::chrono::seconds patience{120};  // for the run and everything computed beside it

Diagnostic cannot_write(const std::string& path, Wording reason) {
  return {Severity::error,
          "shot.io",
          {path, 0, 0},
          worded("The picture could not be saved: {}.", reason),
          "Free some space, or name another file."};
}

// Draws frames until nothing runs or moves. While something runs, it only draws a frame per result: more would take CPU
// time from the run.
void settle(Application& app) {
  const auto start = std::chrono::steady_clock::now();
  for (int quiet = 0; quiet < 6;) {
    app.frame();
    quiet = app.settled() ? quiet + 1 : 0;
    while (!app.settled() && !app.state().moving && !app.session().update()) {
      if (std::chrono::steady_clock::now() - start > patience) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    if (std::chrono::steady_clock::now() - start > patience) return;
  }
}

Diagnostic unknown(Wording said, Wording cure) {
  return {Severity::error, "shot.unknown_name", {}, std::move(said), std::move(cure)};
}

Diagnostics choose_page(const ShotOptions& options, WindowState& state) {
  if (!find_code(options.page, state.page) ||
      (options.tab != "values" && options.tab != "memory" && !find_code(options.tab, state.warp_tab) &&
       !find_code(options.tab, state.steps_tab)) ||
      !find_code(options.code, state.code_tab) || !find_code(options.totals, state.totals))
    return {unknown("There is no such page, tab or code.",
                    worded("Pages: {}; tabs: {} values memory {}; code: {}.", codes_of<Page>(), codes_of<WarpTab>(),
                           codes_of<StepsTab>(), codes_of<CodeTab>()))};
  if (options.results == "agreement") state.results = ResultsTab::agreement;
  return {};
}

Diagnostics choose_compared(const ShotOptions& options, Session& session, WindowState& state) {
  if (options.compare_before) {
    const std::size_t here = session.selection.variant_index();
    if (!session.selection.versions(here))
      return {unknown("Nothing ran before what is on screen.", "Name the text that runs after it.")};
    session.compare_with(version_before(here));
    state.compare_code = options.compare_code;
  }
  if (options.compare.empty()) return {};
  const auto& variants = session.selection.lesson().variants;
  const auto other = std::ranges::find(variants, options.compare, &lesson::Variant::id);
  if (other == variants.end())
    return {unknown(worded("There is no variant `{}` to compare with.", options.compare),
                    worded("`{} list` names them.", program_name()))};
  if (session.selection.is_lesson())
    if (auto legal = job::from_lesson(session.selection.lesson(), *other, options.compare_controls); !legal)
      return legal.take_errors();
  session.compare_with(
      {static_cast<std::size_t>(other - variants.begin()), options.compare_controls, options.compare_original});
  state.compare_code = options.compare_code;
  return {};
}

Diagnostics load_source(const ShotOptions& options, WindowState& state) {
  if (options.source.empty()) return {};
  if (read_file(options.source, state.load_code, most_source_bytes) == 0 && !state.load_code.empty()) return {};
  Diagnostic missing = unknown("The file is not there, or is empty.", "Name a CUDA source file.");
  missing.place.file = options.source;
  return {std::move(missing)};
}

// Chooses the launch of a program. Its launches are known only after the program has ended.
void choose_launch(const ShotOptions& options, Session& session) {
  const OpenRun* run = session.selection.run();
  if (run == nullptr) return;
  if (const auto index = run->file->find(options.run_launch)) session.choose_variant(*index);
}

// Sets launch, block, warp and step once there are steps.
void go_to_place(const ShotOptions& options, Application& app) {
  Session& session = app.session();
  if (options.launch > 0) session.runs.set_launch(options.launch);
  if (options.compare_launch > 0 && session.selection.compared())
    session.runs.set_compared_launch(options.compare_launch);
  if (options.schedules > 0) {
    app.state().steps_tab = StepsTab::schedules;
    session.schedules.run(static_cast<std::uint32_t>(options.schedules));
  }
  if (options.block >= 0) session.place.set_block(static_cast<std::uint32_t>(options.block));
  if (options.warp >= 0) session.place.set_warp(static_cast<std::uint32_t>(options.warp));
  if (session.selection.compared() && (options.block >= 0 || options.warp >= 0)) {
    const Position at = session.place.position();
    app.window().comparison().go_to_warp(session,
                                         options.block >= 0 ? static_cast<std::uint32_t>(options.block) : at.block,
                                         options.warp >= 0 ? static_cast<std::uint32_t>(options.warp) : at.warp);
  }
  if (options.step <= 0) return;
  const auto step = static_cast<std::size_t>(options.step) - 1;
  if (session.selection.compared())
    app.window().comparison().go_to(step);
  else
    session.place.set_step(step);
}

// What was asked for and is not on screen: a picture of another place or kind would be taken for the wanted one.
Diagnostics missed(const ShotOptions& options, Application& app) {
  Session& session = app.session();
  if (session.selection.compared() || session.place.event() == nullptr) return {};
  const Position at = session.place.position();
  if (options.launch > 0 && session.runs.launch() != options.launch)
    return {unknown(worded("The variant has no launch {}.", options.launch), "Choose a launch of the run.")};
  if (options.block >= 0 && static_cast<int>(at.block) != options.block)
    return {unknown(worded("Block {} is not in the launch, or its steps were not kept.", options.block),
                    "Choose a block whose steps were kept.")};
  if (options.warp >= 0 && static_cast<int>(at.warp) != options.warp)
    return {unknown(worded("Block {} has no warp {}.", at.block, options.warp), "Choose a warp of the block.")};
  const std::size_t steps = session.place.step_count();
  if (options.step > 0 && static_cast<std::size_t>(options.step) > steps)
    return {unknown(worded("There is no step {}: the warp has {}.", options.step, steps), "Choose one of its steps.")};
  WarpTab wanted = WarpTab::count_;
  bool any = false;
  if (!options.tab.empty() && find_code(options.tab, wanted) && wanted != WarpTab::count_ &&
      effective_tab(wanted, *session.runs.shown(), *session.place.event(), any) != wanted)
    return {unknown(worded("The step on screen has no picture `{}`.", options.tab),
                    "Choose another step, or another picture.")};
  return {};
}

Result<std::monostate> save(const ShotOptions& options, const Display& display) {
  int width = options.width, height = options.height;
  if (options.scale > 0)
    width = static_cast<int>(static_cast<float>(width) * options.scale),
    height = static_cast<int>(static_cast<float>(height) * options.scale);
  return save_png(options.output, width, height, display.pixels());
}

// Errors despite which there is a picture.
Diagnostics problems_of(const ShotOptions& options, Session& session) {
  if (const Diagnostics& problems = session.runs.problems(); has_error(problems)) return problems;
  if (options.device != "gpu") return {};
  if (const Diagnostics& missing = session.runs.gpus().missing(); has_error(missing)) return missing;
  if (session.runs.gpu() != nullptr && has_error(session.runs.gpu()->problems)) return session.runs.gpu()->problems;
  return {};
}

}  // namespace

std::vector<std::uint8_t> png_of(int width, int height, std::span<const std::uint8_t> rgba) {
  std::vector<std::uint8_t> file;
  const auto append = [](void* into, void* data, int size) {
    auto* bytes = static_cast<std::uint8_t*>(data);
    static_cast<std::vector<std::uint8_t>*>(into)->insert(static_cast<std::vector<std::uint8_t>*>(into)->end(), bytes,
                                                          bytes + size);
  };
  std::vector<std::uint8_t> rgb;
  rgb.reserve(rgba.size() / 4 * 3);
  for (std::size_t i = 0; i + 3 < rgba.size(); i += 4) rgb.insert(rgb.end(), {rgba[i], rgba[i + 1], rgba[i + 2]});
  if (stbi_write_png_to_func(append, &file, width, height, 3, rgb.data(), width * 3) == 0) file.clear();
  return file;
}

Result<std::monostate> save_png(const std::string& path, int width, int height, std::span<const std::uint8_t> rgba) {
  const std::vector<std::uint8_t> file = png_of(width, height, rgba);
  if (file.empty()) return cannot_write(path, "it could not be encoded");
  if (const int reason = replace_file(path, {std::as_bytes(std::span(file))}))
    return cannot_write(path, system_error(reason));
  return std::monostate{};
}

Result<std::monostate> take_shot(const ShotOptions& options) {
  auto started = Application::start(options, /*visible=*/false);
  if (!started) return started.take_errors();
  Application& app = **started;
  WindowState& state = app.state();
  state.settings.reduce_motion = true;
  state.settings.zoom = 1;
  if (Diagnostics wrong = choose_page(options, state); !wrong.empty()) return wrong;
  app.session().runs.show_recorded(options.recorded);
  const WarpTab tab = state.warp_tab;
  settle(app);
  if (!options.run.empty() && app.session().selection.is_lesson()) return app.session().notices();  // it did not open
  if (options.run_launch > 0) choose_launch(options, app.session());
  if (Diagnostics wrong = load_source(options, state); !wrong.empty()) return wrong;
  // The editor takes the text; it is not visible beside another variant, nor in present mode.
  if (!options.source.empty()) settle(app);
  state.present = options.present;
  if (Diagnostics wrong = choose_compared(options, app.session(), state); !wrong.empty()) return wrong;
  if (!options.compare.empty() || options.compare_before) settle(app);
  app.session().memory.open = options.tab == "memory";
  app.session().replays.open = options.tab == "values" || options.tab == "memory";
  app.session().replays.lane = options.lane;
  if (!options.tab.empty()) state.warp_tab = tab;  // overrides the lesson's choice
  go_to_place(options, app);
  state.film.whole = options.whole_film;
  settle(app);
  if (Diagnostics wrong = missed(options, app); !wrong.empty()) return wrong;
  auto saved = save(options, app.display());
  if (!saved) return saved;
  if (Diagnostics problems = problems_of(options, app.session()); !problems.empty()) return problems;
  return std::monostate{};
}

}  // namespace lanescope::gui
