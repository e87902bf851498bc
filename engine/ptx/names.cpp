// Names of types, spaces and special registers.
#include "ptx/names.h"

#include <string_view>
#include <unordered_map>

#include "ptx/instruction.h"

namespace lanescope::ptx {
namespace {

struct TypeRow {
  const char* name;
  std::uint8_t bytes;
};
// clang-format off
// In the order of Type.
constexpr TypeRow types[] = {
    {"none", 0}, {"pred", 0},  {"b8", 1},    {"b16", 2},  {"b32", 4},    {"b64", 8},    {"b128", 16},
    {"u8", 1},   {"u16", 2},   {"u32", 4},   {"u64", 8},  {"s8", 1},     {"s16", 2},    {"s32", 4},
    {"s64", 8},  {"f16", 2},   {"f16x2", 4}, {"bf16", 2}, {"bf16x2", 4}, {"tf32", 4},   {"f32", 4},
    {"f64", 8},  {"u16x2", 4}, {"s16x2", 4}, {"f32x2", 8}, {"e4m3x2", 2}, {"e5m2x2", 2}, {"other", 0}};
// clang-format on
static_assert(std::size(types) == static_cast<std::size_t>(Type::other) + 1);

// clang-format off
constexpr const char* other_types[] = {
    "b1",     "u2",     "s2",     "u4",     "s4",     "e4m3",   "e5m2",    "e2m3",    "e3m2",  "e2m1",
    "e4m3x4", "e5m2x4", "e2m3x2", "e3m2x2", "e2m3x4", "e3m2x4", "e2m1x2", "e2m1x4", "ue8m0", "ue8m0x2",
    "ue4m3",  "b8x16",  "b6x16_p32", "b4x16_p64", "b4x16", "texref", "samplerref", "surfref"};
// clang-format on

struct SpecialRow {
  const char* name;
  Type type;
};
// clang-format off
// In the order of SpecialRegister. envreg, pm, pm_64 and reserved_smem_offset are numbered.
constexpr SpecialRow specials[] = {
    {"%tid.x", Type::u32}, {"%tid.y", Type::u32}, {"%tid.z", Type::u32},
    {"%ntid.x", Type::u32}, {"%ntid.y", Type::u32}, {"%ntid.z", Type::u32},
    {"%ctaid.x", Type::u32}, {"%ctaid.y", Type::u32}, {"%ctaid.z", Type::u32},
    {"%nctaid.x", Type::u32}, {"%nctaid.y", Type::u32}, {"%nctaid.z", Type::u32},
    {"%laneid", Type::u32}, {"%warpid", Type::u32}, {"%nwarpid", Type::u32},
    {"%smid", Type::u32}, {"%nsmid", Type::u32}, {"%gridid", Type::u64},
    {"%lanemask_eq", Type::u32}, {"%lanemask_lt", Type::u32}, {"%lanemask_le", Type::u32},
    {"%lanemask_gt", Type::u32}, {"%lanemask_ge", Type::u32},
    {"%clock", Type::u32}, {"%clock_hi", Type::u32}, {"%clock64", Type::u64},
    {"%globaltimer", Type::u64}, {"%globaltimer_lo", Type::u32}, {"%globaltimer_hi", Type::u32},
    {"%dynamic_smem_size", Type::u32}, {"%total_smem_size", Type::u32}, {"%aggr_smem_size", Type::u32},
    {"%envreg", Type::u32}, {"%is_explicit_cluster", Type::pred},
    {"%cluster_ctaid.x", Type::u32}, {"%cluster_ctaid.y", Type::u32}, {"%cluster_ctaid.z", Type::u32},
    {"%cluster_nctaid.x", Type::u32}, {"%cluster_nctaid.y", Type::u32}, {"%cluster_nctaid.z", Type::u32},
    {"%cluster_ctarank", Type::u32}, {"%cluster_nctarank", Type::u32},
    {"%clusterid.x", Type::u32}, {"%clusterid.y", Type::u32}, {"%clusterid.z", Type::u32},
    {"%nclusterid.x", Type::u32}, {"%nclusterid.y", Type::u32}, {"%nclusterid.z", Type::u32},
    {"%current_graph_exec", Type::u64}, {"%reserved_smem_offset", Type::u32},
    {"%pm", Type::u32}, {"%pm_64", Type::u64}};
// clang-format on
static_assert(std::size(specials) == static_cast<std::size_t>(SpecialRegister::pm_64) + 1);

constexpr const char* reserved_offsets[] = {"%reserved_smem_offset_begin", "%reserved_smem_offset_end",
                                            "%reserved_smem_offset_cap", "%reserved_smem_offset_0",
                                            "%reserved_smem_offset_1"};

std::unordered_map<std::string_view, NumberedSpecial> make_special_index(std::vector<std::string>& numbered_names) {
  numbered_names.reserve(64);  // the views below must stay valid
  std::unordered_map<std::string_view, NumberedSpecial> index;
  const auto numbered = [&](SpecialRegister special, int number) {
    numbered_names.push_back(name_of(special, number));
    index[numbered_names.back()] = {special, number};
  };
  for (std::size_t i = 0; i < std::size(specials); ++i) {
    const auto special = static_cast<SpecialRegister>(i);
    switch (special) {
      case SpecialRegister::envreg:
        for (int n = 0; n < 32; ++n) numbered(special, n);
        break;
      case SpecialRegister::pm:
      case SpecialRegister::pm_64:
        for (int n = 0; n < 8; ++n) numbered(special, n);
        break;
      case SpecialRegister::reserved_smem_offset:
        for (int n = 0; n < 5; ++n) numbered(special, n);
        break;
      default:
        index[specials[i].name] = {special, 0};
    }
  }
  return index;
}

}  // namespace

int bytes_of(Type type) {
  return types[static_cast<std::size_t>(type)].bytes;
}

bool is_float(Type type) {
  return (type >= Type::f16 && type <= Type::f64) || type == Type::f32x2 || type == Type::e4m3x2 ||
         type == Type::e5m2x2;
}

bool is_signed(Type type) {
  return (type >= Type::s8 && type <= Type::s64) || type == Type::s16x2;
}

const char* name_of(Type type) {
  return types[static_cast<std::size_t>(type)].name;
}

Type type_named(std::string_view name) {
  static const auto index = [] {
    std::unordered_map<std::string_view, Type> result;
    for (std::size_t i = 1; i + 1 < std::size(types); ++i) result[types[i].name] = static_cast<Type>(i);
    for (const char* other : other_types) result[other] = Type::other;
    return result;
  }();
  const auto found = index.find(name);
  return found == index.end() ? Type::none : found->second;
}

const char* name_of(Space space) {
  static constexpr const char* names[] = {"generic", "reg", "sreg", "const", "global", "local", "param", "shared"};
  return names[static_cast<std::size_t>(space)];
}

const char* name_of(SpecialRegister special) {
  return specials[static_cast<std::size_t>(special)].name;
}

Type type_of(SpecialRegister special) {
  return specials[static_cast<std::size_t>(special)].type;
}

std::string name_of(SpecialRegister special, std::int64_t number) {
  switch (special) {
    case SpecialRegister::envreg:
      return "%envreg" + std::to_string(number);
    case SpecialRegister::pm:
      return "%pm" + std::to_string(number);
    case SpecialRegister::pm_64:
      return "%pm" + std::to_string(number) + "_64";
    case SpecialRegister::reserved_smem_offset:
      return reserved_offsets[static_cast<std::size_t>(number) % std::size(reserved_offsets)];
    default:
      return name_of(special);
  }
}

const NumberedSpecial* special_named(std::string_view name) {
  static std::vector<std::string> numbered_names;
  static const auto index = make_special_index(numbered_names);
  const auto found = index.find(name);
  return found == index.end() ? nullptr : &found->second;
}

bool Instruction::has(const char* modifier) const {
  for (const std::string& written : modifiers)
    if (written == modifier) return true;
  return false;
}

}  // namespace lanescope::ptx
