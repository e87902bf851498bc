#include "sim/decode/decoder.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/worded.h"
#include "ptx/opcode.h"
#include "ptx/opcode_table.h"
#include "ptx/register_use.h"
#include "sim/memory/address_space.h"

namespace lanescope::sim {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::Type;
using Kind = ptx::Operand::Kind;
using Table = ptx::Operand::SymbolTable;

std::vector<bool> reachable_blocks(const cfg::ControlFlowGraph& graph) {
  std::vector<bool> reached(graph.blocks.size(), false);
  std::vector<std::int32_t> work;
  if (!graph.blocks.empty()) {
    reached[0] = true;
    work.push_back(0);
  }
  while (!work.empty()) {
    const std::int32_t block = work.back();
    work.pop_back();
    for (std::int32_t next : graph.blocks[block].successors)
      if (!reached[next]) {
        reached[next] = true;
        work.push_back(next);
      }
  }
  return reached;
}

FunctionDecoder::FunctionDecoder(Program& program, FunctionCode& code, const cfg::ControlFlowGraph& graph,
                                 std::function<SymbolAddress(const ptx::Function&, const ptx::Operand&)> symbol)
    : program_(program),
      code_(code),
      function_(*code.source),
      graph_(graph),
      layout_(*code.source, code),
      turns_(function_, graph) {
  layout_.resolve_symbol = [this, symbol = std::move(symbol)](const Operand& operand) {
    return symbol(function_, operand);
  };
}

void FunctionDecoder::decode(Diagnostics& errors) {
  code_.blocks.resize(graph_.blocks.size());
  const std::vector<bool> reached = reachable_blocks(graph_);
  for (std::size_t b = 0; b < reached.size(); ++b) code_.blocks[b].reachable = reached[b];
  count_registers();
  choose_aliases();
  reserve_slots();
  layout_.begin_constants();
  make_aliases();
  find_uncleared();

  for (std::size_t b = 0; b < graph_.blocks.size(); ++b) {
    BlockCode& block = code_.blocks[b];
    block.counter = program_.counters++;
    if (!block.reachable) continue;
    const cfg::BasicBlock& shape = graph_.blocks[b];
    const auto number = static_cast<std::int32_t>(b);
    block.first = static_cast<std::uint32_t>(code_.operations.size());
    block.instructions = static_cast<std::uint32_t>(shape.end - shape.first);
    block.first_instruction = shape.first;
    if (shape.first < shape.end) {
      block.site = add_site(trace::EventKind::block_entry, function_.instructions[shape.first], shape.first, number);
      trace::Site& site = program_.sites[block.site];
      site.instruction_count = static_cast<std::int32_t>(block.instructions);
      site.opcode = "entry";
    }
    first_accesses_ = {};
    for (std::int32_t i = shape.first; i < shape.end; ++i) {
      const std::size_t accesses = code_.memory.size();
      if (!decode_instruction(i, number)) refuse(i, number, errors);
      share_pattern(function_.instructions[i], accesses);
    }
    end_block(number);
  }
  layout_.finish();
  for (Operation& operation : code_.operations) {
    if (is_access(operation)) operation.immediate = reinterpret_cast<std::uintptr_t>(&code_.memory[operation.index]);
    if (ends_block(operation)) operation.immediate = reinterpret_cast<std::uintptr_t>(&code_.branches[operation.index]);
  }
  for (BlockCode& block : code_.blocks) block.begin = code_.operations.data() + block.first;
  const auto is_of_cluster = [](const SpecialSlot& slot) {
    using S = ptx::SpecialRegister;
    return slot.special >= S::is_explicit_cluster && slot.special <= S::nclusterid_z;
  };
  program_.uses_cluster |= std::ranges::any_of(code_.launch_specials, is_of_cluster) ||
                           std::ranges::any_of(code_.warp_specials, is_of_cluster);
  for (const SpecialSlot& slot : code_.launch_specials) {
    program_.uses_grid_workspace |= slot.special == ptx::SpecialRegister::envreg;
    program_.uses_reserved_shared |= slot.special == ptx::SpecialRegister::reserved_smem_offset;
  }
}

// Sets MemoryOp::kept_at if the instruction became a memory access: accesses with the same address share a pattern.
void FunctionDecoder::share_pattern(const Instruction& instruction, std::size_t accesses_before) {
  // A generic access has no fixed space: it becomes an access to the space of its addresses.
  if (code_.memory.size() != accesses_before && code_.memory.back().operation != trace::Operation::async_copy &&
      code_.memory.back().space != Space::generic) {
    MemoryOp& memory = code_.memory.back();
    const auto first = std::find_if(first_accesses_.begin(), first_accesses_.end(),
                                    [&](const FirstAccess& one) { return one.slot == memory.address; });
    if (first != first_accesses_.end()) {
      const auto place = static_cast<std::int8_t>(first - first_accesses_.begin());
      code_.memory[first->access].kept_at = memory.kept_at = place;
      memory.as_kept = true;
    } else if (!instruction.guard.present()) {
      first_accesses_[oldest_first_access_] = {memory.address, code_.memory.size() - 1};
      oldest_first_access_ = (oldest_first_access_ + 1) % kept_patterns;
    }
  }
  for (const ptx::RegisterId written : ptx::registers_of(instruction).written)
    for (FirstAccess& first : first_accesses_)
      if (first.slot == layout_.register_slot(written)) first.slot = 0;
}

namespace {

// Suggests an instruction that does the same and is interpreted; else a way around this one.
Wording instead_of(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::wgmma:
    case Opcode::tcgen05:
      return "Use the tensor cores by warp instead: nvcuda::wmma, or mma.sync as CUTLASS does for sm_80. Where the "
             "code "
             "chooses by __CUDA_ARCH__, an architecture of sm_80 takes that way.";
    case Opcode::tex:
    case Opcode::tld4:
    case Opcode::txq:
    case Opcode::suld:
    case Opcode::sust:
    case Opcode::sured:
    case Opcode::suq:
      return "Textures and surfaces of one to three dimensions, with layers, with mipmaps and of cube maps are known, "
             "by "
             "texture and surface objects; sparse textures, gathers of cube maps and surface reductions are not: use a "
             "layered texture, or a buffer and atomicAdd().";
    case Opcode::cp_async_bulk:
    case Opcode::cp_reduce_async_bulk:
    case Opcode::tensormap:
      return "Copy by cp.async.bulk, with a tensor map that the host made or without one, or by cp.async: these are "
             "known.";
    case Opcode::multimem:
      return "Use plain loads, stores and atomics on each GPU's own memory.";
    default:
      return "Only a thread that comes to this line stops the run: choose a launch that does not, or put the line "
             "behind "
             "`#if __CUDA_ARCH__ >= …` and compile for an older architecture.";
  }
}

}  // namespace

Diagnostic refusal_of(const ptx::Module& module, const Instruction& instruction) {
  std::string text = ptx::name_of(instruction.opcode);
  for (const std::string& modifier : instruction.modifiers) text += "." + modifier;
  const int line = instruction.ptx_line;
  Wording message = worded("the interpreter does not know the instruction \"{}\" (PTX line {})", text, line);
  if (const auto category = ptx::info(instruction.opcode).category; category == ptx::Category::tensor)
    message =
        worded("\"{}\" (PTX line {}) is a tensor core instruction, which the interpreter does not support", text, line);
  else if (category == ptx::Category::texture)
    message =
        worded("\"{}\" (PTX line {}) accesses a texture or surface in a way that the interpreter does not support",
               text, line);
  return {Severity::error, "run.unsupported_instruction", place_in_own_file(module, instruction), std::move(message),
          instead_of(instruction)};
}

void FunctionDecoder::refuse(std::int32_t index, std::int32_t block, Diagnostics& errors) {
  const Instruction& instruction = function_.instructions[index];
  if (ptx::info(instruction.opcode).category != ptx::Category::branch) {
    append(Code::refused, add_site(trace::EventKind::guarded, instruction, index, block), instruction, index);
    return;
  }
  Diagnostic error = refusal_of(program_.module, instruction);
  for (const Diagnostic& other : errors)
    if (other.code == error.code && other.place == error.place) return;
  errors.push_back(std::move(error));
}

// ---- sites and operations ---------------------------------------------------------------------------

std::uint32_t FunctionDecoder::add_site(trace::EventKind kind, const Instruction& instruction, std::int32_t index,
                                        std::int32_t block) {
  trace::Site site;
  site.id = static_cast<std::uint32_t>(program_.sites.size());
  site.kind = kind;
  site.instruction = index;
  site.basic_block = block;
  site.function = code_.index;
  site.volatile_access = instruction.is_volatile;
  site.opcode = ptx::name_of(instruction.opcode);
  for (const std::string& modifier : instruction.modifiers) site.opcode += "." + modifier;
  place_site(site, program_.module, instruction, "");
  program_.sites.push_back(std::move(site));
  program_.site_instruction.push_back(&instruction);
  return program_.sites.back().id;
}

void FunctionDecoder::add_memory_site(MemoryOp& memory, trace::MemorySpace space, const Instruction& instruction,
                                      std::int32_t index, std::int32_t block) {
  memory.site = add_site(trace::EventKind::memory, instruction, index, block);
  trace::Site& site = program_.sites[memory.site];
  site.operation = memory.operation;
  site.space = space;
  site.width = memory.width;
  site.element_width = memory.element_bytes;
}

std::uint32_t FunctionDecoder::guarded_site(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  if (!instruction.guard.present()) return no_site;
  return add_site(trace::EventKind::guarded, instruction, index, block);
}

void FunctionDecoder::set_guard(Operation& operation, const Instruction& instruction) {
  if (!instruction.guard.present()) return;
  operation.guard = layout_.register_slot(instruction.guard.predicate);
  operation.guard_negated = instruction.guard.negated;
}

Operation& FunctionDecoder::append(Code code, std::size_t index, const Instruction& instruction, std::int32_t number) {
  Operation& operation = code_.operations.emplace_back();
  code_.instruction_of.push_back(number);
  operation.kind = OperationKind::other;
  operation.code = static_cast<std::uint8_t>(code);
  operation.index = static_cast<std::uint32_t>(index);
  set_guard(operation, instruction);
  return operation;
}

void FunctionDecoder::append_alu(const Operation& alu, const Instruction& at, std::int32_t index, std::int32_t block) {
  Operation operation = alu;
  set_guard(operation, at);
  operation.kind = OperationKind::alu;
  if (at.guard.present()) {
    operation.kind = OperationKind::alu_guarded;
    operation.index = guarded_site(at, index, block);
  }
  code_.operations.push_back(operation);
  code_.instruction_of.push_back(index);
}

bool FunctionDecoder::decode_instruction(std::int32_t index, std::int32_t block) {
  const Instruction& instruction = function_.instructions[index];
  if (aliases_[static_cast<std::size_t>(index)] != 0 && instruction.opcode != Opcode::ld) return true;
  switch (ptx::info(instruction.opcode).category) {
    case ptx::Category::load:
    case ptx::Category::store:
      return instruction.space == Space::param && decode_parameter(instruction, index, block)
                 ? true
                 : decode_memory(instruction, index, block);
    case ptx::Category::atomic:
    case ptx::Category::reduction:
      return decode_atomic(instruction, index, block);
    case ptx::Category::async_copy:
      return decode_async_copy(instruction, index, block);
    case ptx::Category::mbarrier:
      return decode_mbarrier(instruction, index, block);
    case ptx::Category::barrier:
      return decode_barrier(instruction, index, block);
    case ptx::Category::shuffle:
    case ptx::Category::vote:
    case ptx::Category::warp:
      return decode_exchange(instruction, index, block);
    case ptx::Category::tensor:
      return decode_tensor(instruction, index, block);
    case ptx::Category::texture:
      return decode_texture(instruction, index, block);
    case ptx::Category::branch:
    case ptx::Category::return_:
      return decode_branch(instruction, index, block);
    case ptx::Category::call:
      return decode_call(instruction, index, block);
    case ptx::Category::fence:
      return decode_order(instruction, index, block);
    case ptx::Category::prefetch:
    case ptx::Category::misc:
      return decode_nothing(instruction, index, block);
    case ptx::Category::move:
      if (instruction.operands.size() == 2 && instruction.operands[1].kind == Kind::special &&
          is_clock(instruction.operands[1].special))
        return decode_clock(instruction, index, block);
      if (is_vector_move(instruction)) return decode_vector_move(instruction, index, block);
      return decode_alu(instruction, instruction, index, block);
    case ptx::Category::convert:
      if (instruction.opcode == Opcode::cvta || instruction.opcode == Opcode::isspacep ||
          instruction.opcode == Opcode::mapa || instruction.opcode == Opcode::getctarank)
        return decode_address_conversion(instruction, index, block);
      return decode_alu(instruction, instruction, index, block);
    default:
      return decode_alu(instruction, instruction, index, block);
  }
}

namespace {

// sm_10 to sm_13.
bool is_sm_1x(std::string_view target) {
  return target.starts_with("sm_1") && (target.size() == 5 || target.substr(5, 1) == ",");
}

bool has_f32_arithmetic(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::div:
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::lg2:
    case Opcode::ex2:
    case Opcode::min:
    case Opcode::max:
    case Opcode::abs:
    case Opcode::neg:
    case Opcode::set:
    case Opcode::setp:
    case Opcode::slct:
      return instruction.type == Type::f32 || instruction.source_type == Type::f32;
    case Opcode::cvt:
      return instruction.source_type == Type::f32 && instruction.type != Type::f64;
    default:
      return false;
  }
}

// The meaning of PTX for sm_1x, which has no subnormal f32 numbers. ptxas 13.0 for sm_90 gives the same machine code as
// for .ftz in all f32 instructions except conversions between f32 and f64. mad.f32 becomes fma.rn.ftz.f32.
Instruction meant_by_sm_1x(Instruction meant) {
  if (!meant.has("ftz")) meant.modifiers.push_back("ftz");
  if (meant.opcode == Opcode::mad && meant.rounding == ptx::Rounding::none) meant.rounding = ptx::Rounding::rn;
  return meant;
}

}  // namespace

bool FunctionDecoder::decode_alu(const Instruction& instruction, const Instruction& at, std::int32_t index,
                                 std::int32_t block) {
  Operation operation;
  const std::string_view target = program_.module.target;
  const bool uses_f64 = instruction.type == Type::f64 || instruction.source_type == Type::f64;
  if (uses_f64 && target.ends_with("map_f64_to_f32")) return false;
  const bool differs = is_sm_1x(target) && has_f32_arithmetic(instruction);
  if (!select_alu(differs ? Instruction(meant_by_sm_1x(instruction)) : instruction, layout_, operation)) return false;
  const bool divides = instruction.opcode == Opcode::div || instruction.opcode == Opcode::rem;
  const bool by_register = divides && !ptx::is_float(instruction.type) && instruction.operands[2].kind == Kind::reg;
  if (!by_register) {
    append_alu(operation, at, index, block);
    return true;
  }
  const std::uint32_t divisor = layout_.register_slot(instruction.operands[2].reg);
  const int bytes = layout_.register_bytes(instruction.operands[2], instruction.type);
  if (at.guard.present()) append(Code::divisor, divisor, at, index).extra = static_cast<std::uint32_t>(bytes);
  append_alu(operation, at, index, block);
  if (at.guard.present()) return true;
  Operation& division = code_.operations.back();
  division.kind = OperationKind::alu_division;
  division.index = divisor;
  division.code = static_cast<std::uint8_t>(bytes);
  return true;
}

bool FunctionDecoder::decode_move(const Operand& to, const Operand& from, const Instruction& at, std::int32_t index,
                                  std::int32_t block) {
  Instruction move;
  const bool wide = layout_.register_bytes(to, Type::b64) == 8;
  move.opcode = Opcode::mov;
  move.modifiers = {wide ? "b64" : "b32"};
  move.type = move.source_type = wide ? Type::b64 : Type::b32;
  move.operands = {to, from};
  return decode_alu(move, at, index, block);
}

std::int32_t FunctionDecoder::block_at(std::int32_t instruction) const {
  if (instruction < 0 || static_cast<std::size_t>(instruction) >= graph_.block_of.size()) return function_end;
  return graph_.block_of[static_cast<std::size_t>(instruction)];
}

// A block without a jump at its end continues with the next one. After the last block the function ends.
void FunctionDecoder::end_block(std::int32_t block) {
  const cfg::BasicBlock& shape = graph_.blocks[static_cast<std::size_t>(block)];
  if (shape.first < shape.end) {
    const Instruction& last = function_.instructions[shape.end - 1];
    const ptx::Category category = ptx::info(last.opcode).category;
    if (category == ptx::Category::branch) return;
    if (category == ptx::Category::return_ && last.opcode != Opcode::trap) return;
  }
  BranchOp branch;
  branch.taken = block_at(shape.end);
  code_.branches.push_back(branch);
  static const Instruction unguarded;
  append(Code::jump, code_.branches.size() - 1, unguarded, std::max(shape.end - 1, 0));
}

bool FunctionDecoder::decode_branch(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  BranchOp branch;
  branch.instruction = &instruction;
  branch.next = block_at(index + 1);
  branch.reconvergence = graph_.reconvergence_of(block);
  const auto finish = [&](Code code) {
    code_.branches.push_back(std::move(branch));
    append(code, code_.branches.size() - 1, instruction, index);
    return true;
  };
  switch (instruction.opcode) {
    case Opcode::trap: {
      const std::uint32_t site = guarded_site(instruction, index, block);
      append(Code::trap, site, instruction, index);
      return true;
    }
    case Opcode::bra:
      branch.taken = block_at(instruction.operands[0].target);
      if (!instruction.guard.present()) return finish(Code::jump);
      branch.site = add_site(trace::EventKind::branch, instruction, index, block);
      return finish(Code::branch);
    case Opcode::brx_idx: {
      branch.site = add_site(trace::EventKind::branch, instruction, index, block);
      branch.selector = layout_.read(instruction.operands[0], Type::u32);
      const auto list = static_cast<std::size_t>(instruction.operands[1].symbol);
      if (list >= function_.branch_targets.size()) return false;
      for (std::int32_t target : function_.branch_targets[list].targets) branch.targets.push_back(block_at(target));
      return finish(Code::branch_indexed);
    }
    case Opcode::ret:
    case Opcode::exit:
      branch.site = guarded_site(instruction, index, block);
      return finish(instruction.opcode == Opcode::exit || function_.is_entry ? Code::exit : Code::return_);
    default:
      return false;
  }
}

bool FunctionDecoder::decode_nothing(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  switch (instruction.opcode) {
    case Opcode::stacksave:
    case Opcode::stackrestore:
    case Opcode::alloca:
      return decode_stack(instruction, index, block);
    case Opcode::clusterlaunchcontrol:
      return false;
    case Opcode::tensormap:
      return decode_tensor_map(instruction, index, block);
    case Opcode::createpolicy: {
      Operand zero;
      zero.kind = Kind::integer;
      return decode_move(instruction.operands[0], zero, instruction, index, block);
    }
    default:
      break;
  }
  const std::uint32_t site = guarded_site(instruction, index, block);
  if (site != no_site) append(Code::nothing, site, instruction, index);
  return true;
}

bool FunctionDecoder::decode_clock(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  ClockOp clock;
  clock.site = guarded_site(instruction, index, block);
  clock.dst = layout_.write(instruction.operands[0]);
  clock.special = instruction.operands[1].special;
  clock.register_bytes = static_cast<std::uint8_t>(layout_.register_bytes(instruction.operands[0], instruction.type));
  code_.clocks.push_back(clock);
  append(Code::clock, code_.clocks.size() - 1, instruction, index);
  return true;
}

}  // namespace lanescope::sim
