// Bad input never crashes or hangs, and accepted input can be printed and parsed again. Seeds are fixed. The asan
// preset also finds reads and writes out of bounds.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "cfg/control_flow_graph.h"
#include "golden.h"
#include "ptx/module.h"
#include "ptx_text.h"

namespace lanescope::ptx {
namespace {

std::vector<std::string> corpus() {
  std::vector<std::string> texts;
  for (const test::Case& c : test::cases("ptx", ".ptx")) texts.push_back(c.text());
  return texts;
}

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t end) {
  return end == 0 ? 0 : random() % end;
}

// A piece of up to `most` bytes.
std::string_view piece(Random& random, std::string_view text, std::size_t most) {
  const std::size_t begin = below(random, text.size() + 1);
  return text.substr(begin, below(random, most + 1));
}

// The start and length of a line with its newline.
std::pair<std::size_t, std::size_t> line(Random& random, std::string_view text) {
  std::size_t begin = below(random, text.size() + 1);
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  const std::size_t end = text.find('\n', begin);
  return {begin, (end == std::string_view::npos ? text.size() : end + 1) - begin};
}

void mutate(Random& random, std::string& text, const std::vector<std::string>& all) {
  // clang-format off
  static constexpr std::string_view tokens[] = {
      "{", "}", "(", ")", "[", "]", "<", ">", ";", ",", ":", "|", "!", "@", "_", "%r0", "%rd1", "%p1", ".", "-1",
      "0x7fffffffffffffff", "0f", "0d0", "1e999", "/*", "//", "\"", "\n", ".v4", ".b64", ".param ", ".loc ",
      ".reg .b32 %r<7>;", "ret;", "bra ", "WARP_SZ", "generic(", "+", "~", "?", std::string_view("\0", 1), "\xff"};
  // clang-format on
  const std::size_t at = below(random, text.size() + 1);
  switch (random() % 12) {
    case 0:
      if (!text.empty()) text[below(random, text.size())] = static_cast<char>(random());
      break;
    case 1:
      text.erase(at, below(random, 4));
      break;
    case 2:
      text.erase(at, below(random, 200));
      break;
    case 3:
      text.insert(at, tokens[below(random, std::size(tokens))]);
      break;
    case 4:
      text.insert(at, std::string(piece(random, text, 60)));
      break;
    case 5:
      text.insert(at, std::string(piece(random, all[below(random, all.size())], 120)));
      break;
    case 6:
      text.resize(at);
      break;
    case 7:
    case 8: {
      const auto [begin, length] = line(random, text);
      text.erase(begin, length);
      break;
    }
    case 9:
    case 10: {
      const auto [begin, length] = line(random, text);
      text.insert(at == 0 ? 0 : line(random, text).first, text.substr(begin, length));
      break;
    }
    default:
      for (char& c : text)
        if (c >= '0' && c <= '9' && random() % 50 == 0) c = static_cast<char>('0' + random() % 10);
  }
}

// Parses. Accepted input must survive printing, and its control flow must be found.
void try_text(const std::string& text, int& accepted) {
  const auto module = parse(text, "fuzz");
  if (!module.ok()) {
    ASSERT_FALSE(module.errors().empty());
    for (const Diagnostic& diagnostic : module.errors()) ASSERT_FALSE(diagnostic.message.empty());
    return;
  }
  ++accepted;
  for (const Function& function : module->functions) cfg::build(function);
  const std::string printed = print(*module);
  const auto again = parse(printed, "printed");
  ASSERT_TRUE(again.ok()) << format(again.errors().front()) << "\nof\n" << printed << "\nfrom\n" << text;
  ASSERT_EQ(print(*again), printed) << "from\n" << text;
}

TEST(PtxFuzz, MutatedTextsNeitherCrashNorLoseTheirMeaning) {
  const std::vector<std::string> all = corpus();
  const char* wanted = std::getenv("LANESCOPE_FUZZ");  // more, by hand: LANESCOPE_FUZZ=1000000
  const int count = wanted != nullptr ? std::atoi(wanted) : 4000;
  int accepted = 0;
  for (int seed = 0; seed < count && !testing::Test::HasFatalFailure(); ++seed) {
    Random random(static_cast<Random::result_type>(seed));
    std::string text = all[below(random, all.size())];
    for (auto mutations = 1 + random() % 4; mutations > 0; --mutations) mutate(random, text, all);
    SCOPED_TRACE(seed);
    try_text(text, accepted);
  }
  EXPECT_GT(accepted, count / 20) << "the mutations are too coarse to reach the printer";
}

TEST(PtxFuzz, DeepNestingIsRefusedNotFollowed) {
  const std::string head = test::ptx_module("");
  int accepted = 0;
  const std::string deep(200000, '(');
  try_text(head + ".global .u32 a = " + deep + "1;", accepted);
  try_text(head + ".global .u32 a = " + std::string(200000, '-') + "1;", accepted);
  try_text(head + ".global .u32 a = " + std::string(200000, '!') + "1;", accepted);
  try_text(head + ".global .u32 a[2] = " + std::string(200000, '{') + "1;", accepted);
  try_text(head + ".entry k() { .reg .b32 %r<2>; mov.u32 %r1, " + deep + ";}", accepted);
  try_text(head + ".entry k() { .reg .b32 %r<2>; mov.u32 %r1, " + std::string(200000, '{') + ";}", accepted);
  std::string chain = "1";
  for (int i = 0; i < 100000; ++i) chain += "?1:1";
  try_text(head + ".global .u32 a = " + chain + ";", accepted);
  EXPECT_EQ(accepted, 0);
}

TEST(PtxFuzz, ALongInliningChainIsNotFollowedByRecursion) {
  std::string text = test::ptx_module(".entry k() {\n.loc 1 0 0\n");
  for (int i = 1; i < 100000; ++i)
    text += ".loc 1 " + std::to_string(i) + " 0, function_name f, inlined_at 1 " + std::to_string(i - 1) + " 0\n";
  int accepted = 0;
  try_text(text + "ret; }\n", accepted);
  EXPECT_EQ(accepted, 1);
}

TEST(PtxFuzz, ManyScopesAndNamesStayQuick) {
  std::string text = test::ptx_module(".entry k() {\n");
  for (int i = 0; i < 5000; ++i) text += "{ .reg .b32 t; .param .b32 p; mov.u32 t, 1; L: bra L; }\n";
  text += std::string(50000, '{') + std::string(50000, '}') + "ret; }\n";
  int accepted = 0;
  try_text(text, accepted);
  EXPECT_EQ(accepted, 1);
}

}  // namespace
}  // namespace lanescope::ptx
