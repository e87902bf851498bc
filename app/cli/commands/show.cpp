// lanescope show FILE: shows a saved trace.

#include <filesystem>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/runner.h"
#include "cli/output/output.h"
#include "cli/output/pictures.h"
#include "cli/output/report.h"
#include "core/os/program_name.h"
#include "core/worded.h"
#include "device/saved_run_reader.h"

namespace lanescope::cli {

int show(const ShowOptions& options) {
  std::error_code ignored;
  if (!std::filesystem::exists(options.file, ignored))
    return refuse({{Severity::error,
                    "io.cannot_read",
                    {options.file},
                    "There is no such file.",
                    "Check its name, and that you may read its folder."}},
                  options.json);
  if (device::is_saved_run(options.file))
    return refuse({{Severity::error,
                    "trace.is_saved_run",
                    {options.file},
                    "This file holds the launches of a program, not one trace: `exec --save` wrote it.",
                    worded("Look at them with `{} open {}`.", program_name(), as_typed(options.file))}},
                  options.json);
  Result<trace::Trace> opened = trace::open(options.file);
  if (!opened) return refuse(opened.errors(), options.json);
  job::Outcome outcome;
  outcome.first().trace = std::move(*opened);
  outcome.completed = outcome.first().trace.ended;
  if (!outcome.first().trace.turns_known)
    outcome.diagnostics.push_back(
        {Severity::note,
         "trace.turns_unknown",
         {options.file},
         "An older version of Lanescope saved this trace. It counted bank conflicts of atomics "
         "on shared memory by words, so they may be too few.",
         "Run the kernel again and save a new trace."});
  std::string told;
  if (!options.svg_folder.empty()) {
    const Result<std::vector<std::string>> written =
        write_pictures(outcome.first().trace, nullptr, options.svg_folder, diagram::language_of(options.language));
    if (written)
      told = pictures_line(outcome.first().trace, written->size(), options.svg_folder);
    else
      outcome.diagnostics.insert(outcome.diagnostics.end(), written.errors().begin(), written.errors().end());
  }
  print_diagnostics(outcome.diagnostics);
  const bool printed = print(options.json ? job::to_json(outcome) + "\n" : report(outcome, options.nsight) + told);
  const int code = exit_code(outcome.diagnostics);
  return code ? code : printed ? 0 : 1;
}

}  // namespace lanescope::cli
