// The JSON of interface.md, schema 1: every key is always there, with its type.

#include "cli/program.h"

namespace lanescope {
namespace {

using nlohmann::json;
using test::lanescope;
using test::Ran;

const json& example() {
  // The specification's document, with its empty groups filled in.
  static const json made = [] {
    json document = json::parse(R"x(
{"lanescope": {"version": "0.1.0", "schema": 1},
 "kernel": "offset_copy", "origin": "interpreted",
 "compiler": {"name": "nvrtc", "version": "13.0.88", "arch": "sm_90"},
 "launch": {"grid": [16,1,1], "block": [128,1,1], "shared_bytes": 0, "cooperative": false},
 "totals": {
   "warp_instructions": 0, "lane_instructions": 0, "simt_efficiency": 1.0,
   "branches": 0, "divergent_branches": 0, "barriers": 0, "shuffles": 0, "votes": 0,
   "global_load":  {"requests": 0, "sectors": 0, "ideal_sectors": 0, "bytes_requested": 0, "bytes_moved": 0, "efficiency": 1.0},
   "shared_load":  {"requests": 0, "wavefronts": 0, "ideal_wavefronts": 0, "bank_conflicts": 0, "bytes_requested": 0}},
 "sites": [{"id": 0, "file": "k.cu", "line": 7, "ptx_line": 61, "op": "ld.global.f32", "executions": 0, "executed_lanes": 0,
            "requests": 0, "sectors": 0, "wavefronts": 0, "bank_conflicts": 0}],
 "buffers": [{"arg": 0, "type": "f32", "count": 16384, "sum": 16384.0, "hash": "x"}],
 "events": {"kept": 0, "dropped": 0}, "diagnostics": []})x");
    json& totals = document["totals"];
    for (const char* group : {"global_store", "global_atomic", "global_reduction", "local_load", "local_store"})
      totals[group] = totals["global_load"];
    for (const char* group : {"shared_store", "shared_atomic"}) totals[group] = totals["shared_load"];
    return document;
  }();
  return made;
}

bool same_type(const json& wanted, const json& given) {
  if (wanted.is_number_float()) return given.is_number() || given.is_null();  // null: a ratio of 0 to 0
  if (wanted.is_number()) return given.is_number_integer();
  return wanted.type() == given.type();
}

// Checks that `given` has every key of `wanted` with its type. All elements of an array must match the first wanted
// one.
void expect_keys(const json& wanted, const json& given, const std::string& path) {
  ASSERT_TRUE(same_type(wanted, given)) << path << " is " << given.dump();
  if (wanted.is_object()) {
    for (const auto& [key, value] : wanted.items()) {
      ASSERT_TRUE(given.contains(key)) << path << "." << key << " is missing";
      expect_keys(value, given[key], path + "." + key);
    }
  } else if (wanted.is_array() && !wanted.empty()) {
    for (std::size_t i = 0; i < given.size(); ++i)
      expect_keys(wanted[0], given[i], path + "[" + std::to_string(i) + "]");
  }
}

TEST(CliJson, HasEveryKeyAfterARun) {
  const Ran ran = lanescope({"run", "coalescing", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json document = ran.json();
  expect_keys(example(), document, "");
  EXPECT_EQ(document["lanescope"]["schema"], 1);
  EXPECT_EQ(document["origin"], "interpreted");
  EXPECT_EQ(document["launch"]["grid"], json::parse("[64,1,1]"));
  EXPECT_EQ(document["diagnostics"], json::array());
  EXPECT_GT(document["events"]["kept"].get<int>(), 0);
  EXPECT_FALSE(document["sites"].empty());
}

TEST(CliJson, HasEveryKeyWhenNothingRan) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"trace", "no_such_file.cu", "--kernel", "k", "--grid", "1", "--block", "1", "--json"},
        {"trace", "does_not_compile.cu", "--kernel", "k", "--grid", "1", "--block", "1", "--json"},
        {"run", "no_such_lesson", "--json"}}) {
    const Ran ran = lanescope(arguments);
    EXPECT_NE(ran.code, 0);
    const json document = ran.json();
    expect_keys(example(), document, "");
    ASSERT_FALSE(document["diagnostics"].empty());
    for (const char* key : {"severity", "code", "file", "message", "cure"})
      EXPECT_TRUE(document["diagnostics"][0][key].is_string()) << key;
  }
}

TEST(CliJson, TellsWhatHappened) {
  const Ran ran = lanescope({"trace", "copy.cu", "--kernel", "copy", "--grid", "3", "--block", "64", "--arg",
                             "f32[192]=iota", "--arg", "f32[192]=0", "--arg", "i32=150", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json document = ran.json();
  // 150 of 192 threads copy: four full warps and one of 22 lanes; the sixth warp does nothing.
  const json& load = document["totals"]["global_load"];
  EXPECT_EQ(load["requests"], 5);
  EXPECT_EQ(load["bytes_requested"], 600);
  EXPECT_EQ(load["sectors"], 4 * 4 + 3);
  EXPECT_EQ(load["ideal_sectors"], 4 * 4 + 3);
  EXPECT_EQ(load["bytes_moved"], 32 * 19);
  EXPECT_DOUBLE_EQ(load["efficiency"], 600.0 / (32 * 19));
  EXPECT_EQ(document["totals"]["global_store"]["requests"], 5);
  EXPECT_EQ(document["totals"]["shared_load"]["requests"], 0);
  EXPECT_EQ(document["totals"]["global_atomic"]["requests"], 0);
  EXPECT_TRUE(document["totals"]["global_atomic"]["efficiency"].is_null()) << "0 of 0 bytes";
  const json& buffers = document["buffers"];
  ASSERT_EQ(buffers.size(), 2u);
  EXPECT_EQ(buffers[0]["arg"], 0);
  EXPECT_EQ(buffers[0]["sum"], 191 * 192 / 2);
  EXPECT_EQ(buffers[1]["sum"], 149 * 150 / 2);
  EXPECT_EQ(buffers[1]["count"], 192);
  EXPECT_NE(buffers[0]["hash"], buffers[1]["hash"]);
  EXPECT_EQ(document["kernel"], "copy");
  // The sites add up to the totals.
  std::uint64_t requests = 0, sectors = 0;
  for (const json& site : document["sites"]) {
    if (site["op"].get<std::string>().find("global") == std::string::npos) continue;
    EXPECT_EQ(site["file"], "copy.cu");
    EXPECT_EQ(site["line"], 3);
    requests += site["requests"].get<std::uint64_t>();
    sectors += site["sectors"].get<std::uint64_t>();
  }
  EXPECT_EQ(requests, 10u);
  EXPECT_EQ(sectors, 38u);
}

// By the reference implementation's Python binding: xxhash.xxh3_64(bytes(4)).hexdigest().
TEST(CliJson, HashesBytesWithXxh3) {
  const Ran ran = lanescope({"trace", "copy.cu", "--kernel", "copy", "--grid", "1", "--block", "32", "--arg",
                             "u32[1]=0", "--arg", "u32[1]=0", "--arg", "i32=0", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json()["buffers"][0]["hash"], "48b2c92616fc193d");
}

TEST(CliJson, IsTheSameEveryTimeAndOnEveryNumberOfCores) {
  const auto without_times = [](const std::string& threads) {
    json document = lanescope({"run", "coalescing", "--variant", "gather", "--threads", threads, "--json"}).json();
    document.erase("host");
    return document;
  };
  EXPECT_EQ(without_times("1"), without_times("1"));
  EXPECT_EQ(without_times("1"), without_times("2"));
  EXPECT_EQ(without_times("1"), without_times("5"));
}

TEST(CliJson, OnlyJsonGoesToStandardOutput) {
  test::TempFolder folder;
  const Ran ran = lanescope(
      {"run", "coalescing", "--json", "--svg", (folder / "svg").string(), "--save", (folder / "a.trace").string()});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const json document = ran.json();
  EXPECT_GT(document["pictures"]["files"].size(), 2u);
}

}  // namespace
}  // namespace lanescope
