// An instruction that the text's own .version or .target does not have is refused, and no other.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "ptx/module.h"
#include "test_paths.h"

namespace lanescope::ptx {
namespace {

struct KnownTarget {
  const char* name;
  const char* version;  // the first that has the target: ptxas 13.0
};
// In the order in which they came. One before sm_75 takes part for what the oldest supported GPUs lack.
constexpr KnownTarget targets[] = {{"53", "4.2"},   {"60", "5.0"},   {"70", "6.0"},   {"75", "6.3"},   {"80", "7.0"},
                                   {"86", "7.1"},   {"87", "7.4"},   {"88", "9.0"},   {"89", "7.8"},   {"90", "7.8"},
                                   {"90a", "8.0"},  {"100", "8.6"},  {"100f", "8.8"}, {"100a", "8.6"}, {"103", "8.8"},
                                   {"103f", "8.8"}, {"103a", "8.8"}, {"110", "9.0"},  {"110f", "9.0"}, {"110a", "9.0"},
                                   {"120", "8.7"},  {"120f", "8.8"}, {"120a", "8.7"}, {"121", "8.8"},  {"121f", "8.8"},
                                   {"121a", "8.8"}};
constexpr const char* versions[] = {"6.3", "6.4", "6.5", "7.0", "7.1", "7.2", "7.3", "7.4", "7.5", "7.6", "7.7",
                                    "7.8", "8.0", "8.1", "8.2", "8.3", "8.4", "8.5", "8.6", "8.7", "8.8", "9.0"};

Result<Module> with(const std::string& form, const std::string& version, const std::string& target) {
  return parse(".version " + version + "\n.target sm_" + target +
                   "\n.address_size 64\n.visible .entry k()\n{\n.reg .b8 %b<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<99>;\n"
                   ".reg .b64 %d<99>;\n.reg .b128 %q<9>;\n.reg .pred %p<9>;\n.reg .f32 %f<99>;\n.reg .f64 %fd<99>;\n" +
                   form + "\nret;\n}\n",
               "k.ptx");
}

bool refused_as(const Result<Module>& module, const char* code) {
  if (module) return false;
  return std::ranges::any_of(module.errors(), [&](const Diagnostic& one) { return one.code == code; });
}

struct Form {
  std::string text, version;
  std::vector<std::string> targets;

  bool has(const std::string& target) const {
    const std::string& first = targets.front();
    const bool is_first_of_all =
        targets.size() == 1 && std::ranges::all_of(first, [](char c) { return std::isdigit(c); });
    if (first == "all") return true;
    if (is_first_of_all) return std::stoi(target) >= std::stoi(first);
    return std::ranges::any_of(targets, [&](const std::string& one) {
      if (one.back() != 'f') return one == target;
      const int number = std::stoi(target), from = std::stoi(one);
      return !std::isdigit(target.back()) && number / 10 == from / 10 && number >= from;
    });
  }
};

std::vector<Form> forms() {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/cases/ptx/targets.txt");
  std::vector<Form> result;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::size_t one = line.find(" | "), two = line.find(" | ", one + 3);
    Form& form = result.emplace_back();
    form.text = line.substr(0, one);
    form.version = line.substr(one + 3, two - one - 3);
    std::istringstream names(line.substr(two + 3));
    for (std::string name; names >> name;) form.targets.push_back(name);
  }
  return result;
}

TEST(PtxRequirements, EveryFormIsRefusedWherePtxasRefusesIt) {
  const std::vector<Form> all = forms();
  ASSERT_GT(all.size(), 250u);
  for (const Form& form : all)
    for (const KnownTarget& target : targets) {
      const Result<Module> module = with(form.text, "9.0", target.name);
      EXPECT_EQ(module.ok(), form.has(target.name))
          << form.text << " on sm_" << target.name << (module ? "" : ": " + format(module.errors().front()));
      EXPECT_NE(module.ok(), refused_as(module, "ptx.not_on_target")) << form.text << " on sm_" << target.name;
    }
}

TEST(PtxRequirements, EveryFormIsRefusedInOlderVersions) {
  for (const Form& form : forms()) {
    if (form.version == "-") continue;
    const auto* const target = std::ranges::find_if(targets, [&](const auto& one) { return form.has(one.name); });
    const auto* const first = std::ranges::find(versions, form.version);
    ASSERT_TRUE(first != std::begin(versions) && first != std::end(versions)) << form.text;
    const Result<Module> module = with(form.text, *first, target->name);
    EXPECT_TRUE(module.ok()) << form.text << ": " << (module ? "" : format(module.errors().front()));
    EXPECT_TRUE(refused_as(with(form.text, first[-1], target->name), "ptx.not_in_version")) << form.text;
  }
}

// All that ptxas takes for sm_100a, and what it takes for sm_90.
TEST(PtxRequirements, NoArithmeticThatPtxasTakesIsRefused) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/cases/sim/alu_forms.txt");
  std::string for_90, for_100;
  bool is_later = false;
  for (std::string line; std::getline(file, line);) {
    is_later |= line.starts_with("# sm_100a");
    if (line.starts_with('#')) continue;
    (is_later ? for_100 : for_90) += line + "\n";
  }
  for (const auto& [text, target] : {std::pair{for_90, "90"}, std::pair{for_90 + for_100, "100a"}}) {
    const Result<Module> module = with(text, "9.0", target);
    EXPECT_TRUE(module.ok()) << format(module.errors().front());
  }
}

TEST(PtxRequirements, TheMessageSaysWhatIsMissing) {
  const Result<Module> module = with("add.f32x2 %d0, %d1, %d2;", "8.0", "90");
  ASSERT_FALSE(module.ok());
  ASSERT_EQ(module.errors().size(), 2u);
  EXPECT_EQ(format(module.errors()[0]),
            "k.ptx:14:1: error: 'add.f32x2' needs sm_100 or later; this PTX is for sm_90\n"
            "  cure: Make the PTX for such a target (.target sm_100), or use other instructions.");
  EXPECT_EQ(format(module.errors()[1]),
            "k.ptx:14:1: error: 'add.f32x2' needs PTX ISA 8.6; this PTX is of version 8.0\n"
            "  cure: Write .version 8.6 or a later one.");
  EXPECT_TRUE(refused_as(with("shfl.up.b32 %r0, %r1, 1, 0;", "6.4", "70"), "ptx.not_on_target"));
  EXPECT_TRUE(with("shfl.up.b32 %r0, %r1, 1, 0;", "6.3", "70").ok());
  EXPECT_TRUE(with("shfl.up.b32 %r0, %r1, 1, 0;", "9.0", "60").ok());
}

// What a later PTX ISA may have given to new GPUs is not refused; what an old GPU lacks it lacks for ever.
TEST(PtxRequirements, NothingIsClaimedOfNewerVersions) {
  const char* const form = "redux.sync.min.f32 %r0, %r1, -1;";
  EXPECT_FALSE(with(form, "9.0", "120a").ok());
  EXPECT_TRUE(with(form, "9.9", "120a").ok());
  EXPECT_TRUE(with(form, "9.9", "130").ok());
  EXPECT_FALSE(with(form, "9.9", "90").ok());
}

}  // namespace
}  // namespace lanescope::ptx
