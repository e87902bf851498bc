// lanescope instrument FILE.ptx: the kernel that records itself, as PTX.

#include "instrument/instrument.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/runner.h"
#include "core/worded.h"

namespace lanescope::cli {

namespace {

Result<instrument::Pass> pass_named(const std::string& name) {
  if (name == "memory") return instrument::Pass::memory;
  if (name == "entries") return instrument::Pass::block_entries;
  if (name == "operations") return instrument::Pass::operations;
  return Diagnostic{Severity::error, "command.usage", {}, worded("There is no pass `{}`.", name),
                    "Choose memory, entries or operations."};
}

}  // namespace

int instrument_file(const InstrumentOptions& options) {
  Result<std::string> text = read_text_file(options.file);
  if (!text) return refuse(text.errors(), false);
  Result<instrument::Pass> pass = pass_named(options.pass);
  if (!pass) return refuse(pass.errors(), false);
  Result<ptx::Module> module = ptx::parse(*text, options.file);
  if (!module) {
    print_diagnostics(module.errors(), {{options.file, *text}});
    return 1;
  }
  std::string kernel = options.kernel;
  for (const ptx::Function& function : module->functions)
    if (kernel.empty() && function.is_entry) kernel = function.name;
  Result<instrument::Instrumented> made = instrument::instrument(*module, kernel, *pass);
  if (!made) {
    print_diagnostics(made.errors(), {{options.file, *text}});
    return made.errors().front().code == "instrument.no_such_kernel" ? 2 : 1;
  }
  return print(made->ptx) ? 0 : 1;
}

}  // namespace lanescope::cli
