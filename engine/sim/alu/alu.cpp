// select_alu(): finds the row for an instruction and the slots of its operands.
#include "sim/alu/alu_rows.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <string_view>

#include "ptx/named_opcodes.h"
#include "ptx/opcode.h"
#include "ptx/opcode_table.h"
#include "ptx/register_part.h"
#include "sim/alu/alu_convert.h"
#include "sim/alu/alu_video_scalar.h"

namespace lanescope::sim {

using ptx::BoolOp;
using ptx::Category;
using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Rounding;
using ptx::Type;

// ---- the table ----

Opcode row_opcode(Mnemonic mnemonic) {
  const std::optional<Opcode> opcode = ptx::opcode_named(mnemonic);
  assert(opcode);  // else opcodes.def has no such mnemonic
  return opcode.value_or(Opcode::count_);
}

void AluTable::add(const AluForm& form, Handler full, Handler masked) {
  rows_.push_back({form, full, masked});
}

void AluTable::add_compare(const AluForm& form, Handler full, Handler masked, CompareKernel kernel, bool invert,
                           bool swap) {
  rows_.push_back({form, full, masked, kernel, invert, swap});
}

void AluTable::sort() {
  std::reverse(rows_.begin(), rows_.end());  // so that unique() keeps the last of equal forms
  std::stable_sort(rows_.begin(), rows_.end(), [](const AluRow& a, const AluRow& b) { return a.form < b.form; });
  rows_.erase(
      std::unique(rows_.begin(), rows_.end(), [](const AluRow& a, const AluRow& b) { return a.form == b.form; }),
      rows_.end());
}

const AluRow* AluTable::find(const AluForm& form) const {
  const auto at = std::lower_bound(rows_.begin(), rows_.end(), form,
                                   [](const AluRow& row, const AluForm& wanted) { return row.form < wanted; });
  return at != rows_.end() && at->form == form ? &*at : nullptr;
}

const AluTable& alu_table(Isa isa) {
  static const auto make = [](Isa which) {
    AluTable table;
    add_scalar_integer_rows(table);
    add_scalar_float_rows(table);
    add_scalar_convert_rows(table);
    add_scalar_half_rows(table);
    add_video_rows(table);
    add_scalar_video_rows(table);
    add_move_rows(table);
    switch (which) {
#if defined(__x86_64__)
      case Isa::avx2:
        add_lane_rows_avx2(table);
        break;
      case Isa::avx512:
        add_lane_rows_avx512(table);
        break;
#endif
      default:
        add_lane_rows_baseline(table);
    }
    table.sort();
    return table;
  };
  switch (isa) {
    case Isa::avx512: {
      static const AluTable table = make(Isa::avx512);
      return table;
    }
    case Isa::avx2: {
      static const AluTable table = make(Isa::avx2);
      return table;
    }
    default: {
      static const AluTable table = make(Isa::baseline);
      return table;
    }
  }
}

namespace {

// ---- the form ----

struct FlagWord {
  std::string_view word;
  std::uint32_t flag;
};
constexpr FlagWord flag_words[] = {{"ftz", alu_ftz},        {"sat", alu_sat},
                                   {"relu", alu_relu},      {"satfinite", alu_satfinite},
                                   {"NaN", alu_nan},        {"hi", alu_hi},
                                   {"lo", alu_lo},          {"wide", alu_wide},
                                   {"cc", alu_carry_out},   {"l", alu_left},
                                   {"r", alu_right},        {"clamp", alu_clamp},
                                   {"wrap", alu_wrap},      {"shiftamt", alu_shiftamt},
                                   {"f4e", alu_f4e},        {"b4e", alu_b4e},
                                   {"rc8", alu_rc8},        {"ecl", alu_ecl},
                                   {"ecr", alu_ecr},        {"rc16", alu_rc16},
                                   {"finite", alu_finite},  {"infinite", alu_infinite},
                                   {"number", alu_number},  {"notanumber", alu_notanumber},
                                   {"normal", alu_normal},  {"subnormal", alu_subnormal},
                                   {"add", alu_accumulate}, {"u4", alu_pack_u4},
                                   {"s4", alu_pack_s4},     {"u2", alu_pack_u2},
                                   {"s2", alu_pack_s2}};

// Modifiers that the parser stores in fields of their own. They belong to the form or to the operation, so they need no
// flag.
constexpr std::string_view field_words[] = {
    "rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi", "approx", "full", "eq",  "ne",  "lt",  "le", "gt",
    "ge", "lo", "ls", "hi", "hs",  "equ", "neu", "ltu", "leu", "gtu",    "geu",  "num", "nan", "and", "or", "xor"};

// min and max may have a third source.
bool takes_three(const Instruction& instruction) {
  return (instruction.opcode == Opcode::min || instruction.opcode == Opcode::max) && instruction.operands.size() == 4;
}

bool is_video(Opcode opcode) {
  return ptx::info(opcode).category == Category::video;
}

}  // namespace

std::optional<AluForm> alu_form(const Instruction& instruction) {
  // The handlers of the scalar video instructions look up all modifiers themselves.
  if (ptx::takes_parts(instruction.opcode))
    return AluForm{.opcode = instruction.opcode, .type = Type::u32, .source = Type::u32};
  AluForm form{.opcode = instruction.opcode,
               .type = instruction.type,
               .source = instruction.source_type,
               .rounding = instruction.rounding,
               .compare = instruction.compare};
  const bool compares = form.compare != ptx::Compare::none;
  for (const std::string& word : instruction.modifiers) {
    const auto* flag =
        std::find_if(std::begin(flag_words), std::end(flag_words), [&](const FlagWord& f) { return f.word == word; });
    // .xorsign comes only with .abs, so they share one flag. In a comparison, .lo and .hi name the comparison.
    if (word == "xorsign" && instruction.has("abs"))
      form.flags |= alu_xorsign;
    else if (word == "abs" && instruction.has("xorsign"))
      continue;
    else if (word == "abs" && takes_three(instruction))
      form.flags |= alu_abs;
    else if (flag != std::end(flag_words) && !(compares && (word == "lo" || word == "hi")))
      form.flags |= flag->flag;
    else if (std::find(std::begin(field_words), std::end(field_words), word) != std::end(field_words))
      continue;
    else if (ptx::type_named(word) == Type::none)
      return std::nullopt;
  }
  // The handlers of the video instructions look up the second and third type themselves.
  if (is_video(form.opcode)) form.source = form.type;
  if (takes_three(instruction)) form.flags |= alu_of_three;
  if (form.opcode == Opcode::lop3 && instruction.bool_op != BoolOp::none) form.flags |= alu_predicate;
  const bool rounds = form.opcode == Opcode::add || form.opcode == Opcode::sub || form.opcode == Opcode::mul;
  const bool single = form.type == Type::f32 || form.type == Type::f64 || form.type == Type::f32x2;
  if (rounds && single && form.rounding == Rounding::none) form.rounding = Rounding::rn;
  return form;
}

namespace {

// ---- operands ----

// The type that an operand is read or written as, from the operands column of opcodes.def.
Type operand_type(const Instruction& i, const ptx::OperandRole& role) {
  using Width = ptx::OperandRole::Width;
  switch (role.width) {
    case Width::second_type:
      return i.source_type;
    case Width::wide:
      if (!i.wide) return i.type;
      return ptx::bytes_of(i.type) == 2 ? Type::u32 : Type::u64;
    case Width::predicate:
      return Type::pred;
    case Width::bits32:
      return Type::b32;
    default:
      return i.type;
  }
}

int slot_bytes(Type type) {
  return type == Type::pred ? 0 : std::max(2, ptx::bytes_of(type));
}

bool is_conversion_to_pair(const Instruction& i) {
  return i.source_type == Type::f32 &&
         (i.type == Type::f16x2 || i.type == Type::bf16x2 || i.type == Type::e4m3x2 || i.type == Type::e5m2x2);
}

// The number of sources that the row's handler reads. Some optional operands exist only in some forms.
std::size_t source_count(const Instruction& i) {
  const auto roles = ptx::roles(i.opcode);
  const auto required = static_cast<std::size_t>(
      std::count_if(roles.begin() + 1, roles.end(), [](const ptx::OperandRole& role) { return !role.optional; }));
  switch (i.opcode) {
    case Opcode::setp:
    case Opcode::set:
    case Opcode::lop3:
      return required + (i.bool_op == BoolOp::none ? 0 : 1);
    case Opcode::cvt:
      return required + (is_conversion_to_pair(i) ? 1 : 0);
    case Opcode::min:
    case Opcode::max:
      return takes_three(i) ? 3 : required;
    case Opcode::cvt_pack:
      return required + (i.type == Type::u16 || i.type == Type::s16 ? 0 : 1);
    default:
      return ptx::takes_parts(i.opcode) ? i.operands.size() - 1 : required;
  }
}

bool has_time(const Operand& operand) {
  using ptx::SpecialRegister;
  if (operand.kind != Operand::Kind::special) return false;
  return operand.special >= SpecialRegister::clock && operand.special <= SpecialRegister::globaltimer_hi;
}

void bind_sources(const Instruction& i, OperandSlots& slots, Operation& o, std::size_t first_source) {
  const auto roles = ptx::roles(i.opcode);
  std::uint32_t* places[] = {&o.a, &o.b, &o.c, &o.d};
  std::size_t place = 0;
  for (std::size_t k = first_source; k < i.operands.size(); ++k) {
    const ptx::OperandRole& role = roles[k - first_source + 1];
    // lop3's table is the only operand that must be a number.
    if (role.letter == 'i')
      o.immediate = static_cast<std::uint64_t>(i.operands[k].integer) & 0xff;
    else
      *places[place++] = slots.read(i.operands[k], operand_type(i, role));
  }
}

// ---- cvt ----

bool is_integer(Type type) {
  return (type >= Type::u8 && type <= Type::s64);
}

// The form of an integer cvt without .sat: which low bits of the source are kept, and how they are extended.
std::optional<AluForm> extension(const Instruction& i, int destination_bytes, int source_bytes) {
  const int to = ptx::bytes_of(i.type), from = ptx::bytes_of(i.source_type);
  const bool narrowing = to <= from;
  // Growing to a type that is narrower than its register: sign extension and zero extension may follow each other. The
  // general handler does this.
  if (!narrowing && destination_bytes > to && ptx::is_signed(i.type) != ptx::is_signed(i.source_type) &&
      ptx::is_signed(i.source_type))
    return std::nullopt;
  const Type part = narrowing ? i.type : i.source_type;
  const auto slot = [](int bytes) { return bytes == 2 ? Type::b16 : bytes == 4 ? Type::b32 : Type::b64; };
  AluForm form{.opcode = Opcode::cvt, .type = part, .source = slot(source_bytes)};
  form.flags = destination_bytes == 2 ? alu_to16 : destination_bytes == 4 ? alu_to32 : alu_to64;
  // If the part is as wide as the destination, its sign does not matter.
  if (ptx::bytes_of(part) >= destination_bytes)
    form.type = destination_bytes == 2 ? Type::u16 : destination_bytes == 4 ? Type::u32 : Type::u64;
  return form;
}

bool select_cvt(const Instruction& i, const AluForm& form, OperandSlots& slots, Operation& o, const AluTable& table) {
  const AluRow* row = table.find(form);
  if (row == nullptr || i.operands.size() != 1 + source_count(i)) return false;
  const int destination_bytes =
      i.operands[0].kind == Operand::Kind::sink ? slot_bytes(i.type) : slots.register_bytes(i.operands[0], i.type);
  const int source_bytes = i.operands[1].kind == Operand::Kind::reg ? slots.register_bytes(i.operands[1], i.source_type)
                                                                    : slot_bytes(i.source_type);
  const int natural_destination = slot_bytes(i.type), natural_source = slot_bytes(i.source_type);
  const bool natural = destination_bytes == natural_destination && source_bytes == natural_source;
  const bool simple = source_count(i) == 1 && destination_bytes <= 8 && source_bytes <= 8;
  o.full = row->full;
  o.masked = row->masked;
  o.immediate = pack_types({i.type, i.source_type, destination_bytes, source_bytes});
  if (!natural) {
    // The registers are wider than the types. Allowed only for single integers and for f16 and f32 in bit-size
    // registers.
    if (!simple || destination_bytes < natural_destination || source_bytes < natural_source || i.type == Type::tf32)
      return false;
    o.full = convert_any;
    o.masked = convert_any_masked;
  }
  if (is_integer(i.type) && is_integer(i.source_type) && !i.sat) {
    if (const auto wanted = extension(i, destination_bytes, source_bytes))
      if (const AluRow* extend = table.find(*wanted)) {
        o.full = extend->full;
        o.masked = extend->masked;
      }
  }
  o.dst = slots.write(i.operands[0]);
  bind_sources(i, slots, o, 1);
  return true;
}

// ---- set, setp ----

void set_up_compare(const Instruction& i, const AluRow& row, Operation& o) {
  o.immediate = reinterpret_cast<std::uint64_t>(row.kernel);
  o.flags = static_cast<std::uint8_t>((row.invert ? compare_invert : 0) | (i.ftz ? compare_ftz : 0));
  if (row.swap) std::swap(o.a, o.b);
  switch (i.type) {  // the value that set writes for true
    case Type::f32:
      o.extra = 0x3f800000u;
      break;
    case Type::f16:
    case Type::f16x2:
      o.extra = 0x3c00;
      break;
    case Type::bf16:
    case Type::bf16x2:
      o.extra = 0x3f80;
      break;
    default:
      o.extra = 0xffffffffu;
  }
}
std::uint8_t combination(const Instruction& i, std::size_t first_source) {
  int flags = first_source == 2 ? compare_second : 0;
  if (i.bool_op == BoolOp::none) return static_cast<std::uint8_t>(flags);
  flags |= i.bool_op == BoolOp::and_ ? compare_and : i.bool_op == BoolOp::or_ ? compare_or : compare_xor;
  if (i.operands.back().negated) flags |= compare_negate_c;
  return static_cast<std::uint8_t>(flags);
}

std::uint32_t video_extra(const Instruction& i) {
  std::array<bool, 3> is_signed{};
  // vset writes two types; its results are unsigned.
  std::size_t next = i.opcode == Opcode::vset2 || i.opcode == Opcode::vset4 ? 1 : 0;
  for (const std::string& word : i.modifiers)
    if (const Type type = ptx::type_named(word); type != Type::none && next < 3)
      is_signed[next++] = ptx::is_signed(type);
  return (is_signed[0] ? 1u : 0u) | (is_signed[1] ? 2u : 0u) | (is_signed[2] ? 4u : 0u);
}

// What by_lanes() in alu_video.cpp does besides the plain form: bit 0 adds to c; bit 1 says that a selector follows,
// three bits for each lane of a and of b, and then a bit for each lane that is written.
std::uint64_t video_selectors(const Instruction& i, bool accumulates) {
  const int lanes = ptx::video_lanes(i.opcode);
  std::uint64_t bits = accumulates ? 1 : 0;
  int written = 0;
  for (std::size_t k = 0; k < 3; ++k) written += ptx::selector_of(i.operands[k]).count;
  if (written == 0) return bits;
  bits |= 2;
  for (std::size_t source = 0; source < 2; ++source) {
    const ptx::LaneSelector selector = ptx::selector_of(i.operands[source + 1]);
    for (int k = 0; k < lanes; ++k) {
      const int from = selector.count != 0 ? selector.digits[k] : k + static_cast<int>(source) * lanes;
      bits |= static_cast<std::uint64_t>(from) << (2 + 12 * source + 3 * static_cast<std::size_t>(k));
    }
  }
  const ptx::LaneSelector mask = ptx::selector_of(i.operands[0]);
  for (int k = 0; k < (mask.count != 0 ? mask.count : lanes); ++k)
    bits |= std::uint64_t{1} << (26 + (mask.count != 0 ? mask.digits[k] : k));
  return bits;
}

bool is_arithmetic(Opcode opcode) {
  switch (ptx::info(opcode).category) {
    case Category::arithmetic:
    case Category::bits:
    case Category::logic:
    case Category::compare:
    case Category::select:
    case Category::move:
    case Category::video:
      return true;
    case Category::convert:
      return opcode == Opcode::cvt || opcode == Opcode::cvt_pack;
    default:
      return false;
  }
}

bool select(const Instruction& i, OperandSlots& slots, Operation& o, const AluTable& table) {
  if (!is_arithmetic(i.opcode) || i.operands.size() < 2) return false;
  if (i.opcode == Opcode::mov) {
    if (has_time(i.operands[1])) return false;
    const bool has_vector = i.operands[0].kind == Operand::Kind::vector || i.operands[1].kind == Operand::Kind::vector;
    if (has_vector) return select_vector_move(i, slots, o);
  }
  const auto form = alu_form(i);
  if (!form) return false;
  o.flags = static_cast<std::uint8_t>(form->flags & 0xff);
  o.extra = static_cast<std::uint32_t>(form->rounding);
  if (i.opcode == Opcode::cvt) return select_cvt(i, *form, slots, o, table);
  const AluRow* row = table.find(*form);
  const std::optional<std::uint64_t> video_fields = ptx::takes_parts(i.opcode) ? scalar_video_fields(i) : 0;
  if (!video_fields) return false;
  const std::size_t first_source = i.operands[1].paired ? 2 : 1;
  if (row == nullptr || i.operands.size() != first_source + source_count(i)) return false;
  o.full = row->full;
  o.masked = row->masked;
  o.dst = slots.write(i.operands[0]);
  if (first_source == 2) o.dst2 = slots.write(i.operands[1]);
  bind_sources(i, slots, o, first_source);
  switch (i.opcode) {
    case Opcode::set:
    case Opcode::setp:
      set_up_compare(i, *row, o);
      o.flags |= combination(i, first_source);
      break;
    case Opcode::lop3:
      o.flags |= combination(i, 0);
      break;
    case Opcode::addc:
    case Opcode::subc:
    case Opcode::madc:
      o.d = slots.carry();
      o.flags = i.carry_out ? 1 : 0;
      break;
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mad:
      if (i.carry_out) {
        o.d = slots.carry();
        o.flags = 1;
      }
      break;
    default:
      if (ptx::takes_parts(i.opcode)) {
        o.immediate = *video_fields;
        o.extra = i.operands.size() == 4 ? 1 : 0;
      } else if (is_video(i.opcode)) {
        o.extra = video_extra(i);
        o.immediate = video_selectors(i, (form->flags & alu_accumulate) != 0);
      }
  }
  return true;
}

}  // namespace

bool select_alu(const Instruction& instruction, OperandSlots& slots, Operation& operation, Isa isa) {
  Operation selected = operation;
  if (!select(instruction, slots, selected, alu_table(isa))) return false;
  operation = selected;
  return true;
}

bool select_alu(const Instruction& instruction, OperandSlots& slots, Operation& operation) {
  return select_alu(instruction, slots, operation, isa());
}

}  // namespace lanescope::sim
