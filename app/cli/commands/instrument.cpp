// lanescope instrument FILE: the kernel that records itself, as PTX.

#include "instrument/instrument.h"

#include "cli/commands/commands.h"
#include "cli/commands/runner.h"
#include "cli/commands/stage_input.h"
#include "core/worded.h"

namespace lanescope::cli {

namespace {

Result<instrument::Pass> pass_named(const std::string& name) {
  if (name == "memory") return instrument::Pass::memory;
  if (name == "entries") return instrument::Pass::block_entries;
  if (name == "operations") return instrument::Pass::operations;
  return Diagnostic{Severity::error,
                    "command.usage",
                    {},
                    worded("There is no pass `{}`.", name),
                    "Choose memory, entries or operations."};
}

}  // namespace

int instrument_file(const InstrumentOptions& options) {
  Result<instrument::Pass> pass = pass_named(options.pass);
  if (!pass) return refuse(pass.errors(), false);
  return print_stage(options, [&pass](const ptx::Module& module, const std::string& asked) -> Result<std::string> {
    std::string kernel = asked;
    for (const ptx::Function& function : module.functions)
      if (kernel.empty() && function.is_entry) kernel = function.name;
    Result<instrument::Instrumented> made = instrument::instrument(module, kernel, *pass);
    if (!made) return made.errors();
    return made->ptx;
  });
}

}  // namespace lanescope::cli
