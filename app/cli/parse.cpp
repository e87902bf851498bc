// lanescope parse FILE: what the engine understood, as PTX.

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/stage_input.h"

namespace lanescope::cli {

int parse(const FileOptions& options) {
  bool printed = true;
  const int code = with_module(options, [&](const ptx::Module& module, const std::string&) {
    printed = print(ptx::print(module));
    return Diagnostics{};
  });
  return printed ? code : 1;
}

}  // namespace lanescope::cli
