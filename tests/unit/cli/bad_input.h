#pragma once
// Commands that fail, and what they must say in both languages.

#include <gmock/gmock.h>

#include <set>
#include <sstream>

#include "cli/program.h"
#include "english.h"
#include "expressions.h"

namespace lanescope::test {

inline std::vector<std::string> trace(const std::string& file, const std::string& kernel, const std::string& grid,
                                      const std::string& block, const std::vector<std::string>& arguments,
                                      const std::vector<std::string>& more = {}) {
  std::vector<std::string> made{"trace", file, "--kernel", kernel, "--grid", grid, "--block", block};
  for (const std::string& argument : arguments) {
    made.push_back("--arg");
    made.push_back(argument);
  }
  made.insert(made.end(), more.begin(), more.end());
  return made;
}

inline const std::vector<std::string> copy_arguments{"f32[64]=1", "f32[64]", "i32=64"};

// Numbers, addresses and names in backticks: what a translated message must keep.
inline std::multiset<std::string> values_in(const std::string& text) {
  const auto found = test::all_words(text, "`[^`]*`|0x[0-9a-f]+|[0-9]+");
  return {found.begin(), found.end()};
}

// What a Chinese reader is told, without text quoted from others.
inline void expect_no_english(const std::string& told) {
  EXPECT_THAT(told,
              testing::AllOf(testing::HasSubstr("错误："), testing::HasSubstr("办法："),
                             testing::Not(testing::HasSubstr("error: ")), testing::Not(testing::HasSubstr("cure: "))));
  const std::string error = "错误：", cure = "办法：";
  std::istringstream lines(told);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t reason = line.find(error),
                      begin = reason != std::string::npos ? reason + error.size() : line.find(cure);
    if (begin == std::string::npos) continue;
    EXPECT_EQ(test::english_in(line.substr(begin)), "") << line;
  }
}

// The same in Chinese: no English of ours is left, and no value is lost.
inline void expect_chinese(const std::vector<std::string>& command, int exit_code) {
  const Ran ran = lanescope(test::with(command, {"--json", "--language", "zh-CN"}));
  EXPECT_EQ(ran.code, exit_code);
  const nlohmann::json document = ran.json();
  EXPECT_FALSE(document["diagnostics"].empty());
  for (const nlohmann::json& diagnostic : document["diagnostics"]) {
    const std::string message = diagnostic["message"], cure = diagnostic["cure"], code = diagnostic["code"];
    EXPECT_FALSE(message.empty());
    EXPECT_THAT(ran.err,
                testing::AnyOf(testing::Not(testing::HasSubstr(message)), testing::HasSubstr("“" + message + "”")))
        << "the message is English";
    if (!cure.empty()) {
      EXPECT_THAT(ran.err, testing::Not(testing::HasSubstr(cure))) << "the cure is English";
    }
    const std::multiset<std::string> said = values_in(ran.err);
    for (const std::string& text : {message, cure})
      for (const std::string& value : values_in(text))
        EXPECT_TRUE(said.contains(value)) << value << " of \"" << text << "\" is lost:\n" << ran.err;
  }
  expect_no_english(ran.err);
}

}  // namespace lanescope::test
