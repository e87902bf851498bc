#include "compile/machine_code/sass_instruction.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

using Texts = std::vector<std::string>;

TEST(ParseSass, ReadsOpcodeModifiersOperandsAndPlace) {
  const SassParts load = parse_sass("LDG.E.64.CONSTANT R2, desc[UR4][R2.64+0x10]");
  EXPECT_EQ(load.opcode, "LDG");
  EXPECT_EQ(load.modifiers, (Texts{"E", "64", "CONSTANT"}));
  EXPECT_EQ(load.operands, (Texts{"R2", "desc[UR4][R2.64+0x10]"}));
  EXPECT_EQ(load.place, "[UR4][R2.64+0x10]");
  EXPECT_EQ(load.target, "");
  EXPECT_TRUE(load.has("64"));
  EXPECT_FALSE(load.has("6")) << "a modifier is a whole word";
  EXPECT_FALSE(load.has("10]")) << "an operand is no modifier";
}

TEST(ParseSass, ReadsTheTargetOfABranch) {
  const SassParts branch = parse_sass("BRA.DIV UR4, `(.L_x_5)");
  EXPECT_EQ(branch.opcode, "BRA");
  EXPECT_EQ(branch.modifiers, Texts{"DIV"});
  EXPECT_EQ(branch.operands, (Texts{"UR4", "`(.L_x_5)"}));
  EXPECT_EQ(branch.target, ".L_x_5");
  EXPECT_EQ(branch.place, "");
  EXPECT_EQ(parse_sass("CALL.REL.NOINC `($k$own)").target, "") << "a function is no label";
}

TEST(ParseSass, TellsModifiersByTheirBeginningAndByAPart) {
  const SassParts swap = parse_sass("ATOMS.CAST.SPIN R4, [R3], R4, R5"), half = parse_sass("LDG.E.U16 R2, [R4]");
  EXPECT_TRUE(swap.has_modifier_beginning("CAS"));
  EXPECT_FALSE(swap.has_modifier_beginning("AST"));
  EXPECT_TRUE(half.has_modifier_containing("16"));
  EXPECT_FALSE(parse_sass("LDG.E R16, [R4]").has_modifier_containing("16")) << "a register is no modifier";
}

TEST(ParseSass, ReadsWhatIsBareOrBroken) {
  const SassParts nop = parse_sass("NOP");
  EXPECT_EQ(nop.opcode, "NOP");
  EXPECT_TRUE(nop.modifiers.empty() && nop.operands.empty());
  EXPECT_EQ(parse_sass("").opcode, "");
  EXPECT_EQ(parse_sass("LDG.E R2, [R4").place, "") << "no end";
  EXPECT_EQ(parse_sass("LDG.E R2, ]R4[").place, "") << "the end before the beginning";
  EXPECT_EQ(parse_sass("BRA `(.L_x_5").target, "");
  EXPECT_EQ(parse_sass("LDG..E").modifiers, (Texts{"", "E"}));
  EXPECT_EQ(sass_opcode("LDG.E R2"), "LDG");
  EXPECT_EQ(sass_opcode("EXIT"), "EXIT");
}

}  // namespace
}  // namespace lanescope::compile
