#pragma once
// Runs NVIDIA's compilers in separate processes, which are kept warm. A source that crashes them, takes all memory or
// never ends does not affect the program, and a cancelled compilation really stops.

#include <string>
#include <vector>

namespace lanescope::compile {

// How a worker is started: a program whose main() calls serve(0, 1). To be set before the first compilation, once;
// until then there is no compiler (toolchain.no_worker).
void set_worker_command(std::vector<std::string> command);
// This program and its hidden subcommand `compile-worker`; also after the file was replaced by a newer one.
std::vector<std::string> own_worker_command();

// The worker's main: answers requests from `input` on `output` until `input` is at its end. Returns an exit code.
int serve(int input, int output);

}  // namespace lanescope::compile
