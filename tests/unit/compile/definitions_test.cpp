// Macros given with -D: which definitions are refused, and how the scans of a source read it with them.

#include <gmock/gmock.h>

#include "compile/host/definitions.h"
#include "compile/host/host_constants.h"
#include "compile/host/launch_scan.h"

namespace lanescope::compile {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Definitions, WhatIsNoDefinitionIsRefused) {
  for (const char* good : {"N", "N=", "N=1024", "_T=unsigned int", "CHECK=a == b"})
    EXPECT_FALSE(wrong_definition(good)) << good;
  const std::pair<const char*, const char*> bad[] = {{"", "has no name"},
                                                     {"=4", "has no name"},
                                                     {"2N", "`2N` is not a name"},
                                                     {"N-1=3", "`N-1` is not a name"},
                                                     {"A B", "`A B`"},
                                                     {"F(x)=x", "`F(x)`"},
                                                     {" N=4", "` N`"},
                                                     {"N=1\n#define M 2", "line break"}};
  for (const auto& [text, why] : bad) {
    const std::optional<Diagnostic> wrong = wrong_definition(text);
    ASSERT_TRUE(wrong) << text;
    EXPECT_EQ(wrong->code, "compile.bad_define");
    EXPECT_THAT(std::string(wrong->message), HasSubstr(why));
    EXPECT_FALSE(wrong->cure.empty());
  }
}

TEST(Definitions, WithoutOneTheTextIsUnchanged) {
  EXPECT_EQ(with_definitions("#ifdef A\n#endif", {}), "#ifdef A\n#endif");
}

std::string launched(const std::string& text, const std::vector<std::string>& definitions) {
  const std::string read = with_definitions(text, definitions);
  EXPECT_THAT(read.size(), testing::Ge(text.size()));
  std::string found;
  for (const ScannedLaunch& launch : scan_launches(read)) found += launch.kernel + std::to_string(launch.line) + " ";
  return found;
}

TEST(Definitions, TheyDecideWhichLaunchesAreThere) {
  const std::string text =
      "#ifdef A\nvoid f() { a<<<1, 2>>>(); }\n#elif N == 3\nvoid f() { b<<<1, 2>>>(); }\n"
      "#else\nvoid f() { c<<<1, 2>>>(); }\n#endif\n"
      "#if !defined(A) || defined N && N > 3  // why\nvoid g() { d<<<1, 2>>>(); }\n#else\nvoid g() { e<<<1, 2>>>(); }\n"
      "#endif\n/*\n#ifndef A\n*/\nvoid h() { z<<<1, 2>>>(); }\n";
  EXPECT_EQ(launched(text, {"A", "N=1"}), "a2 e11 z16 ");
  EXPECT_EQ(launched(text, {"A", "N=4"}), "a2 d9 z16 ");
  EXPECT_EQ(launched(text, {"OTHER"}), "a2 d9 z16 ") << "as without definitions: the first branch of each";
  EXPECT_EQ(launched("#ifndef A\nvoid f() { a<<<1, 2>>>(); }\n#else\nvoid f() { b<<<1, 2>>>(); }\n#endif\n", {"A=0"}),
            "b4 ");
  // An outer branch that is not compiled decides for all within it.
  EXPECT_EQ(launched("#if A\n#if B\nvoid f() { a<<<1, 2>>>(); }\n#endif\n#else\nvoid f() { b<<<1, 2>>>(); }\n#endif\n",
                     {"A=0", "B=1"}),
            "b6 ");
}

std::string value_of(const std::string& expression, const std::string& text,
                     const std::vector<std::string>& definitions) {
  const std::string read = with_definitions(text, definitions);
  const HostEvaluation made = HostConstants(read).evaluate(expression, read.size() - 1);
  return made.value ? std::to_string(made.value->whole) : "? " + std::string(made.why);
}

TEST(Definitions, AllBranchesCanBeTaken) {
  const std::string text =
      "#if A > 1\nvoid f() { a<<<1, 2>>>(); }\n#elif B\nvoid f() { b<<<1, 2>>>(); }\n#else\n#if 0\n"
      "void f() { c<<<1, 2>>>(); }\n#else\nvoid f() { d<<<1, 2>>>(); }\n#endif\n#endif\n#endif\n";
  EXPECT_EQ(launched(with_all_branches(text), {}), "a2 b4 d9 ");
}

TEST(Definitions, TheirValuesAreConstantsOfTheSource) {
  EXPECT_EQ(value_of("(N + B - 1) / B", "const int B = 2 * HALF;", {"N=1000", "HALF=64"}), "8");
  EXPECT_EQ(value_of("FLAG + 1", "", {"FLAG"}), "2");
  const std::string guarded = "#ifndef N\n#define N 4\n#endif\n";
  EXPECT_EQ(value_of("N", guarded, {"OTHER"}), "4");
  EXPECT_EQ(value_of("N", guarded, {"N=8"}), "8");
  EXPECT_EQ(value_of("SIZE", "#ifdef LARGE\n#define SIZE 100\n#else\n#define SIZE 10\n#endif\n", {"LARGE"}), "100");
  EXPECT_EQ(value_of("SIZE", "#ifndef SMALL\n#define SIZE 100\n#else\n#define SIZE 10\n#endif\n", {"SMALL"}), "10");
  EXPECT_THAT(value_of("N", "#define N 4\n", {"N=8"}), StartsWith("? `N` is defined more than once"));
  // A macro that the text has changed decides nothing behind the change.
  EXPECT_THAT(value_of("M", "#undef A\n#ifdef A\n#define M 1\n#else\n#define M 2\n#endif\n", {"A"}),
              StartsWith("? `M` is defined more than once"));
}

// Rodinia's way to let a build choose a size.
TEST(Definitions, ANameThatNothingDefinesExcludesItsBranch) {
  const std::string text =
      "#ifdef RD_0\n  #define SIZE RD_0\n#elif defined(RD_1)  // or\n#define SIZE RD_1\n#else\n#define SIZE 16\n"
      "#endif\n#if !defined(WIDE)\n#define W 1\n#else\n#define W 2\n#endif\n";
  EXPECT_EQ(value_of("SIZE * W", text, {}), "16");
  EXPECT_EQ(value_of("SIZE * W", text, {"RD_1=32"}), "32");
  EXPECT_EQ(value_of("SIZE * W", text, {"WIDE"}), "32");
  EXPECT_EQ(value_of("SIZE * W", "#include <stdio.h>\n#include \"cuda_runtime.h\"\n" + text, {}), "16");
  const std::string unknown = "? `SIZE` is defined more than once";
  EXPECT_EQ(value_of("SIZE", "#include \"sizes.h\"\n" + text, {}), unknown) << "the header may define RD_0";
  EXPECT_EQ(value_of("SIZE", "#ifdef _WIN32\n#define SIZE 1\n#else\n#define SIZE 2\n#endif\n", {}), unknown);
  EXPECT_EQ(value_of("SIZE", "#if A > 1\n#define SIZE 1\n#else\n#define SIZE 2\n#endif\n", {}), unknown);
}

}  // namespace
}  // namespace lanescope::compile
