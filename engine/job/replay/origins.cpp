#include "job/replay/origins.h"

#include <algorithm>

#include "core/worded.h"
#include "job/replay/names.h"
#include "job/replay/register_trail.h"
#include "job/replay/value_text.h"
#include "job/run/again.h"

namespace lanescope::job {
namespace {

// The lane whose value a shuffle gives to `lane`; −1: the run did not keep the event.
int source_lane(const trace::Trace& trace, const sim::Step& step, int lane) {
  const auto events = trace.warp(step.block, step.warp);
  const auto at = std::ranges::find(events, step.sequence, &trace::WarpEvent::sequence);
  if (at == events.end() || at->affine()) return -1;
  std::size_t side = at->side;
  int found = -1;
  at->executed.for_each([&](int one) {
    const int from = trace.source_lanes[side++];
    if (one == lane) found = from < 32 ? from : lane;
  });
  return found;
}

// The operand after the destination register and its optional predicate.
const ptx::Operand& value_of_shuffle(const ptx::Instruction& shuffle) {
  return shuffle.operands[shuffle.operands[1].paired ? 2 : 1];
}

class OriginReader {
 public:
  OriginReader(const Outcome& outcome, int launch, const Again& again, const StepValues& values, int lane)
      : outcome_(outcome),
        launch_(launch),
        again_(again),
        values_(values),
        lane_(lane),
        trace_(*outcome.trace_of(launch)),
        module_(sim::module_of(*again.program)),
        kernel_(sim::kernel_of(*again.program)),
        names_(outcome, launch, *again.program) {}

  Result<Origins> read(sim::Progress* progress) {
    if (!values_.executed.test(lane_) || values_.instruction.empty()) return Origins{};
    if (Diagnostics problems = follow_registers(); !problems.empty()) return problems;
    if (Diagnostics problems = follow_memory(progress); !problems.empty()) return problems;
    std::stable_partition(made_.operands.begin(), made_.operands.end(),
                          [](const OperandOrigins& one) { return !one.address; });
    return std::move(made_);
  }

 private:
  Diagnostics follow_registers() {
    const trace::Site& site = trace_.sites[values_.site];
    const bool in_kernel = trace_.functions[static_cast<std::size_t>(site.function)] == kernel_.name;
    const bool shuffles = site.kind == trace::EventKind::shuffle;
    const int from = shuffles ? source_lane(trace_, values_.step, lane_) : lane_;
    RegisterTrails own(trace_, kernel_, lane_), given(trace_, kernel_, std::max(from, 0));
    Diagnostics problems =
        sim::hear_warp(*again_.program, again_.request, values_.step, [&](const sim::WarpStep& step) {
          const bool last = step.sequence == values_.step.sequence;
          for (RegisterTrails* trails : {&own, &given}) last ? trails->stop_before(step) : trails->hear(step);
        });
    if (!problems.empty() || site.kind == trace::EventKind::block_entry) return problems;
    const ptx::Instruction& instruction = *instruction_of(site);
    for (const OperandValues& one : values_.operands) {
      if (!one.read) continue;
      const bool is_given = shuffles && names(value_of_shuffle(instruction), one.name);
      OperandOrigins& made = made_.operands.emplace_back();
      made.name = one.name, made.source = one.source;
      made.address = one.address;
      made.lane = is_given ? from : lane_;
      made.beyond = !in_kernel || made.lane < 0;
      if (made.lane >= 0) made.value = value_text(one.before[static_cast<std::size_t>(made.lane)], one.type);
      if (!made.beyond) add_trail(made, is_given ? given : own);
    }
    return {};
  }

  const ptx::Function* function_of(const trace::Site& site) const {
    return module_.find_function(trace_.functions[static_cast<std::size_t>(site.function)]);
  }
  const ptx::Instruction* instruction_of(const trace::Site& site) const {
    return &function_of(site)->instructions[static_cast<std::size_t>(site.instruction)];
  }
  bool names(const ptx::Operand& operand, const std::string& name) const {
    const ptx::Function& function = *function_of(trace_.sites[values_.site]);
    if (operand.reg != ptx::no_register && function.registers[operand.reg].name == name) return true;
    return std::ranges::any_of(operand.elements, [&](const ptx::Operand& one) { return names(one, name); });
  }
  int own_line(const std::string& file, int line) const { return file == outcome_.request.source.name ? line : 0; }

  void add_trail(OperandOrigins& made, const RegisterTrails& trails) const {
    const auto reg = std::ranges::find(kernel_.registers, made.name, &ptx::Register::name) - kernel_.registers.begin();
    const RegisterTrail& trail = trails.of(static_cast<ptx::RegisterId>(reg));
    made.more = trail.more, made.beyond = trail.beyond;
    if (trail.instruction >= 0)
      made.computed =
          instruction_text(module_, kernel_, kernel_.instructions[static_cast<std::size_t>(trail.instruction)]);
    for (std::size_t k = 0; k < trail.count; ++k) {
      const trace::Site& site = trace_.sites[trail.steps[k].site];
      Origin& origin = made.from.emplace_back();
      origin.step = {values_.step.block, values_.step.warp, trail.steps[k].sequence};
      origin.lane = made.lane;
      origin.line = own_line(site.file, site.line);
      const ptx::Instruction& instruction = *instruction_of(site);
      origin.instruction = instruction_text(module_, kernel_, instruction);
      const ptx::Operand* address = instruction.operands.size() > 1 ? &instruction.operands[1] : nullptr;
      if (site.space == trace::MemorySpace::param && address != nullptr &&
          address->symbol_table == ptx::Operand::SymbolTable::parameter)
        origin.parameter = names_.parameter(static_cast<std::size_t>(address->symbol));
    }
  }

  Diagnostics follow_memory(sim::Progress* progress) {
    using trace::MemorySpace;
    using trace::Operation;
    for (const AccessValues& access : values_.access) {
      if (access.operation != Operation::load && access.operation != Operation::atomic &&
          access.operation != Operation::reduction)
        continue;
      const std::uint64_t width = trace_.sites[values_.site].width / access.elements.size();
      std::uint64_t address = access.addresses[static_cast<std::size_t>(lane_)];
      for (const AccessValues::Element& element : access.elements) {
        MemoryOrigin& made = made_.memory.emplace_back();
        made.place = element.names[static_cast<std::size_t>(lane_)];
        made.value = value_text(element.before[static_cast<std::size_t>(lane_)], access.type);
        const bool followed = access.space == MemorySpace::global || access.space == MemorySpace::shared ||
                              access.space == MemorySpace::distributed;
        if (followed)
          if (Diagnostics problems = find_writer(made, {access.space, values_.step.block, address, width}, progress);
              !problems.empty())
            return problems;
        if (access.space == MemorySpace::constant) made.by = MemoryOrigin::By::initial;
        address += width;
      }
    }
    return {};
  }

  // The last writer in this launch or, for global memory, in an earlier one.
  Diagnostics find_writer(MemoryOrigin& made, const sim::WatchedBytes& bytes, sim::Progress* progress) {
    using By = MemoryOrigin::By;
    Result<std::optional<Writer>> writer = last_writer(outcome_, launch_, again_, bytes, values_.step);
    if (!writer) return writer.take_errors();
    const PlaceNames::Place place = names_.at(bytes.space, bytes.address);
    if (!*writer && bytes.space == trace::MemorySpace::global) {
      if (place.argument < 0 && launch_ > 1) return {};  // a variable of the module: its earlier contents are not known
      if (place.argument >= 0 && launch_ > 1)
        writer = last_writer_until(outcome_, launch_ - 1, place.argument, place.index, progress);
      if (!writer) return writer.take_errors();
    }
    made.by = *writer ? By::thread : By::initial;
    made.writer = std::move(*writer);
    return {};
  }

  const Outcome& outcome_;
  const int launch_;
  const Again& again_;
  const StepValues& values_;
  const int lane_;
  const trace::Trace& trace_;
  const ptx::Module& module_;
  const ptx::Function& kernel_;
  const PlaceNames names_;
  Origins made_;
};

Result<ChainLink> link_at(const Outcome& outcome, int launch, const sim::Step& step, int lane,
                          sim::Progress* progress) {
  Result<Again> again = prepare_again(outcome, launch, Repeat::first, progress);
  if (!again) return again.take_errors();
  Result<StepValues> values = step_values(outcome, launch, *again, step);
  if (!values) return values.take_errors();
  Result<Origins> found = OriginReader(outcome, launch, *again, *values, lane).read(progress);
  if (!found) return found.take_errors();
  return ChainLink{launch, lane, std::move(*values), std::move(*found)};
}

}  // namespace

Wording in_words(const OperandOrigins& operand, bool steps) {
  std::vector<Wording> list;
  for (const Origin& origin : operand.from)
    if (!origin.parameter.empty())
      list.emplace_back("`" + origin.parameter + "`");
    else if (steps)
      list.push_back(worded("step {}", origin.step.sequence + 1));
  Wording said = !list.empty()                             ? worded("from {}", joined(list, "{}, {}"))
                 : operand.from.empty() && !operand.beyond ? Wording("from numbers and indices alone")
                                                           : Wording();
  if (operand.more) said = worded("{}, and from earlier steps", said);
  if (operand.beyond)
    said = worded("{}, and from what is not followed: a call, a matrix product, or another function", said);
  return said;
}

Wording in_words(const MemoryOrigin& memory) {
  if (memory.by == MemoryOrigin::By::unknown) return "Who wrote it is not followed.";
  if (!memory.writer) return "No thread wrote it before.";
  const Writer& writer = *memory.writer;
  return worded("Thread {} of block {} wrote it, in {}.", writer.thread, writer.block,
                writer.line > 0 ? worded("line {}", writer.line) : Wording("a header"));
}

Result<Origins> origins(const Outcome& outcome, int launch, const sim::Step& step, int lane, sim::Progress* progress) {
  Result<ChainLink> link = link_at(outcome, launch, step, lane, progress);
  if (!link) return link.take_errors();
  return std::move(link->origins);
}

Result<Chain> chain_of(const Outcome& outcome, const Writer& writer, std::size_t most, sim::Progress* progress) {
  struct At {
    int launch;
    sim::Step step;
    int lane;
    bool operator==(const At&) const = default;
  };
  std::vector<At> wanted{{writer.launch, writer.values.step, writer.lane}};
  const auto add = [&](const At& at) {
    if (std::ranges::find(wanted, at) == wanted.end()) wanted.push_back(at);
  };
  Chain made;
  for (std::size_t next = 0; next < wanted.size(); ++next) {
    if (made.links.size() == most) {
      made.more = true;
      break;
    }
    const At at = wanted[next];
    Result<ChainLink> link = link_at(outcome, at.launch, at.step, at.lane, progress);
    if (!link) return link.take_errors();
    for (const OperandOrigins& operand : link->origins.operands)
      for (const Origin& origin : operand.from)
        if (origin.parameter.empty() && !operand.address) add({at.launch, origin.step, origin.lane});
    for (const MemoryOrigin& memory : link->origins.memory)
      if (memory.writer && !memory.writer->last_repeat)
        add({memory.writer->launch, memory.writer->values.step, memory.writer->lane});
    made.links.push_back(std::move(*link));
  }
  return made;
}

}  // namespace lanescope::job
