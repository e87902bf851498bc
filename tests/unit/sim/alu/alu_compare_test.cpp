// set, setp, selp, slct and mov. The comparisons are those of alu_forms.txt, each evaluated from its name.
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "alu_cases.h"
#include "alu_exact.h"
#include "alu_values.h"
#include "test_paths.h"

namespace lanescope::sim::alu_compare {
namespace {

using U64 = std::uint64_t;
using Cases = std::vector<AluCase>;
using Words = std::vector<std::string>;

Words words_of(const std::string& mnemonic) {
  Words words;
  std::stringstream in(mnemonic);
  for (std::string word; std::getline(in, word, '.');) words.push_back(word);
  return words;
}
bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

const std::set<std::string> comparisons = {"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                                           "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

// The order of a and b: -1, 0, 1; 2 if one of them is a NaN.
int order(U64 a, U64 b, const std::string& type, bool ftz) {
  if (!is_float_type(type)) {
    const Int128 x = as_integer(a, type), y = as_integer(b, type);
    return x < y ? -1 : x > y ? 1 : 0;
  }
  if (is_nan(a, type) || is_nan(b, type)) return 2;
  const auto number = [&](U64 bits) { return ftz && is_subnormal(bits, type) ? 0.0 : number_of(bits, type); };
  return number(a) < number(b) ? -1 : number(a) > number(b) ? 1 : 0;
}

bool holds(const std::string& comparison, int order) {
  if (comparison == "num") return order != 2;
  if (comparison == "nan") return order == 2;
  if (order == 2) return comparison.size() == 3;  // equ, neu, …
  const std::string ordered = comparison.substr(0, 2);
  if (ordered == "eq") return order == 0;
  if (ordered == "ne") return order != 0;
  if (ordered == "lt" || ordered == "lo") return order < 0;
  if (ordered == "le" || ordered == "ls") return order <= 0;
  if (ordered == "gt" || ordered == "hi") return order > 0;
  return order >= 0;
}

bool combined(const Words& words, bool t, bool c) {
  return has(words, "and") ? t && c : has(words, "or") ? t || c : has(words, "xor") ? t != c : t;
}

// A comparison with its mnemonic's words and its operands; c is the third source, a predicate.
Results compared(const Words& words, const std::string& comparison, bool negated, bool ftz, const Sources& in) {
  const std::string source = words.back(), result = words[words.size() - 2];
  const bool c = negated ? (in.c & 1) == 0 : (in.c & 1) != 0;
  const bool is_pair = source.ends_with("x2");
  const std::string element = is_pair ? source.substr(0, source.size() - 2) : source;
  const bool t = holds(comparison, order(low(in.a, width_of(element)), low(in.b, width_of(element)), element, ftz));
  const bool upper = is_pair && holds(comparison, order(in.a >> 16 & 0xffff, in.b >> 16 & 0xffff, element, ftz));
  if (words.front() == "setp") return {combined(words, t, c), combined(words, is_pair ? upper : !t, c)};
  const U64 yes = result == "f32"                     ? 0x3f800000u
                  : result.starts_with("f16")         ? 0x3c00u
                  : result.starts_with("bf16")        ? 0x3f80u
                  : is_pair || width_of(result) == 16 ? 0xffffu
                                                      : 0xffffffffu;
  if (!is_pair) return combined(words, t, c) ? yes : 0;
  return (combined(words, t, c) ? yes : 0) | (combined(words, upper, c) ? yes << 16 : 0);
}

void comparisons_of_the_manual(Cases& cases) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/cases/sim/alu_forms.txt");
  int count = 0;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("set")) continue;
    const std::string mnemonic = line.substr(0, line.find(' '));
    std::string operands = line.substr(line.find(' ') + 1);
    operands.pop_back();
    // Both p and !p, alternating.
    const bool negated = ++count % 2 == 0;
    if (!negated)
      if (const auto at = operands.find('!'); at != std::string::npos) operands.erase(at, 1);
    const Words words = words_of(mnemonic);
    std::string comparison;
    for (const std::string& word : words)
      if (comparisons.contains(word)) comparison = word;
    const bool ftz = has(words, "ftz"), is_negated = operands.find('!') != std::string::npos;
    const auto with_predicates = [](std::vector<Sources>& values) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i].c = i / 3 & 1;
      // Equal operands too: random ones never are.
      for (std::size_t i = 0; i < values.size(); i += 5) values[i].b = values[i].a;
    };
    const auto inputs = thinned(pairs_of(words.back(), words.back(), 300), 330).then(with_predicates);
    cases.push_back({mnemonic,
                     operands,
                     inputs,
                     [=](const Sources& in) { return compared(words, comparison, is_negated, ftz, in); },
                     {}});
  }
  // A sink in place of each destination.
  cases.push_back({"setp.lt.s32",
                   "_|%p1, %r1, %r2",
                   pairs_of("s32", "s32", 50),
                   [](const Sources& in) {
                     const bool t = as_integer(in.a, "s32") < as_integer(in.b, "s32");
                     return Results(t, !t);
                   },
                   {}});
}

void selections(Cases& cases) {
  for (const std::string type : {"b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"}) {
    const std::string r = "%" + std::string(1, register_letter(type));
    cases.push_back({"selp." + type,
                     r + "0, " + r + "1, " + r + "2, %p3",
                     triples_of(type, type, "pred", 200),
                     [](const Sources& in) { return in.c != 0 ? in.a : in.b; },
                     {}});
    cases.push_back({"selp." + type,
                     r + "1, " + r + "1, " + r + "2, %p3",
                     triples_of(type, type, "pred", 200),
                     [](const Sources& in) { return in.c != 0 ? in.a : in.b; },
                     {}});
    cases.push_back({"slct." + type + ".s32",
                     r + "0, " + r + "1, " + r + "2, %r3",
                     triples_of(type, type, "s32", 200),
                     [](const Sources& in) { return as_integer(in.c, "s32") >= 0 ? in.a : in.b; },
                     {}});
    for (const bool ftz : {false, true})
      cases.push_back({std::string(ftz ? "slct.ftz." : "slct.") + type + ".f32",
                       r + "0, " + r + "1, " + r + "2, %r3",
                       triples_of(type, type, "f32", 200),
                       [=](const Sources& in) {
                         const float c = f32(in.c);
                         return (ftz && std::fpclassify(c) == FP_SUBNORMAL) || c >= 0 ? in.a : in.b;
                       },
                       {}});
    cases.push_back(
        {"mov." + type, r + "0, " + r + "1", singles_of(type, 100), [](const Sources& in) { return in.a; }, {}});
  }
  cases.push_back({"mov.pred", "%p0, %p1", singles_of("pred", 60), [](const Sources& in) { return in.a; }, {}});
  cases.push_back({"mov.u32", "%r0, -7", singles_of("pred", 32), [](const Sources&) { return 0xfffffff9u; }, {}});
}

// ---- vectors: element k holds bits k·width and up ----

void packs(Cases& cases) {
  struct Shape {
    int word, element;
    char word_letter, element_letter;
  };
  for (const Shape& s :
       {Shape{16, 8, 'h', 'b'}, {32, 8, 'r', 'b'}, {32, 16, 'r', 'h'}, {64, 16, 'd', 'h'}, {64, 32, 'd', 'r'}}) {
    const int count = s.word / s.element;
    const std::string mnemonic = "mov.b" + std::to_string(s.word), word = "%" + std::string(1, s.word_letter) + "7";
    std::string elements;
    for (int i = 0; i < count; ++i)
      elements += (i ? ", %" : "%") + std::string(1, s.element_letter) + std::to_string(i);
    const auto inputs = triples_of("u64", "u64", "u64", 300).then([](std::vector<Sources>& values) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i].d = values[(i * 7) % values.size()].a * 3;
    });
    cases.push_back({mnemonic,
                     word + ", {" + elements + "}",
                     inputs,
                     [=](const Sources& in) {
                       const U64 parts[] = {in.a, in.b, in.c, in.d};
                       U64 result = 0;
                       for (int k = 0; k < count; ++k) result |= low(parts[k], s.element) << (s.element * k);
                       return result;
                     },
                     {}});
    const auto part = [=](U64 x, int k) { return k < count ? low(x >> (s.element * k), s.element) : 0; };
    const auto unpacked = [=](const Sources& in) {
      Results results(part(in.a, 0), part(in.a, 1));
      results.third = part(in.a, 2);
      results.fourth = part(in.a, 3);
      return results;
    };
    cases.push_back({mnemonic, "{" + elements + "}, " + word, inputs, unpacked, {}});
    if (count != 2) continue;
    const std::string e = "%" + std::string(1, s.element_letter) + "0";
    cases.push_back({mnemonic, "{" + e + ", _}, " + word, inputs, unpacked, {}});
    cases.push_back({mnemonic, "{_, " + e + "}, " + word, inputs, unpacked, {}});
  }
  // 128 bits: the harness sees the low halves, so the whole value also goes through a pair and back.
  const auto wide = pairs_of("u64", "u64", 100);
  cases.push_back({"mov.b128", "%q0, {%d1, %d2}", wide, [](const Sources& in) { return in.a; }, {}});
  cases.push_back({"mov.b128", "%q0, %q1", wide, [](const Sources& in) { return in.a; }, {}});
}

const bool added = add_alu_cases(comparisons_of_the_manual) && add_alu_cases(selections) && add_alu_cases(packs);

}  // namespace
}  // namespace lanescope::sim::alu_compare
