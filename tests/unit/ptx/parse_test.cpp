// What the printed text does not show: offsets, types, spaces, symbol tables, branch targets, source places.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "golden.h"
#include "ptx/module.h"
#include "ptx/named_opcodes.h"
#include "ptx/names.h"
#include "ptx/opcode_table.h"
#include "ptx_text.h"

namespace lanescope::ptx {
namespace {

using Kind = Operand::Kind;
using Table = Operand::SymbolTable;

Module parse_text(const std::string& text) {
  auto module = parse(test::ptx_module(text), "test");
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : format(module.errors().front()));
  return module.ok() ? std::move(*module) : Module{};
}

// One instruction in a kernel with a few registers of each kind, and variables.
Instruction parse_instruction(const std::string& text) {
  const Module module = parse_text(
      ".shared .b8 tile[64]; .global .u32 global_word; .func callee() { ret; }\n"
      ".entry k(.param .u64 pointer) { .reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg "
      ".b64 %rd<8>;"
      ".reg .f32 %f<8>; .reg .f64 %fd<8>; .local .b8 depot[16];\n" +
      text + "\nhere: ret; }");
  if (module.functions.size() != 2 || module.functions[1].instructions.empty()) return {};
  return module.functions[1].instructions.front();
}

TEST(PtxParse, ModuleHeader) {
  const Module module = parse_text(".file 2 \"b.cu\"\n.file 1 \"a.cu\"");
  EXPECT_EQ(module.version_major, 8);
  EXPECT_EQ(module.version_minor, 7);
  EXPECT_EQ(module.target, "sm_90");
  EXPECT_EQ(module.files, (std::vector<std::string>{"", "a.cu", "b.cu"}));
}

// Each parameter at its own alignment, as the driver lays them out for a launch.
TEST(PtxParse, ParameterOffsetsFollowAlignment) {
  const Module module = parse_text(
      ".entry k(.param .u8 a, .param .u64 b, .param .u16 c, .param .align 16 .b8 d[3], .param .u32 "
      "e,"
      ".param .u64 .ptr .global .align 256 f) { ret; }");
  const Function& k = module.functions.at(0);
  std::vector<std::uint64_t> offsets;
  for (const Parameter& parameter : k.parameters) offsets.push_back(parameter.offset);
  EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 8, 16, 32, 36, 40}));
  EXPECT_EQ(k.parameter_bytes, 48u);
  EXPECT_EQ(k.parameters[3].bytes(), 3u);
  EXPECT_EQ(k.parameters[5].alignment, 8u);  // .ptr's alignment is the pointee's
}

TEST(PtxParse, TypesOfConversionsAndComparisons) {
  const Instruction cvt = parse_instruction("cvt.rzi.ftz.sat.s32.f32 %r1, %f1;");
  EXPECT_EQ(cvt.type, Type::s32);
  EXPECT_EQ(cvt.source_type, Type::f32);
  EXPECT_EQ(cvt.rounding, Rounding::rzi);
  EXPECT_TRUE(cvt.ftz);
  EXPECT_TRUE(cvt.sat);
  const Instruction same = parse_instruction("cvt.rmi.f32.f32 %f1, %f1;");
  EXPECT_EQ(same.type, Type::f32);
  EXPECT_EQ(same.source_type, Type::f32);
  const Instruction set = parse_instruction("set.lt.or.u32.f32 %r1, %f1, %f2, !%p3;");
  EXPECT_EQ(set.type, Type::u32);
  EXPECT_EQ(set.source_type, Type::f32);
  EXPECT_EQ(set.compare, Compare::lt);
  EXPECT_EQ(set.bool_op, BoolOp::or_);
  EXPECT_TRUE(set.operands[3].negated);
  const Instruction add = parse_instruction("add.rz.f64 %fd1, %fd2, %fd3;");
  EXPECT_EQ(add.type, Type::f64);
  EXPECT_EQ(add.source_type, Type::f64);
  EXPECT_EQ(add.rounding, Rounding::rz);
}

// .lo and .hi are halves of a product, but unsigned comparisons in setp.
TEST(PtxParse, WordsMeanWhatTheOpcodeMakesOfThem) {
  const Instruction mul = parse_instruction("mul.hi.u32 %r1, %r2, %r3;");
  EXPECT_TRUE(mul.hi);
  EXPECT_EQ(mul.compare, Compare::none);
  const Instruction setp = parse_instruction("setp.hi.u32 %p1, %r2, %r3;");
  EXPECT_FALSE(setp.hi);
  EXPECT_EQ(setp.compare, Compare::hi);
  const Instruction atom = parse_instruction("atom.global.and.b32 %r1, [%rd1], %r2;");
  EXPECT_EQ(atom.atomic, AtomicOp::and_);
  EXPECT_EQ(atom.bool_op, BoolOp::none);
  const Instruction vote = parse_instruction("vote.sync.uni.pred %p1, %p2, -1;");
  EXPECT_EQ(vote.vote, VoteMode::uni);
  EXPECT_FALSE(vote.uni);
  const Instruction of_cub = parse_instruction("vote.ballot.sync.b32 %r1, %p2, 0xffffffff;");
  EXPECT_EQ(of_cub.opcode, opcodes::vote_sync);
  EXPECT_EQ(of_cub.vote, VoteMode::ballot);
  EXPECT_TRUE(parse_instruction("bra.uni here;").uni);
  const Instruction redux = parse_instruction("redux.sync.max.s32 %r1, %r2, -1;");
  EXPECT_EQ(redux.atomic, AtomicOp::max);
  EXPECT_EQ(parse_instruction("max.NaN.f32 %f1, %f2, %f3;").nan, true);
  EXPECT_EQ(parse_instruction("setp.nan.f32 %p1, %f2, %f3;").compare, Compare::nan);
}

TEST(PtxParse, MemoryModifiers) {
  const Instruction load = parse_instruction("ld.global.nc.L1::no_allocate.v4.f32 {%f1, %f2, %f3, _}, [%rd1+-16];");
  EXPECT_EQ(load.space, Space::global);
  EXPECT_TRUE(load.non_coherent);
  EXPECT_EQ(load.vector_width, 4);
  EXPECT_TRUE(load.has("L1::no_allocate"));
  EXPECT_EQ(load.operands[0].elements.size(), 4u);
  EXPECT_EQ(load.operands[0].elements[3].kind, Kind::sink);
  EXPECT_EQ(load.operands[1].kind, Kind::address);
  EXPECT_EQ(load.operands[1].integer, -16);
  EXPECT_NE(load.operands[1].reg, no_register);
  EXPECT_EQ(parse_instruction("ld.u32 %r1, [%rd1];").space, Space::generic);
  EXPECT_EQ(parse_instruction("st.volatile.shared::cta.u32 [%r1], %r2;").space, Space::shared);
  EXPECT_TRUE(parse_instruction("st.volatile.shared::cta.u32 [%r1], %r2;").is_volatile);
  EXPECT_TRUE(parse_instruction("cvta.to.shared.u64 %rd1, %rd2;").to_space);
}

TEST(PtxParse, SymbolsKnowTheirTable) {
  const auto source = [](const std::string& text) { return parse_instruction(text).operands.at(1); };
  EXPECT_EQ(source("ld.param.u64 %rd1, [pointer];").symbol_table, Table::parameter);
  EXPECT_EQ(source("ld.shared.u8 %r1, [tile+4];").symbol_table, Table::module);
  EXPECT_EQ(source("ld.shared.u8 %r1, [tile+4];").integer, 4);
  EXPECT_EQ(source("ld.local.u8 %r1, [depot];").symbol_table, Table::function);
  EXPECT_EQ(source("mov.u64 %rd1, callee;").symbol_table, Table::module_function);
  const Operand word = source("mov.u64 %rd1, global_word+8;");
  EXPECT_EQ(word.kind, Kind::symbol);
  EXPECT_EQ(word.integer, 8);
  const Operand envreg = source("mov.u32 %r1, %envreg2;");
  EXPECT_EQ(envreg.special, SpecialRegister::envreg);
  EXPECT_EQ(envreg.integer, 2);
  const Operand bits = source("mov.f32 %f1, 0fBF800000;");
  EXPECT_EQ(bits.type, Type::f32);
  EXPECT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(bits.integer)), -1.0f);
  const Operand decimal = source("mov.f64 %fd1, 0.1;");
  EXPECT_EQ(decimal.type, Type::f64);
  EXPECT_EQ(std::bit_cast<double>(decimal.integer), 0.1);
}

TEST(PtxParse, UnusedVariablesAreDroppedAndIndicesFollow) {
  const Module module = parse_text(
      ".global .u32 a; .global .u32 b; .global .u64 c = generic(b); .global .u32 d;"
      ".entry k() { .reg .b32 %r<2>; .reg .b64 %rd<2>; ld.global.u64 %rd1, [c]; ld.global.u32 %r1, "
      "[d]; ret; }");
  ASSERT_EQ(module.variables.size(), 3u);
  EXPECT_EQ(module.variables[0].name, "b");
  const auto& instructions = module.functions[0].instructions;
  EXPECT_EQ(module.variables[static_cast<std::size_t>(instructions[0].operands[1].symbol)].name, "c");
  EXPECT_EQ(module.variables[static_cast<std::size_t>(instructions[1].operands[1].symbol)].name, "d");
}

TEST(PtxParse, BranchesKnowTheirInstruction) {
  const Module module = parse_text(
      ".entry k() { .reg .pred %p<2>; .reg .b32 %r<3>;\n"
      "top: mov.u32 %r1, 1; @%p1 bra end; list: .branchtargets top, middle, end; brx.idx %r1, "
      "list;\n"
      "middle: mov.u32 %r2, 2; bra top;\n"
      "end: }");
  const Function& k = module.functions[0];
  ASSERT_EQ(k.instructions.size(), 5u);
  EXPECT_EQ(k.instructions[1].operands[0].target, 5);  // one past the last
  EXPECT_EQ(k.instructions[4].operands[0].target, 0);
  const Operand& list = k.instructions[2].operands[1];
  EXPECT_EQ(list.symbol_table, Table::branch_targets);
  ASSERT_EQ(list.symbol, 0);
  EXPECT_EQ(k.branch_targets[0].targets, (std::vector<std::int32_t>{0, 3, 5}));
}

TEST(PtxParse, CallsCarryTheirParameters) {
  const Module module = parse_text(
      ".func (.param .b32 out) f(.param .b32 in);\n"
      ".func (.param .b32 out) f(.param .b32 in) { .reg .b32 %r<2>; ld.param.u32 %r1, [in]; "
      "st.param.b32 [out], %r1; ret; }\n"
      ".entry k() { .reg .b32 %r<2>; .reg .b64 %rd<2>;\n"
      "{ .param .b32 param0; .param .b32 retval0; call.uni (retval0), f, (param0); }\n"
      "{ .param .b32 param0; .param .b32 retval0; proto: .callprototype (.param .b32 _) _ (.param "
      ".b32 _);\n"
      "  call (retval0), %rd1, (param0), proto; } ret; }");
  ASSERT_EQ(module.functions.size(), 3u);
  const Function& f = module.functions[1];
  EXPECT_FALSE(f.is_declaration);
  EXPECT_EQ(f.instructions[0].operands[1].symbol_table, Table::parameter);
  EXPECT_EQ(f.instructions[1].operands[0].symbol_table, Table::result);
  EXPECT_EQ(module.find_function("f"), &f);

  const Function& k = module.functions[2];
  const Instruction& direct = k.instructions[0];
  EXPECT_EQ(direct.operands.size(), 1u);
  EXPECT_EQ(direct.operands[0].symbol_table, Table::module_function);
  EXPECT_EQ(direct.operands[0].symbol, 1);  // the definition, not the declaration
  EXPECT_EQ(direct.call_results.at(0).symbol_table, Table::function);
  EXPECT_EQ(k.variables[static_cast<std::size_t>(direct.call_arguments.at(0).symbol)].space, Space::param);
  const Instruction& indirect = k.instructions[1];
  EXPECT_EQ(indirect.operands.at(0).kind, Kind::reg);
  EXPECT_EQ(indirect.operands.at(1).symbol_table, Table::call_prototype);
  EXPECT_EQ(k.call_prototypes.at(0).parameters.at(0).type, Type::b32);
  EXPECT_NE(indirect.call_arguments.at(0).symbol, direct.call_arguments.at(0).symbol);
}

TEST(PtxParse, APrototypeSaysWhichRegistersAreKept) {
  const Module module = parse_text(
      ".entry k() { .reg .b64 %rd<2>;\n"
      "proto: .callprototype _ () .noreturn .abi_preserve 8 .abi_preserve_control 2;\n"
      "other: .callprototype _ ();\n"
      "call %rd1, (), proto; ret; }");
  const auto& prototypes = module.functions[0].call_prototypes;
  ASSERT_EQ(prototypes.size(), 2u);
  EXPECT_EQ(prototypes[0].directives, (std::vector<std::string>{".abi_preserve 8", ".abi_preserve_control 2"}));
  EXPECT_TRUE(prototypes[1].directives.empty());
  EXPECT_NE(print(module).find(".noreturn .abi_preserve 8 .abi_preserve_control 2;"), std::string::npos);
}

TEST(PtxParse, PairedDestinations) {
  const Instruction setp = parse_instruction("setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;");
  ASSERT_EQ(setp.operands.size(), 5u);
  EXPECT_FALSE(setp.operands[0].paired);
  EXPECT_TRUE(setp.operands[1].paired);
  EXPECT_EQ(destination_count(setp), 2);
  EXPECT_EQ(destination_count(parse_instruction("setp.lt.s32 %p1, %r1, %r2;")), 1);
  EXPECT_EQ(destination_count(parse_instruction("shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;")), 2);
  EXPECT_EQ(destination_count(parse_instruction("st.global.u32 [%rd1], %r1;")), 0);
  EXPECT_EQ(destination_count(parse_instruction("bar.sync 0;")), 0);
}

TEST(PtxParse, InitialValues) {
  const Module module = parse_text(
      ".func f();\n"
      ".visible .global .b32 matrix[2][3] = {{1}, {2, 3}};\n"
      ".visible .global .u64 addresses[3] = {f, generic(matrix)+4, 7};\n"
      ".visible .global .u8 bytes[4] = {0xff(matrix), 0xff00(matrix+1)};\n"
      ".visible .global .f32 real[2] = {-2.5};\n");
  const auto words = [](const Variable& variable) {
    std::vector<std::uint32_t> result(variable.initial.size() / 4);
    std::memcpy(result.data(), variable.initial.data(), variable.initial.size());
    return result;
  };
  EXPECT_EQ(words(module.variables[0]), (std::vector<std::uint32_t>{1, 0, 0, 2, 3, 0}));
  const Variable& addresses = module.variables[1];
  ASSERT_EQ(addresses.references.size(), 2u);
  EXPECT_EQ(addresses.references[0].symbol, "f");
  EXPECT_FALSE(addresses.references[0].generic);
  EXPECT_EQ(addresses.references[1].offset, 8u);
  EXPECT_EQ(addresses.references[1].addend, 4);
  EXPECT_TRUE(addresses.references[1].generic);
  EXPECT_EQ(addresses.initial[16], 7);
  const Variable& bytes = module.variables[2];
  EXPECT_EQ(bytes.references.at(1).mask, 0xff00u);
  EXPECT_EQ(bytes.references.at(1).bytes, 1);
  EXPECT_EQ(bytes.references.at(1).addend, 1);
  EXPECT_EQ(words(module.variables[3]), (std::vector<std::uint32_t>{0xC0200000u, 0}));
}

TEST(PtxParse, FileNamesAreUnescapedAndPrintedAsTheyWere) {
  const std::string directives =
      "\t.file\t1 \"gr\\303\\266\\303\\237e \\\"x\\\".cu\"\n\t.file\t2 \"ends in \\\\\"\n\t.file\t3 \"plain.cu\"\n";
  const Module module = parse_text(directives + ".entry k() { ret; }\n");
  EXPECT_EQ(module.files, (std::vector<std::string>{"", "größe \"x\".cu", "ends in \\", "plain.cu"}));
  EXPECT_NE(print(module).find(directives), std::string::npos) << print(module);
}

TEST(PtxParse, PlacesHaveTheirInliningChain) {
  const auto parsed = parse(test::read_file(test::case_path("ptx/locations.ptx")), "locations.ptx");
  ASSERT_TRUE(parsed.ok());
  const auto& instructions = parsed->functions[0].instructions;
  const auto chain = [&](std::size_t index) {
    std::string text;
    SourceLocation place = instructions[index].source;
    for (;;) {
      text += std::to_string(place.file) + ":" + std::to_string(place.line);
      if (place.inlined_at < 0) return text;
      const auto site = static_cast<std::size_t>(place.inlined_at);
      text += " in " + parsed->inlined_functions[site] + " at ";
      place = parsed->inlined_locations[site];
    }
  };
  EXPECT_EQ(chain(0), "1:10");
  EXPECT_EQ(chain(2), "2:30 in _Z7helperv at 1:12");
  EXPECT_EQ(chain(3), "2:41 in _Z6deeperv at 2:30 in _Z7helperv at 1:12");
  EXPECT_EQ(chain(4), "1:12");
  EXPECT_EQ(chain(5), "2:50 in elperv at 1:12");  // $L__info_string0+4
  EXPECT_EQ(chain(6), "1:0");
  EXPECT_EQ(instructions[0].ptx_line, 13);
}

// A module variable, a range and single registers that shadow one another: every use must find the right one.
TEST(PtxParse, ShadowedNamesAreDifferentRegisters) {
  const Module module = parse_text(
      ".entry k() { .reg .b32 %r<3>; .reg .b32 t; mov.u32 t, 1;\n"
      "{ .reg .b32 t, %r1; mov.u32 t, %r1; mov.u32 t, %r2; }\n"
      "mov.u32 t, %r1; ret; }");
  const Function& k = module.functions[0];
  const auto reg = [&](std::size_t i, std::size_t o) { return k.instructions[i].operands[o].reg; };
  EXPECT_EQ(reg(0, 0), reg(3, 0));
  EXPECT_NE(reg(0, 0), reg(1, 0));
  EXPECT_EQ(reg(1, 0), reg(2, 0));
  EXPECT_NE(reg(1, 1), reg(3, 1));
  EXPECT_EQ(k.registers[reg(3, 1)].name, "%r1");
}

TEST(PtxNames, EverySpecialRegisterIsFoundByItsName) {
  for (int i = 0; i <= static_cast<int>(SpecialRegister::pm_64); ++i) {
    const auto special = static_cast<SpecialRegister>(i);
    const NumberedSpecial* found = special_named(name_of(special, 0));
    ASSERT_NE(found, nullptr) << name_of(special);
    EXPECT_EQ(found->special, special);
    EXPECT_EQ(found->number, 0);
  }
  EXPECT_EQ(special_named("%tid.w"), nullptr);
  EXPECT_EQ(special_named("%envreg31")->number, 31);
  EXPECT_EQ(special_named("%envreg32"), nullptr);
}

TEST(PtxNames, EveryTypeIsFoundByItsName) {
  for (int i = 1; i < static_cast<int>(Type::other); ++i)
    EXPECT_EQ(type_named(name_of(static_cast<Type>(i))), static_cast<Type>(i));
  EXPECT_EQ(type_named("e4m3x4"), Type::other);
  EXPECT_EQ(type_named("float"), Type::none);
}

TEST(PtxOpcodes, TheLongestMnemonicWins) {
  const std::vector<std::string> words{"async", "wait_all"}, load{"global", "u32"}, async{"async", "ca"};
  EXPECT_EQ(find_opcode("cp", words)->opcode, opcodes::cp_async_wait_all);
  EXPECT_EQ(find_opcode("cp", words)->words, 2u);
  EXPECT_EQ(find_opcode("cp", async)->opcode, opcodes::cp_async);
  EXPECT_EQ(find_opcode("ld", load)->words, 0u);
  EXPECT_FALSE(find_opcode("cp", load).has_value());
  EXPECT_FALSE(find_opcode("nothing", load).has_value());
}

}  // namespace
}  // namespace lanescope::ptx
