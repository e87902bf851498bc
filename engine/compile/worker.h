#pragma once
// Runs NVIDIA's compilers in separate processes that stay alive between requests. A source that crashes them, exhausts
// memory or never ends does not affect this program, and a cancelled compilation really stops.

#include <string>
#include <vector>

namespace lanescope::compile {

// Sets the command that starts a worker: a program whose main() calls serve(0, 1). Call it once, before the first
// compilation; without it there is no compiler (toolchain.no_worker).
void set_worker_command(std::vector<std::string> command);
// This program and its hidden subcommand `compile-worker`; valid even after a newer version replaced the file.
std::vector<std::string> own_worker_command();

// The worker's main loop: answers requests from `input` on `output` until `input` ends. Returns an exit code.
int serve(int input, int output);

}  // namespace lanescope::compile
