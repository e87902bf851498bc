// Runs the cases, and checks that none is missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "alu_cases.h"
#include "ptx/named_opcodes.h"
#include "ptx/opcode_table.h"
#include "sim/alu/alu_rows.h"
#include "test_paths.h"

namespace lanescope::sim::table_rows {
namespace {

using ptx::Opcode;

bool belongs_to_alu(Opcode opcode) {
  using ptx::Category;
  switch (ptx::info(opcode).category) {
    case Category::arithmetic:
    case Category::bits:
    case Category::logic:
    case Category::compare:
    case Category::select:
    case Category::move:
    case Category::video:
      return true;
    case Category::convert:
      return opcode == ptx::opcode_named("cvt") || opcode == ptx::opcode_named("cvt.pack");
    default:
      return false;
  }
}
std::vector<int> alu_opcodes() {
  std::vector<int> result;
  for (int i = 0; i < ptx::opcode_count; ++i)
    if (belongs_to_alu(static_cast<Opcode>(i))) result.push_back(i);
  return result;
}

std::string opcode_part(const std::string& mnemonic) {
  if (mnemonic.starts_with("cvt.pack")) return "cvt.pack";
  return mnemonic.substr(0, mnemonic.find('.'));
}

class AluOpcode : public testing::TestWithParam<int> {};

// All cases of one opcode.
TEST_P(AluOpcode, DoesWhatTheManualSays) {
  const std::string mnemonic = ptx::name_of(static_cast<Opcode>(GetParam()));
  int cases = 0;
  for (const AluCase& test : alu_cases()) {
    if (opcode_part(test.mnemonic) != mnemonic) continue;
    ++cases;
    run_alu_case(test);
  }
  EXPECT_GT(cases, 0) << "no case for '" << mnemonic << "'";
}
INSTANTIATE_TEST_SUITE_P(Sim, AluOpcode, testing::ValuesIn(alu_opcodes()), [](const auto& parameter) {
  return std::string(ptx::info(static_cast<Opcode>(parameter.param)).enumerator);
});

std::string describe(const AluForm& form) {
  return std::string(ptx::name_of(form.opcode)) + " ." + ptx::name_of(form.type) + " ." + ptx::name_of(form.source) +
         " (rounding " + std::to_string(static_cast<int>(form.rounding)) + ", comparison " +
         std::to_string(static_cast<int>(form.compare)) + ", flags " + std::to_string(form.flags) + ")";
}

std::set<AluForm> tested_forms() {
  std::set<AluForm> forms;
  std::set<std::string> seen;
  // A mnemonic may have forms of two and of three sources.
  for (const AluCase& test : alu_cases())
    if (seen.insert(test.mnemonic + " " + std::to_string(std::ranges::count(test.operands, ','))).second)
      if (const auto form = alu_form(parse_instruction(test.mnemonic + " " + test.operands + ";").instruction))
        forms.insert(*form);
  return forms;
}

// Everything that the interpreter claims to execute is tested: a row added without a case fails here.
TEST(AluTable, EveryRowHasACase) {
  const auto tested = tested_forms();
  int missing = 0;
  for (const AluRow& row : alu_table(Isa::baseline).rows()) {
    // Rows for register widths that no instruction has in its own form; integer cvt reaches them.
    const bool is_extension = row.form.opcode == ptx::opcode_named("cvt") && row.form.source >= ptx::Type::b16 &&
                              row.form.source <= ptx::Type::b64;
    if (is_extension || tested.contains(row.form)) continue;
    if (++missing <= 20) ADD_FAILURE() << "no case for " << describe(row.form);
  }
  EXPECT_EQ(missing, 0);
}

TEST(AluTable, EveryRowNamesAnOpcode) {
  for (Isa which : available_isas())
    for (const AluRow& row : alu_table(which).rows())
      EXPECT_LT(static_cast<int>(row.form.opcode), ptx::opcode_count) << name_of(which);
}

TEST(AluTable, HasTheSameFormsOnEveryInstructionSet) {
  const auto& baseline = alu_table(Isa::baseline).rows();
  for (Isa which : available_isas()) {
    const auto& rows = alu_table(which).rows();
    ASSERT_EQ(rows.size(), baseline.size()) << name_of(which);
    for (std::size_t i = 0; i < rows.size(); ++i)
      EXPECT_TRUE(rows[i].form == baseline[i].form) << name_of(which) << ": " << describe(rows[i].form);
  }
}

// Whatever PTX allows is executed and tested. The file says where its lines come from.
TEST(AluTable, ExecutesEveryLegalForm) {
  std::ifstream in(LANESCOPE_SOURCE_DIR "/tests/cases/sim/alu_forms.txt");
  const auto tested = tested_forms();
  int lines = 0, failures = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    ++lines;
    const ParsedInstruction parsed = parse_instruction(line);
    if (parsed.register_types.empty()) continue;
    Operation operation;
    const bool supported = selects(parsed, Isa::baseline, operation);
    const auto form = alu_form(parsed.instruction);
    if (supported && form && tested.contains(*form)) continue;
    if (++failures <= 30) ADD_FAILURE() << line << (supported ? " has no case" : " is not supported");
  }
  EXPECT_GT(lines, 1000);
  EXPECT_EQ(failures, 0);
}

// Nothing that PTX does not have is accepted.
TEST(AluTable, HasNoFormThatIsNotLegal) {
  std::set<AluForm> legal;
  std::ifstream in(LANESCOPE_SOURCE_DIR "/tests/cases/sim/alu_forms.txt");
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#')
      if (const auto form = alu_form(parse_instruction(line).instruction)) legal.insert(*form);
  int failures = 0;
  for (const AluRow& row : alu_table(Isa::baseline).rows()) {
    const AluForm& form = row.form;
    const bool is_extension =
        form.opcode == ptx::opcode_named("cvt") && form.source >= ptx::Type::b16 && form.source <= ptx::Type::b64;
    if (is_extension || legal.contains(form)) continue;
    if (++failures <= 20) ADD_FAILURE() << describe(form);
  }
  EXPECT_EQ(failures, 0);
}

TEST(AluTable, LeavesOtherInstructionsAlone) {
  for (const char* text : {"ld.global.u32 %r0, [%d1];", "ret;", "mov.u32 %r0, %clock;", "mov.u64 %d0, %globaltimer;",
                           "cvta.to.global.u64 %d0, %d1;", "bar.sync 0;", "activemask.b32 %r0;",
                           "fma.rn.oob.f16 %h0, %h1, %h2, %h3;",  // a modifier that no row knows
                           "min.f64 %d0, %d1, %d2, %d3;"}) {      // an operand that no row reads
    const ParsedInstruction parsed = parse_instruction(text);
    if (parsed.register_types.empty()) continue;
    Operation operation;
    operation.a = 77;
    EXPECT_FALSE(selects(parsed, isa(), operation)) << text;
    EXPECT_EQ(operation.full, nullptr) << text;
    EXPECT_EQ(operation.a, 77u) << text;
  }
}

}  // namespace
}  // namespace lanescope::sim::table_rows
