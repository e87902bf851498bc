// lanescope parse FILE: prints the parsed module as PTX.

#include "cli/commands/commands.h"
#include "cli/commands/stage_input.h"

namespace lanescope::cli {

int parse(const FileOptions& options) {
  return print_stage(options, [](const ptx::Module& module, const std::string&) { return ptx::print(module); });
}

}  // namespace lanescope::cli
