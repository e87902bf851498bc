#include "gpu/library.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace lanescope::gpu {
namespace {

namespace fs = std::filesystem;

// A shell script in place of nvcc.
class LibraryBuild : public testing::Test {
 protected:
  void pretend_nvcc(const std::string& script) {
    fs::create_directories(folder_ / "bin");
    const fs::path nvcc = folder_ / "bin/nvcc";
    std::ofstream(nvcc) << "#!/bin/sh\n" << script;
    fs::permissions(nvcc, fs::perms::owner_all);
    ::setenv("CUDA_HOME", folder_.c_str(), 1);
  }
  void SetUp() override {
    if (const char* home = std::getenv("CUDA_HOME")) before_ = home;
  }
  void TearDown() override {
    before_.empty() ? ::unsetenv("CUDA_HOME") : ::setenv("CUDA_HOME", before_.c_str(), 1);
    fs::remove_all(folder_);
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / "pretended nvcc";
  std::string before_;
};

TEST_F(LibraryBuild, ThatFailsTellsWhatNvccSaid) {
  pretend_nvcc("echo from the linker; echo 'scan.cu(3): error' >&2; exit 2\n");
  const auto built = build_library("scan.cu", "sm_90", folder_ / "made");
  ASSERT_FALSE(built);
  EXPECT_EQ(built.errors().front().code, "gpu.library");
  EXPECT_EQ(std::string(built.errors().front().message),
            "nvcc did not build scan.cu: from the linker\nscan.cu(3): error\n");
}

TEST_F(LibraryBuild, GivesTheFileThatNvccWasAskedFor) {
  pretend_nvcc("for last; do :; done; echo \"$@\" > \"$last\"\n");
  const auto built = build_library("lib/scan.cu", "sm_90", folder_ / "made");
  ASSERT_TRUE(built);
  EXPECT_EQ(*built, (folder_ / "made/scan_sm_90.so").string());
  std::string words;
  std::getline(std::ifstream(*built), words);
  EXPECT_EQ(words, "-O3 -arch=sm_90 -shared -Xcompiler -fPIC lib/scan.cu -o " + *built);
}

}  // namespace
}  // namespace lanescope::gpu
