#include "sim/races/swap_loops.h"

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ptx/named_opcodes.h"
#include "sim/decode/decode.h"

namespace lanescope::sim {

namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::RegisterId;

// The base register, back through cvta and mov, and the offset.
using Address = std::pair<RegisterId, std::int64_t>;

class Registers {
 public:
  explicit Registers(const ptx::Function& function) {
    for (const Instruction& i : function.instructions) {
      if (i.operands.empty() || i.operands[0].kind != Operand::Kind::reg) continue;
      ++definitions_[i.operands[0].reg];
      const bool copies = i.opcode == ptx::opcodes::mov || i.opcode == ptx::opcodes::cvta;
      if (copies && i.operands.size() == 2 && i.operands[1].kind == Operand::Kind::reg)
        copied_from_[i.operands[0].reg].push_back(i.operands[1].reg);
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

  std::optional<Address> address(const Operand& operand) const {
    if (operand.kind != Operand::Kind::address || operand.reg == ptx::no_register) return std::nullopt;
    RegisterId reg = operand.reg;
    for (int steps = 0; steps < 8; ++steps) {
      const auto at = copied_from_.find(reg);
      if (at == copied_from_.end() || definitions_.at(reg) != 1) break;
      reg = at->second.front();
    }
    return Address{reg, operand.integer};
  }

 private:
  std::unordered_map<RegisterId, int> definitions_;
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
      return i.opcode == ptx::opcodes::atom && i.atomic == ptx::AtomicOp::cas && i.operands.size() >= 3 &&
             i.operands[2].kind == Operand::Kind::reg;
    };
    std::optional<Registers> registers;
    std::map<Address, std::set<RegisterId>> compared;
    for (const Instruction& i : function.instructions) {
      if (!swaps(i)) continue;
      if (!registers) registers.emplace(function);
      if (const auto address = registers->address(i.operands[1]))
        compared[*address].merge(registers->sources(i.operands[2].reg));
    }
    if (compared.empty()) continue;
    for (const Instruction& i : function.instructions) {
      if (i.opcode != ptx::opcodes::ld || i.operands.size() != 2 || i.operands[0].kind != Operand::Kind::reg) continue;
      const auto address = registers->address(i.operands[1]);
      const auto at = address ? compared.find(*address) : compared.end();
      if (at != compared.end() && at->second.contains(i.operands[0].reg)) reads.insert(&i);
    }
  }
  return reads;
}

}  // namespace lanescope::sim
