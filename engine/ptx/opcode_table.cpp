#include "ptx/opcode_table.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/worded.h"
#include "ptx/named_opcodes.h"
#include "ptx/opcode.h"

namespace lanescope::ptx {

namespace opcodes {
#define LANESCOPE_DEFINED(name) const Opcode name = Opcode::name;
LANESCOPE_NAMED_OPCODES(LANESCOPE_DEFINED)
#undef LANESCOPE_DEFINED
}  // namespace opcodes

namespace {

constexpr OpcodeInfo table[] = {
#define OPCODE(enumerator, mnemonic, category, operands, modifiers, effect) \
  {#enumerator, mnemonic, Category::category, operands, modifiers, effect},
#include "ptx/opcodes.def"
#undef OPCODE
};
constexpr std::size_t row_count = static_cast<std::size_t>(Opcode::count_);
static_assert(std::size(table) == row_count);

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

// Calls visit(word) for each word of `text`.
template <typename Visit>
void for_each_word(std::string_view text, char separator, Visit&& visit) {
  while (!text.empty()) {
    const auto end = text.find(separator);
    if (end != 0) visit(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

using Words = std::vector<std::string_view>;

// The words that an entry of the modifiers column allows: itself, its alternatives, or the members of its group.
Words expand(std::string_view entry) {
  if (entry.ends_with('!')) entry.remove_suffix(1);
  Words words;
  const auto add = [&](std::string_view word) { words.push_back(word); };
  for (const Group& group : groups)
    if (group.name == entry) for_each_word(group.members, ' ', add);
  if (words.empty()) for_each_word(entry, '|', add);
  return words;
}

struct Modifiers {
  std::unordered_set<std::string_view> allowed;
  std::vector<Words> required;  // one of each is required
  bool any = false;
  bool typed = false;  // a type is required
};

const Modifiers& modifiers_of(Opcode opcode) {
  static const auto all = [] {
    std::array<Modifiers, row_count> result;
    for (std::size_t i = 0; i < row_count; ++i) {
      Modifiers& row = result[i];
      for_each_word(table[i].modifiers, ' ', [&](std::string_view entry) {
        Words words = expand(entry);
        row.allowed.insert(words.begin(), words.end());
        if (entry == "*") row.any = true;
        if (entry.ends_with('!')) row.required.push_back(std::move(words));
      });
      for (std::string_view word : row.allowed) row.typed |= type_named(word) != Type::none;
    }
    return result;
  }();
  return all[static_cast<std::size_t>(opcode)];
}

// The meaning of modifiers that is the same for all opcodes. Words that are not listed only pass through.
struct Meaning {
  std::string_view word;
  void (*apply)(Instruction&);
};
// clang-format off
#define SET(field, value) [](Instruction& i) { i.field = value; }
constexpr Meaning meanings[] = {
    {"global", SET(space, Space::global)},
    {"shared", SET(space, Space::shared)},
    {"shared::cta", SET(space, Space::shared)},
    {"shared::cluster", SET(space, Space::shared)},
    {"local", SET(space, Space::local)},
    {"const", SET(space, Space::constant)},
    {"param", SET(space, Space::param)},
    {"param::entry", SET(space, Space::param)},
    {"param::func", SET(space, Space::param)},
    {"rn", SET(rounding, Rounding::rn)},
    {"rz", SET(rounding, Rounding::rz)},
    {"rm", SET(rounding, Rounding::rm)},
    {"rp", SET(rounding, Rounding::rp)},
    {"rna", SET(rounding, Rounding::rna)},
    {"rni", SET(rounding, Rounding::rni)},
    {"rzi", SET(rounding, Rounding::rzi)},
    {"rmi", SET(rounding, Rounding::rmi)},
    {"rpi", SET(rounding, Rounding::rpi)},
    {"rs", SET(rounding, Rounding::rs)},
    {"approx", SET(rounding, Rounding::approx)},
    {"full", SET(rounding, Rounding::full)},
    {"v2", SET(vector_width, 2)},
    {"v4", SET(vector_width, 4)},
    {"v8", SET(vector_width, 8)},
    {"ftz", SET(ftz, true)},
    {"sat", SET(sat, true)},
    {"satfinite", SET(satfinite, true)},
    {"wide", SET(wide, true)},
    {"volatile", SET(is_volatile, true)},
    {"nc", SET(non_coherent, true)},
    {"relu", SET(relu, true)},
    {"xorsign", SET(xorsign, true)},
    {"cc", SET(carry_out, true)},
    {"to", SET(to_space, true)},
    {"noftz", SET(noftz, true)},
    {"NaN", SET(nan, true)},
    {"up", SET(shuffle, ShuffleMode::up)},
    {"down", SET(shuffle, ShuffleMode::down)},
    {"bfly", SET(shuffle, ShuffleMode::bfly)},
    {"idx", SET(shuffle, ShuffleMode::idx)},
};
#undef SET
// clang-format on

void understand_type(Instruction& i, Type type) {
  if (i.type == Type::none)
    i.type = i.source_type = type;
  else if (i.source_type == i.type)
    i.source_type = type;
}

// Modifiers whose meaning depends on the opcode.
void understand_by_category(Instruction& i, std::string_view word) {
  const auto at = [&](std::initializer_list<std::string_view> words) {
    int index = 0;
    for (std::string_view known : words) {
      ++index;
      if (known == word) return index;  // enumerators start with none
    }
    return 0;
  };
  switch (table[static_cast<std::size_t>(i.opcode)].category) {
    case Category::compare:
    case Category::video:
      if (int n = at({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu",
                      "geu", "num", "nan"}))
        i.compare = static_cast<Compare>(n);
      [[fallthrough]];
    case Category::logic:
      if (int n = at({"and", "or", "xor"})) i.bool_op = static_cast<BoolOp>(n);
      break;
    case Category::atomic:
    case Category::reduction:
    case Category::async_copy:
    case Category::warp:
    case Category::barrier:
      if (int n = at({"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"}))
        i.atomic = static_cast<AtomicOp>(n);
      break;
    case Category::vote:
      if (int n = at({"all", "any", "uni", "ballot"})) i.vote = static_cast<VoteMode>(n);
      break;
    case Category::branch:
    case Category::call:
    case Category::return_:
      if (word == "uni") i.uni = true;
      break;
    case Category::arithmetic:
      if (word == "hi") i.hi = true;
      if (word == "lo") i.lo = true;
      break;
    default:
      break;
  }
}

}  // namespace

const char* name_of(Category category) {
  static constexpr const char* names[] = {
      "arithmetic", "bits",      "logic",    "compare",    "select",   "move",    "convert", "load", "store",
      "atomic",     "reduction", "prefetch", "async copy", "mbarrier", "barrier", "fence",   "warp", "shuffle",
      "vote",       "branch",    "call",     "return",     "video",    "tensor",  "texture", "misc"};
  static_assert(std::size(names) == static_cast<std::size_t>(Category::misc) + 1);
  return names[static_cast<std::size_t>(category)];
}

const int opcode_count = static_cast<int>(row_count);

const OpcodeInfo& info(Opcode opcode) {
  return table[static_cast<std::size_t>(opcode)];
}

std::optional<Opcode> opcode_named(std::string_view mnemonic) {
  static const auto index = [] {
    std::unordered_map<std::string_view, Opcode> result;
    for (std::size_t i = 0; i < row_count; ++i) result.emplace(table[i].mnemonic, static_cast<Opcode>(i));
    return result;
  }();
  const auto found = index.find(mnemonic);
  return found == index.end() ? std::nullopt : std::optional(found->second);
}

std::optional<OpcodeMatch> find_opcode(std::string_view mnemonic, std::span<const std::string> words) {
  struct Row {
    Words words;
    Opcode opcode{};
  };
  static const auto rows = [] {
    std::unordered_map<std::string_view, std::vector<Row>> result;
    for (std::size_t i = 0; i < row_count; ++i) {
      Words parts;
      for_each_word(table[i].mnemonic, '.', [&](std::string_view part) { parts.push_back(part); });
      const std::string_view first = parts.front();
      parts.erase(parts.begin());
      result[first].push_back({std::move(parts), static_cast<Opcode>(i)});
    }
    for (auto& [first, candidates] : result)
      std::stable_sort(candidates.begin(), candidates.end(),
                       [](const Row& a, const Row& b) { return a.words.size() > b.words.size(); });
    return result;
  }();

  const auto found = rows.find(mnemonic);
  if (found == rows.end()) return std::nullopt;
  for (const Row& row : found->second)
    if (row.words.size() <= words.size() && std::equal(row.words.begin(), row.words.end(), words.begin()))
      return OpcodeMatch{row.opcode, row.words.size()};
  return std::nullopt;
}

std::span<const OperandRole> roles(Opcode opcode) {
  using Width = OperandRole::Width;
  static const auto all = [] {
    std::array<std::vector<OperandRole>, row_count> result;
    for (std::size_t i = 0; i < row_count; ++i)
      for (const char c : std::string_view(table[i].operands)) {
        std::vector<OperandRole>& list = result[i];
        switch (c) {
          case '?':
            list.back().optional = true;
            break;
          case '+':
            list.back().or_wider = true;
            break;
          case 's':
            list.back().width = Width::second_type;
            break;
          case 'w':
            list.back().width = Width::wide;
            break;
          case '1':
            list.back().width = Width::predicate;
            break;
          case '4':
            list.back().width = Width::bits32;
            break;
          case 'k':
            list.back().width = Width::cas;
            break;
          case '-':
            list.back().width = Width::any;
            break;
          default:
            list.emplace_back().letter = c;
            if (c == 'q') list.back().width = Width::predicate;
        }
      }
    return result;
  }();
  return all[static_cast<std::size_t>(opcode)];
}

bool allows_modifier(Opcode opcode, std::string_view modifier) {
  const Modifiers& row = modifiers_of(opcode);
  return row.any || row.allowed.contains(modifier);
}

namespace {

// What the ISA says of set and setp, and ptxas takes.
bool compares(Compare compare, Type type) {
  const bool untyped = type >= Type::b8 && type <= Type::b128;
  if (compare <= Compare::ne) return true;
  if (compare <= Compare::ge) return !untyped;
  if (compare <= Compare::hs) return !untyped && !is_signed(type) && !is_float(type);
  return is_float(type);
}

// Likewise of atom and red.
bool has_atomic(AtomicOp op, Type type) {
  const bool integer = type == Type::u32 || type == Type::s32 || type == Type::u64 || type == Type::s64;
  const bool half = type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2;
  switch (op) {
    case AtomicOp::add:
      return (integer && type != Type::s64) || half || type == Type::f32 || type == Type::f64;
    case AtomicOp::min:
    case AtomicOp::max:
      return integer || half;
    case AtomicOp::inc:
    case AtomicOp::dec:
      return type == Type::u32;
    case AtomicOp::and_:
    case AtomicOp::or_:
    case AtomicOp::xor_:
      return type == Type::b32 || type == Type::b64;
    case AtomicOp::exch:
      return type == Type::b32 || type == Type::b64 || type == Type::b128;
    case AtomicOp::cas:
      return type == Type::b16 || type == Type::b32 || type == Type::b64 || type == Type::b128;
    default:
      return true;
  }
}

bool is_plain_float(Type type) {
  return type == Type::f16 || type == Type::bf16 || type == Type::f32 || type == Type::f64;
}

// What is wrong with the rounding of a conversion between single numbers.
Wording rounding_problem(const Instruction& i) {
  const bool to_float = is_plain_float(i.type), from_float = is_plain_float(i.source_type);
  if ((is_float(i.type) && !to_float) || (is_float(i.source_type) && !from_float)) return {};
  if (i.type == Type::other || i.source_type == Type::other) return {};
  const bool to_integer = i.rounding >= Rounding::rni && i.rounding <= Rounding::rpi;
  const bool to_nearby = i.rounding >= Rounding::rn && i.rounding <= Rounding::rp;
  if (from_float && !to_float && !to_integer) return "needs one of .rni, .rzi, .rmi, .rpi";
  const bool narrows = from_float && bytes_of(i.type) < bytes_of(i.source_type);
  if (to_float && (!from_float || narrows) && !to_nearby) return "needs one of .rn, .rz, .rm, .rp";
  return {};
}

}  // namespace

Wording missing_modifier(const Instruction& i) {
  const Modifiers& row = modifiers_of(i.opcode);
  for (const Words& choice : row.required) {
    bool found = false;
    for (std::string_view word : choice)
      for (const std::string& written : i.modifiers) found |= written == word;
    if (found) continue;
    std::string names;
    for (std::string_view word : choice) names.append(names.empty() ? "." : ", .").append(word);
    return choice.size() == 1 ? worded("needs {}", names) : worded("needs one of {}", names);
  }
  if (row.any || !row.typed) return {};
  if (i.type == Type::none) return "needs a type";
  int types = 0;
  for (const std::string& word : i.modifiers) types += type_named(word) != Type::none;
  switch (i.opcode) {
    case Opcode::cvt:
      if (types != 2) return "needs two types";
      return rounding_problem(i);
    case Opcode::set:
      if (types != 2) return "needs two types";
      [[fallthrough]];
    case Opcode::setp:
      if (!compares(i.compare, i.source_type)) return "is not PTX: its type has no such comparison";
      break;
    case Opcode::atom:
    case Opcode::red:
      if (!has_atomic(i.atomic, i.type)) return "is not PTX: its type has no such operation";
      break;
    case Opcode::slct:
    case Opcode::dp4a:
    case Opcode::dp2a:
      if (types != 2) return "needs two types";
      break;
    case Opcode::mul:
    case Opcode::mad:
      if (!is_float(i.type) && i.hi + i.lo + i.wide != 1) return "needs one of .hi, .lo, .wide";
      break;
    default:
      break;
  }
  return {};
}

void understand_modifiers(Instruction& instruction) {
  static const auto index = [] {
    std::unordered_map<std::string_view, void (*)(Instruction&)> result;
    for (const Meaning& meaning : meanings) result.emplace(meaning.word, meaning.apply);
    return result;
  }();
  for (const std::string& word : instruction.modifiers) {
    if (const Type type = type_named(word); type != Type::none)
      understand_type(instruction, type);
    else if (const auto found = index.find(word); found != index.end())
      found->second(instruction);
    understand_by_category(instruction, word);
  }
}

int destination_count(const Instruction& instruction) {
  const char first = info(instruction.opcode).operands[0];
  if (info(instruction.opcode).category == Category::texture) {
    const auto& list = instruction.operands;
    if (list.empty() || list[0].kind == Operand::Kind::address) return 0;
    return list.size() > 1 && list[1].paired ? 2 : 1;
  }
  if ((first != 'd' && first != 'D' && first != 'p') || instruction.operands.empty()) return 0;
  return instruction.operands.size() > 1 && instruction.operands[1].paired ? 2 : 1;
}

}  // namespace lanescope::ptx
