// Decodes what the blocks of a cluster do together: their barrier, and addresses in each other's shared memory.

#include "ptx/named_opcodes.h"
#include "ptx/opcode_table.h"
#include "sim/alu/lanes.h"
#include "sim/decode/atomics.h"
#include "sim/decode/decoder.h"

namespace lanescope::sim {

using ptx::Instruction;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

bool FunctionDecoder::decode_cluster_barrier(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  ClusterBarrierOp barrier;
  program_.uses_cluster = true;
  barrier.waits = instruction.opcode == ptx::opcodes::barrier_cluster_wait;
  barrier.ordered = !instruction.has("relaxed");
  barrier.site = add_site(trace::EventKind::barrier, instruction, index, block);
  code_.cluster_barriers.push_back(barrier);
  append(Code::cluster_barrier, code_.cluster_barriers.size() - 1, instruction, index);
  return true;
}

bool FunctionDecoder::decode_cluster_address(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  program_.uses_cluster = true;
  ClusterAddressOp op;
  const bool maps = instruction.opcode == ptx::opcodes::mapa;
  if (instruction.operands.size() < (maps ? 3u : 2u)) return false;
  const int bytes = ptx::bytes_of(instruction.type);
  if (bytes != 4 && bytes != 8) return false;
  const Operand& from = instruction.operands[1];
  if (layout_.register_bytes(from, instruction.type) != bytes) return false;
  if (layout_.register_bytes(instruction.operands[0], instruction.type) != (maps ? bytes : 4)) return false;
  op.bytes = static_cast<std::uint8_t>(bytes);
  op.generic = instruction.space == Space::generic;
  op.dst = layout_.write(instruction.operands[0]);
  op.address = layout_.read(from, instruction.type);
  if (maps) op.rank = layout_.read(instruction.operands[2], Type::u32);
  op.site = add_site(trace::EventKind::guarded, instruction, index, block);
  code_.cluster_addresses.push_back(op);
  append(Code::cluster_address, code_.cluster_addresses.size() - 1, instruction, index);
  return true;
}

// Only for shared memory. Asynchronous stores to global memory (.mmio) are refused.
bool FunctionDecoder::decode_async_store(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  const bool reduces = instruction.opcode == ptx::opcodes::red_async;
  const auto& operands = instruction.operands;
  if (operands.size() != 3 || instruction.has("mmio") || !instruction.has("mbarrier::complete_tx::bytes")) return false;
  const Type type = instruction.type;
  AsyncStoreOp op;
  MemoryOp& memory = op.memory;
  const Address at = address(operands[0], Space::shared), object = address(operands[2], Space::shared);
  memory.space = Space::shared;
  memory.operation = reduces ? trace::Operation::reduction : trace::Operation::store;
  memory.whole_cluster = true;
  memory.address = at.slot;
  memory.offset = at.offset;
  memory.address64 = at.wide;
  op.mbarrier = {object.slot, object.offset, object.wide};
  memory.element_bytes = static_cast<std::uint8_t>(ptx::bytes_of(type));
  memory.elements = static_cast<std::uint8_t>(elements(operands[1]).size());
  memory.width = static_cast<std::uint8_t>(memory.element_bytes * memory.elements);
  if (reduces) {
    memory.apply = memory.apply_global = select_atomic(instruction.atomic, type, false);
    if (memory.apply == nullptr || !element_slots(operands[1], false, type, memory.b, memory.operand_bytes))
      return false;
  } else {
    if (!element_slots(operands[1], false, type, memory.value, memory.register_bytes)) return false;
    memory.store = lane_kernels().store({memory.element_bytes, memory.register_bytes, ptx::is_signed(type)});
    if (memory.store == nullptr) return false;
  }
  program_.uses_cluster = true;
  add_memory_site(memory, trace::MemorySpace::none, instruction, index, block);
  code_.async_stores.push_back(op);
  append(Code::async_store, code_.async_stores.size() - 1, instruction, index);
  return true;
}

}  // namespace lanescope::sim
