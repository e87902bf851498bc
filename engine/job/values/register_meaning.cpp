#include "job/values/register_meaning.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "ptx/opcode.h"

namespace lanescope::job {
namespace {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;
using ptx::Type;

bool names(const Operand& operand, RegisterId reg) {
  return operand.kind == Operand::Kind::reg && operand.reg == reg && !operand.paired;
}

bool is_shuffle(const Instruction& i) {
  return i.opcode == Opcode::shfl || i.opcode == Opcode::shfl_sync;
}
bool is_memory(const Instruction& i) {
  return i.opcode == Opcode::ld || i.opcode == Opcode::st;
}

bool is_integer(Type type) {
  return type >= Type::u8 && type <= Type::s64;
}

// True for an operand whose type is not the instruction's: a shift distance, lane numbers, a 64-bit base.
bool is_beside(const Instruction& i, std::size_t operand) {
  switch (i.opcode) {
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::bfe:
    case Opcode::redux:
      return operand >= 2;
    case Opcode::mad:
      return i.wide && operand == 3;
    case Opcode::mul:
      return i.wide && operand == 0;
    case Opcode::slct:
    case Opcode::shf:
    case Opcode::prmt:
      return true;
    default:
      return i.wide && operand == 0;
  }
}

// True if the same instruction serves signed and unsigned numbers.
bool is_signless(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::add:
    case Opcode::sub:
      return true;
    case Opcode::mul:
    case Opcode::mad:
      return !i.hi && !i.wide;
    case Opcode::setp:
    case Opcode::set:
      return i.compare == ptx::Compare::eq || i.compare == ptx::Compare::ne;
    case Opcode::atom:
    case Opcode::red:
      return i.atomic != ptx::AtomicOp::min && i.atomic != ptx::AtomicOp::max;
    default:
      return false;
  }
}

// Evidence about a register and its copies.
struct Evidence {
  bool f32 = false, f64 = false, f16 = false, bf16 = false, f16x2 = false, bf16x2 = false;
  bool integer = false, with_sign = false, without_sign = false;
  bool otherwise = false;             // used as bits or an address
  bool part_of_64 = false;            // one word of a 64-bit value
  std::vector<RegisterId> low, high;  // the 16-bit registers that it is composed of or split into

  void add(Type type, bool signless) {
    switch (type) {
      case Type::f32:
        f32 = true;
        break;
      case Type::f64:
        f64 = true;
        break;
      case Type::f16:
        f16 = true;
        break;
      case Type::bf16:
        bf16 = true;
        break;
      case Type::f16x2:
        f16x2 = true;
        break;
      case Type::bf16x2:
        bf16x2 = true;
        break;
      default:
        if (!is_integer(type)) {
          otherwise = true;
          break;
        }
        integer = true;
        with_sign |= !signless && ptx::is_signed(type);
        without_sign |= !signless && !ptx::is_signed(type);
    }
  }
  bool nothing() const {
    return !f32 && !f64 && !f16 && !bf16 && !f16x2 && !bf16x2 && !integer && !otherwise && !part_of_64 && low.empty() &&
           high.empty();
  }
};

class Search {
 public:
  Search(const ptx::Function& function, RegisterId reg) : function_(function) { visit(reg); }
  const Evidence& found() const { return found_; }

 private:
  void visit(RegisterId reg) {
    if (!seen_.insert(reg).second) return;
    const Type declared = function_.registers[reg].type;
    if (ptx::is_float(declared)) found_.add(declared, false);
    for (const Instruction& i : function_.instructions)
      for (std::size_t at = 0; at < i.operands.size(); ++at) look_at(i, at, reg);
  }

  void look_at(const Instruction& i, std::size_t at, RegisterId reg) {
    const Operand& operand = i.operands[at];
    if (operand.kind == Operand::Kind::address)
      found_.otherwise |= operand.reg == reg;
    else if (operand.kind == Operand::Kind::vector)
      look_into(i, at, reg);
    else if (names(operand, reg))
      hear(i, at);
  }

  // For an operand that is the whole register.
  void hear(const Instruction& i, std::size_t at) {
    if (is_shuffle(i)) {
      const std::size_t value = i.operands.size() > 1 && i.operands[1].paired ? 2 : 1;  // after its predicate
      if (at == 0 || at == value) copies(i, value + 1);
    } else if (i.opcode == Opcode::mov) {
      if (ptx::is_float(i.type)) found_.add(i.type, false);
      take_apart(i, at);
      copies(i, 2);
    } else if (i.opcode == Opcode::selp) {
      if (ptx::is_float(i.type)) found_.add(i.type, false);
      copies(i, 3);
    } else if (is_memory(i)) {
      if (ptx::is_float(i.type) || ptx::is_signed(i.type)) found_.add(i.type, false);
    } else if (i.opcode == Opcode::cvt && widens_a_half(i)) {
      found_.otherwise = true;
    } else if (!is_beside(i, at)) {
      const Type type = at == 0 ? i.type : i.source_type;
      if (type != Type::none) found_.add(type, is_signless(i));
    } else {
      found_.otherwise = true;
    }
  }

  void copies(const Instruction& i, std::size_t count) {
    for (std::size_t at = 0; at < std::min(count, i.operands.size()); ++at) {
      const Operand& operand = i.operands[at];
      if (operand.kind == Operand::Kind::reg && !operand.paired && function_.registers[operand.reg].type != Type::pred)
        visit(operand.reg);
      if (operand.kind == Operand::Kind::real) found_.add(operand.type, false);
      if (operand.kind == Operand::Kind::special) found_.add(type_of(operand.special), true);
    }
  }

  // mov.b32 between the register and {low, high}.
  void take_apart(const Instruction& i, std::size_t at) {
    if (at > 1 || i.operands.size() != 2) return;
    const Operand& parts = i.operands[1 - at];
    if (parts.kind != Operand::Kind::vector) return;
    if (ptx::bytes_of(i.type) != 4 || parts.elements.size() != 2) {
      found_.otherwise |= ptx::bytes_of(i.type) != 8;  // words of a double are consistent with any meaning
      return;
    }
    if (parts.elements[0].kind == Operand::Kind::reg) found_.low.push_back(parts.elements[0].reg);
    if (parts.elements[1].kind == Operand::Kind::reg) found_.high.push_back(parts.elements[1].reg);
  }

  // For a register that is an element of {a, b, …}.
  void look_into(const Instruction& i, std::size_t at, RegisterId reg) {
    if (std::ranges::none_of(i.operands[at].elements, [&](const Operand& o) { return names(o, reg); })) return;
    if (i.opcode == Opcode::mov) {
      if (ptx::bytes_of(function_.registers[reg].type) == 4) found_.part_of_64 |= ptx::bytes_of(i.type) == 8;
    } else if (is_memory(i)) {
      if (ptx::is_float(i.type) || ptx::is_signed(i.type)) found_.add(i.type, false);
    } else {
      found_.otherwise = true;
    }
  }

  // cvt.u32.u16 of a register that holds a half.
  bool widens_a_half(const Instruction& i) const {
    if (ptx::is_float(i.type) || ptx::is_float(i.source_type)) return false;
    for (const Operand& o : i.operands)
      if (o.kind == Operand::Kind::reg && ptx::bytes_of(function_.registers[o.reg].type) == 2) return true;
    return false;
  }

  const ptx::Function& function_;
  std::set<RegisterId> seen_;
  Evidence found_;
};

// The only instruction that writes the register; null if there are none or several.
const Instruction* only_definition(const ptx::Function& function, RegisterId reg) {
  const Instruction* found = nullptr;
  for (const Instruction& i : function.instructions) {
    if (i.operands.empty()) continue;
    const Operand& to = i.operands[0];
    const bool writes =
        i.opcode != Opcode::st && i.opcode != Opcode::red &&
        (names(to, reg) || (to.kind == Operand::Kind::vector &&
                            std::ranges::any_of(to.elements, [&](const Operand& o) { return names(o, reg); })));
    if (!writes) continue;
    if (found != nullptr || i.guard.present()) return nullptr;
    found = &i;
  }
  return found;
}

// f16 or bf16 if all evidence about the 16-bit registers agrees.
Type half_type(const ptx::Function& function, const std::vector<RegisterId>& parts) {
  bool f16 = false, bf16 = false, other = false;
  for (const RegisterId part : parts) {
    const Evidence e = Search(function, part).found();
    f16 |= e.f16, bf16 |= e.bf16;
    other |= e.integer;
  }
  return other || f16 == bf16 ? Type::none : f16 ? Type::f16 : Type::bf16;
}

Meaning integer(const Evidence& e, Type with_sign, Type without_sign) {
  Meaning made{Meaning::Kind::number, e.without_sign && !e.with_sign ? without_sign : with_sign};
  made.sign_unclear = e.with_sign && e.without_sign;
  return made;
}

// For mov.b64 {low, high}, whole.
Meaning word_of(const ptx::Function& function, const Instruction& i, RegisterId reg) {
  Meaning made{Meaning::Kind::word};
  made.high = names(i.operands[0].elements[1], reg);
  made.whole = i.operands[1].reg;
  const Evidence e = Search(function, made.whole).found();
  if (e.f64 && !e.integer)
    made.type = Type::f64;
  else if (e.integer && !e.f64) {
    const Meaning read = integer(e, Type::s64, Type::u64);
    made.type = read.type, made.sign_unclear = read.sign_unclear;
  } else if (e.nothing())
    made.type = Type::b64;
  return made;
}

bool takes_words(const Instruction* i) {
  return i != nullptr && i->opcode == Opcode::mov && ptx::bytes_of(i->type) == 8 && i->operands.size() == 2 &&
         i->operands[0].kind == Operand::Kind::vector && i->operands[0].elements.size() == 2 &&
         i->operands[1].kind == Operand::Kind::reg;
}

// True for mov.b32 reg, {a, a}.
bool is_one_half_twice(const Instruction* i) {
  if (i == nullptr || i->opcode != Opcode::mov || i->operands.size() != 2 ||
      i->operands[1].kind != Operand::Kind::vector)
    return false;
  const std::vector<Operand>& parts = i->operands[1].elements;
  return parts.size() == 2 && parts[0].kind == Operand::Kind::reg && names(parts[1], parts[0].reg);
}

Meaning halves_of(const ptx::Function& function, RegisterId reg, const Evidence& e) {
  Meaning made{Meaning::Kind::halves};
  made.twice = is_one_half_twice(only_definition(function, reg));
  Type low = half_type(function, e.low), high = half_type(function, e.high);
  if (made.twice && low == Type::none) low = high;
  if (made.twice && high == Type::none) high = low;
  if (e.f16x2 || e.bf16x2) {
    made.type = e.f16x2 ? Type::f16 : Type::bf16;
    const auto speaks_against = [&](Type part) { return part != Type::none && part != made.type; };
    if (e.f16x2 && e.bf16x2)
      made.type = Type::none;
    else if (speaks_against(low) || speaks_against(high))
      made.type = Type::none;
  } else if (low == high) {
    made.type = low;
  }
  return made.type == Type::none ? Meaning{} : made;
}

}  // namespace

Meaning meaning_of(const ptx::Function& function, RegisterId reg) {
  if (const Instruction* made_by = only_definition(function, reg); takes_words(made_by))
    return word_of(function, *made_by, reg);
  const Evidence e = Search(function, reg).found();
  if (e.nothing()) return {Meaning::Kind::moved};
  const bool pair = e.f16x2 || e.bf16x2 || !e.low.empty() || !e.high.empty();
  if (e.f64 || e.f16 || e.bf16 || e.part_of_64 || int{e.f32} + int{e.integer} + int{pair} != 1) return {};
  if (e.f32) return {Meaning::Kind::number, Type::f32};
  if (e.integer) return integer(e, Type::s32, Type::u32);
  return halves_of(function, reg, e);
}

}  // namespace lanescope::job
