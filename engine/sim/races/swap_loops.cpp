#include "sim/races/swap_loops.h"

#include <compare>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ptx/opcode.h"
#include "sim/decode/decode.h"

namespace lanescope::sim {

namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::RegisterId;
using ptx::Type;

// A sum modulo 2^64: a constant, and terms that have a factor each.
struct Sum {
  std::map<std::pair<RegisterId, Type>, std::uint64_t> terms;  // a register as it is (b64), or its s32 or u32 widened
  std::uint64_t constant = 0;

  auto operator<=>(const Sum&) const = default;

  void add(const Sum& other, std::uint64_t factor) {
    constant += other.constant * factor;
    for (const auto& [term, its_factor] : other.terms) {
      const auto at = terms.try_emplace(term, 0).first;
      at->second += its_factor * factor;
      if (at->second == 0) terms.erase(at);
    }
  }
};

// nvcc writes one address in several ways: as [%rd3+4] for the load, and for the swap as a register that it computes
// from the index anew.
class Registers {
 public:
  explicit Registers(const ptx::Function& function) {
    for (const Instruction& i : function.instructions) {
      if (i.operands.empty() || i.operands[0].kind != Operand::Kind::reg) continue;
      const auto [definition, first] = definition_.try_emplace(i.operands[0].reg, &i);
      if (!first) definition->second = nullptr;
      if (copies(i)) copied_from_[i.operands[0].reg].push_back(i.operands[1].reg);
    }
  }

  // All registers whose value may be that of `reg`.
  std::set<RegisterId> sources(RegisterId reg) const {
    std::set<RegisterId> found = {reg};
    for (std::vector<RegisterId> left = {reg}; !left.empty();) {
      const auto at = copied_from_.find(left.back());
      left.pop_back();
      if (at == copied_from_.end()) continue;
      for (RegisterId from : at->second)
        if (found.insert(from).second) left.push_back(from);
    }
    return found;
  }

  std::optional<Sum> address(const Operand& operand) const {
    if (operand.kind != Operand::Kind::address || operand.reg == ptx::no_register) return std::nullopt;
    Sum sum = value(operand.reg, deepest);
    sum.constant += static_cast<std::uint64_t>(operand.integer);
    return sum;
  }

 private:
  static constexpr int deepest = 12;

  static bool copies(const Instruction& i) {
    return (i.opcode == ptx::Opcode::mov || i.opcode == ptx::Opcode::cvta) && i.operands.size() == 2 &&
           i.operands[1].kind == Operand::Kind::reg;
  }

  // The only instruction that writes the register.
  const Instruction* definition(RegisterId reg) const {
    const auto at = definition_.find(reg);
    return at == definition_.end() || at->second == nullptr || at->second->guard.present() ? nullptr : at->second;
  }

  Sum widened(RegisterId reg, Type type) const {
    for (const Instruction* i = definition(reg); i != nullptr && copies(*i); i = definition(reg)) {
      reg = i->operands[1].reg;
    }
    Sum sum;
    sum.terms[{reg, type}] = 1;
    return sum;
  }

  Sum value(RegisterId reg, int depth) const {
    const Instruction* i = definition(reg);
    if (depth > 0 && i != nullptr) {
      if (copies(*i)) return value(i->operands[1].reg, depth - 1);
      if (auto sum = computed(*i, depth - 1)) return *sum;
    }
    return widened(reg, Type::b64);
  }

  std::optional<Sum> value(const Operand& operand, int depth) const {
    if (operand.kind == Operand::Kind::reg) return value(operand.reg, depth);
    if (operand.kind != Operand::Kind::integer) return std::nullopt;
    Sum sum;
    sum.constant = static_cast<std::uint64_t>(operand.integer);
    return sum;
  }

  // Sums and differences of 64 bits, products with constants, and widened indices; else nothing.
  std::optional<Sum> computed(const Instruction& i, int depth) const {
    using enum ptx::Opcode;
    const std::vector<Operand>& o = i.operands;
    const bool index = o.size() >= 2 && o[1].kind == Operand::Kind::reg;
    const bool by_constant = index && o.size() >= 3 && o[2].kind == Operand::Kind::integer;
    const bool full = bytes_of(i.type) == 8 && !ptx::is_float(i.type) && !i.carry_out;
    const auto narrow = [](Type type) { return type == Type::s32 || type == Type::u32; };
    switch (i.opcode) {
      case cvt:
        if (!full || !index || !narrow(i.source_type)) return std::nullopt;
        return widened(o[1].reg, i.source_type);
      case add:
      case sub: {
        auto left = full ? value(o[1], depth) : std::nullopt;
        const auto right = full ? value(o[2], depth) : std::nullopt;
        if (!left || !right) return std::nullopt;
        left->add(*right, i.opcode == add ? 1 : ~std::uint64_t{0});
        return left;
      }
      case shl: {
        if (!full || !by_constant || o[2].integer < 0 || o[2].integer > 63) return std::nullopt;
        Sum sum;
        sum.add(value(o[1].reg, depth), std::uint64_t{1} << o[2].integer);
        return sum;
      }
      case mul:
      case mad: {
        const bool wide = i.wide && narrow(i.type);
        if (!by_constant || !(wide || (full && i.lo))) return std::nullopt;
        auto sum = o.size() == 4 ? value(o[3], depth) : std::optional<Sum>(std::in_place);
        if (!sum) return std::nullopt;
        sum->add(wide ? widened(o[1].reg, i.type) : value(o[1].reg, depth), static_cast<std::uint64_t>(o[2].integer));
        return sum;
      }
      default:
        return std::nullopt;
    }
  }

  std::unordered_map<RegisterId, const Instruction*> definition_;  // null if several write it
  std::unordered_map<RegisterId, std::vector<RegisterId>> copied_from_;
};

}  // namespace

std::uint32_t bytes_to_swap(const MemoryOp& swap, const std::byte* registers, std::uint32_t lane) {
  const auto operand = [&](std::uint32_t slot) {
    std::uint32_t value = 0;
    std::memcpy(&value, registers + slot + std::size_t{lane} * swap.operand_bytes, sizeof value);
    return value;
  };
  if (swap.element_bytes != 4 || swap.elements != 1 || swap.operand_bytes < 4) return 15;
  const std::uint32_t changed = operand(swap.b[0]) ^ operand(swap.c[0]);
  for (std::uint32_t bytes : {1u, 2u, 4u, 8u, 3u, 12u}) {
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < 4; ++i)
      if ((bytes >> i & 1u) != 0) bits |= 0xffu << (8 * i);
    if (changed != 0 && (changed & ~bits) == 0) return bytes;
  }
  return 15;
}

std::unordered_set<const Instruction*> first_reads_of_swaps(const ptx::Module& module) {
  std::unordered_set<const Instruction*> reads;
  for (const ptx::Function& function : module.functions) {
    const auto swaps = [](const Instruction& i) {
      return i.opcode == ptx::Opcode::atom && i.atomic == ptx::AtomicOp::cas && i.operands.size() >= 3 &&
             i.operands[2].kind == Operand::Kind::reg;
    };
    std::optional<Registers> registers;
    std::map<Sum, std::set<RegisterId>> compared;
    for (const Instruction& i : function.instructions) {
      if (!swaps(i)) continue;
      if (!registers) registers.emplace(function);
      if (const auto address = registers->address(i.operands[1]))
        compared[*address].merge(registers->sources(i.operands[2].reg));
    }
    if (compared.empty()) continue;
    for (const Instruction& i : function.instructions) {
      if (i.opcode != ptx::Opcode::ld || i.operands.size() != 2 || i.operands[0].kind != Operand::Kind::reg) continue;
      const auto address = registers->address(i.operands[1]);
      const auto at = address ? compared.find(*address) : compared.end();
      if (at != compared.end() && at->second.contains(i.operands[0].reg)) reads.insert(&i);
    }
  }
  return reads;
}

}  // namespace lanescope::sim
