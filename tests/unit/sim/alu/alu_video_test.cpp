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

// With selectors: lane k of a source is one of the lanes of a and b together, and only the lanes of the mask are
// written or summed. The digits are read from the operands' text.
void selected(Cases& cases) {
  const std::string operands[] = {"%r0.h10, %r1.h10, %r2.h32, %r3", "%r0.h1, %r1.h30, %r2.h12, %r3",
                                  "%r0.h0, %r1.h33, %r2, %r3",      "%r0, %r1, %r2.h01, %r3",
                                  "%r0.b3210, %r1, %r2.b0123, %r3", "%r0.b31, %r1.b7610, %r2.b0000, %r3",
                                  "%r0.b2, %r1.b4567, %r2, %r3",    "%r0, %r1.b0246, %r2.b7531, %r3"};
  const auto digits = [](const std::string& text, int operand) {  // "h30" → {0, 3}; {} if there is none
    std::size_t at = 0;
    for (int k = 0; k < operand; ++k) at = text.find(',', at) + 1;
    const std::size_t dot = text.find('.', at);
    std::vector<int> result;
    if (dot < text.find(',', at))
      for (std::size_t k = dot + 2; k < text.size() && text[k] >= '0' && text[k] <= '9'; ++k)
        result.insert(result.begin(), text[k] - '0');
    return result;
  };
  for (const std::string& text : operands) {
    const int lanes = text.find('h') != std::string::npos ? 2 : 4, width = 32 / lanes;
    const std::vector<int> mask = digits(text, 0), of_a = digits(text, 1), of_b = digits(text, 2);
    const auto reference = [=](Binary f, bool a_signed, bool b_signed, bool sat, bool sum, bool d_signed) {
      return [=](const Sources& in) -> Results {
        const U64 both = (in.a & 0xffffffff) | in.b << 32;
        const Int128 most = (Int128{1} << (d_signed ? width - 1 : width)) - 1, least = d_signed ? -most - 1 : 0;
        U64 merged = 0, total = in.c;
        for (int k = 0; k < lanes; ++k) {
          const auto from = [&](const std::vector<int>& selector, int otherwise, bool is_signed) {
            const int lane = selector.empty() ? otherwise : selector[static_cast<std::size_t>(k)];
            return as_integer(both >> (lane * width), (is_signed ? "s" : "u") + std::to_string(width));
          };
          Int128 t = f(from(of_a, k, a_signed), from(of_b, k + lanes, b_signed));
          if (sat) t = held(t, least, most);
          const bool written = mask.empty() || std::ranges::count(mask, k) != 0;
          merged |= low(written ? word(t) : in.c >> (k * width), width) << (k * width);
          if (written) total += word(t);
        }
        return sum ? total : merged;
      };
    };
    for (const auto& [name, f] : video_operations)
      for (const std::string& types : expanded(".{u32,s32}.{u32,s32}.{u32,s32}"))
        for (const std::string tail : {"", ".sat", ".add"})
          cases.push_back(
              {name + std::to_string(lanes) + types + tail,
               text,
               triples_of("u32", "u32", "u32", 50),
               reference(f, types[5] == 's', types[9] == 's', tail == ".sat", tail == ".add", types[1] == 's'),
               {}});
    for (const auto& [name, f] : comparisons)
      for (const std::string tail : {"", ".add"})
        cases.push_back({"vset" + std::to_string(lanes) + ".u32.s32." + name + tail,
                         text,
                         triples_of("u32", "u32", "u32", 50),
                         reference(f, false, true, false, tail == ".add", false),
                         {}});
  }
}

const bool added = add_alu_cases(video) && add_alu_cases(selected);

}  // namespace
}  // namespace lanescope::sim::alu_video
