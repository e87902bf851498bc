#include "cli/shared_options.h"

#include <set>

#include <fmt/format.h>

#include "cli/gpu_options.h"

namespace lanescope::cli {

CLI::Validator between(double least, double most, const char* type) {
  return CLI::Validator(
      [least, most](std::string& text) -> std::string {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most) return {};
        return fmt::format("Value {} not in range {} to {}", text, least, most);
      },
      fmt::format("{} in [{} - {}]", type, least, most));
}

void hear_language(CLI::Option* option) {
  option->check(CLI::IsMember({"en", "zh-CN"}));
}

void add_language(CLI::App& command) {
  hear_language(command.add_option("--language", "language of errors and names of numbers: en or zh-CN (default en)"));
}

void add_svg(CLI::App& command, std::string& folder, std::string& language) {
  command.add_option("--svg", folder, "write the diagrams into this folder");
  hear_language(command.add_option("--language", language,
                                   "language of diagrams, errors and names of numbers: en or zh-CN (default en)"));
}

void add_runner(CLI::App& command, RunnerOptions& runner) {
  add_device(command, runner);
  add_l2(command, runner.l2);
  command.add_flag("--lines", runner.lines, "on a GPU: each source line too, counted for its machine instructions")
      ->needs(command.get_option("--device"));
  command.add_option("--blocks", runner.blocks, "blocks whose events are kept: all, none, 0, 0-3, 0,5,9-12");
  command.add_option("--max-steps", runner.max_steps, "stop a kernel after this many warp instructions")
      ->check(between(0, most_steps, "UINT"));
  command.add_option("--event-budget", runner.event_megabytes, "memory for events, in MiB (default 256)")
      ->check(between(0, most_event_megabytes, "UINT"));
  command
      .add_option("--heap", runner.heap_megabytes,
                  "size of the device heap for malloc() in kernels, in MiB (default 8)")
      ->check(between(1, most_heap_megabytes, "UINT"));
  command.add_option("--threads", runner.threads, "cores to use (default all)")->check(CLI::Range(0, 4096));
  add_svg(command, runner.svg_folder, runner.language);
  command
      .add_flag("--sass", runner.sass,
                "with --svg: also sass.svg, the machine code next to its source (with several "
                "launches sass_launch1.svg, sass_launch2.svg, …); takes a moment longer")
      ->needs("--svg");
  command.add_option("--save", runner.save_file, "save the trace; `{} show FILE` opens it");
  command
      .add_option("--write", runner.write_buffers,
                  "after the run, write a buffer's bytes: --write 1=result.bin (arguments "
                  "are numbered from 0)")
      ->allow_extra_args(false);
  command
      .add_option("--values", runner.values,
                  "print what the operands of a step hold before and after it: block and warp from 0, the step from 1 "
                  "(--values 0,1,7), and of a later launch its number (--values 0,1,7,2)")
      ->allow_extra_args(false);
  command
      .add_option(
          "--writer", runner.writers,
          "print which thread wrote an element last, in which step and with which values, and the steps that these "
          "came from: --writer 'out[37]' (arg1[37] where the parameter has no name)")
      ->allow_extra_args(false);
  command.add_flag("--races", runner.races,
                   "look for data races: accesses that no barrier, fence or atomic orders; exit with "
                   "1 if there are any");
  command
      .add_option(
          "--schedules", runner.schedules,
          "also run under this many other legal orders of blocks, warps and lanes (seeds 1, 2, …), and report the "
          "distinct results and all races; exit with 1 if there is a race")
      ->check(CLI::Range(1, 100000));
  command.add_flag("--nsight", runner.nsight, "print Nsight Compute's name beside each number");
  command.add_flag("--json", runner.json, "print JSON");
}

std::vector<std::string> options_behind_file(const CLI::App& exec, const std::vector<std::string>& words) {
  static const std::set<std::string> of_programs{"-h",       "--help", "-v",        "--verbose",
                                                 "--device", "--gpu",  "--threads", "--language"};
  std::vector<std::string> found;
  if (words.empty() || !words.front().ends_with(".cu")) return found;
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    const std::string name = words[i].substr(0, words[i].find('='));
    const bool of_compiler = name.starts_with("-I") || name.starts_with("-D");
    if (of_compiler || (name.starts_with("--") && !of_programs.contains(name) && exec.get_option_no_throw(name)))
      found.push_back(words[i]);
  }
  return found;
}

}  // namespace lanescope::cli
