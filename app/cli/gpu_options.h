#pragma once
// Options of commands that use a GPU: its place, its index, and how it is timed.

#include <string>

#include <CLI/CLI.hpp>

#include "cli/input/options.h"

namespace lanescope::cli {

// The state of L2 before each sample.
void add_l2(CLI::App& command, std::string& l2);
// For commands that run on the interpreter or a GPU.
void add_device(CLI::App& command, RunnerOptions& runner);
void add_device(CLI::App& command, std::string& device, int& gpu);
// For commands that need a GPU.
void add_gpu_place(CLI::App& command, std::string& device, int& gpu);
// Refuses an option value that is not a place.
const CLI::Validator& device_check();

}  // namespace lanescope::cli
