// lanescope parse FILE.ptx: what the engine understood, as PTX.

#include "cli/commands.h"
#include "cli/output.h"
#include "ptx/module.h"

namespace lanescope::cli {

int parse(const FileOptions& options) {
  Result<std::string> text = read_text_file(options.file);
  if (!text) {
    print_diagnostics(text.errors());
    return exit_code(text.errors());
  }
  Result<ptx::Module> module = ptx::parse(*text, options.file);
  if (!module) {
    print_diagnostics(module.errors(), {{options.file, *text}});
    return exit_code(module.errors());
  }
  return print(ptx::print(*module)) ? 0 : 1;
}

}  // namespace lanescope::cli
