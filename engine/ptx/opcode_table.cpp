#include "ptx/opcode_table.h"

#include <array>
#include <unordered_map>
#include <unordered_set>

namespace lanescope::ptx {
namespace {

constexpr OpcodeInfo table[] = {
#define OPCODE(enumerator, mnemonic, category, operands, modifiers, effect) \
  {#enumerator, mnemonic, Category::category, operands, modifiers, effect},
#include "ptx/opcodes.def"
#undef OPCODE
};
static_assert(std::size(table) == opcode_count);

struct Group {
  std::string_view name, members;
};
constexpr Group groups[] = {
    {"BITS", "b16 b32 b64"},
    {"INT", "u16 u32 u64 s16 s32 s64"},
    {"HALF", "f16 f16x2 bf16 bf16x2"},
    {"FLOAT", "f32 f64"},
    {"FP8", "e4m3x2 e5m2x2 e4m3x4 e5m2x4 e2m3x2 e3m2x2 e2m3x4 e3m2x4 e2m1x2 e2m1x4 ue8m0x2"},
    {"SIZES", "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64"},
    {"ROUND", "rn rz rm rp"},
    {"IROUND", "rni rzi rmi rpi"},
    {"COMPARE", "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan"},
    {"BOOL", "and or xor"},
    {"ATOMIC", "add min max inc dec and or xor exch cas"},
    {"SPACE", "global shared shared::cta shared::cluster local const param param::entry param::func"},
    {"SEM", "weak volatile relaxed acquire release acq_rel mmio"},
    {"SCOPE", "cta cluster gpu sys"},
    {"CACHE",
     "ca cg cs lu cv wb wt L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last "
     "L1::no_allocate L2::evict_normal L2::evict_unchanged L2::evict_first L2::evict_last "
     "L2::cache_hint L2::64B L2::128B L2::256B"},
};

// Calls visit(word) for each space-separated word of `text`.
template <typename Visit>
void for_each_word(std::string_view text, Visit&& visit) {
  while (!text.empty()) {
    const auto end = text.find(' ');
    if (end != 0) visit(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

template <typename Visit>
void for_each_modifier(std::string_view column, Visit&& visit) {
  for_each_word(column, [&](std::string_view word) {
    if (word.ends_with('!')) word.remove_suffix(1);
    for (const Group& group : groups)
      if (group.name == word) return for_each_word(group.members, visit);
    visit(word);
  });
}

using WordSet = std::unordered_set<std::string_view>;

const std::array<WordSet, opcode_count>& allowed_modifiers() {
  static const auto sets = [] {
    std::array<WordSet, opcode_count> result;
    for (int i = 0; i < opcode_count; ++i)
      for_each_modifier(table[i].modifiers,
                        [&](std::string_view word) { result[static_cast<std::size_t>(i)].insert(word); });
    return result;
  }();
  return sets;
}

}  // namespace

const char* name_of(Category category) {
  static constexpr const char* names[] = {
      "arithmetic", "bits",  "logic",  "compare", "select",  "move",   "convert", "load",   "store",
      "atomic",     "reduction", "prefetch", "async copy", "mbarrier", "barrier", "fence", "warp",
      "shuffle",    "vote",  "branch", "call",    "return",  "video",  "tensor",  "texture", "misc"};
  static_assert(std::size(names) == static_cast<std::size_t>(Category::misc) + 1);
  return names[static_cast<std::size_t>(category)];
}

const OpcodeInfo& info(Opcode opcode) { return table[static_cast<std::size_t>(opcode)]; }

bool allows_modifier(Opcode opcode, std::string_view modifier) {
  const WordSet& set = allowed_modifiers()[static_cast<std::size_t>(opcode)];
  return set.contains(modifier) || set.contains("*");
}

int destination_count(const Instruction& instruction) {
  const char first = info(instruction.opcode).operands[0];
  if ((first != 'd' && first != 'D' && first != 'p') || instruction.operands.empty()) return 0;
  return instruction.operands.size() > 1 && instruction.operands[1].paired ? 2 : 1;
}

}  // namespace lanescope::ptx
