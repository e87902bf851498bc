#pragma once
// NVIDIA's compilers run in processes of their own, kept warm: a source that crashes them, takes all memory or never ends takes
// nobody else down, and a compilation that is stopped has stopped.

#include <string>
#include <vector>

namespace lanescope::compile {

// How a worker is started: a program whose main() calls serve(0, 1). To be set before the first compilation, once; until then
// there is no compiler (toolchain.no_worker).
void set_worker_command(std::vector<std::string> command);
// This program and its hidden subcommand `compile-worker`; also after the file was replaced by a newer one.
std::vector<std::string> own_worker_command();

// The worker's main: answers requests from `input` on `output` until `input` is at its end. Returns an exit code.
int serve(int input, int output);

}  // namespace lanescope::compile
