// The chosen instruction set is the best one that /proc/cpuinfo lists.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "sim/alu/operation.h"

namespace lanescope::sim {
namespace {

TEST(InstructionSet, IsTheBestThatTheSystemNames) {
  if (std::getenv("LANESCOPE_ISA") != nullptr) GTEST_SKIP() << "LANESCOPE_ISA names another";
  std::ifstream file("/proc/cpuinfo");
  std::set<std::string> flags;
  for (std::string line; flags.empty() && std::getline(file, line);)
    if (line.starts_with("flags")) {
      std::istringstream words(line);
      for (std::string word; words >> word;) flags.insert(word);
    }
  if (flags.empty()) GTEST_SKIP() << "/proc/cpuinfo names no flags of the processor";
  const auto has = [&](std::initializer_list<const char*> wanted) {
    for (const char* flag : wanted)
      if (!flags.contains(flag)) return false;
    return true;
  };
  const bool avx2 = has({"avx2", "fma", "f16c", "bmi1", "bmi2", "abm", "popcnt"});
  const bool avx512 = avx2 && has({"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"});
  EXPECT_EQ(name_of(isa()), std::string(avx512 ? "avx512" : avx2 ? "avx2" : "baseline"));
}

}  // namespace
}  // namespace lanescope::sim
