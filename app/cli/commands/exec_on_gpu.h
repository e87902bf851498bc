#pragma once
// `exec --device`: runs a program's saved launches on a GPU.

#include <string>

#include <nlohmann/json.hpp>

#include "core/diagnostic.h"

namespace lanescope::cli {

struct SavedOnGpu {
  std::string text;             // a table with one row per kernel and shape
  nlohmann::ordered_json json;  // for --json
  Diagnostics said;             // why some or all launches could not run there
};
// The first launch of each kernel and shape in the file, timed, recorded and counted. `device` as in open_gpu().
// Progress messages name the current launch.
SavedOnGpu run_saved_on_gpu(const std::string& file, const std::string& device, int gpu);

}  // namespace lanescope::cli
