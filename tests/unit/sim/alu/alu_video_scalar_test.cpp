// Scalar video instructions, in 128 bits, by the steps of the PTX ISA's "Scalar Video Instructions".
#include "alu_integer_cases.h"

namespace lanescope::sim::alu_video_scalar {
namespace {

const std::string parts[] = {"", ".b0", ".b3", ".h0", ".h1"};

int width_of_part(const std::string& part) {
  return part.empty() ? 32 : part[1] == 'b' ? 8 : 16;
}
int begin_of_part(const std::string& part) {
  return part.empty() ? 0 : (part[2] - '0') * width_of_part(part);
}
Int128 part_of_value(U64 x, const std::string& part, bool is_signed) {
  return as_integer(low(x >> begin_of_part(part), width_of_part(part)),
                    (is_signed ? "s" : "u") + std::to_string(width_of_part(part)));
}
Int128 held_in(Int128 x, bool is_signed, int width) {
  const Int128 most = (Int128{1} << (is_signed ? width - 1 : width)) - 1;
  return held(x, is_signed ? -most - 1 : Int128{0}, most);
}

// What follows the primary operation: "" (two sources), a part to merge into c, or a second operation with c.
struct Rest {
  std::string second, part;
  bool sat = false;
};
const Rest rests[] = {{"", "", false},    {"", "", true},     {"", ".b1", false},  {"", ".b2", true},
                      {"", ".h1", true},  {"", ".h0", false}, {".add", "", false}, {".add", "", true},
                      {".min", "", true}, {".max", "", true}};

Results finished(Int128 t, const Rest& rest, bool is_signed, U64 c) {
  if (rest.sat) t = held_in(t, is_signed, width_of_part(rest.part));
  const Int128 third = as_integer(low(c, 32), is_signed ? "s32" : "u32");
  if (rest.second == ".add") t += third;
  if (rest.second == ".min") t = std::min(t, third);
  if (rest.second == ".max") t = std::max(t, third);
  if (rest.part.empty()) return low(word(t), 32);
  const U64 field = ((U64{1} << width_of_part(rest.part)) - 1) << begin_of_part(rest.part);
  return (low(c, 32) & ~field) | ((word(t) << begin_of_part(rest.part)) & field);
}

std::string operands_of(const Rest& rest, const std::string& a, const std::string& b) {
  const bool has_c = !rest.second.empty() || !rest.part.empty();
  return "%r0" + rest.part + ", %r1" + a + ", %r2" + b + (has_c ? ", %r3" : "");
}

void add(Cases& cases, const std::string& name, const std::string& types, const std::string& mode, bool d_signed,
         bool a_signed, bool b_signed, Binary f, bool may_saturate = true) {
  std::size_t next = 0;
  for (const Rest& rest : rests) {
    if (rest.sat && !may_saturate) continue;
    const std::string a = parts[next % 5], b = parts[(next / 2 + 1) % 5];
    ++next;
    cases.push_back({name + types + (rest.sat ? ".sat" : "") + mode + rest.second,
                     operands_of(rest, a, b),
                     triples_of("u32", "u32", "u32", 200),
                     [=](const Sources& in) {
                       return finished(f(part_of_value(in.a, a, a_signed), part_of_value(in.b, b, b_signed)), rest,
                                       d_signed, in.c);
                     },
                     {}});
  }
}

void scalar_video(Cases& cases) {
  const std::pair<const char*, Binary> operations[] = {
      {"vadd", [](Int128 a, Int128 b) { return a + b; }},
      {"vsub", [](Int128 a, Int128 b) { return a - b; }},
      {"vabsdiff", [](Int128 a, Int128 b) { return a < b ? b - a : a - b; }},
      {"vmin", [](Int128 a, Int128 b) { return std::min(a, b); }},
      {"vmax", [](Int128 a, Int128 b) { return std::max(a, b); }}};
  for (const auto& [name, f] : operations)
    for (const std::string& types : expanded(".{u32,s32}.{u32,s32}.{u32,s32}"))
      add(cases, name, types, "", types[1] == 's', types[5] == 's', types[9] == 's', f);
  for (const std::string& types : expanded(".{u32,s32}.{u32,s32}.u32"))
    for (const bool wraps : {false, true}) {
      const auto count = [=](Int128 b) { return static_cast<int>(wraps ? b % 32 : std::min(b, Int128{32})); };
      const std::string mode = wraps ? ".wrap" : ".clamp";
      const bool d_signed = types[1] == 's', a_signed = types[5] == 's';
      add(cases, "vshl", types, mode, d_signed, a_signed, false,
          [=](Int128 a, Int128 b) { return a * (Int128{1} << count(b)); });
      add(cases, "vshr", types, mode, d_signed, a_signed, false, [=](Int128 a, Int128 b) { return a >> count(b); });
    }
  const std::pair<const char*, Binary> comparisons[] = {
      {".eq", [](Int128 a, Int128 b) { return a == b; }}, {".ne", [](Int128 a, Int128 b) { return a != b; }},
      {".lt", [](Int128 a, Int128 b) { return a < b; }},  {".le", [](Int128 a, Int128 b) { return a <= b; }},
      {".gt", [](Int128 a, Int128 b) { return a > b; }},  {".ge", [](Int128 a, Int128 b) { return a >= b; }}};
  for (const auto& [name, f] : comparisons)
    for (const std::string& types : expanded(".{u32,s32}.{u32,s32}"))
      add(cases, "vset", types, name, false, types[1] == 's', types[5] == 's', f, false);
}

// Signs: of the product and of c, as written; the result is signed if a source or a minus is.
void vmad(Cases& cases) {
  struct Signs {
    std::string a, b, c;
  };
  for (const std::string& types : expanded(".{u32,s32}.{u32,s32}.{u32,s32}"))
    for (const std::string& scale : {std::string(), std::string(".shr7"), std::string(".shr15")})
      for (const bool sat : {false, true})
        for (const Signs& signs : {Signs{}, Signs{"-", "", ""}, Signs{"", "-", ""}, Signs{"", "", "-"}})
          for (const bool plus_one : {false, true}) {
            const bool minus = signs.a != signs.b, any_minus = minus || signs.c == "-";
            if (plus_one && any_minus) continue;
            const bool a_signed = types[5] == 's', b_signed = types[9] == 's';
            const bool is_signed = a_signed || b_signed || any_minus;
            if ((types[1] == 's') != is_signed) continue;
            const int shift = scale.empty() ? 0 : scale == ".shr7" ? 7 : 15;
            cases.push_back({"vmad" + types + (plus_one ? ".po" : "") + (sat ? ".sat" : "") + scale,
                             "%r0, " + signs.a + "%r1.h0, " + signs.b + "%r2.b1, " + signs.c + "%r3",
                             triples_of("u32", "u32", "u32", 100),
                             [=](const Sources& in) -> Results {
                               Int128 t = part_of_value(in.a, ".h0", a_signed) * part_of_value(in.b, ".b1", b_signed);
                               // -c is the complement of c, extended, and one more.
                               const U64 c = signs.c == "-" ? low(~in.c, 32) : low(in.c, 32);
                               t = (minus ? -t : t) + as_integer(c, is_signed ? "s32" : "u32");
                               if (plus_one || signs.c == "-") t += 1;
                               t >>= shift;
                               return low(word(sat ? held_in(t, is_signed, 32) : t), 32);
                             },
                             {}});
          }
}

const bool added = add_alu_cases(scalar_video) && add_alu_cases(vmad);

}  // namespace
}  // namespace lanescope::sim::alu_video_scalar
