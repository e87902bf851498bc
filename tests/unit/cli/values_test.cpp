// --values and --writer of `run` and `trace`.

#include <gmock/gmock.h>

#include "cli/program.h"
#include "expressions.h"

namespace lanescope {
namespace {

using nlohmann::json;
using test::lanescope;
using test::Ran;
using test::with;
using testing::HasSubstr;

const std::vector<std::string> copy_run{"trace", "copy.cu", "--kernel",      "copy",  "--grid",   "2",     "--block",
                                        "64",    "--arg",   "f32[128]=iota", "--arg", "f32[128]", "--arg", "i32=100"};

// The output from `begin` on: what follows the report of the run itself.
std::string answer(const Ran& ran, const std::string& begin) {
  const std::size_t at = ran.out.find(begin);
  return at == std::string::npos ? ran.out + ran.err : ran.out.substr(at);
}

TEST(CliValues, TheLastWriterAndItsValues) {
  const Ran ran = lanescope(with(copy_run, {"--writer", "out[37]"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  test::expect_golden("cli/writer.out", answer(ran, "Thread 37"));
  const Ran none = lanescope(with(copy_run, {"--writer", "arg1[101]", "--blocks", "none"}));
  EXPECT_THAT(none.out, HasSubstr("No thread writes to `arg1[101]`."));
}

TEST(CliValues, InChinese) {
  const Ran ran = lanescope(with(copy_run, {"--writer", "out[37]", "--language", "zh-CN"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("最后写入 `out[37]` 的是 block 0 的线程 37，在第 3 行。"));
  EXPECT_THAT(ran.out, HasSubstr("block 0，warp 1，第 "));
}

TEST(CliValues, JsonHasThemByLane) {
  const Ran ran = lanescope(with(copy_run, {"--writer", "out[70]", "--writer", "out[100]", "--json"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json document = json::parse(ran.out);
  const json& writer = document.at("writers").at(0).at("writer");
  EXPECT_EQ(writer.at("thread"), 6);
  EXPECT_EQ(writer.at("block"), 1);
  EXPECT_EQ(writer.at("line"), 3);
  EXPECT_EQ(writer.at("values").at("access").at("elements").at(0).at("names").at(6), "out[70]");
  EXPECT_EQ(writer.at("values").at("access").at("elements").at(0).at("after").at(6), "70");
  EXPECT_EQ(writer.at("values").at("access").at("elements").at(0).at("before").at(6), nullptr) << "never written";
  EXPECT_EQ(document.at("writers").at(1).at("writer"), nullptr);
  const std::string step = "1,0," + writer.at("values").at("step").dump();
  const Ran values = lanescope(with(copy_run, {"--values", step, "--json"}));
  ASSERT_EQ(values.code, 0) << values.err;
  EXPECT_EQ(json::parse(values.out).at("values").at(0), writer.at("values"));
}

TEST(CliValues, WhatIsNotThereIsSaid) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--values", "0,1"}, "`--values 0,1` is not understood."},
      {{"--values", "0,0,x"}, "`--values 0,0,x` is not understood."},
      {{"--values", "0,0,999"}, "block 0, warp 0 has no step 999"},
      {{"--values", "0,0,1,2"}, "There is no launch 2, or it did not run."},
      {{"--writer", "out[128]"}, "There is no element `out[128]`."},
      {{"--writer", "nothing[1]"}, "There is no element `nothing[1]`."},
      {{"--writer", "out[1]", "--device", "gpu"}, "ask the interpreter, not a GPU"}};
  for (const auto& [options, said] : cases) {
    const Ran ran = lanescope(with(copy_run, options));
    EXPECT_EQ(ran.code, 2) << said;
    EXPECT_THAT(ran.err, HasSubstr(said));
  }
}

}  // namespace
}  // namespace lanescope
