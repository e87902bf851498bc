#pragma once
// The parts that were installed with this program: their places, and whether they are complete.

#include <string>
#include <vector>

#include "core/os/installation.h"
#include "core/wording.h"

namespace lanescope::cli {

// A row of `doctor`.
struct Finding {
  Wording part;
  bool found = false;
  Wording what;  // place and version, or the consequence of its absence
  Wording cure;
  const char* state = "";  // in place of "found" and "missing": "differs" (another version), "damaged" (lacks files)
};

// For --version: the version, and below it the places of program, data and compiler.
std::string version_text();

// For an installed wheel: the program itself, other copies that are found first in PATH, and each required package that
// is missing, has another version or lacks files. Adds nothing otherwise.
void add_own_parts(std::vector<Finding>& findings, const Installation& installation);

}  // namespace lanescope::cli
