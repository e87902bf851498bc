#pragma once
// `exec --device`: the saved launches of a program on a GPU.

#include <string>

#include <nlohmann/json.hpp>

#include "core/diagnostic.h"

namespace lanescope::cli {

struct SavedOnGpu {
  std::string text;             // a table, one row per kernel and shape
  nlohmann::ordered_json json;  // of --json
  Diagnostics said;             // what kept a launch, or all, from running there
};
// The first launch of each kernel and shape in the file: timed as it is, recorded, counted. `device` as open_gpu() has
// it. A message says what runs meanwhile.
SavedOnGpu run_saved_on_gpu(const std::string& file, const std::string& device, int gpu);

}  // namespace lanescope::cli
