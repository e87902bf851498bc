// What lesson 2 says of the machine code.

#include <map>
#include <string>

#include "job/lesson_sass.h"

namespace lanescope::divergence {
namespace {

const char* const folder = LANESCOPE_SOURCE_DIR "/lessons/02_divergence";

// "LDS" of "LDS R3, [R5]"
std::string opcode(const compile::SassInstruction& one) { return one.text.substr(0, one.text.find_first_of(" .")); }

int line_of(const std::string& source, const std::string& what) {
  const std::size_t at = source.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return 1 + static_cast<int>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

TEST(LessonDivergence, TheAdditionIsGuardedAndNotBehindABranch) {
  NEEDS_SASS_OF_A_LESSON();
  for (const char* kernel : {"reduce_modulo", "reduce_strided", "reduce_sequential", "reduce_last_warp"}) {
    const std::string file = std::string(kernel) + ".cu";
    const int line = line_of(test::read_file(std::string(folder) + "/" + file), "// @add");
    std::map<std::string, int> guarded;
    for (const compile::SassInstruction& one : test::sass_of(folder, file, kernel).instructions) {
      const bool at_the_test = one.line == line || one.line == line - 1;
      if (at_the_test) {
        EXPECT_FALSE(one.text.starts_with("BRA")) << kernel << ": " << one.text;
      }
      if (one.line == line && one.predicate.starts_with("@!P")) ++guarded[opcode(one)];
    }
    EXPECT_EQ(guarded["LDS"], 2) << kernel;
    EXPECT_EQ(guarded["FADD"], 1) << kernel;
    EXPECT_EQ(guarded["STS"], 1) << kernel;
  }
}

TEST(LessonDivergence, ARemainderIsManyInstructions) {
  NEEDS_SASS_OF_A_LESSON();
  const int line = line_of(test::read_file(std::string(folder) + "/reduce_modulo.cu"), "// @test");
  const compile::Sass sass = test::sass_of(folder, "reduce_modulo.cu", "reduce_modulo");
  const auto count = std::count_if(sass.instructions.begin(), sass.instructions.end(),
                                   [&](const compile::SassInstruction& one) { return one.line == line; });
  EXPECT_GE(count, 17) << "the text says: some twenty";
  EXPECT_LE(count, 25);
}

}  // namespace
}  // namespace lanescope::divergence
