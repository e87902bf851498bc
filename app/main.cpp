// The program: opens the window or runs a subcommand.

#include <cstdio>
#include <string_view>

#include "cli/command_line.h"
#include "cli/commands/commands.h"
#include "compile/worker.h"
#include "core/program_name.h"
#include "gpu/worker.h"
#if LANESCOPE_HAS_GUI
#include "cli/input/lessons.h"
#include "cli/output/output.h"
#include "gui/window.h"
#endif

namespace {

#if LANESCOPE_HAS_GUI
int open_window() {
  using namespace lanescope;
  cli::speak(diagram::language_of(gui::language_of_locale()));
  gui::Options options;
  options.lessons_folder = cli::lessons_folder();
  options.gpus = gui::gpus_in_worker(gpu::own_worker_command());
  if (gui::display_available()) {
    const Result<std::monostate> shown = gui::run_window(options);
    if (shown) return 0;
    cli::print_diagnostics(shown.errors());
    if (shown.errors().front().code != "window.no_display") return cli::exit_code(shown.errors());
  }
  std::fprintf(stderr, "%s\n",
               cli::told("There is no display for the window: the first lesson runs here instead.").c_str());
  return cli::first_lesson_headless();
}
#else
int open_window() {
  std::fprintf(stderr, "This binary was built without its window: the first lesson runs here instead.\n");
  return lanescope::cli::first_lesson_headless();
}
#endif

}  // namespace

int main(int argc, char** argv) {
  lanescope::set_program_name(argc > 0 ? argv[0] : nullptr);
  lanescope::compile::set_worker_command(lanescope::compile::own_worker_command());
  if (argc < 2) return open_window();
  if (std::string_view(argv[1]) == "gpu-worker") return lanescope::gpu::serve(0, 1);
  if (std::string_view(argv[1]) == "worker") return lanescope::gpu::serve_elsewhere(0, 1);
  if (std::string_view(argv[1]) == "compile-worker") return lanescope::compile::serve(0, 1);
  return lanescope::cli::run_command_line(argc, argv);
}
