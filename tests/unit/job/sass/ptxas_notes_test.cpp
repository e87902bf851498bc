#include "job/sass/ptxas_notes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "words/messages.h"

namespace lanescope::job {
namespace {

using DoneKind = PtxasNote::Kind;

// A kernel in which `line` of k.cu gives the instruction after its `.loc`.
std::string kernel_of(const std::string& body) {
  return ".version 8.5\n.target sm_90\n.address_size 64\n.file 1 \"k.cu\"\n"
         ".visible .entry k(.param .u64 a)\n{\n"
         ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<4>;\n" +
         body + "ret;\n}\n";
}

// The PTX line that begins with this.
int ptx_line_of(const std::string& ptx, const std::string& begin) {
  return 1 +
         static_cast<int>(std::count(ptx.begin(), ptx.begin() + static_cast<std::ptrdiff_t>(ptx.find(begin)), '\n'));
}

compile::SassInstruction made(int ptx_line, std::string text, std::string predicate = "", std::string label = "") {
  compile::SassInstruction one;
  one.ptx_line = ptx_line;
  one.text = std::move(text);
  one.predicate = std::move(predicate);
  one.label = std::move(label);
  one.file = "k.cu";
  one.line = 1;
  return one;
}

std::vector<PtxasNote> notes_of(const std::string& ptx, std::vector<compile::SassInstruction> code,
                                const std::string& source = "") {
  compile::Sass sass;
  sass.instructions = std::move(code);
  return ptxas_notes({"k.cu", source, {}}, ptx, "k", sass);
}

void expect_one(const std::vector<PtxasNote>& notes, DoneKind kind, int line, const char* with) {
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].kind, kind);
  EXPECT_EQ(notes[0].line, line);
  EXPECT_NE(notes[0].said.find(with), std::string::npos) << notes[0].said;
  EXPECT_NE(diagram::translated(notes[0].said, diagram::Language::chinese), notes[0].said);
}

const std::string branch = kernel_of(
    ".loc 1 3 1\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra $after;\n"
    ".loc 1 4 1\nst.global.u32 [%rd1], %r1;\n$after:\n");

TEST(PtxasNotes, ABranchIsRemovedWherePredicatesTookItsPlace) {
  const int jump = ptx_line_of(branch, "@%p1"), store = ptx_line_of(branch, "st.global");
  expect_one(notes_of(branch, {made(store, "STG.E desc[UR4][R2.64], R1", "@P0")}), DoneKind::branch_removed, 3,
             "1 instruction under a predicate");
  expect_one(notes_of(branch, {made(store, "SEL R1, R2, R3, P0"), made(store, "STG.E desc[UR4][R2.64], R1")}),
             DoneKind::branch_removed, 3, "SEL chooses");
  EXPECT_TRUE(notes_of(branch, {made(jump, "BRA `(.L_x_1)", "@P0"), made(store, "STG.E [R2], R1", "@P0")}).empty())
      << "it is there";
  EXPECT_TRUE(notes_of(branch, {made(jump, "EXIT", "@P0"), made(store, "STG.E [R2], R1", "@!P0")}).empty());
  EXPECT_TRUE(notes_of(branch, {made(store, "BRA `(.L_x_1)", "@P0"), made(store, "STG.E [R2], R1")}).empty())
      << "another line has it";
  EXPECT_TRUE(notes_of(branch, {made(store, "STG.E [R2], R1")}).empty()) << "nothing shows what took its place";
}

const std::string loop = kernel_of(
    ".loc 1 3 1\n$again:\n.loc 1 4 1\nld.global.u32 %r2, [%rd1];\nadd.s32 %r1, %r1, %r2;\n"
    ".loc 1 5 1\nsetp.lt.s32 %p1, %r1, 9;\n@%p1 bra $again;\n");

TEST(PtxasNotes, ALoopIsUnrolledWhereItsLoadStandsSeveralTimes) {
  const int load = ptx_line_of(loop, "ld.global"), jump = ptx_line_of(loop, "@%p1");
  const auto body = [&](int copies, bool jumps) {
    std::vector<compile::SassInstruction> code;
    for (int i = 0; i < copies; ++i)
      code.push_back(made(load, "LDG.E R2, desc[UR4][R4.64]", "", i == 0 ? ".L_x_1" : ""));
    if (jumps) code.push_back(made(jump, "BRA `(.L_x_1)", "@P0"));
    code.push_back(made(0, "EXIT"));
    return code;
  };
  expect_one(notes_of(loop, body(4, true)), DoneKind::loop_unrolled, 5, "4 times");
  expect_one(notes_of(loop, body(8, false)), DoneKind::loop_unrolled, 5, "completely, 8 times");
  EXPECT_TRUE(notes_of(loop, body(1, true)).empty());
  std::vector<compile::SassInstruction> lost = body(4, true);
  lost[1].ptx_line = 0;
  EXPECT_TRUE(notes_of(loop, lost).empty()) << "an access of no line of the PTX";
}

TEST(PtxasNotes, ALoadIsMovedOutOfALoopThatIsStillThere) {
  const int load = ptx_line_of(loop, "ld.global"), add = ptx_line_of(loop, "add.s32"), jump = ptx_line_of(loop, "@%p1");
  expect_one(notes_of(loop, {made(load, "LDG.E R2, desc[UR4][R4.64]"), made(add, "IADD3 R1, R1, R2, RZ", "", ".L_x_1"),
                             made(jump, "BRA `(.L_x_1)", "@P0"), made(0, "EXIT")}),
             DoneKind::load_moved, 4, "out of its loop");
}

const std::string two = kernel_of(
    ".loc 1 3 1\nld.global.u32 %r1, [%rd1];\n.loc 1 4 1\nld.global.u32 %r2, [%rd1+4];\n"
    ".loc 1 5 1\nst.shared.u32 [%rd2], %r2;\n");

TEST(PtxasNotes, AccessesAreJoinedRemovedOrBoth) {
  const int first = ptx_line_of(two, "ld.global"), store = ptx_line_of(two, "st.shared");
  expect_one(notes_of(two, {made(first, "LDG.E.64 R2, desc[UR4][R4.64]"), made(store, "STS [R1], R3")}),
             DoneKind::accesses_joined, 3, "joined 2 accesses of 4 bytes per lane into one of 8");
  expect_one(notes_of(two, {made(first, "LDG.E R2, desc[UR4][R4.64]"), made(store, "STS [R1], R3")}),
             DoneKind::access_removed, 4, "this load");
  EXPECT_TRUE(
      notes_of(two, {made(first, "LDG.E R2, [R4]"), made(ptx_line_of(two, "ld.global.u32 %r2"), "LDG.E R3, [R4+4]"),
                     made(store, "STS [R1], R3")})
          .empty());
}

TEST(PtxasNotes, AnAtomicOfHalvesIsALoop) {
  const std::string ptx = kernel_of(".reg .b16 %h<3>;\n.loc 1 7 1\nred.global.add.noftz.f16 [%rd1], %h1;\n");
  const int line = ptx_line_of(ptx, "red.global");
  expect_one(notes_of(ptx, {made(line, "ATOM.E.CAS.STRONG.GPU PT, R3, [R4], R2, R3", "", ".L_x_1"),
                            made(line, "BRA `(.L_x_1)", "@P0"), made(0, "EXIT")}),
             DoneKind::retried, 7, "compare-and-swap");
  EXPECT_TRUE(notes_of(ptx, {made(line, "REDG.E.ADD.F16x2.STRONG.GPU desc[UR4][R2.64], R5")}).empty());
}

TEST(PtxasNotes, ArraysOfAThreadAreFoundInItsSource) {
  const auto names = [](const std::string& body) {
    std::string all;
    for (const OwnArray& one :
         own_arrays("int outside[4];\n__global__ void k(float* x, int y[3]) {\n" + body + "\n}\n"))
      all += one.name + "@" + std::to_string(one.line) + " ";
    return all;
  };
  EXPECT_EQ(names("float sum[4][4] = {};"), "sum@3 ");
  EXPECT_EQ(names("for (int i = 0; i < 4; ++i) {\nfloat column[4], row[4];\n}"), "column@4 row@4 ");
  EXPECT_EQ(names("std::array<int, 4> a[2];"), "a@3 ");
  EXPECT_EQ(names("__shared__ float tile[32][33];\nextern __shared__ float all[];"), "");
  EXPECT_EQ(names("x[3] = y[0], y[1];\nreturn x[1];\nif (y[1] > 0) x[2] = 1; else x[1] = 2;"), "");
  EXPECT_EQ(names("// float no[4];\n/* int no[4];\n */ const char* s = \"int no[3];\";\nint yes[3];"), "yes@6 ");
}

TEST(PtxasNotes, AnArrayIsInRegistersOnlyWithoutLocalMemory) {
  const std::string source = "\n\n__global__ void k() {\nfloat sum[4];\n}\n";
  const std::string ptx = kernel_of(".loc 1 3 1\nmov.u32 %r1, 0;\n.loc 1 5 1\nmov.u32 %r2, 0;\n");
  expect_one(notes_of(ptx, {made(0, "EXIT")}, source), DoneKind::array_in_registers, 4, "`sum` is in registers");
  compile::Sass sass;
  sass.instructions = {made(0, "EXIT")};
  sass.local_bytes = 16;
  EXPECT_TRUE(ptxas_notes({"k.cu", source, {}}, ptx, "k", sass).empty());
  sass.instructions = {made(11, "STL [R1], R7"), made(0, "EXIT")};
  sass.spill_store_bytes = 8;
  expect_one(ptxas_notes({"k.cu", source, {}}, ptx, "k", sass), DoneKind::spilled, 1, "8 bytes per thread");
}

TEST(PtxasNotes, WhatCannotBeReadHasNone) {
  EXPECT_TRUE(notes_of("no PTX", {made(1, "EXIT")}).empty());
  compile::Sass sass;
  EXPECT_TRUE(ptxas_notes({"k.cu", "", {}}, branch, "another", sass).empty());
}

TEST(PtxasNotes, ASumIsFusedWhereItIsAMultiplyAdd) {
  const std::string sum =
      kernel_of(".reg .f32 %f<4>;\n.loc 1 3 1\nmul.f32 %f3, %f1, %f2;\n.loc 1 4 1\nadd.f32 %f3, %f3, %f1;\n");
  const int mul = ptx_line_of(sum, "mul.f32"), add = ptx_line_of(sum, "add.f32");
  const std::vector<PtxasNote> fused = notes_of(sum, {made(add, "FFMA R3, R1, R2, R1")});
  expect_one(fused, DoneKind::products_fused, 4, "FFMA rounds once");
  EXPECT_NE(fused_sums(fused).find("(line 4)"), std::string::npos) << fused_sums(fused);
  const std::vector<PtxasNote> apart = notes_of(sum, {made(mul, "FMUL R3, R1, R2"), made(add, "FADD R3, R3, R1")});
  EXPECT_TRUE(apart.empty());
  EXPECT_EQ(fused_sums(apart), "");
  EXPECT_TRUE(notes_of(sum, {made(add, "FFMA R3, R3, 1, R1")}).empty()) << "a sum, as exact as FADD";
  EXPECT_TRUE(notes_of(sum, {made(mul, "FFMA R3, R1, R2, R1")}).empty()) << "the product's line";
  const std::string rounded = kernel_of(".reg .f32 %f<4>;\n.loc 1 4 1\nadd.rn.f32 %f3, %f3, %f1;\n");
  EXPECT_TRUE(notes_of(rounded, {made(ptx_line_of(rounded, "add.rn"), "FFMA R3, R1, R2, R1")}).empty())
      << "a named rounding is kept";
}

}  // namespace
}  // namespace lanescope::job
