// The program: opens the window or runs a subcommand.

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.h"
#include "cli/commands/commands.h"
#include "compile/worker.h"
#include "core/diagnostic.h"
#include "core/os/abilities.h"
#include "core/os/environment.h"
#include "core/os/own_path.h"
#include "core/os/program_name.h"
#include "gpu/worker.h"
#if LANESCOPE_HAS_GUI
#include "cli/input/lessons.h"
#include "cli/output/output.h"
#include "gui/window.h"
#endif

namespace {

#if LANESCOPE_HAS_GUI
// The reasons and cures as one text, for a message that stays on the screen.
std::string as_text(const lanescope::Diagnostics& problems) {
  std::string text;
  for (const lanescope::Diagnostic& problem : problems)
    text += lanescope::cli::told(problem.message) + "\n\n" + lanescope::cli::told(problem.cure) + "\n";
  return text;
}

int open_window() {
  using namespace lanescope;
  cli::speak(diagram::language_of(gui::language_of_locale()));
  gui::Options options;
  options.lessons_folder = cli::lessons_folder();
  options.gpus = gui::gpus_in_worker(gpu::own_worker_command());
  if (can_stand_in_for_cuda()) options.own_program = own_program();
  const bool unread = leave_own_console();
  if (!display_name().empty() || unread) {
    Diagnostics missing = cli::missing_lessons();
    const Result<std::monostate> shown =
        missing.empty() ? gui::run_window(options) : Result<std::monostate>(std::move(missing));
    if (shown) return 0;
    if (unread) {
      show_message(as_text(shown.errors()));
      return cli::exit_code(shown.errors());
    }
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
  lanescope::make_streams_plain();
  const std::vector<std::string> arguments = lanescope::arguments_of_program(argc, argv);
  lanescope::set_program_name(!arguments.empty() ? arguments[0].c_str() : nullptr);
  lanescope::compile::set_worker_command(lanescope::compile::own_worker_command());
  if (arguments.size() < 2) return open_window();
  if (arguments[1] == "gpu-worker") return lanescope::gpu::serve(0, 1);
  if (arguments[1] == "worker") return lanescope::gpu::serve_elsewhere(0, 1);
  if (arguments[1] == "compile-worker") return lanescope::compile::serve(0, 1);
  std::vector<const char*> words;
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  return lanescope::cli::run_command_line(static_cast<int>(words.size()), words.data());
}
