// The compiler's PTX is the same on every system: names of files, and the lines of `asm` statements.

#include <gmock/gmock.h>

#include "compile/fixture.h"
#include "compile/host/asm_places.h"
#include "compile/ptx_text.h"
#include "core/file_name_in_ptx.h"
#include "golden.h"

namespace lanescope::compile {
namespace {

using testing::HasSubstr;

const char* statements =
    "__global__ void k(unsigned* p, unsigned b, float* f) {\n"
    "  unsigned x, y;\n"
    "  asm volatile(\"mov.u32 %0, %1;\" : \"=r\"(x) : \"r\"(b) : \"memory\");\n"
    "  asm volatile(\"mov.u32 %0, %%clock;\"\n"  // 4
    "               : \"=r\"(y));\n"
    "  asm volatile(\"{ add.u32 %0, %1, 1;\\n\"\n"  // 6
    "               \"  add.u32 %0, %0, 2; }\" : \"=r\"(x)\n"
    "               : \"r\"(x),\n"
    "                 \"r\"(y)\n"
    "               : \"memory\");\n"
    "  asm(\"add.f32 %0, %0, %1;\"\n"  // 11
    "      : \"+f\"(f[3]) : \"f\"(f[2]));\n"
    "  asm volatile(\n"  // 13
    "      \"st.global.u32 [%0], %1;\" ::\"l\"(p), \"r\"(x) : \"memory\");\n"
    "  asm volatile(\"mov.u32 %0, 8;\"\n"  // 15
    "               : \"=r\"(p[5]));\n"
    "  asm volatile(\"st.global.u32 [%0], %1;\" ::\"l\"(p),\n"  // 17
    "               \"n\"(13));\n"
    "}\n"
    "/* asm(\"no statement\"\n : \"r\"(0)) */\n";

TEST(AsmPlaces, AreThoseOfTheFirstOperandOnTheLastLine) {
  const std::map<LineAndColumn, LineAndColumn> expected{
      {{6, 3}, {9, 22}}, {{11, 3}, {12, 14}}, {{13, 3}, {14, 39}}, {{15, 3}, {16, 23}}};
  EXPECT_EQ(asm_places(statements), expected);
}

TEST(AsmPlaces, TextThatIsCutOffIsNoError) {
  const std::string whole = statements;
  for (std::size_t length = 0; length <= whole.size(); ++length) asm_places(whole.substr(0, length));
}

// NVRTC for Linux already writes these places, so nothing moves there.
TEST(AsmPlaces, AreTheCompilersOnLinux) {
  NEEDS_NVRTC();
  const auto ptx = compile({"k.cu", statements, {}}, {});
  ASSERT_TRUE(ptx.ok());
  for (const char* place :
       {".loc\t1 3 3", ".loc\t1 4 3", ".loc\t1 9 22", ".loc\t1 12 14", ".loc\t1 14 39", ".loc\t1 16 23"})
    EXPECT_THAT(ptx->text, HasSubstr(place));
}

TEST(AsmPlaces, OfWindowsBecomeThoseOfLinux) {
  const std::string windows =
      "\t.loc\t1 6 3\n\t.loc\t2 6 3\n\t.loc\t1 6 4\n\t.loc\t1 6 3, function_name $L__info_string0, inlined_at 1 11 3\n"
      "\t.file\t1 \"k.cu\"\n\t.file\t2 \"other.h\"\n";
  EXPECT_EQ(with_asm_places(windows, "k.cu", statements),
            "\t.loc\t1 9 22\n\t.loc\t2 6 3\n\t.loc\t1 6 4\n\t.loc\t1 9 22, function_name $L__info_string0, inlined_at "
            "1 12 14\n"
            "\t.file\t1 \"k.cu\"\n\t.file\t2 \"other.h\"\n");
  EXPECT_EQ(with_asm_places(windows, "another.cu", statements), windows);
}

// NVRTC for Windows resolves no template's name in such a file.
TEST(FileNames, ATemplateInAFileWhoseNameIsNotAscii) {
  NEEDS_NVRTC();
  test::TempFolder folder;
  std::filesystem::create_directory(folder / "核");
  const InFolder here(folder.path());
  const char* text = "template <int m> __global__ void k(int* a) { a[threadIdx.x] = m; }\n";
  Options options;
  options.name_expressions = {"k<3>"};
  const auto ptx = compile({"核/ядро.cu", text, {}}, options);
  ASSERT_TRUE(ptx.ok()) << format(ptx.errors().front());
  EXPECT_THAT(ptx->text, HasSubstr(escaped_name("核/ядро.cu") + '"'));
  options.name_expressions = {"k<a>"};
  const auto refused = compile({"核/ядро.cu", text, {}}, options);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(format(refused.errors().front()),
              HasSubstr("核/ядро.cu:1: error: the kernel `k<m>` cannot be named as `k<a>`"));
}

}  // namespace
}  // namespace lanescope::compile
