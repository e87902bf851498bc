// `lanescope shot`: saves the window's contents as a PNG.
#if LANESCOPE_HAS_GUI
#include <cstdio>
#include <filesystem>

#include "cli/commands/commands.h"
#include "cli/input/lessons.h"
#include "cli/output/output.h"
#include "core/os/abilities.h"
#include "core/os/own_path.h"
#include "core/worded.h"
#include "gpu/worker.h"

namespace lanescope::cli {

namespace {

Diagnostics read_size(const std::string& size, gui::ShotOptions& window) {
  if (size.empty()) return {};
  int width = 0, height = 0;
  char rest = 0;
  if (std::sscanf(size.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < 320 || height < 240 ||
      width > 8192 || height > 8192)
    return {{Severity::error,
             "command.usage",
             {},
             worded("`--size {}` is not a window size.", size),
             "Write it like `--size 1440x900`: from 320x240 to 8192x8192."}};
  window.width = width, window.height = height;
  return {};
}

int refuse_shot(const Diagnostics& problems) {
  print_diagnostics(problems);
  return exit_code(problems);
}

}  // namespace

int shot(const ShotOptions& options) {
  if (const Diagnostics missing = missing_lessons(); !missing.empty()) return refuse_shot(missing);
  gui::ShotOptions window = options.window;
  window.lessons_folder = lessons_folder();
  window.keep_state = false;
  if (window.language.empty()) window.language = "en";
  if (can_stand_in_for_cuda()) window.own_program = own_program();
  std::error_code failed;
  window.run_folder = std::filesystem::current_path(failed).generic_string();
  if (window.device == "gpu") window.gpus = gui::gpus_in_worker(gpu::own_worker_command());
  if (const Diagnostics wrong = read_size(options.size, window); !wrong.empty()) return refuse_shot(wrong);
  const auto controls = parse_settings(options.settings);
  if (!controls) return refuse_shot(controls.errors());
  window.controls = *controls;
  const auto compared = parse_settings(options.compare_settings);
  if (!compared) return refuse_shot(compared.errors());
  window.compare_controls = *compared;
  const auto taken = gui::take_shot(window);
  return taken ? 0 : refuse_shot(taken.errors());
}

}  // namespace lanescope::cli
#endif
