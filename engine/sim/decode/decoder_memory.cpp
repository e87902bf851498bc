// Decodes all instructions that access memory.

#include <algorithm>

#include "ptx/opcode.h"
#include "ptx/opcode_table.h"
#include "sim/decode/atomics.h"
#include "sim/decode/decoder.h"
#include "sim/memory/address_space.h"

namespace lanescope::sim {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::Type;
using Kind = ptx::Operand::Kind;
using Table = ptx::Operand::SymbolTable;

namespace {

trace::MemorySpace declared(Space space) {
  switch (space) {
    case Space::global:
      return trace::MemorySpace::global;
    case Space::shared:
      return trace::MemorySpace::shared;
    case Space::local:
      return trace::MemorySpace::local;
    case Space::constant:
      return trace::MemorySpace::constant;
    case Space::param:
      return trace::MemorySpace::param;
    default:
      return trace::MemorySpace::none;
  }
}

bool is_ordered(const Instruction& instruction) {
  return instruction.is_volatile || instruction.has("acquire") || instruction.has("relaxed") ||
         instruction.has("release") || instruction.has("acq_rel") || instruction.has("mmio");
}

bool in_reach_of_others(Space space) {
  return space == Space::global || space == Space::generic;
}

// ld.param with an address in a register: in a device function it is one of a copy in local memory (local_layout.h).
Space space_of(const Instruction& instruction, const ptx::Function& function) {
  const bool of_function = !function.is_entry && !instruction.has("param::entry");
  return instruction.space == Space::param && of_function ? Space::local : instruction.space;
}

bool reaches_cluster(const Instruction& instruction) {
  return instruction.space == Space::generic || instruction.has("shared::cluster");
}

}  // namespace

FunctionDecoder::Address FunctionDecoder::address(const Operand& operand, Space space) {
  Address result;
  result.offset = static_cast<std::uint64_t>(operand.integer);
  if (operand.reg != ptx::no_register) {
    result.slot = layout_.register_slot(operand.reg);
    result.wide = slot_bytes_of(function_.registers[operand.reg].type) == 8;
    return result;
  }
  if (operand.symbol_table == Table::none) {
    result.slot =
        space == Space::shared ? layout_.shared_address(result.offset, 8) : layout_.constant(result.offset, 8);
    result.offset = 0;
    return result;
  }
  Operand symbol = operand;
  symbol.kind = Kind::symbol;
  symbol.integer = 0;
  SymbolAddress at = layout_.resolve_symbol(symbol);
  // The value of a symbol is an address in the symbol's space. A generic access needs its generic address.
  if (space == Space::generic && operand.symbol_table != Table::parameter) {
    const bool in_module = operand.symbol_table == Table::module;
    const auto& variables = in_module ? program_.module.variables : function_.variables;
    const ptx::Variable& variable = variables[static_cast<std::size_t>(operand.symbol)];
    if (variable.space == Space::shared) at.value += address_space::shared_window;
    if (variable.space == Space::local) at.value += address_space::local_window;
  }
  result.slot = at.local    ? layout_.local_address(at.value, 8)
                : at.shared ? layout_.shared_address(at.value, 8)
                            : layout_.constant(at.value, 8);
  return result;
}

// The slots of a value, which may be a vector. False if the elements do not fit together.
bool FunctionDecoder::element_slots(const Operand& operand, bool written, Type type,
                                    std::array<std::uint32_t, 8>& slots, std::uint8_t& register_bytes) {
  const std::vector<const Operand*> list = elements(operand);
  if (list.size() > slots.size()) return false;
  int bytes = 0;
  for (const Operand* element : list)
    if (element->kind == Kind::reg) bytes = std::max(bytes, layout_.register_bytes(*element, type));
  if (bytes == 0) bytes = slot_bytes_of(type);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i]->kind == Kind::reg && layout_.register_bytes(*list[i], type) != bytes) return false;
    // A literal gets the width of the registers next to it.
    const Type as = bytes == 2 ? Type::b16 : bytes == 4 ? Type::b32 : bytes == 8 ? Type::b64 : Type::b128;
    const bool literal_float = list[i]->kind == Kind::real;
    slots[i] = written ? layout_.write(*list[i]) : layout_.read(*list[i], literal_float ? type : as);
  }
  register_bytes = static_cast<std::uint8_t>(bytes);
  return true;
}

bool FunctionDecoder::decode_memory(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  const bool is_load = instruction.opcode != Opcode::st;
  if (instruction.opcode == Opcode::ldu || instruction.opcode == Opcode::ld || instruction.opcode == Opcode::st) {
    if (instruction.operands.size() < 2) return false;
  } else {
    return false;
  }
  const Operand& value = instruction.operands[is_load ? 0 : 1];
  const Operand& place = instruction.operands[is_load ? 1 : 0];
  if (place.kind != Kind::address || instruction.type == Type::pred) return false;
  MemoryOp memory;
  memory.space = space_of(instruction, function_);
  memory.operation = is_load ? trace::Operation::load : trace::Operation::store;
  memory.whole_cluster = reaches_cluster(instruction);
  memory.polling = is_load && is_ordered(instruction);
  const Address at = address(place, memory.space);
  memory.address = at.slot;
  memory.offset = at.offset;
  memory.address64 = at.wide;
  std::uint8_t register_bytes = 0;
  if (!element_slots(value, is_load, instruction.type, memory.value, register_bytes)) return false;
  std::size_t count = elements(value).size();
  int element_bytes = ptx::bytes_of(instruction.type);
  if (element_bytes == 16) {
    if (count != 1 || register_bytes != 16) return false;
    element_bytes = register_bytes = 8;
    memory.value[1] = memory.value[0] + 256;
    count = 2;
  }
  memory.element_bytes = static_cast<std::uint8_t>(element_bytes);
  memory.elements = static_cast<std::uint8_t>(count);
  memory.width = static_cast<std::uint8_t>(static_cast<std::size_t>(element_bytes) * count);
  memory.register_bytes = register_bytes;
  memory.simple = count == 1 && !memory.polling;
  const TransferShape shape{element_bytes, register_bytes, ptx::is_signed(instruction.type)};
  if (is_load)
    memory.load = lane_kernels().load(shape);
  else
    memory.store = lane_kernels().store(shape);
  if (memory.load == nullptr && memory.store == nullptr) return false;
  if (memory.simple && (memory.space == ptx::Space::global || memory.space == ptx::Space::shared))
    memory.move_range = is_load ? lane_kernels().load_range(shape) : lane_kernels().store_range(shape);

  add_memory_site(memory, declared(memory.space), instruction, index, block);
  if (is_ordered(instruction) && in_reach_of_others(memory.space)) program_.blocks_may_communicate = true;
  code_.memory.push_back(memory);
  append(is_load ? Code::load : Code::store, code_.memory.size() - 1, instruction, index);
  return true;
}

// ld.param and st.param with a name. Kernel parameters are constants; parameters of a call sequence are in the frame.
// Returns false if the address is in a register.
bool FunctionDecoder::decode_parameter(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  const bool is_load = instruction.opcode == Opcode::ld;
  if (instruction.operands.size() < 2) return false;
  const Operand& value = instruction.operands[is_load ? 0 : 1];
  const Operand& place = instruction.operands[is_load ? 1 : 0];
  if (place.kind != Kind::address || place.reg != ptx::no_register) return false;
  const int memory_bytes = ptx::bytes_of(instruction.type);
  const std::vector<const Operand*> list = elements(value);
  if (memory_bytes == 0 || memory_bytes > 8) return false;

  if (is_load && is_kernel_parameter(place)) {
    ParameterLoad load;
    load.offset = parameter_offset(place);
    load.width = static_cast<std::uint8_t>(static_cast<std::size_t>(memory_bytes) * list.size());
    load.site = add_site(trace::EventKind::memory, instruction, index, block);
    trace::Site& site = program_.sites[load.site];
    site.operation = trace::Operation::load;
    site.space = trace::MemorySpace::param;
    site.width = load.width;
    site.element_width = static_cast<std::uint8_t>(memory_bytes);
    std::uint32_t offset = load.offset;
    for (const Operand* element : list) {
      const int bytes = layout_.register_bytes(*element, instruction.type);
      if (element->kind == Kind::reg && !layout_.aliased(element->reg))
        load.copies.push_back({layout_.write(*element),
                               layout_.parameter(offset, memory_bytes, bytes, ptx::is_signed(instruction.type)),
                               static_cast<std::uint8_t>(bytes)});
      offset += static_cast<std::uint32_t>(memory_bytes);
    }
    const bool copies = !load.copies.empty();
    code_.parameter_loads.push_back(std::move(load));
    append(Code::parameter_load, code_.parameter_loads.size() - 1, instruction, index).extra = copies ? 1 : 0;
    return true;
  }

  const CallOp::Area area = area_of(place);
  if (area.area == 0) return false;
  FrameAccess access;
  access.area = area.area;
  access.offset = static_cast<std::uint32_t>(place.integer);
  access.element_bytes = static_cast<std::uint8_t>(memory_bytes);
  access.elements = static_cast<std::uint8_t>(list.size());
  access.is_signed = ptx::is_signed(instruction.type);
  if (access.offset + static_cast<std::uint32_t>(memory_bytes) * list.size() > address_space::align_up(area.bytes, 4))
    return false;
  if (!element_slots(value, is_load, instruction.type, access.value, access.register_bytes)) return false;
  access.site = guarded_site(instruction, index, block);
  code_.frame_accesses.push_back(access);
  append(is_load ? Code::frame_load : Code::frame_store, code_.frame_accesses.size() - 1, instruction, index);
  return true;
}

// The frame bytes that a .param symbol names. Area 0 if it names none.
CallOp::Area FunctionDecoder::area_of(const Operand& operand) const {
  const auto i = static_cast<std::size_t>(operand.symbol);
  switch (operand.symbol_table) {
    case Table::function:
      return {variable_area_[i], static_cast<std::uint32_t>(function_.variables[i].bytes())};
    case Table::parameter:
      return function_.is_entry ? CallOp::Area{} : code_.parameters[i].area;
    case Table::result:
      return code_.results[i].area;
    default:
      return {};
  }
}

bool FunctionDecoder::decode_atomic(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  const bool has_result = instruction.opcode == Opcode::atom;
  if (!has_result && instruction.opcode != Opcode::red) return false;
  const std::size_t place = has_result ? 1 : 0;
  const bool swap = instruction.atomic == ptx::AtomicOp::cas;
  if (instruction.operands.size() < place + (swap ? 3u : 2u)) return false;
  const Type type = instruction.type;
  MemoryOp memory;
  memory.space = instruction.space;
  memory.whole_cluster = reaches_cluster(instruction);
  // exch and cas of 16 bytes have no function: the worker does them.
  const bool wide = type == Type::b128 && (swap || instruction.atomic == ptx::AtomicOp::exch);
  memory.apply = select_atomic(instruction.atomic, type, false);
  memory.apply_global = select_atomic(instruction.atomic, type, true);
  if (memory.apply == nullptr && !wide) return false;
  const Address at = address(instruction.operands[place], instruction.space);
  memory.address = at.slot;
  memory.offset = at.offset;
  memory.address64 = at.wide;
  memory.element_bytes = static_cast<std::uint8_t>(ptx::bytes_of(type));
  const Operand& b = instruction.operands[place + 1];
  const std::size_t count = elements(b).size();
  if (wide && count != 1) return false;
  memory.elements = static_cast<std::uint8_t>(count);
  memory.width = static_cast<std::uint8_t>(memory.element_bytes * count);
  if (!element_slots(b, false, type, memory.b, memory.operand_bytes)) return false;
  std::uint8_t bytes = memory.operand_bytes;
  if (swap && !element_slots(instruction.operands[place + 2], false, type, memory.c, bytes)) return false;
  if (bytes != memory.operand_bytes) return false;
  const bool used = has_result && result_is_read(instruction.operands[0]);
  if (used) {
    if (!element_slots(instruction.operands[0], true, type, memory.value, bytes)) return false;
    if (bytes != memory.operand_bytes) return false;
  }
  if (wide && memory.operand_bytes != 16) return false;
  if (wide) memory.operand_bytes = 8;  // of each half
  // The hardware executes an atomic whose result is not used as a reduction (RED). This does not apply to 16-bit floats
  // and exchanges, as an H200's counters show.
  const bool exchange = swap || instruction.atomic == ptx::AtomicOp::exch;
  const bool half = type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2;
  memory.operation =
      used || ((half || exchange) && has_result) ? trace::Operation::atomic : trace::Operation::reduction;
  memory.polling = used;
  add_memory_site(memory, declared(instruction.space), instruction, index, block);
  if (instruction.space == Space::shared || instruction.space == Space::generic)
    program_.sites[memory.site].turns = turns_.of(static_cast<std::size_t>(index), used);
  if (used && in_reach_of_others(instruction.space)) program_.blocks_may_communicate = true;
  code_.memory.push_back(memory);
  append(Code::atomic, code_.memory.size() - 1, instruction, index);
  return true;
}

bool FunctionDecoder::decode_async_copy(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  switch (instruction.opcode) {
    case Opcode::cp_async_commit_group:
    case Opcode::cp_async_wait_group:
    case Opcode::cp_async_wait_all:
      return decode_order(instruction, index, block);
    case Opcode::cp_async:
      break;
    case Opcode::st_async:
    case Opcode::red_async:
      return decode_async_store(instruction, index, block);
    case Opcode::cp_async_bulk:
    case Opcode::cp_reduce_async_bulk:
      return instruction.has("tensor") ? decode_tensor_copy(instruction, index, block)
                                       : decode_bulk_copy(instruction, index, block);
    default:
      return false;
  }
  if (instruction.operands.size() < 3) return false;
  MemoryOp memory;
  memory.operation = trace::Operation::async_copy;
  memory.space = Space::shared;
  const Address to = address(instruction.operands[0], Space::shared);
  const Address from = address(instruction.operands[1], Space::global);
  memory.address = to.slot;
  memory.offset = to.offset;
  memory.address64 = to.wide;
  memory.source = from.slot;
  memory.source_offset = from.offset;
  memory.source64 = from.wide;
  memory.width = memory.element_bytes = static_cast<std::uint8_t>(instruction.operands[2].integer);
  if (memory.width != 4 && memory.width != 8 && memory.width != 16) return false;
  const bool hint = instruction.has("L2::cache_hint");
  const std::size_t given = instruction.operands.size() - (hint ? 1 : 0);
  if (given > 3) {
    const Operand& fourth = instruction.operands[3];
    const bool predicate = fourth.kind == Kind::reg && function_.registers[fourth.reg].type == Type::pred;
    if (predicate) {
      if (fourth.negated) return false;
      memory.ignore_source = layout_.read(fourth, Type::pred);
    } else if (!(fourth.kind == Kind::integer && fourth.integer == memory.width)) {
      memory.source_bytes = layout_.read(fourth, Type::u32);
    }
  }
  add_memory_site(memory, trace::MemorySpace::global, instruction, index, block);
  code_.memory.push_back(memory);
  append(Code::async_copy, code_.memory.size() - 1, instruction, index);
  return true;
}

bool FunctionDecoder::decode_order(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  OrderOp order;
  switch (instruction.opcode) {
    case Opcode::membar:
    case Opcode::fence:
      if (instruction.has("proxy") && (instruction.has("async") || instruction.has("async::generic")) &&
          !instruction.has("global")) {
        order.kind = OrderOp::Kind::proxy_fence;
        break;
      }
      // Other proxy fences order accesses by paths to memory that the interpreter does not model.
      if (instruction.has("proxy")) return decode_nothing(instruction, index, block);
      // (fence.mbarrier_init releases the initialisation of mbarrier objects; here, all that came before.)
      order.acquires = !instruction.has("release");
      order.releases = !instruction.has("acquire");
      order.narrow = instruction.has("cta");
      // From sm_70 on, membar is fence.sc.
      order.sequential = instruction.opcode == Opcode::membar || instruction.has("sc");
      break;
    case Opcode::cp_async_commit_group:
      order.kind = OrderOp::Kind::commit;
      break;
    case Opcode::cp_async_bulk: {
      const bool commits = instruction.has("commit_group");
      order.kind = commits ? OrderOp::Kind::bulk_commit : OrderOp::Kind::bulk_wait;
      order.only_reads = instruction.has("read");
      if (!commits && !instruction.operands.empty())
        order.groups = static_cast<std::uint32_t>(instruction.operands[0].integer);
      break;
    }
    case Opcode::wgmma_fence:
      order.kind = OrderOp::Kind::product_fence;
      break;
    case Opcode::wgmma_commit_group:
      order.kind = OrderOp::Kind::product_commit;
      break;
    case Opcode::wgmma_wait_group:
      order.kind = OrderOp::Kind::product_wait;
      order.groups = static_cast<std::uint32_t>(instruction.operands[0].integer);
      break;
    default:
      order.kind = OrderOp::Kind::wait;
      order.all = instruction.opcode == Opcode::cp_async_wait_all;
      if (!order.all && !instruction.operands.empty())
        order.groups = static_cast<std::uint32_t>(instruction.operands[0].integer);
  }
  order.site = guarded_site(instruction, index, block);
  code_.orders.push_back(order);
  const bool waits = order.kind == OrderOp::Kind::product_wait;
  append(waits ? Code::product_wait : Code::order, code_.orders.size() - 1, instruction, index);
  return true;
}

}  // namespace lanescope::sim
