#include "instrument/snippets.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::instrument {
namespace {

static_assert(sizeof(BufferHead) == 16 && sizeof(LanePlace) == 8 && RecordGroup::most_words == 12);

std::string from_control(const char* type, const char* destination, std::size_t offset) {
  return fmt::format("\tld.param.{} {}, [{}+{}];\n", type, destination, control_parameter, offset);
}

// Results: r3 = linear block − first_block, r5 = block_count.
std::string find_block() {
  std::string text = R"(	mov.u32 %lanescope_r3, %ctaid.z;
	mov.u32 %lanescope_r8, %nctaid.y;
	mov.u32 %lanescope_r9, %ctaid.y;
	mad.lo.u32 %lanescope_r3, %lanescope_r3, %lanescope_r8, %lanescope_r9;
	mov.u32 %lanescope_r8, %nctaid.x;
	mov.u32 %lanescope_r9, %ctaid.x;
	mad.lo.u32 %lanescope_r3, %lanescope_r3, %lanescope_r8, %lanescope_r9;
)";
  text += from_control("u32", "%lanescope_r4", offsetof(Control, first_block)) +
          from_control("u32", "%lanescope_r5", offsetof(Control, block_count));
  return text + "\tsub.u32 %lanescope_r3, %lanescope_r3, %lanescope_r4;\n";
}

// Inputs: d4 = the buffer, r3 as above. Results: the registers that record() needs.
std::string find_region() {
  std::string text = R"(	mov.u32 %lanescope_r8, %tid.z;
	mov.u32 %lanescope_r9, %ntid.y;
	mov.u32 %lanescope_r10, %tid.y;
	mad.lo.u32 %lanescope_r8, %lanescope_r8, %lanescope_r9, %lanescope_r10;
	mov.u32 %lanescope_r9, %ntid.x;
	mov.u32 %lanescope_r10, %tid.x;
	mad.lo.u32 %lanescope_r8, %lanescope_r8, %lanescope_r9, %lanescope_r10;
	shr.u32 %lanescope_r8, %lanescope_r8, 5;
)";
  text += from_control("u32", "%lanescope_r7", offsetof(Control, warps_per_block)) +
          from_control("u32", "%lanescope_r0", offsetof(Control, regions)) +
          from_control("u64", "%lanescope_d5", offsetof(Control, records));
  text += fmt::format("\tld.param.u64 %lanescope_d2, [{}];\n\tcvta.to.global.u64 %lanescope_d2, %lanescope_d2;\n",
                      places_parameter);
  return text + R"(	mov.u32 %lanescope_r15, %laneid;
	mad.wide.u32 %lanescope_d2, %lanescope_r15, 8, %lanescope_d2;
	ld.global.v2.u32 {%lanescope_r2, %lanescope_r13}, [%lanescope_d2];
	mad.lo.u32 %lanescope_r8, %lanescope_r3, %lanescope_r7, %lanescope_r8;
	sub.u32 %lanescope_r13, %lanescope_r13, %lanescope_r2;
	mul.lo.u32 %lanescope_r2, %lanescope_r2, %lanescope_r0;
	mad.lo.u32 %lanescope_r2, %lanescope_r8, %lanescope_r13, %lanescope_r2;
	add.u32 %lanescope_r13, %lanescope_r13, %lanescope_r2;
	sub.u32 %lanescope_r13, %lanescope_r13, 1;
	add.u64 %lanescope_d0, %lanescope_d4, %lanescope_d5;
	mad.wide.u32 %lanescope_d1, %lanescope_r13, 16, %lanescope_d0;
	mov.u32 %lanescope_r14, 0;
	mov.u32 %lanescope_r1, 0;
	mov.u32 %lanescope_r15, %lanemask_lt;
)";
}

// Loads the lanes' words into %lanescope_w0… and their upper words into %lanescope_h0….
std::string fetch(const std::vector<LaneWord>& words, int count, bool has_upper) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const LaneWord word =
        i < static_cast<int>(words.size()) ? words[static_cast<std::size_t>(i)] : LaneWord{.source = "0"};
    if (word.kind == LaneWord::Kind::symbol)
      text +=
          fmt::format("\tmov.u64 %lanescope_d3, {};\n\tmov.b64 {{%lanescope_w{}, %lanescope_h{}}}, %lanescope_d3;\n",
                      word.source, i, i);
    else if (word.kind == LaneWord::Kind::bits64)
      text += fmt::format("\tmov.b64 {{%lanescope_w{}, %lanescope_h{}}}, {};\n", i, i, word.source);
    else
      text += fmt::format("\tmov.b32 %lanescope_w{}, {};\n", i, word.source);
    if (has_upper && !word.has_upper()) text += fmt::format("\tmov.b32 %lanescope_h{}, 0;\n", i);
  }
  for (int i = count; has_upper && i < 4; ++i) text += fmt::format("\tmov.b32 %lanescope_h{}, 0;\n", i);
  return text;
}

std::string list(const char* name, int count) {
  if (count == 1) return fmt::format("{}0", name);
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += fmt::format("{}{}{}", i ? ", " : "", name, i);
  return text + "}";
}
const char* vector_of(int words) {
  return words == 1 ? "" : words == 2 ? ".v2" : ".v4";
}

// Result: p0 = the upper words of some executing lane differ from the writer's.
std::string compare_upper(const std::vector<LaneWord>& words, const std::string& guard) {
  std::string text;
  bool first = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].has_upper()) continue;
    text += fmt::format(
        "\tshfl.sync.idx.b32 %lanescope_r9, %lanescope_h{0}, %lanescope_r6, 31, %lanescope_r4;\n"
        "\txor.b32 %lanescope_r9, %lanescope_r9, %lanescope_h{0};\n",
        i);
    text += first ? "\tmov.b32 %lanescope_r10, %lanescope_r9;\n"
                  : "\tor.b32 %lanescope_r10, %lanescope_r10, %lanescope_r9;\n";
    first = false;
  }
  text += guard.empty() ? std::string("\tsetp.ne.u32 %lanescope_p0, %lanescope_r10, 0;\n")
                        : fmt::format("\tsetp.ne.and.u32 %lanescope_p0, %lanescope_r10, 0, {};\n", guard);
  return text + "\tvote.sync.any.pred %lanescope_p0, %lanescope_p0, %lanescope_r4;\n";
}

// Results: r3 = r11 = units that the executing lanes' words take (RecordGroup::word_units).
std::string word_units(const char* executed, int count) {
  std::string text = fmt::format("\tpopc.b32 %lanescope_r3, {};\n", executed);
  if (count < 4)
    text += fmt::format("\tadd.u32 %lanescope_r3, %lanescope_r3, {};\n\tshr.u32 %lanescope_r3, %lanescope_r3, {};\n",
                        4 / count - 1, count == 1 ? 2 : 1);
  return text + "\tmov.u32 %lanescope_r11, %lanescope_r3;\n";
}

// For four words. Result: p4 = in some executing lane their distances differ from the writer's. If they do not: e0… =
// the distances from the first word, and r11 and r12 (units, flags) describe a record that keeps distances. With
// `wide`, p0 must be set.
std::string compare_distances(std::size_t words, const std::string& guard, bool wide) {
  std::string text;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i + 1 >= words) {
      text += fmt::format("\tmov.u32 %lanescope_e{}, 0;\n", i);
      continue;
    }
    text += fmt::format(
        "\tsub.u32 %lanescope_e{0}, %lanescope_w{1}, %lanescope_w0;\n"
        "\tshfl.sync.idx.b32 %lanescope_r9, %lanescope_e{0}, %lanescope_r6, 31, %lanescope_r4;\n"
        "\txor.b32 %lanescope_r9, %lanescope_r9, %lanescope_e{0};\n",
        i, i + 1);
    text += i == 0 ? "\tmov.b32 %lanescope_r10, %lanescope_r9;\n"
                   : "\tor.b32 %lanescope_r10, %lanescope_r10, %lanescope_r9;\n";
  }
  text += guard.empty() ? std::string("\tsetp.ne.u32 %lanescope_p4, %lanescope_r10, 0;\n")
                        : fmt::format("\tsetp.ne.and.u32 %lanescope_p4, %lanescope_r10, 0, {};\n", guard);
  text += "\tvote.sync.any.pred %lanescope_p4, %lanescope_p4, %lanescope_r4;\n";
  if (wide) text += "\tor.pred %lanescope_p4, %lanescope_p4, %lanescope_p0;\n";
  return text + fmt::format(
                    "\tadd.u32 %lanescope_r9, %lanescope_r3, 7;\n"
                    "\tshr.u32 %lanescope_r9, %lanescope_r9, 2;\n"
                    "\tselp.b32 %lanescope_r11, %lanescope_r11, %lanescope_r9, %lanescope_p4;\n"
                    "\t@!%lanescope_p4 or.b32 %lanescope_r12, %lanescope_r12, {};\n",
                    Header::parallel);
}

// Stores what a record of four words keeps, chosen by p4. Either the distances at d5 + `at` and then each lane's first
// word, or all words; then d6 is the address of this lane's words. Inputs: p2 = this lane has words to write, p3 = it
// writes the record, r9 = number of executing lanes below it. Changes p1.
std::string store_four_words(std::uint32_t at) {
  return fmt::format(
      "\tselp.b32 %lanescope_r10, 16, 4, %lanescope_p4;\n"
      "\tmul.wide.u32 %lanescope_d6, %lanescope_r9, %lanescope_r10;\n"
      "\tadd.u64 %lanescope_d6, %lanescope_d6, %lanescope_d5;\n"
      "\tnot.pred %lanescope_p1, %lanescope_p4;\n"
      "\tand.pred %lanescope_p1, %lanescope_p1, %lanescope_p3;\n"
      "\t@%lanescope_p1 st.global.v4.u32 [%lanescope_d5+{0}], {2};\n"
      "\tand.pred %lanescope_p1, %lanescope_p2, %lanescope_p4;\n"
      "\t@%lanescope_p1 st.global.v4.u32 [%lanescope_d6+{0}], {3};\n"
      "\txor.pred %lanescope_p1, %lanescope_p1, %lanescope_p2;\n"
      "\t@%lanescope_p1 st.global.u32 [%lanescope_d6+{1}], %lanescope_w0;\n",
      at, at + 16, list("%lanescope_e", 4), list("%lanescope_w", 4));
}

// Input: p1 = this lane is the writer. Result: p3 = it is, and there is room. If there is no room, adds `events` to its
// count of dropped events.
std::string find_room(const std::string& units, int events) {
  return fmt::format(
      "\tadd.u32 %lanescope_r7, %lanescope_r2, {};\n"
      "\tsetp.le.and.u32 %lanescope_p3|%lanescope_p2, %lanescope_r7, %lanescope_r13, %lanescope_p1;\n"
      "\t@%lanescope_p2 add.u32 %lanescope_r1, %lanescope_r1, {};\n"
      "\t@%lanescope_p2 st.global.u32 [%lanescope_d1], %lanescope_r1;\n",
      units, events);
}

// For many words. Results: p4 = in some executing lane their distances differ from the writer's, or an upper word
// differs from the one in the record; e0… = the distances from the first word; r11 = units after the header; r12 gets
// its flags.
std::string compare_many(const std::vector<LaneWord>& words, const std::string& guard, const RecordGroup& group) {
  std::string text = "\tmov.u32 %lanescope_r10, 0;\n";
  const auto is_the_writers = [&](const char* name, std::size_t i) {
    text += fmt::format(
        "\tshfl.sync.idx.b32 %lanescope_r9, {0}{1}, %lanescope_r6, 31, %lanescope_r4;\n"
        "\txor.b32 %lanescope_r9, %lanescope_r9, {0}{1};\n"
        "\tor.b32 %lanescope_r10, %lanescope_r10, %lanescope_r9;\n",
        name, i);
  };
  for (std::size_t i = 1; i < words.size(); ++i) {
    text += fmt::format("\tsub.u32 %lanescope_e{}, %lanescope_w{}, %lanescope_w0;\n", i - 1, i);
    is_the_writers("%lanescope_e", i - 1);
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].has_upper()) continue;
    if (words[i].upper_as < 0)
      is_the_writers("%lanescope_h", i);
    else
      text += fmt::format(
          "\txor.b32 %lanescope_r9, %lanescope_h{}, %lanescope_h{};\n"
          "\tor.b32 %lanescope_r10, %lanescope_r10, %lanescope_r9;\n",
          i, words[i].upper_as);
  }
  text += guard.empty() ? std::string("\tsetp.ne.u32 %lanescope_p4, %lanescope_r10, 0;\n")
                        : fmt::format("\tsetp.ne.and.u32 %lanescope_p4, %lanescope_r10, 0, {};\n", guard);
  return text + fmt::format(
                    "\tvote.sync.any.pred %lanescope_p4, %lanescope_p4, %lanescope_r4;\n"
                    "\tpopc.b32 %lanescope_r3, {};\n"
                    "\tadd.u32 %lanescope_r3, %lanescope_r3, {};\n"
                    "\tshr.u32 %lanescope_r3, %lanescope_r3, 2;\n"
                    "\tselp.b32 %lanescope_r11, {}, %lanescope_r3, %lanescope_p4;\n"
                    "\t@!%lanescope_p4 or.b32 %lanescope_r12, %lanescope_r12, {};\n",
                    guard.empty() ? "%lanescope_r4" : "%lanescope_r5", 3 + 4 * group.distance_units(),
                    RecordGroup::units_of_one_of_many * words.size(), Header::parallel);
}

// The registers that hold the upper words which the record keeps.
std::vector<std::string> uppers_of(const std::vector<LaneWord>& words) {
  std::vector<std::string> uppers;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i].has_upper() && words[i].upper_as < 0) uppers.push_back(fmt::format("%lanescope_h{}", i));
  return uppers;
}

std::string padded(const std::vector<std::string>& four) {
  std::string text;
  for (std::size_t i = 0; i < 4; ++i) text += (i ? ", " : "{") + four[std::min(i, four.size() - 1)];
  return text + "}";
}

// Stores the words at d5 + `at`, chosen by p4. p2, p3 and r9 as in store_four_words.
std::string store_many_words(const std::vector<LaneWord>& words, const RecordGroup& group, std::uint32_t at) {
  std::string text =
      "\tnot.pred %lanescope_p1, %lanescope_p4;\n\tand.pred %lanescope_p0, %lanescope_p1, %lanescope_p3;\n";
  const auto distance = [&](std::size_t i) { return i + 1 < words.size() ? i : 0; };
  for (std::size_t i = 0; i < group.distance_units(); ++i)
    text += fmt::format(
        "\t@%lanescope_p0 st.global.v4.u32 [%lanescope_d5+{}], {{%lanescope_e{}, %lanescope_e{}, %lanescope_e{}, "
        "%lanescope_e{}}};\n",
        at + 16 * i, distance(4 * i), distance(4 * i + 1), distance(4 * i + 2), distance(4 * i + 3));
  text += fmt::format(
      "\tand.pred %lanescope_p1, %lanescope_p1, %lanescope_p2;\n"
      "\tmad.wide.u32 %lanescope_d6, %lanescope_r9, 4, %lanescope_d5;\n"
      "\t@%lanescope_p1 st.global.u32 [%lanescope_d6+{}], %lanescope_w0;\n"
      "\tand.pred %lanescope_p2, %lanescope_p4, %lanescope_p2;\n"
      "\tmad.wide.u32 %lanescope_d6, %lanescope_r9, 4, %lanescope_d6;\n",
      at + 16 * group.distance_units());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t here = at + 16 * RecordGroup::units_of_one_of_many * i;
    text += words[i].has_upper()
                ? fmt::format(
                      "\tmov.b64 %lanescope_d3, {{%lanescope_w{0}, %lanescope_h{0}}};\n"
                      "\t@%lanescope_p2 st.global.u64 [%lanescope_d6+{1}], %lanescope_d3;\n",
                      i, here)
                : fmt::format("\t@%lanescope_p2 st.global.u32 [%lanescope_d6+{1}], %lanescope_w{0};\n", i, here);
  }
  return text;
}

}  // namespace

std::string register_declarations() {
  return "\t.reg .pred %lanescope_p<5>;\n\t.reg .b32 %lanescope_r<16>;\n\t.reg .b32 %lanescope_w<12>;\n"
         "\t.reg .b32 %lanescope_h<12>;\n\t.reg .b32 %lanescope_e<12>;\n\t.reg .b64 %lanescope_d<8>;\n";
}

std::string kernel_prologue(const std::string& plain_label) {
  std::string text = find_block();
  text += fmt::format("\tsetp.ge.u32 %lanescope_p0, %lanescope_r3, %lanescope_r5;\n\t@%lanescope_p0 bra.uni {};\n",
                      plain_label);
  text += fmt::format("\tld.param.u64 %lanescope_d4, [{}];\n\tcvta.to.global.u64 %lanescope_d4, %lanescope_d4;\n",
                      buffer_parameter);
  text += find_region();
  // Stores the window addresses. Every thread of the first chosen block writes the same values.
  return text +
         "\tsetp.eq.u32 %lanescope_p0, %lanescope_r3, 0;\n"
         "\tmov.u64 %lanescope_d5, 0;\n"
         "\tcvta.shared.u64 %lanescope_d6, %lanescope_d5;\n"
         "\tcvta.local.u64 %lanescope_d7, %lanescope_d5;\n"
         "\t@%lanescope_p0 st.global.v2.u64 [%lanescope_d4], {%lanescope_d6, %lanescope_d7};\n";
}

std::string entry_record(int index, bool clocks) {
  std::string text =
      "\tactivemask.b32 %lanescope_r4;\n"
      "\tand.b32 %lanescope_r7, %lanescope_r4, %lanescope_r15;\n"
      "\tsetp.eq.u32 %lanescope_p1, %lanescope_r7, 0;\n";
  if (clocks) text += "\tredux.sync.max.u32 %lanescope_r14, %lanescope_r14, %lanescope_r4;\n";
  return text + fmt::format(
                    "\tmov.u32 %lanescope_r12, {};\n"
                    "\tmin.u32 %lanescope_r8, %lanescope_r2, %lanescope_r13;\n"
                    "\tmul.wide.u32 %lanescope_d5, %lanescope_r8, 16;\n"
                    "\tadd.u64 %lanescope_d5, %lanescope_d5, %lanescope_d0;\n"
                    "\t@%lanescope_p1 st.global.v4.u32 [%lanescope_d5], {{%lanescope_r12, %lanescope_r2, "
                    "%lanescope_r4, %lanescope_r14}};\n"
                    "\t@%lanescope_p1 add.u32 %lanescope_r2, %lanescope_r2, 1;\n"
                    "\tadd.u32 %lanescope_r14, %lanescope_r14, 1;\n",
                    index + 1);
}

std::string record(int index, const RecordGroup& group, const std::string& guard, const std::vector<LaneWord>& words,
                   bool clocks) {
  const bool guarded = !guard.empty();
  const char* executed = guarded ? "%lanescope_r5" : "%lanescope_r4";
  std::string text = "\tactivemask.b32 %lanescope_r4;\n";
  if (guarded) text += fmt::format("\tvote.sync.ballot.b32 %lanescope_r5, {}, %lanescope_r4;\n", guard);
  // p1 = this lane is the lowest that takes part, so it writes the record. r6 = the number of that lane; it is not used
  // when no lane takes part.
  const bool by_active = group.by_active_lanes || !guarded;
  const char* part = by_active ? "%lanescope_r4" : "%lanescope_r5";
  text += fmt::format("\tand.b32 %lanescope_r7, {}, %lanescope_r15;\n", part);
  text += by_active ? std::string("\tsetp.eq.u32 %lanescope_p1, %lanescope_r7, 0;\n")
                    : fmt::format("\tsetp.eq.and.u32 %lanescope_p1, %lanescope_r7, 0, {};\n", guard);
  const int count = group.words;
  if (count > 0)
    text += fmt::format(
        "\tneg.s32 %lanescope_r6, {0};\n\tand.b32 %lanescope_r6, %lanescope_r6, {0};\n\tbfind.u32 %lanescope_r6, "
        "%lanescope_r6;\n",
        part);
  if (clocks) text += "\tredux.sync.max.u32 %lanescope_r14, %lanescope_r14, %lanescope_r4;\n";
  text += fetch(words, count, group.has_upper && !group.many());
  std::string units = fmt::format("{}", group.header_units());
  text += fmt::format("\tmov.u32 %lanescope_r12, {};\n", index + 1);
  if (group.many()) {
    text += compare_many(words, guard, group) + fmt::format("\tadd.u32 %lanescope_r11, %lanescope_r11, {};\n", units);
    units = "%lanescope_r11";
  } else if (count > 0) {
    text += word_units(executed, count);
    if (group.has_upper)
      text +=
          compare_upper(words, guard) + fmt::format(
                                            "\t@%lanescope_p0 or.b32 %lanescope_r12, %lanescope_r12, {};\n"
                                            "\t@%lanescope_p0 add.u32 %lanescope_r11, %lanescope_r11, %lanescope_r3;\n",
                                            Header::wide);
    if (count == 4) text += compare_distances(words.size(), guard, group.has_upper);
    text += fmt::format("\tadd.u32 %lanescope_r11, %lanescope_r11, {};\n", units);
    units = "%lanescope_r11";
  }
  text += find_room(units, group.sites);
  if (count > 0)
    text += std::string(
        "\tselp.b32 %lanescope_r8, %lanescope_r2, -1, %lanescope_p3;\n"
        "\tshfl.sync.idx.b32 %lanescope_r8, %lanescope_r8, %lanescope_r6, 31, %lanescope_r4;\n");
  text += fmt::format(
      "\tmul.wide.u32 %lanescope_d5, {}, 16;\n\tadd.u64 %lanescope_d5, %lanescope_d5, %lanescope_d0;\n"
      "\t@%lanescope_p3 st.global.v4.u32 [%lanescope_d5], {};\n",
      count > 0 ? "%lanescope_r8" : "%lanescope_r2",
      group.short_header
          ? fmt::format("{{%lanescope_r12, %lanescope_r4, %lanescope_r14, {}}}", uppers_of(words).front())
          : fmt::format("{{%lanescope_r12, {}, %lanescope_r4, %lanescope_r14}}", executed));
  if (group.header_units() == 2)
    text += "\t@%lanescope_p3 st.global.v4.u32 [%lanescope_d5+16], " +
            (group.many() ? padded(uppers_of(words)) : list("%lanescope_h", 4)) + ";\n";
  if (count > 0) {
    const std::uint32_t at = group.header_units() * 16;
    text += guarded ? fmt::format("\tsetp.ne.and.u32 %lanescope_p2, %lanescope_r8, -1, {};\n", guard)
                    : std::string("\tsetp.ne.u32 %lanescope_p2, %lanescope_r8, -1;\n");
    text += fmt::format(
        "\tand.b32 %lanescope_r9, %lanescope_r15, {};\n"
        "\tpopc.b32 %lanescope_r9, %lanescope_r9;\n",
        executed);
    text += group.many() ? store_many_words(words, group, at)
            : count == 4 ? store_four_words(at)
                         : fmt::format(
                               "\tmad.wide.u32 %lanescope_d6, %lanescope_r9, {}, %lanescope_d5;\n"
                               "\t@%lanescope_p2 st.global{}.u32 [%lanescope_d6+{}], {};\n",
                               4 * count, vector_of(count), at, list("%lanescope_w", count));
    if (group.has_upper && !group.many())
      text += fmt::format(
          "\tand.pred %lanescope_p2, %lanescope_p2, %lanescope_p0;\n"
          "\tmad.wide.u32 %lanescope_d6, %lanescope_r3, 16, %lanescope_d6;\n"
          "\t@%lanescope_p2 st.global{}.u32 [%lanescope_d6+{}], {};\n",
          vector_of(count), at, list("%lanescope_h", count));
  }
  text += fmt::format("\t@%lanescope_p3 add.u32 %lanescope_r2, %lanescope_r2, {};\n", units);
  return text +
         fmt::format("\t{}add.u32 %lanescope_r14, %lanescope_r14, 1;\n", by_active || clocks ? "" : "@" + guard + " ");
}

}  // namespace lanescope::instrument
