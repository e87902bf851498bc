#pragma once
// For suites that run one program of tests/exec: it is built once for all tests, which are skipped without nvcc.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "compile/nvcc/nvcc.h"
#include "test_paths.h"

namespace lanescope::test {

class WithProgram : public testing::Test {
 protected:
  // Call in SetUpTestSuite(). `further`: options of nvcc.
  static void build(const std::string& file, std::vector<std::string> further = {}) {
    if (!compile::locate_nvcc()) return;
    compile::ProgramSource source;
    source.file = LANESCOPE_SOURCE_DIR "/tests/exec/" + file;
    source.standard = "c++17";
    source.further = std::move(further);
    source.runtime_folder = LANESCOPE_EXEC_FOLDER;
    Result<compile::BuiltProgram> built = compile::build_program(source);
    ASSERT_TRUE(built.ok()) << format(built.errors().front());
    program_ = new compile::BuiltProgram(std::move(*built));
  }
  static void TearDownTestSuite() {
    delete program_;
    program_ = nullptr;
  }
  void SetUp() override {
    if (program_ == nullptr) GTEST_SKIP() << "no nvcc";
  }
  static inline compile::BuiltProgram* program_ = nullptr;
};

}  // namespace lanescope::test
