#pragma once
// Tests that need the real compiler are skipped, aloud, where there is none.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "compile/compiler.h"

namespace lanescope::compile {

#define NEEDS_NVRTC()                              \
  if (const auto found = find_toolchain(); !found) \
  GTEST_SKIP() << "no NVRTC on this machine: " << format(found.errors().front())

// The current folder for as long as this lives: file names in diagnostics are then short, and the same everywhere.
class InFolder {
 public:
  explicit InFolder(const std::filesystem::path& folder) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  ~InFolder() { std::filesystem::current_path(before_); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

 private:
  std::filesystem::path before_;
};

// An environment variable for as long as this lives.
class WithVariable {
 public:
  WithVariable(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* old = std::getenv(name_.c_str())) before_ = old, was_set_ = true;
    setenv(name_.c_str(), value.c_str(), 1);
  }
  ~WithVariable() {
    if (was_set_)
      setenv(name_.c_str(), before_.c_str(), 1);
    else
      unsetenv(name_.c_str());
  }
  WithVariable(const WithVariable&) = delete;
  WithVariable& operator=(const WithVariable&) = delete;

 private:
  std::string name_, before_;
  bool was_set_ = false;
};

}  // namespace lanescope::compile
