// The parser's result, shown by the printer: tests/cases/ptx/NAME.ptx → NAME.out. For NAME.err.ptx, the diagnostics →
// NAME.err.out.
#include <gtest/gtest.h>

#include <set>

#include "golden.h"
#include "ptx/module.h"
#include "ptx/opcode_table.h"

namespace lanescope::ptx {
namespace {

using test::Case;

std::string all(const Diagnostics& diagnostics, const std::string& text) {
  std::string result;
  for (const Diagnostic& diagnostic : diagnostics) {
    result += "[" + diagnostic.code + "] " + format_with_source(diagnostic, text);
    if (!result.ends_with('\n')) result += '\n';
  }
  return result;
}

class PtxPrinted : public testing::TestWithParam<Case> {};

TEST_P(PtxPrinted, IsAsExpectedAndAFixedPoint) {
  const std::string text = GetParam().text();
  const auto module = parse(text, GetParam().path.filename().string());
  ASSERT_TRUE(module.ok()) << all(module.errors(), text);
  const std::string printed = print(*module);
  test::expect_golden(GetParam().sibling(".out"), printed);

  const auto again = parse(printed, "printed");
  ASSERT_TRUE(again.ok()) << all(again.errors(), printed);
  EXPECT_EQ(test::difference(printed, print(*again)), "");
}

INSTANTIATE_TEST_SUITE_P(Cases, PtxPrinted, testing::ValuesIn(test::cases("ptx", ".ptx", {".err.ptx"})),
                         test::case_name);

class PtxErrors : public testing::TestWithParam<Case> {};

TEST_P(PtxErrors, AreAsExpected) {
  const std::string text = GetParam().text();
  const auto module = parse(text, GetParam().path.filename().string());
  ASSERT_FALSE(module.ok());
  test::expect_golden(GetParam().sibling(".err.out"), all(module.errors(), text));
}

INSTANTIATE_TEST_SUITE_P(Cases, PtxErrors, testing::ValuesIn(test::cases("ptx", ".err.ptx")), test::case_name);

TEST(PtxOpcodes, EveryRowStandsInAGoldenCase) {
  std::set<Opcode> seen;
  for (const Case& c : test::cases("ptx", ".ptx", {".err.ptx"})) {
    const auto module = parse(c.text(), c.name);
    ASSERT_TRUE(module.ok()) << c.path;
    for (const Function& function : module->functions)
      for (const Instruction& instruction : function.instructions) seen.insert(instruction.opcode);
  }
  for (int i = 0; i < opcode_count; ++i)
    EXPECT_TRUE(seen.contains(static_cast<Opcode>(i)))
        << "no case in tests/cases/ptx/ has the opcode " << name_of(static_cast<Opcode>(i));
}

TEST(PtxOpcodes, ColumnsAreWellFormed) {
  for (int i = 0; i < opcode_count; ++i) {
    const OpcodeInfo& row = info(static_cast<Opcode>(i));
    EXPECT_EQ(std::string_view(row.operands).find_first_not_of("dDpanAqmiltc*?sw14k+-"), std::string_view::npos)
        << row.mnemonic;
    EXPECT_FALSE(std::string_view(row.effect).empty()) << row.mnemonic;
    std::set<std::string_view> words;
    std::string_view rest = row.modifiers;
    while (!rest.empty()) {
      const auto end = std::min(rest.find(' '), rest.size());
      EXPECT_TRUE(words.insert(rest.substr(0, end)).second) << row.mnemonic << ": " << rest.substr(0, end) << " twice";
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
}

}  // namespace
}  // namespace lanescope::ptx
