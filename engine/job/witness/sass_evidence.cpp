#include "job/witness/sass_evidence.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "job/witness/sass_account.h"
#include "metrics/recompute.h"
#include "metrics/request_cost.h"

namespace lanescope::job {
namespace {

using Kind = SassAccess::Kind;

bool reads_global(const MachineInstruction& instruction) {
  const SassAccess access = instruction.access;
  return access.kind == Kind::load &&
         (access.space == trace::MemorySpace::global || access.space == trace::MemorySpace::none);
}

bool all_within(const std::vector<int>& lines, const SassCode& sass, SassLoop loop) {
  return std::all_of(lines.begin(), lines.end(), [&](int line) {
    return std::any_of(sass.instructions.begin() + static_cast<std::ptrdiff_t>(loop.first),
                       sass.instructions.begin() + static_cast<std::ptrdiff_t>(loop.last) + 1,
                       [&](const MachineInstruction& instruction) { return instruction.line == line; });
  });
}

bool has_inside(SassLoop outer, SassLoop inner) {
  return outer.first <= inner.first && inner.last <= outer.last &&
         (outer.first != inner.first || outer.last != inner.last);
}

// A loop that retries until a phase of an mbarrier object completes. Other threads complete it, so timing decides the
// number of iterations. A loop around such a loop is excluded, because the program determines its iterations.
Wording waits_for_a_phase(Number number, const SassCode& sass, const Waited& waited) {
  const AccessClass wanted = class_of(number);
  const std::vector<SassLoop> loops = loops_of(sass);
  for (const SassLoop loop : loops) {
    if (std::ranges::any_of(loops, [&](SassLoop other) { return has_inside(loop, other); })) continue;
    if (!waited.lines_that_part || waited.lines_that_part->empty() || !all_within(*waited.lines_that_part, sass, loop))
      continue;
    const auto first = sass.instructions.begin() + static_cast<std::ptrdiff_t>(loop.first),
               end = sass.instructions.begin() + static_cast<std::ptrdiff_t>(loop.last) + 1;
    const auto wait = std::find_if(first, end, [](const auto& instruction) {
      return instruction.is("SYNCS") && instruction.parts.has("PHASECHK");
    });
    const auto access = std::find_if(first, end, [&](const auto& instruction) {
      return instruction.access.kind == wanted.kind &&
             (instruction.access.space == wanted.space || instruction.access.space == trace::MemorySpace::none);
    });
    if (wait != end && access != end)
      return worded(
          "a loop tries to wait for an mbarrier until its phase is over, so the number of its turns depends on timing: "
          "{} at 0x{:x}, line {}, with {} in the loop from 0x{:x} to 0x{:x}",
          wait->text, wait->address, wait->line, access->text, first->address, (end - 1)->address);
  }
  return {};
}

}  // namespace

Wording explain_waiting(Number number, const SassCode& sass, const Waited& waited) {
  if (!waited.more && !waited.changed.value_or(true)) return {};
  if (Wording phase = waits_for_a_phase(number, sass, waited); !phase.empty()) return phase;
  const bool loads = number.memory_class == trace::MemoryClass::global_load,
             atomics = number.memory_class == trace::MemoryClass::global_atomic;
  if (!loads && !atomics) return {};
  for (const SassLoop loop : loops_of(sass)) {
    if (waited.lines_that_part && !all_within(*waited.lines_that_part, sass, loop)) continue;
    const auto first = sass.instructions.begin() + static_cast<std::ptrdiff_t>(loop.first),
               end = sass.instructions.begin() + static_cast<std::ptrdiff_t>(loop.last) + 1;
    const auto swap = std::find_if(
        first, end, [](const auto& instruction) { return instruction.access.kind == Kind::compare_and_swap; });
    const auto load = std::find_if(first, end, reads_global);
    if (swap != end && (atomics || load != end))
      return worded(
          "a compare-and-swap loop retries until no other thread interferes, so the number of tries depends on "
          "timing: {} at 0x{:x}, line {}, in the loop from 0x{:x} to 0x{:x}",
          swap->text, swap->address, swap->line, first->address, (end - 1)->address);
    const auto strong = std::find_if(first, end, [](const auto& instruction) {
      return reads_global(instruction) && instruction.parts.has("STRONG");
    });
    if (loads && strong != end)
      return worded(
          "a loop polls memory until another thread has written it, so the number of reads depends on timing: {} at "
          "0x{:x}, line {}, in the loop from 0x{:x} to 0x{:x}",
          strong->text, strong->address, strong->line, first->address, (end - 1)->address);
  }
  return {};
}

std::optional<Bounds> bounds_of(Number number, const trace::Trace& interpreted) {
  const AccessClass wanted = class_of(number);
  const bool sectors = number.quantity == Quantity::sectors, conflicts = number.quantity == Quantity::conflicts;
  if (!metrics::events_are_complete(interpreted)) return std::nullopt;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint16_t>, std::array<std::uint64_t, MemoryModel::lanes>>
      accesses;  // indexed by site, block and warp
  Bounds bounds;
  for (const trace::WarpEvent& event : interpreted.events) {
    const trace::Site& site = interpreted.sites[event.site];
    if (event.kind != trace::EventKind::memory || event.space != wanted.space || kind_of(site.operation) != wanted.kind)
      continue;
    const auto addresses = interpreted.lane_addresses(event);
    auto& of_lanes = accesses[{event.site, event.block, event.warp}];
    if (conflicts) {  // a single lane has no conflict; each lane of a group adds at most one
      bounds.high += static_cast<std::uint64_t>(event.executed.count());
      continue;
    }
    event.executed.for_each([&](int lane) {
      ++of_lanes[static_cast<std::size_t>(lane)];
      bounds.high += sectors ? metrics::sector_cost(addresses, LaneMask::lane(lane), site.width).sectors : 1;
    });
  }
  // For any number of sectors: at least one per request.
  for (const auto& [place, of_lanes] : accesses) bounds.low += *std::max_element(of_lanes.begin(), of_lanes.end());
  return bounds;
}

Wording explain_meeting_elsewhere(const SassCode& sass, const std::vector<std::uint64_t>& values,
                                  const std::optional<Bounds>& bounds) {
  const auto find = [&](auto&& is) { return std::find_if(sass.instructions.begin(), sass.instructions.end(), is); };
  const auto kept =
      find([](const auto& instruction) { return instruction.is("BMOV") && instruction.parts.has("CLEAR"); });
  const auto call = find([](const auto& instruction) { return instruction.is("CALL"); });
  const auto left = find([](const auto& instruction) { return instruction.is("BREAK"); });
  const bool around_calls = kept != sass.instructions.end() && call != sass.instructions.end();
  if (!bounds || (!around_calls && left == sass.instructions.end())) return {};
  if (!std::all_of(values.begin(), values.end(), [&](std::uint64_t value) { return bounds->contain(value); }))
    return {};
  if (around_calls)
    return worded(
        "functions are called while lanes wait for each other, and {} (0x{:x}, line {}) keeps their convergence "
        "barrier in a register during the call: the GPU groups the lanes differently than the model, and "
        "differently again while recording. The GPU's record shows the same accesses per lane, which can make {} "
        "(all lanes of a warp together) to {} (each lane alone)",
        kept->text, kept->address, kept->line, bounds->low, bounds->high);
  return worded(
      "lanes that leave early remove themselves from the convergence barrier where the others wait ({} at 0x{:x}, "
      "line {}): the GPU groups the lanes differently than the model, and differently again while recording. The "
      "GPU's record shows the same accesses per lane, which can make {} (all lanes of a warp together) to {} (each "
      "lane alone)",
      left->text, left->address, left->line, bounds->low, bounds->high);
}

namespace {

// The largest SASS local access, for the evidence.
const MachineInstruction* widest_local(const SassCode& sass, SassAccess::Kind kind) {
  const MachineInstruction* widest = nullptr;
  for (const MachineInstruction& instruction : sass.instructions) {
    const SassAccess access = instruction.access;
    if (access.kind != kind || access.space != trace::MemorySpace::local) continue;
    if (!widest || access.bytes > widest->access.bytes) widest = &instruction;
  }
  return widest;
}

}  // namespace

Wording explain_by_words(Number number, const trace::Trace& interpreted, const SassCode& sass, std::uint64_t counted) {
  const AccessClass wanted = class_of(number);
  if (wanted.space != trace::MemorySpace::local || number.quantity != Quantity::requests) return {};
  if (!metrics::events_are_complete(interpreted)) return {};
  std::uint64_t words = 0, shared_with_global = 0;
  const auto& events = interpreted.events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const trace::WarpEvent& event = events[i];
    const trace::Site& site = interpreted.sites[event.site];
    if (event.kind != trace::EventKind::memory || event.space != trace::MemorySpace::local ||
        kind_of(site.operation) != wanted.kind)
      continue;
    if (reaches_also(interpreted, i, trace::MemorySpace::global))
      ++shared_with_global;
    else
      words += local_requests(site.width);
  }
  const MachineInstruction* widest = widest_local(sass, wanted.kind);
  if (words != counted || !widest) return {};
  const Wording aside = shared_with_global == 0 ? Wording()
                                                : worded(
                                                      "; generic accesses that also reach global memory ({} of "
                                                      "them) are not counted there",
                                                      shared_with_global);
  return worded(
      "local memory interleaves the words of the lanes, so the hardware counts one request per 4 bytes of an access "
      "({} at 0x{:x}, line {}): {} for these accesses{}",
      widest->text, widest->address, widest->line, words, aside);
}

Wording explain_outside(const std::string& functions, const SassCode& sass) {
  const MachineInstruction* call = call_of_driver(sass);
  if (functions.empty() || !call) return {};
  return worded(
      "{} is driver code, not the kernel's, and its accesses are counted too: called by {} at 0x{:x}, line {}",
      functions, call->text, call->address, call->line);
}

}  // namespace lanescope::job
