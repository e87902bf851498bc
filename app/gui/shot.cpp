// `lanescope shot`: what the window shows, as a PNG.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

#include "command_words.h"
#include "core/system_error.h"
#include "core/worded.h"
#include "diagram/messages.h"
#include "gui/application.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <imstb_image_write.h>

namespace lanescope::gui {
namespace {

constexpr std::chrono::seconds patience{120};  // for the run and everything computed beside it

// On standard error.
void tell(const Diagnostics& problems, const std::string& language) {
  for (const Diagnostic& problem : problems) fmt::print(stderr, "{}\n", diagram::told(problem, diagram::language_of(language)));
}

Diagnostic cannot_write(const std::string& path, Wording reason) {
  return {Severity::error,
          "shot.io",
          {path, 0, 0},
          worded("The picture could not be saved: {}.", reason),
          "Free some space, or name another file."};
}

// Frames until nothing runs or moves any more. While something runs, only what it brings is painted:
// software rendering would take the cores that it runs on.
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
  if (!find_code(options.page, state.page) || !find_code(options.tab, state.warp_tab) ||
      !find_code(options.code, state.code_tab) || !find_code(options.totals, state.totals))
    return {unknown("There is no such page, tab or code.",
                    "Pages: read predict run see explain try; tabs: sectors banks shuffle "
                    "groups atomics phases running; code: cuda ptx sass.")};
  state.present = options.present;
  if (options.results == "agreement") state.results = ResultsTab::agreement;
  return {};
}

Diagnostics choose_compared(const ShotOptions& options, Session& session) {
  if (options.compare.empty()) return {};
  const auto& variants = session.lesson().variants;
  const auto other = std::ranges::find(variants, options.compare, &lesson::Variant::id);
  if (other == variants.end())
    return {unknown(worded("There is no variant `{}` to compare with.", options.compare), "`lanescope list` names them.")};
  session.compare(static_cast<std::size_t>(other - variants.begin()));
  return {};
}

Diagnostics load_source(const ShotOptions& options, WindowState& state) {
  if (options.source.empty()) return {};
  std::ifstream in(options.source, std::ios::binary);
  state.load_code.assign(std::istreambuf_iterator<char>(in), {});
  if (in && !state.load_code.empty()) return {};
  Diagnostic missing = unknown("The file is not there, or is empty.", "Name a file of CUDA code.");
  missing.place.file = options.source;
  return {std::move(missing)};
}

// Launch, block, warp and step, once there is something to step through.
void go_to_place(const ShotOptions& options, Application& app) {
  Session& session = app.session();
  if (options.launch > 0) session.set_launch(options.launch);
  if (options.compare_launch > 0 && session.compared()) session.set_compared_launch(options.compare_launch);
  if (options.schedules > 0) {
    app.state().steps_tab = StepsTab::schedules;
    session.run_orders(static_cast<std::uint32_t>(options.schedules));
  }
  if (options.block >= 0) session.set_block(static_cast<std::uint32_t>(options.block));
  if (options.warp >= 0) session.set_warp(static_cast<std::uint32_t>(options.warp));
  if (session.compared() && (options.block >= 0 || options.warp >= 0)) {
    const Position at = session.position();
    app.window().comparison().go_to_warp(session, options.block >= 0 ? static_cast<std::uint32_t>(options.block) : at.block,
                                         options.warp >= 0 ? static_cast<std::uint32_t>(options.warp) : at.warp);
  }
  if (options.step <= 0) return;
  const auto step = static_cast<std::size_t>(options.step) - 1;
  if (session.compared())
    app.window().comparison().go_to(step);
  else
    session.set_step(step);
}

Result<std::monostate> save(const ShotOptions& options, const Display& display) {
  int width = options.width, height = options.height;
  if (options.scale > 0)
    width = static_cast<int>(static_cast<float>(width) * options.scale),
    height = static_cast<int>(static_cast<float>(height) * options.scale);
  return save_png(options.output, width, height, display.pixels());
}

// What went wrong although there is a picture.
Diagnostics problems_of(const ShotOptions& options, Session& session) {
  if (const Diagnostics& problems = session.problems(); has_error(problems)) return problems;
  if (options.device != "gpu") return {};
  if (const Diagnostics& missing = session.gpus().missing(); has_error(missing)) return missing;
  if (session.gpu() != nullptr && has_error(session.gpu()->problems)) return session.gpu()->problems;
  return {};
}

}  // namespace

Result<std::monostate> save_png(const std::string& path, int width, int height,
                                const std::vector<std::uint8_t>& rgba) {
  std::vector<std::uint8_t> file;
  const auto append = [](void* into, void* data, int size) {
    auto* bytes = static_cast<std::uint8_t*>(data);
    static_cast<std::vector<std::uint8_t>*>(into)->insert(
        static_cast<std::vector<std::uint8_t>*>(into)->end(), bytes, bytes + size);
  };
  std::vector<std::uint8_t> rgb;
  rgb.reserve(rgba.size() / 4 * 3);
  for (std::size_t i = 0; i + 3 < rgba.size(); i += 4)
    rgb.insert(rgb.end(), {rgba[i], rgba[i + 1], rgba[i + 2]});
  if (stbi_write_png_to_func(append, &file, width, height, 3, rgb.data(), width * 3) == 0)
    return cannot_write(path, "it could not be encoded");
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  out.close();
  if (!out) return cannot_write(path, system_error(errno));
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
  app.session().show_recorded(options.recorded);
  if (Diagnostics wrong = choose_compared(options, app.session()); !wrong.empty()) return wrong;
  const WarpTab tab = state.warp_tab;
  settle(app);
  if (Diagnostics wrong = load_source(options, state); !wrong.empty()) return wrong;
  if (!options.source.empty()) settle(app);
  if (!options.tab.empty()) state.warp_tab = tab;  // the lesson's own choice came first
  go_to_place(options, app);
  settle(app);
  auto saved = save(options, app.display());
  if (!saved) return saved;
  if (Diagnostics problems = problems_of(options, app.session()); !problems.empty()) return problems;
  return std::monostate{};
}

int run_shot(int argc, const char* const* argv, const std::string& lessons_folder,
             std::vector<std::string> worker) {
  ShotOptions options;
  options.lessons_folder = lessons_folder;
  options.keep_state = false;
  options.language = "en";
  std::vector<std::string> settings;
  std::string size;
  CLI::App cli{"Saves what the window shows as a PNG", "lanescope shot"};
  cli.add_option("-o,--output,file", options.output, "the file to write")->required();
  cli.add_option("--lesson", options.lesson, "lesson (default: the first)");
  cli.add_option("--variant", options.variant, "variant (default: the lesson's first)");
  cli.add_option("--set", settings, "name=value: a control, repeatable");
  cli.add_option("--size", size, "WxH in device-independent pixels (default 1440x900)");
  cli.add_option("--scale", options.scale, "pixels a device-independent pixel (default 1)")
      ->check(CLI::Range(0.5, 4.0));
  cli.add_option("--theme", options.theme, "dark or light")
      ->check(CLI::IsMember({"dark", "light"}));
  cli.add_option("--language", options.language, "en or zh-CN")
      ->check(CLI::IsMember({"en", "zh-CN"}));
  cli.add_option("--page", options.page, "read, predict, run, see, explain or try");
  cli.add_option("--tab", options.tab, "sectors, banks, shuffle, groups, atomics, phases or running");
  cli.add_option("--code", options.code, "cuda, ptx or sass");
  cli.add_option("--step", options.step, "step, from 1");
  cli.add_option("--block", options.block, "block; comparing: of both");
  cli.add_option("--warp", options.warp, "warp of the block; comparing: of both");
  cli.add_option("--launch", options.launch, "launch of a variant of several, from 1");
  cli.add_option("--schedules", options.schedules, "runs so many schedules and shows what came out")
      ->check(CLI::Range(1, 1024));
  cli.add_option("--source", options.source, "a file of CUDA code to take the place of the variant's");
  cli.add_option("--compare", options.compare, "a variant to show beside the first");
  cli.add_option("--compare-launch", options.compare_launch, "of that one of several, from 1");
  cli.add_option("--totals", options.totals, "comparing: block (so far), launch or all")
      ->check(CLI::IsMember({"block", "launch", "all"}));
  cli.add_flag("--present", options.present, "present mode");
  cli.add_option("--device", options.device, "cpu (default), or gpu: the first one")
      ->check(CLI::IsMember({"cpu", "gpu"}));
  cli.add_option("--results", options.results, "time or agreement")
      ->check(CLI::IsMember({"time", "agreement"}));
  cli.add_flag("--recorded", options.recorded, "what the GPU recorded, in the interpreter's place");
  const diagram::Language language = command::language_asked(argc, argv);
  command::translate_help(cli, language);
  try {
    cli.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return cli.exit(error);
    tell({{Severity::error, "command.usage", {}, worded("{}.", command::said_by_parser(error.what())),
           worded("`{}` lists what there is.", std::string_view("lanescope shot --help"))}}, diagram::code_of(language));
    return 2;
  }
  const auto usage = [&](const Wording& said, const Wording& cure) {
    tell({{Severity::error, "command.usage", {}, said, cure}}, options.language);
    return 2;
  };
  if (options.device == "gpu") options.gpus = gpus_in_worker(std::move(worker));
  if (!size.empty()) {
    int w = 0, h = 0;
    char rest = 0;
    if (std::sscanf(size.c_str(), "%dx%d%c", &w, &h, &rest) != 2 || w < 320 || h < 240 ||
        w > 8192 || h > 8192)
      return usage(worded("`--size {}` is no size of a window.", size), "Write it like `--size 1440x900`: from 320x240 to 8192x8192.");
    options.width = w, options.height = h;
  }
  for (const std::string& setting : settings) {
    long long value = 0;
    char rest = 0;
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos ||
        std::sscanf(setting.c_str() + equals + 1, "%lld%c", &value, &rest) != 1)
      return usage(worded("`--set {}` is not understood.", setting), "Write it like `--set stride=8`.");
    options.controls[setting.substr(0, equals)] = value;
  }
  const auto taken = take_shot(options);
  if (taken) return 0;
  tell(taken.errors(), options.language);
  const std::string& code = taken.errors().front().code;
  if (code.starts_with("window.") || code.starts_with("toolchain.")) return 3;
  if (code == "gpu.no_driver" || code == "gpu.no_device" || code == "gpu.driver_too_old") return 3;
  return code.starts_with("lesson.") || code.starts_with("shot.unknown") ? 2 : 1;
}

}  // namespace lanescope::gui
