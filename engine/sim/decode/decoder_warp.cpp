// Decodes exchanges between lanes, barriers and calls.

#include <algorithm>

#include "ptx/opcode.h"
#include "ptx/opcode_table.h"
#include "ptx/source_line.h"
#include "sim/decode/decoder.h"

namespace lanescope::sim {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;
using Kind = ptx::Operand::Kind;
using Table = ptx::Operand::SymbolTable;

namespace {

// Reads the operands of an exchange in order. The functions return false where one is missing.
class ExchangeReader {
 public:
  ExchangeReader(const Instruction& instruction, FrameLayout& layout, ExchangeOp& to)
      : instruction_(instruction), operands_(instruction.operands), layout_(layout), to_(to) {}

  void destinations() {
    to_.dst = layout_.write(operands_[next_++]);
    if (left() > 0 && operands_[next_].paired) to_.dst2 = layout_.write(operands_[next_++]);
  }
  bool members() {
    if (left() < 1) return false;
    to_.same_members = operands_[next_].kind == Kind::integer;
    to_.members = source(Type::b32);
    return true;
  }
  bool shuffle() {
    destinations();
    if (left() < 3) return false;
    const Operand& value = operands_[next_];
    if (value.kind == Kind::reg && layout_.register_bytes(value, Type::b32) != 4) return false;
    to_.a = source(Type::b32);
    to_.b = source(Type::b32);
    to_.c = source(Type::b32);
    return instruction_.opcode != Opcode::shfl_sync || members();
  }
  bool vote() {
    destinations();
    if (left() < 1) return false;
    to_.negated = operands_[next_].negated;
    to_.a = source(Type::pred);
    return instruction_.opcode != Opcode::vote_sync || members();
  }
  bool value_and_members() {
    destinations();
    if (left() < 2) return false;
    to_.a = source(instruction_.type);
    return members();
  }

 private:
  std::size_t left() const { return operands_.size() - next_; }
  std::uint32_t source(Type type) { return layout_.read(operands_[next_++], type); }

  const Instruction& instruction_;
  const std::vector<Operand>& operands_;
  FrameLayout& layout_;
  ExchangeOp& to_;
  std::size_t next_ = 0;
};

// A tile of several warps meets in sync_warps_last_releases() of cooperative groups: lane 0 acquires what the other
// warps wrote, and a shuffle tells its warp. PTX gives a shuffle no order of memory, but NVIDIA's header relies on it,
// and no change of the user's code could add one.
bool synchronises_tile(const ptx::Module& module, const Instruction& instruction) {
  return std::ranges::any_of(module.files, [&](const std::string& file) {
    return ptx::is_header(file, "cooperative_groups/details/sync.h") &&
           ptx::line_in(module, instruction.source, file) != 0;
  });
}

}  // namespace

bool FunctionDecoder::decode_exchange(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  ExchangeOp exchange;
  exchange.type = instruction.type;
  exchange.shuffle = instruction.shuffle;
  exchange.vote = instruction.vote;
  exchange.reduce = instruction.atomic;
  ExchangeReader reader(instruction, layout_, exchange);
  auto kind = trace::EventKind::vote;
  Code code{};
  bool complete = true;
  switch (instruction.opcode) {
    case Opcode::bar_warp_sync:
      kind = trace::EventKind::barrier;
      code = Code::warp_barrier;
      exchange.orders = true;
      complete = reader.members();
      break;
    case Opcode::shfl:
    case Opcode::shfl_sync:
      kind = trace::EventKind::shuffle;
      code = Code::shuffle;
      exchange.orders = synchronises_tile(program_.module, instruction);
      complete = reader.shuffle();
      break;
    case Opcode::vote:
    case Opcode::vote_sync:
      code = Code::vote;
      complete = reader.vote();
      break;
    case Opcode::match:
      code = Code::match;
      exchange.all = instruction.has("all");
      complete = reader.value_and_members();
      break;
    case Opcode::redux:
      code = Code::redux;
      exchange.absolute = instruction.has("abs");
      exchange.nan = instruction.nan;
      complete = reader.value_and_members();
      break;
    case Opcode::activemask:
      code = Code::activemask;
      reader.destinations();
      break;
    case Opcode::elect:
      code = Code::elect;
      reader.destinations();
      complete = reader.members();
      break;
    default:
      return false;
  }
  if (!complete) return false;
  exchange.site = add_site(kind, instruction, index, block);
  code_.exchanges.push_back(exchange);
  append(code, code_.exchanges.size() - 1, instruction, index);
  return true;
}

bool FunctionDecoder::decode_barrier(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  BarrierOp barrier;
  const auto& operands = instruction.operands;
  std::size_t next = 0;
  barrier.aligned = instruction.has("aligned") || instruction.opcode == Opcode::bar_sync ||
                    instruction.opcode == Opcode::bar_arrive || instruction.opcode == Opcode::bar_red;
  switch (instruction.opcode) {
    case Opcode::bar_sync:
    case Opcode::barrier_sync:
      break;
    case Opcode::bar_arrive:
    case Opcode::barrier_arrive:
      barrier.waits = false;
      break;
    case Opcode::bar_red:
    case Opcode::barrier_red: {
      using Reduce = BarrierOp::Reduce;
      barrier.reduce = instruction.has("popc") ? Reduce::popc : instruction.has("and") ? Reduce::all : Reduce::any;
      barrier.dst = layout_.write(operands[next++]);
      const Operand& predicate = operands.back();
      barrier.negated = predicate.negated;
      barrier.predicate = layout_.read(predicate, Type::pred);
      break;
    }
    case Opcode::barrier_cluster_arrive:
    case Opcode::barrier_cluster_wait:
      return decode_cluster_barrier(instruction, index, block);
    default:
      return false;
  }
  const std::size_t end = operands.size() - (barrier.predicate != 0 ? 1 : 0);
  if (next >= end) return false;
  const auto is_number = [](const Operand& operand) { return operand.kind == Kind::integer; };
  barrier.same_in_all = std::all_of(operands.begin() + static_cast<std::ptrdiff_t>(next),
                                    operands.begin() + static_cast<std::ptrdiff_t>(end), is_number);
  barrier.number = layout_.read(operands[next++], Type::u32);
  if (next < end) barrier.count = layout_.read(operands[next], Type::u32);
  barrier.of_whole_block =
      barrier.same_in_all && barrier.waits && barrier.count == 0 && barrier.reduce == BarrierOp::Reduce::none;
  barrier.site = add_site(trace::EventKind::barrier, instruction, index, block);
  code_.barriers.push_back(barrier);
  append(Code::barrier, code_.barriers.size() - 1, instruction, index);
  return true;
}

DeviceFunction device_function(std::string_view name) {
  if (name == "vprintf") return DeviceFunction::vprintf;
  if (name == "__assertfail") return DeviceFunction::assertfail;
  if (name == "malloc") return DeviceFunction::malloc;
  if (name == "free") return DeviceFunction::free;
  return DeviceFunction::none;
}

bool FunctionDecoder::decode_call(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  CallOp call;
  call.instruction = &instruction;
  if (instruction.operands.empty()) return false;
  const Operand& callee = instruction.operands[0];
  const std::vector<ptx::Parameter>* declared = nullptr;
  if (callee.kind == Kind::symbol) {
    const auto number = static_cast<std::size_t>(callee.symbol);
    const ptx::Function* target =
        callee.symbol_table == Table::module_function && number < program_.module.functions.size()
            ? &program_.module.functions[number]
            : program_.module.find_function(callee.name);
    if (target != nullptr) declared = &target->parameters;
    if (target == nullptr || target->is_declaration) call.device_function = device_function(callee.name);
    // Whether the heap is full depends on earlier allocations, and only one host thread may change the heap.
    if (call.device_function == DeviceFunction::malloc) program_.blocks_may_communicate = true;
    if (call.device_function == DeviceFunction::none) {
      for (const auto& function : program_.functions)
        if (function->source == target) call.callee = function->index;
      if (call.callee < 0) return false;
    }
  } else if (callee.kind == Kind::reg) {
    if (layout_.register_bytes(callee, Type::u64) != 8) return false;
    call.pointer = layout_.register_slot(callee.reg);
    if (const Operand& list = instruction.operands.at(1); list.symbol_table == Table::call_prototype)
      declared = &function_.call_prototypes[static_cast<std::size_t>(list.symbol)].parameters;
  } else {
    return false;
  }
  for (const Operand& operand : instruction.call_arguments) {
    CallOp::Value value;
    if (operand.kind == Kind::symbol && operand.symbol_table == Table::parameter && function_.is_entry) {
      const ptx::Parameter& parameter = function_.parameters[static_cast<std::size_t>(operand.symbol)];
      const int bytes = static_cast<int>(parameter.bytes());
      if (bytes != 4 && bytes != 8) return false;
      value.slot = layout_.parameter(static_cast<std::uint32_t>(parameter.offset), bytes, bytes, false);
      value.register_bytes = static_cast<std::uint8_t>(bytes);
    } else if (operand.kind == Kind::symbol) {
      value.area = area_of(operand);
      if (value.area.area == 0) return false;
    } else {
      // A number has the type of the parameter that it is passed for.
      Type type = Type::b64;
      if (const std::size_t i = call.arguments.size(); declared != nullptr && i < declared->size())
        type = (*declared)[i].type;
      if (operand.kind == Kind::reg) type = function_.registers[operand.reg].type;
      value.slot = layout_.read(operand, type);
      value.register_bytes = static_cast<std::uint8_t>(slot_bytes_of(type));
    }
    call.arguments.push_back(value);
  }
  for (const Operand& operand : instruction.call_results) {
    CallOp::Value& value = call.results.emplace_back();
    if (operand.kind == Kind::reg) {
      value.slot = layout_.write(operand);
      value.register_bytes = static_cast<std::uint8_t>(slot_bytes_of(function_.registers[operand.reg].type));
    } else if (operand.kind != Kind::sink) {
      value.area = area_of(operand);
      if (value.area.area == 0) return false;
    }
  }
  call.site = guarded_site(instruction, index, block);
  code_.calls.push_back(std::move(call));
  append(Code::call, code_.calls.size() - 1, instruction, index);
  return true;
}

}  // namespace lanescope::sim
