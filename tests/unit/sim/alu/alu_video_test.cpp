// Packed video arithmetic, lane by lane in 128 bits.
#include "alu_integer_cases.h"

namespace lanescope::sim::alu_video {
namespace {

const std::pair<const char*, Binary> video_operations[] = {
    {"vadd", [](Int128 a, Int128 b) { return a + b; }},
    {"vsub", [](Int128 a, Int128 b) { return a - b; }},
    {"vavrg", [](Int128 a, Int128 b) { return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1; }},
    {"vabsdiff", [](Int128 a, Int128 b) { return a < b ? b - a : a - b; }},
    {"vmin", [](Int128 a, Int128 b) { return std::min(a, b); }},
    {"vmax", [](Int128 a, Int128 b) { return std::max(a, b); }}};
const std::pair<const char*, Binary> comparisons[] = {
    {"eq", [](Int128 a, Int128 b) { return a == b; }}, {"ne", [](Int128 a, Int128 b) { return a != b; }},
    {"lt", [](Int128 a, Int128 b) { return a < b; }},  {"le", [](Int128 a, Int128 b) { return a <= b; }},
    {"gt", [](Int128 a, Int128 b) { return a > b; }},  {"ge", [](Int128 a, Int128 b) { return a >= b; }}};

void video(Cases& cases) {
  const auto field = [](U64 x, int at, int width, bool is_signed) {
    return as_integer(x >> at, (is_signed ? "s" : "u") + std::to_string(width));
  };
  for (int lanes : {2, 4}) {
    const int width = 32 / lanes;
    const auto reference = [=](Binary f, bool a_signed, bool b_signed, bool sat, bool sum, bool d_signed) {
      return [=](const Sources& in) -> Results {
        U64 merged = 0, total = in.c;
        const Int128 most = (Int128{1} << (d_signed ? width - 1 : width)) - 1, least = d_signed ? -most - 1 : 0;
        for (int at = 0; at < 32; at += width) {
          Int128 t = f(field(in.a, at, width, a_signed), field(in.b, at, width, b_signed));
          if (sat) t = held(t, least, most);
          merged |= low(word(t), width) << at;
          total += word(t);
        }
        return sum ? total : merged;
      };
    };
    for (const auto& [name, f] : video_operations)
      for (const std::string& types : expanded(".{u32,s32}.{u32,s32}.{u32,s32}"))
        for (const std::string tail : {"", ".sat", ".add"})
          cases.push_back(
              {name + std::to_string(lanes) + types + tail,
               "%r0, %r1, %r2, %r3",
               triples_of("u32", "u32", "u32", 200),
               reference(f, types[5] == 's', types[9] == 's', tail == ".sat", tail == ".add", types[1] == 's'),
               {}});
    for (const auto& [name, f] : comparisons)
      for (const std::string& types : expanded(".{u32,s32}.{u32,s32}"))
        for (const std::string tail : {"", ".add"})
          cases.push_back({"vset" + std::to_string(lanes) + types + "." + name + tail,
                           "%r0, %r1, %r2, %r3",
                           triples_of("u32", "u32", "u32", 200),
                           reference(f, types[1] == 's', types[5] == 's', false, tail == ".add", false),
                           {}});
  }
}

const bool added = add_alu_cases(video);

}  // namespace
}  // namespace lanescope::sim::alu_video
