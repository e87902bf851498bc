#pragma once
// Tests that need the real compiler are skipped with a message if there is none.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "compile/compiler.h"
#include "core/os/environment.h"

namespace lanescope::compile {

#define NEEDS_NVRTC()                                                    \
  if (const auto found = ::lanescope::compile::find_toolchain(); !found) \
  GTEST_SKIP() << "no NVRTC on this machine: " << format(found.errors().front())

#define NEEDS_SASS()                                                         \
  NEEDS_NVRTC();                                                             \
  if (const auto found = ::lanescope::compile::find_toolchain();             \
      found->sass_compiler_path.empty() || found->disassembler_path.empty()) \
  GTEST_SKIP() << "no nvJitLink or no nvdisasm on this machine"

// False on Windows.
inline constexpr bool on_posix = std::filesystem::path::preferred_separator == '/';

// Changes the current folder while it lives, so that file names in diagnostics are short and the same on every machine.
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

}  // namespace lanescope::compile
