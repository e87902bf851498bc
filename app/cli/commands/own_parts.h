#pragma once
// What came with this program: where it lies, and whether it is whole.

#include <string>
#include <vector>

#include "core/os/installation.h"
#include "core/wording.h"

namespace lanescope::cli {

// A row of `doctor`.
struct Finding {
  Wording part;
  bool found = false;
  Wording what;  // where and which version, or what it means that it is missing
  Wording cure;
};

// For --version: the version, and below it where program, data and compiler lie.
std::string version_text();

// Of a wheel: the program itself, other copies of it that are called first, and each package it depends on that is not
// there, is another version or lacks files. Nothing otherwise.
void add_own_parts(std::vector<Finding>& findings, const Installation& installation);

}  // namespace lanescope::cli
