// Decodes operations on mbarrier objects, and bulk copies, most of which complete on such objects.

#include <algorithm>
#include <iterator>
#include <string_view>

#include "ptx/opcode.h"
#include "ptx/opcode_table.h"
#include "sim/decode/atomics.h"
#include "sim/decode/decoder.h"

namespace lanescope::sim {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::Type;
using Kind = ptx::Operand::Kind;

namespace {

// mbarrier.pending_count is the lowest 20 bits of the token (sim/warp/mbarrier.h).
template <bool is_full>
void pending_count(std::byte* registers, const Operation& operation, std::uint32_t mask) {
  const auto* tokens = reinterpret_cast<const std::uint64_t*>(registers + operation.a);
  auto* counts = reinterpret_cast<std::uint32_t*>(registers + operation.dst);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    if (is_full || (mask >> lane & 1u) != 0) counts[lane] = static_cast<std::uint32_t>(tokens[lane] & 0xfffff);
}

// Modifiers that a bulk copy may have here. Tensor copies and copies with a byte mask have others.
bool is_known_of_bulk_copies(std::string_view word) {
  constexpr std::string_view known[] = {
      "global",   "shared::cta", "shared::cluster",   "mbarrier::complete_tx::bytes", "bulk_group", "L2::cache_hint",
      "prefetch", "L2",          "multicast::cluster"};
  return std::ranges::find(known, word) != std::end(known);
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
  append_alu(operation, instruction, index, block);
  return true;
}

bool FunctionDecoder::decode_mbarrier(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  if (instruction.opcode == Opcode::mbarrier_pending_count) return decode_pending_count(instruction, index, block);
  MbarrierOp op;
  op.kind = kind_of(instruction.opcode);
  std::size_t next = 0;
  const auto& operands = instruction.operands;
  if (ptx::destination_count(instruction) != 0) {
    if (operands[next].kind == Kind::reg) op.dst = layout_.write(operands[next]);
    ++next;
  }
  if (next >= operands.size() || operands[next].kind != Kind::address) return false;
  const Address at = address(operands[next++], instruction.space);
  op.generic = instruction.space == Space::generic;
  op.address = at.slot;
  op.offset = at.offset;
  op.wide = at.wide;
  op.whole_cluster = op.generic || instruction.has("shared::cluster");
  op.parity = instruction.has("parity");
  op.expects = instruction.has("expect_tx");
  op.no_complete = instruction.has("noComplete");
  op.increments = !instruction.has("noinc");
  op.ordered = !instruction.has("relaxed");
  const bool waits = op.kind == MbarrierOp::Kind::test_wait || op.kind == MbarrierOp::Kind::try_wait;
  if (next < operands.size()) {
    const Type type = waits && !op.parity ? Type::b64 : Type::u32;
    if (layout_.register_bytes(operands[next], type) != ptx::bytes_of(type)) return false;
    op.value = layout_.read(operands[next], type);
  }
  op.guarded = instruction.guard.present();
  op.site = add_site(trace::EventKind::guarded, instruction, index, block);
  code_.mbarriers.push_back(op);
  append(Code::mbarrier, code_.mbarriers.size() - 1, instruction, index);
  return true;
}

// The modifiers that say what is done with the bytes; false if this is not known.
bool FunctionDecoder::decode_bulk_reduction(const Instruction& instruction, BulkCopyOp& op) {
  std::vector<std::string> words = instruction.modifiers;
  if (instruction.opcode == Opcode::cp_reduce_async_bulk) {
    // The last words are .add.noftz.f16 or .add.u32.
    const bool noftz = instruction.has("noftz");
    const bool half = instruction.type == Type::f16 || instruction.type == Type::bf16;
    if (words.size() < 4 || noftz != (half && instruction.atomic == ptx::AtomicOp::add)) return false;
    words.resize(words.size() - (noftz ? 3 : 2));
    const bool to_global = words.front() == "global";
    if (!to_global && words[1] != "shared::cta") return false;
    op.reduce = select_bulk_reduction(instruction.atomic, instruction.type, to_global);
    op.element_bytes = static_cast<std::uint8_t>(ptx::bytes_of(instruction.type));
    // Blocks add to each other's sums, so they must run one after the other.
    if (to_global) program_.blocks_may_communicate = true;
    if (op.reduce == nullptr || instruction.has("prefetch") || instruction.has("multicast::cluster")) return false;
  }
  return std::ranges::all_of(words, is_known_of_bulk_copies);
}

bool FunctionDecoder::decode_bulk_copy(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  if (instruction.has("commit_group") || instruction.has("wait_group")) return decode_order(instruction, index, block);
  BulkCopyOp op;
  if (!decode_bulk_reduction(instruction, op)) return false;
  const auto& operands = instruction.operands;
  std::size_t next = 0;
  const auto place = [&](Space space) {
    const Address at = address(operands[next++], space);
    return BulkCopyOp::Place{at.slot, at.offset, at.wide};
  };
  const auto is_address = [&](const Operand& operand) {
    if (operand.kind != Kind::address) return false;
    if (operand.reg == ptx::no_register) return true;
    const int bytes = slot_bytes_of(function_.registers[operand.reg].type);
    return bytes == 4 || bytes == 8;
  };
  // Whether the operands begin with `count` addresses and a number of bytes.
  const auto begins_with_addresses = [&](std::size_t count) {
    return operands.size() > count && (operands[count].kind == Kind::integer || operands[count].kind == Kind::reg) &&
           layout_.register_bytes(operands[count], Type::u32) == 4 &&
           std::all_of(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(count), is_address);
  };
  if (instruction.has("prefetch")) {
    if (!begins_with_addresses(1)) return false;
    op.way = BulkCopyOp::Way::prefetch;
    op.from = place(Space::global);
    op.bytes = layout_.read(operands[next], Type::u32);
  } else {
    if (!begins_with_addresses(2)) return false;
    const std::string& to = instruction.modifiers.front();
    const bool from_global = instruction.modifiers.size() > 1 && instruction.modifiers[1] == "global";
    op.way = to == "global" ? BulkCopyOp::Way::to_global
             : from_global  ? BulkCopyOp::Way::to_shared
                            : BulkCopyOp::Way::within_shared;
    const bool to_global = op.way == BulkCopyOp::Way::to_global;
    if (!instruction.has(to_global ? "bulk_group" : "mbarrier::complete_tx::bytes")) return false;
    op.to = place(to_global ? Space::global : Space::shared);
    op.from = place(from_global ? Space::global : Space::shared);
    op.bytes = layout_.read(operands[next++], Type::u32);
    if (!to_global) {
      if (next >= operands.size() || !is_address(operands[next])) return false;
      op.mbarrier = place(Space::shared);
      op.whole_cluster = to == "shared::cluster";
      if (instruction.has("multicast::cluster")) {
        if (next >= operands.size()) return false;
        if (layout_.register_bytes(operands[next], Type::u16) != 2) return false;
        op.mask = layout_.read(operands[next], Type::u16);
        program_.uses_cluster = true;
      }
    }
  }
  op.guarded = instruction.guard.present();
  op.site = add_site(trace::EventKind::guarded, instruction, index, block);
  code_.bulk_copies.push_back(op);
  append(Code::bulk_copy, code_.bulk_copies.size() - 1, instruction, index);
  return true;
}

}  // namespace lanescope::sim
