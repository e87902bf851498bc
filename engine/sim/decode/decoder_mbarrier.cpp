// Decoding of mbarrier objects and of bulk copies, which mostly complete on them.

#include "ptx/opcode.h"
#include "ptx/opcode_table.h"
#include "sim/decode/decoder.h"

namespace lanescope::sim {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::Type;
using Kind = ptx::Operand::Kind;

namespace {

// mbarrier.pending_count: the lowest 20 bits of the token (sim/warp/mbarrier.h).
template <bool is_full>
void pending_count(std::byte* registers, const Operation& operation, std::uint32_t mask) {
  const auto* tokens = reinterpret_cast<const std::uint64_t*>(registers + operation.a);
  auto* counts = reinterpret_cast<std::uint32_t*>(registers + operation.dst);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    if (is_full || (mask >> lane & 1u) != 0) counts[lane] = static_cast<std::uint32_t>(tokens[lane] & 0xfffff);
}

MbarrierOp::Kind kind_of(Opcode opcode) {
  using K = MbarrierOp::Kind;
  switch (opcode) {
    case Opcode::mbarrier_init:
      return K::init;
    case Opcode::mbarrier_inval:
      return K::inval;
    case Opcode::mbarrier_expect_tx:
      return K::expect_tx;
    case Opcode::mbarrier_complete_tx:
      return K::complete_tx;
    case Opcode::mbarrier_arrive:
      return K::arrive;
    case Opcode::mbarrier_arrive_drop:
      return K::arrive_drop;
    case Opcode::mbarrier_test_wait:
      return K::test_wait;
    case Opcode::mbarrier_try_wait:
      return K::try_wait;
    default:
      return K::copies_arrive;
  }
}

}  // namespace

bool FunctionDecoder::decode_pending_count(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  Operation operation;
  operation.full = pending_count<true>;
  operation.masked = pending_count<false>;
  operation.dst = layout_.write(instruction.operands[0]);
  operation.a = layout_.read(instruction.operands[1], Type::b64);
  operation.kind = OperationKind::alu;
  set_guard(operation, instruction);
  if (instruction.guard.present()) {
    operation.kind = OperationKind::alu_guarded;
    operation.index = guarded_site(instruction, index, block);
  }
  code_.operations.push_back(operation);
  code_.instruction_of.push_back(index);
  return true;
}

bool FunctionDecoder::decode_mbarrier(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  if (instruction.opcode == Opcode::mbarrier_pending_count) return decode_pending_count(instruction, index, block);
  MbarrierOp op;
  op.kind = kind_of(instruction.opcode);
  std::size_t next = 0;
  const auto& operands = instruction.operands;
  if (ptx::destination_count(instruction) != 0) op.dst = layout_.write(operands[next++]);
  if (next >= operands.size() || operands[next].kind != Kind::address) return false;
  const Address at = address(operands[next++], instruction.space);
  op.generic = instruction.space == Space::generic;
  op.address = at.slot;
  op.offset = at.offset;
  op.wide = at.wide;
  op.parity = instruction.has("parity");
  op.expects = instruction.has("expect_tx");
  op.no_complete = instruction.has("noComplete");
  op.increments = !instruction.has("noinc");
  op.ordered = !instruction.has("relaxed");
  const bool waits = op.kind == MbarrierOp::Kind::test_wait || op.kind == MbarrierOp::Kind::try_wait;
  if (next < operands.size()) op.value = layout_.read(operands[next], waits && !op.parity ? Type::b64 : Type::u32);
  op.guarded = instruction.guard.present();
  op.site = add_site(trace::EventKind::guarded, instruction, index, block);
  code_.mbarriers.push_back(op);
  append(Code::mbarrier, code_.mbarriers.size() - 1, instruction, index);
  return true;
}

// Tensor copies and copies to several blocks of a cluster are refused.
bool FunctionDecoder::decode_bulk_copy(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  if (instruction.has("commit_group") || instruction.has("wait_group")) return decode_order(instruction, index, block);
  for (const char* unknown : {"tensor", "multicast::cluster", "cp_mask"})
    if (instruction.has(unknown)) return false;
  const auto& operands = instruction.operands;
  BulkCopyOp op;
  std::size_t next = 0;
  const auto place = [&](Space space) {
    const Address at = address(operands[next++], space);
    return BulkCopyOp::Place{at.slot, at.offset, at.wide};
  };
  const auto are_addresses = [&](std::size_t count) {
    if (operands.size() < count + 1) return false;
    for (std::size_t i = 0; i < count; ++i)
      if (operands[i].kind != Kind::address) return false;
    return true;
  };
  if (instruction.has("prefetch")) {
    if (!are_addresses(1)) return false;
    op.way = BulkCopyOp::Way::prefetch;
    op.from = place(Space::global);
    op.bytes = layout_.read(operands[next], Type::u32);
  } else {
    if (!are_addresses(2)) return false;
    const std::string& to = instruction.modifiers.front();
    const bool from_global = instruction.modifiers.size() > 1 && instruction.modifiers[1] == "global";
    op.way = to == "global" ? BulkCopyOp::Way::to_global
             : from_global  ? BulkCopyOp::Way::to_shared
                            : BulkCopyOp::Way::within_shared;
    const bool to_global = op.way == BulkCopyOp::Way::to_global;
    op.to = place(to_global ? Space::global : Space::shared);
    op.from = place(from_global ? Space::global : Space::shared);
    op.bytes = layout_.read(operands[next++], Type::u32);
    if (!to_global) {
      if (next >= operands.size() || operands[next].kind != Kind::address) return false;
      op.mbarrier = place(Space::shared);
    }
  }
  op.guarded = instruction.guard.present();
  op.site = add_site(trace::EventKind::guarded, instruction, index, block);
  code_.bulk_copies.push_back(op);
  append(Code::bulk_copy, code_.bulk_copies.size() - 1, instruction, index);
  return true;
}

}  // namespace lanescope::sim
