#include "instrument/access_groups.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/worded.h"
#include "instrument/address_origins.h"
#include "ptx/named_opcodes.h"
#include "ptx/opcode_table.h"
#include "sim/tensor/fragment.h"

namespace lanescope::instrument {
namespace {

using ptx::Category;
using ptx::Function;
using ptx::Instruction;
using ptx::Operand;
using ptx::RegisterId;

constexpr std::size_t few_words = 4;  // any accesses with at most this many different bases may share a record

trace::MemorySpace memory_space(const Instruction& instruction) {
  switch (instruction.space) {
    case ptx::Space::global:
      return trace::MemorySpace::global;
    case ptx::Space::shared:
      return instruction.has("shared::cluster") ? trace::MemorySpace::distributed : trace::MemorySpace::shared;
    case ptx::Space::local:
      return trace::MemorySpace::local;
    case ptx::Space::constant:
      return trace::MemorySpace::constant;
    default:
      return trace::MemorySpace::none;
  }
}

const Operand* address_operand(const Instruction& instruction, int skip = 0) {
  for (const Operand& operand : instruction.operands)
    if (operand.kind == Operand::Kind::address && skip-- == 0) return &operand;
  return nullptr;
}

// True if the next instruction is executed by the same lanes as this one.
bool keeps_lanes_together(Category category) {
  switch (category) {
    case Category::barrier:
    case Category::mbarrier:
    case Category::fence:
    case Category::warp:
    case Category::shuffle:
    case Category::vote:
    case Category::branch:
    case Category::call:
    case Category::return_:
    case Category::tensor:
    case Category::texture:
    case Category::misc:
      return false;
    default:
      return true;
  }
}

void note_register(const Operand& operand, std::vector<RegisterId>& into) {
  if (operand.kind == Operand::Kind::reg) into.push_back(operand.reg);
  for (const Operand& element : operand.elements) note_register(element, into);
}

std::vector<RegisterId> written_by(const Instruction& instruction) {
  std::vector<RegisterId> written;
  const int count = ptx::destination_count(instruction);
  for (int i = 0; i < count && i < static_cast<int>(instruction.operands.size()); ++i)
    note_register(instruction.operands[static_cast<std::size_t>(i)], written);
  return written;
}

// An access, the operand of its address, and for wmma that of its stride if it has one.
struct Access {
  RecordSite site;
  const Operand* address = nullptr;
  const Operand* stride = nullptr;
};

class Grouper {
 public:
  Grouper(const ptx::Module& module, const Function& function, Diagnostics& errors)
      : module_(module), function_(function), origins_(function), errors_(errors) {}

  std::vector<AccessGroup> take() {
    close();
    return std::move(groups_);
  }

  void close() {
    if (open_) groups_.push_back(std::move(*open_));
    open_.reset();
    registers_.clear();
    words_from_.clear();
  }

  void visit(const Instruction& instruction, std::int32_t index) {
    const std::vector<Access> accesses = accesses_of(instruction, index);
    if (!keeps_lanes_together(ptx::info(instruction.opcode).category)) close();
    if (!accesses.empty()) add(accesses, instruction, index);
    if (!open_) return;
    for (const RegisterId written : written_by(instruction))
      if (std::find(registers_.begin(), registers_.end(), written) != registers_.end()) return close();
  }

 private:
  std::vector<Access> accesses_of(const Instruction& instruction, std::int32_t index) {
    RecordSite site{.function = function_.name,
                    .instruction = index,
                    .kind = trace::EventKind::memory,
                    .space = memory_space(instruction)};
    switch (ptx::info(instruction.opcode).category) {
      case Category::load:
        site.operation = trace::Operation::load;
        break;
      case Category::store:
        site.operation = trace::Operation::store;
        break;
      case Category::atomic:
        site.operation = trace::Operation::atomic;
        break;
      case Category::reduction:
        site.operation = trace::Operation::reduction;
        break;
      case Category::async_copy: {
        if (!address_operand(instruction)) return {};  // commit, wait
        if (instruction.opcode == ptx::opcodes::cp_async_bulk ||
            instruction.opcode == ptx::opcodes::cp_reduce_async_bulk)
          return {};  // no request of the warp
        if (instruction.opcode == ptx::opcodes::st_async || instruction.opcode == ptx::opcodes::red_async) {
          const bool stores = instruction.opcode == ptx::opcodes::st_async;
          site.operation = stores ? trace::Operation::store : trace::Operation::reduction;
          site.space = trace::MemorySpace::distributed;
          return {{site, address_operand(instruction)}};
        }
        if (instruction.opcode != ptx::opcodes::cp_async) return refuse(instruction);
        site.operation = trace::Operation::async_copy;
        site.space = trace::MemorySpace::global;
        RecordSite shared = site;
        shared.space = trace::MemorySpace::shared;
        shared.shared_part = true;
        return {{site, address_operand(instruction, 1)}, {shared, address_operand(instruction)}};
      }
      case Category::tensor:
        if (instruction.opcode == ptx::opcodes::ldmatrix || instruction.opcode == ptx::opcodes::stmatrix) {
          const bool loads = instruction.opcode == ptx::opcodes::ldmatrix;
          site.operation = loads ? trace::Operation::load : trace::Operation::store;
          const int matrices = instruction.has("x4") ? 4 : instruction.has("x2") ? 2 : 1;
          site.lanes = LaneMask::first(8 * matrices).bits;
          break;
        }
        if (instruction.opcode == ptx::opcodes::wmma_load || instruction.opcode == ptx::opcodes::wmma_store)
          return accesses_of_fragment(instruction, std::move(site));
        // A matrix product reads and writes only registers.
        if (!address_operand(instruction) && ptx::info(instruction.opcode).operands[0] != '*') return {};
        return refuse(instruction);
      default:  // textures and surfaces too, as in the interpreter's trace
        return {};
    }
    if (instruction.space == ptx::Space::param) return {};
    const Operand* address = address_operand(instruction);
    if (!address) return refuse(instruction);
    return {{site, address}};
  }

  // wmma.load and wmma.store make several requests.
  std::vector<Access> accesses_of_fragment(const Instruction& instruction, RecordSite site) {
    const std::optional<sim::FragmentAccess> access = sim::fragment_access(instruction);
    if (!access) return refuse(instruction);
    const Operand* stride = access->stride ? &instruction.operands[*access->stride] : nullptr;
    site.operation = access->is_load ? trace::Operation::load : trace::Operation::store;
    site.element_bits = static_cast<std::uint32_t>(sim::bits_of(access->fragment.element));
    site.stride = access->default_stride;
    if (stride && stride->kind == Operand::Kind::integer) {
      site.stride = static_cast<std::uint32_t>(stride->integer);
      stride = nullptr;
    }
    if (stride && stride->kind != Operand::Kind::reg) return refuse(instruction);
    std::vector<Access> accesses;
    for (const sim::FragmentRequest& request : access->requests) {
      site.lanes = request.lanes;
      site.elements.clear();
      for (const sim::Fragment::Place place : request.place)
        site.elements.push_back(
            {static_cast<std::uint32_t>(access->line(place)), static_cast<std::uint32_t>(access->in_line(place))});
      accesses.push_back({site, &instruction.operands[access->address], stride});
    }
    return accesses;
  }

  std::vector<Access> refuse(const Instruction& instruction) {
    errors_.push_back(
        {.code = "instrument.unsupported",
         .place = {module_.name, instruction.ptx_line, 0},
         .message = worded("The accesses of {} cannot be recorded on the GPU.", ptx::name_of(instruction.opcode)),
         .cure = "Use only the hardware counters for this kernel, or write the access with plain loads and "
                 "stores."});
    return {};
  }

  // Of an address, or of a register.
  LaneWord word_of(const Operand& address) const {
    if (address.reg == ptx::no_register) return {.source = address.name, .kind = LaneWord::Kind::symbol};
    const ptx::Register& base = function_.registers[address.reg];
    return {.source = base.name,
            .kind = ptx::bytes_of(base.type) == 8 ? LaneWord::Kind::bits64 : LaneWord::Kind::bits32};
  }

  void add(const std::vector<Access>& accesses, const Instruction& instruction, std::int32_t index) {
    const std::string guard = guard_of(function_, instruction);
    if (open_ && (open_->guard != guard || !has_room_for(accesses))) close();
    if (!open_) {
      open_ = AccessGroup{.guard = guard};
      if (instruction.guard.present()) registers_.push_back(instruction.guard.predicate);
    }
    open_->at = index;
    for (const Access& access : accesses) {
      RecordSite site = access.site;
      site.offset = access.address->integer;
      if (has_base(*access.address)) {
        site.word = word_with(*access.address);
        site.base_is_64_bit = open_->words[static_cast<std::size_t>(site.word)].has_upper();
      }
      if (access.stride) site.stride_word = word_with(*access.stride);
      open_->sites.push_back(std::move(site));
    }
  }

  // The index of the group's word for an operand, which is added if the group has none.
  std::int32_t word_with(const Operand& operand) {
    if (const std::optional<std::int32_t> word = find_word(operand)) return *word;
    add_word(operand);
    if (operand.reg != ptx::no_register) registers_.push_back(operand.reg);
    return static_cast<std::int32_t>(open_->words.size()) - 1;
  }

  bool has_room_for(const std::vector<Access>& accesses) const {
    std::vector<AddressOrigin> from = words_from_;
    for (const Access& access : accesses)
      for (const Operand* operand : {access.address, access.stride})
        if (operand && has_base(*operand) && !find_word(*operand)) from.push_back(origins_.of(*operand));
    if (from.size() <= few_words) return true;
    if (from.size() > RecordGroup::most_words) return false;
    const auto is_beside_one_before = [&](const AddressOrigin& one) {
      return std::any_of(from.begin(), from.end(),
                         [&](const AddressOrigin& other) { return &other < &one && one.runs_beside(other); });
    };
    std::set<std::string> roots;
    for (const AddressOrigin& one : from) roots.insert(one.root);
    return roots.size() <= RecordGroup::most_uppers && std::all_of(from.begin() + 1, from.end(), is_beside_one_before);
  }

  void add_word(const Operand& address) {
    LaneWord word = word_of(address);
    const AddressOrigin origin = origins_.of(address);
    for (std::size_t i = 0; i < words_from_.size() && word.upper_as < 0; ++i)
      if (words_from_[i].root == origin.root && open_->words[i].has_upper() == word.has_upper())
        word.upper_as = static_cast<int>(i);
    words_from_.push_back(origin);
    open_->words.push_back(std::move(word));
  }

  static bool has_base(const Operand& address) { return address.reg != ptx::no_register || !address.name.empty(); }

  std::optional<std::int32_t> find_word(const Operand& address) const {
    if (!open_) return std::nullopt;
    const LaneWord wanted = word_of(address);
    for (std::size_t i = 0; i < open_->words.size(); ++i)
      if (open_->words[i].source == wanted.source) return static_cast<std::int32_t>(i);
    return std::nullopt;
  }

  const ptx::Module& module_;
  const Function& function_;
  const AddressOrigins origins_;
  Diagnostics& errors_;
  std::optional<AccessGroup> open_;
  std::vector<AddressOrigin> words_from_;  // the origin of each of the group's words
  // Registers that the open group reads; the group closes when one of them is written.
  std::vector<RegisterId> registers_;
  std::vector<AccessGroup> groups_;
};

}  // namespace

std::string guard_of(const Function& function, const Instruction& instruction) {
  if (!instruction.guard.present()) return {};
  return (instruction.guard.negated ? "!" : "") + function.registers[instruction.guard.predicate].name;
}

std::vector<AccessGroup> access_groups(const ptx::Module& module, const Function& function,
                                       const cfg::ControlFlowGraph& graph, Diagnostics& errors) {
  Grouper grouper(module, function, errors);
  std::int32_t block = -1;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(function.instructions.size()); ++i) {
    if (graph.block_of[static_cast<std::size_t>(i)] != block) grouper.close();
    block = graph.block_of[static_cast<std::size_t>(i)];
    grouper.visit(function.instructions[static_cast<std::size_t>(i)], i);
  }
  return grouper.take();
}

}  // namespace lanescope::instrument
