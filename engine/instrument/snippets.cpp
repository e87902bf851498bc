#include "instrument/snippets.h"

#include <fmt/format.h>

#include "instrument/instrument.h"

namespace lanescope::instrument {
namespace {

constexpr int offset_of_headers = 0, offset_of_counters = 16, offset_of_first_block = 24,
              offset_of_shared_window = 40;
static_assert(offsetof(Control, headers) == offset_of_headers);
static_assert(offsetof(Control, counters) == offset_of_counters);
static_assert(offsetof(Control, first_block) == offset_of_first_block);
static_assert(offsetof(Control, shared_window) == offset_of_shared_window);

// d4 = the Control's address → r3 = linear block, r4…r7 = first, count, capacity, warps.
const char* read_control = R"(	mov.u32 %lanescope_r3, %ctaid.z;
	mov.u32 %lanescope_r8, %nctaid.y;
	mov.u32 %lanescope_r9, %ctaid.y;
	mad.lo.u32 %lanescope_r3, %lanescope_r3, %lanescope_r8, %lanescope_r9;
	mov.u32 %lanescope_r8, %nctaid.x;
	mov.u32 %lanescope_r9, %ctaid.x;
	mad.lo.u32 %lanescope_r3, %lanescope_r3, %lanescope_r8, %lanescope_r9;
	ld.global.v2.u32 {%lanescope_r4, %lanescope_r5}, [%lanescope_d4+24];
	ld.global.v2.u32 {%lanescope_r6, %lanescope_r7}, [%lanescope_d4+32];
	sub.u32 %lanescope_r3, %lanescope_r3, %lanescope_r4;
)";

// → the registers that record() needs.
const char* find_region = R"(	mov.u32 %lanescope_r8, %tid.z;
	mov.u32 %lanescope_r9, %ntid.y;
	mov.u32 %lanescope_r10, %tid.y;
	mad.lo.u32 %lanescope_r8, %lanescope_r8, %lanescope_r9, %lanescope_r10;
	mov.u32 %lanescope_r9, %ntid.x;
	mov.u32 %lanescope_r10, %tid.x;
	mad.lo.u32 %lanescope_r8, %lanescope_r8, %lanescope_r9, %lanescope_r10;
	shr.u32 %lanescope_r8, %lanescope_r8, 5;
	mad.lo.u32 %lanescope_r8, %lanescope_r3, %lanescope_r7, %lanescope_r8;
	mov.u32 %lanescope_r0, %lanescope_r6;
	mov.u32 %lanescope_r1, %lanemask_lt;
	ld.global.v2.u64 {%lanescope_d0, %lanescope_d1}, [%lanescope_d4];
	ld.global.u64 %lanescope_d2, [%lanescope_d4+16];
	mul.wide.u32 %lanescope_d5, %lanescope_r8, 4;
	add.u64 %lanescope_d2, %lanescope_d2, %lanescope_d5;
	mul.wide.u32 %lanescope_d5, %lanescope_r8, %lanescope_r6;
	shl.b64 %lanescope_d6, %lanescope_d5, 4;
	add.u64 %lanescope_d0, %lanescope_d0, %lanescope_d6;
	shl.b64 %lanescope_d6, %lanescope_d5, 8;
	add.u64 %lanescope_d1, %lanescope_d1, %lanescope_d6;
	mov.u32 %lanescope_r9, %laneid;
	mul.wide.u32 %lanescope_d6, %lanescope_r9, 8;
	add.u64 %lanescope_d1, %lanescope_d1, %lanescope_d6;
)";

}  // namespace

std::string register_declarations() {
  return "\t.reg .pred %lanescope_p<4>;\n\t.reg .b32 %lanescope_r<16>;\n\t.reg .b64 %lanescope_d<8>;\n";
}

std::string kernel_prologue(const std::string& plain_label, bool publish) {
  std::string text = fmt::format(
      "\tld.param.u64 %lanescope_d4, [{}];\n\tcvta.to.global.u64 %lanescope_d4, %lanescope_d4;\n", parameter_name);
  text += read_control;
  text += fmt::format("\tsetp.ge.u32 %lanescope_p0, %lanescope_r3, %lanescope_r5;\n\t@%lanescope_p0 bra.uni {};\n",
                      plain_label);
  text += find_region;
  // The windows: the same values by every thread of the first chosen block.
  text += "\tsetp.eq.u32 %lanescope_p0, %lanescope_r3, 0;\n"
          "\tmov.u64 %lanescope_d5, 0;\n"
          "\tcvta.shared.u64 %lanescope_d6, %lanescope_d5;\n"
          "\tcvta.local.u64 %lanescope_d7, %lanescope_d5;\n"
          "\t@%lanescope_p0 st.global.u64 [%lanescope_d4+40], %lanescope_d6;\n"
          "\t@%lanescope_p0 st.global.u64 [%lanescope_d4+48], %lanescope_d7;\n";
  if (publish) text += fmt::format("\tst.global.u64 [{}], %lanescope_d4;\n", variable_name);
  return text;
}

std::string function_prologue() {
  return fmt::format("\tld.global.u64 %lanescope_d4, [{}];\n", variable_name) + read_control + find_region;
}

std::string record(int site, const std::string& guard, const std::string& lane_value, bool always) {
  std::string text = "\tactivemask.b32 %lanescope_r4;\n";
  const bool guarded = !guard.empty();
  const std::string only_executed = guarded ? "@" + guard + " " : "";
  text += guarded ? fmt::format("\tvote.sync.ballot.b32 %lanescope_r5, {}, %lanescope_r4;\n", guard)
                  : "\tmov.u32 %lanescope_r5, %lanescope_r4;\n";
  // p1: this lane is the lowest executed (or active) one; it reserves the record.
  text += fmt::format("\tand.b32 %lanescope_r6, {}, %lanescope_r1;\n", always ? "%lanescope_r4" : "%lanescope_r5");
  text += "\tsetp.eq.u32 %lanescope_p1, %lanescope_r6, 0;\n";
  if (guarded && !always) text += fmt::format("\tsetp.eq.and.u32 %lanescope_p1, %lanescope_r6, 0, {};\n", guard);
  text += "\t@%lanescope_p1 atom.global.add.u32 %lanescope_r8, [%lanescope_d2], 1;\n";
  if (!lane_value.empty())
    text += fmt::format("\tbrev.b32 %lanescope_r7, %lanescope_r5;\n"
                        "\tclz.b32 %lanescope_r7, %lanescope_r7;\n"
                        "\t{}shfl.sync.idx.b32 %lanescope_r8, %lanescope_r8, %lanescope_r7, 31, %lanescope_r5;\n",
                        only_executed);
  // p2: there is room; p3: and this lane writes the header.
  text += "\tsetp.lt.u32 %lanescope_p2, %lanescope_r8, %lanescope_r0;\n"
          "\tand.pred %lanescope_p3, %lanescope_p1, %lanescope_p2;\n"
          "\tmul.wide.u32 %lanescope_d5, %lanescope_r8, 16;\n"
          "\tadd.u64 %lanescope_d5, %lanescope_d5, %lanescope_d0;\n";
  text += fmt::format("\tmov.u32 %lanescope_r9, {};\n\tmov.u32 %lanescope_r10, 0;\n", site);
  text += "\t@%lanescope_p3 st.global.v4.u32 [%lanescope_d5], "
          "{%lanescope_r9, %lanescope_r5, %lanescope_r4, %lanescope_r10};\n";
  if (lane_value.empty()) return text;
  if (guarded) text += fmt::format("\tsetp.lt.and.u32 %lanescope_p2, %lanescope_r8, %lanescope_r0, {};\n", guard);
  text += "\tmul.wide.u32 %lanescope_d5, %lanescope_r8, 256;\n"
          "\tadd.u64 %lanescope_d5, %lanescope_d5, %lanescope_d1;\n";
  return text + fmt::format("\t@%lanescope_p2 st.global.u64 [%lanescope_d5], {};\n", lane_value);
}

std::string address_of(const ptx::Function& function, const ptx::Operand& operand) {
  std::string text;
  if (operand.reg != ptx::no_register) {
    const ptx::Register& base = function.registers[operand.reg];
    text = bytes_of(base.type) == 8 ? fmt::format("\tmov.b64 {}, {};\n", lane_register, base.name)
                                    : fmt::format("\tcvt.u64.u32 {}, {};\n", lane_register, base.name);
  } else if (!operand.name.empty()) {
    text = fmt::format("\tmov.u64 {}, {};\n", lane_register, operand.name);
  } else {
    text = fmt::format("\tmov.u64 {}, 0;\n", lane_register);
  }
  if (operand.integer != 0) text += fmt::format("\tadd.s64 {0}, {0}, {1};\n", lane_register, operand.integer);
  return text;
}

std::string shuffle_operands(const std::string& b, const std::string& c) {
  return fmt::format("\tmov.u32 %lanescope_r11, {};\n\tmov.u32 %lanescope_r12, {};\n"
                     "\tmov.b64 {}, {{%lanescope_r11, %lanescope_r12}};\n", b, c, lane_register);
}

}  // namespace lanescope::instrument
