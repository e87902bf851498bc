#pragma once
// The options of commands that use a GPU: where it is, which one, and how it is timed.

#include <string>

#include <CLI/CLI.hpp>

#include "cli/input/options.h"

namespace lanescope::cli {

// The state of L2 before each sample.
void add_l2(CLI::App& command, std::string& l2);
// The interpreter or a GPU, of commands that take both.
void add_device(CLI::App& command, RunnerOptions& runner);
void add_device(CLI::App& command, std::string& device, int& gpu);
// Of commands that need a GPU.
void add_gpu_place(CLI::App& command, std::string& device, int& gpu);
// For an option that holds a place: refuses what is none.
const CLI::Validator& device_check();

}  // namespace lanescope::cli
