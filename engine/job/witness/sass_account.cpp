#include "job/witness/sass_account.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "job/sass/same_address.h"
#include "metrics/recompute.h"
#include "metrics/request_cost.h"

namespace lanescope::job {
namespace {

using Kind = SassAccess::Kind;
using trace::MemorySpace;
using trace::WarpEvent;

using Accesses = std::map<int, std::vector<const MachineInstruction*>>;  // indexed by PTX line

// The SASS accesses of a class; nullopt if one has no PTX line.
std::optional<Accesses> accesses_of(const SassCode& sass, AccessClass wanted) {
  Accesses found;
  for (const MachineInstruction& instruction : sass.instructions) {
    if (!is_of_class(wanted, instruction.access.kind, instruction.access.space)) continue;
    if (instruction.ptx_line == 0) return std::nullopt;
    found[instruction.ptx_line].push_back(&instruction);
  }
  return found;
}

// Bytes per lane of these instructions; 0 if they differ.
int width_of(const std::vector<const MachineInstruction*>& instructions) {
  const int bytes = instructions.front()->access.bytes;
  const bool same = std::all_of(instructions.begin(), instructions.end(),
                                [&](const MachineInstruction* one) { return one->access.bytes == bytes; });
  return same ? bytes : 0;
}

// The counts of a site's executions.
struct Tally {
  std::uint64_t executions = 0, counted = 0;
  std::uint64_t pieces = 0;  // further counts if a copy past L1 fetches for each lane separately
  // The least and the most for any grouping: all lanes of a warp together, each lane alone.
  std::uint64_t least = 0, most = 0;
  // If the instruction is in no loop and each lane reads one place: the count of each warp's first execution.
  std::uint64_t once = 0;
  // The part of `counted` by which lanes read again what the same lanes have read there before.
  std::uint64_t again = 0;
};

const RecordComparison* record_of(const std::vector<RecordComparison>& records, instrument::Pass pass) {
  for (const RecordComparison& one : records)
    if (one.pass == pass) return &one;
  return nullptr;
}

bool holds(const std::vector<std::uint32_t>& sites, std::uint32_t site) {
  return std::binary_search(sites.begin(), sites.end(), site);
}

using LaneAddresses = std::array<std::uint64_t, MemoryModel::lanes>;

// Each warp's first execution, within a run of its function, of loads that may have been moved out of their loops.
class FirstReads {
 public:
  void begin(const WarpEvent& entry, std::int32_t function) { reads_.erase({entry.block, entry.warp, function}); }

  bool is_first(const WarpEvent& event, std::int32_t function, const LaneAddresses& addresses) {
    const auto [first, fresh] =
        reads_[{event.block, event.warp, function}].try_emplace(event.site, Read{event.executed, addresses});
    if (!fresh && !first->second.is_repeated(event, addresses)) not_moved_.insert(event.site);
    return fresh;
  }

  // Sites that a warp executed again with other lanes or other addresses.
  const std::set<std::uint32_t>& not_moved() const { return not_moved_; }

 private:
  struct Read {
    LaneMask lanes;
    LaneAddresses addresses{};
    bool is_repeated(const WarpEvent& event, const LaneAddresses& now) const {
      bool same = (event.executed & ~lanes).empty();
      event.executed.for_each([&](int lane) {
        same = same && now[static_cast<std::size_t>(lane)] == addresses[static_cast<std::size_t>(lane)];
      });
      return same;
    }
  };
  std::map<std::tuple<std::uint32_t, std::uint16_t, std::int32_t>, std::map<std::uint32_t, Read>>
      reads_;  // indexed by block, warp and function, then by site
  std::set<std::uint32_t> not_moved_;
};

class Accountant {
 public:
  Accountant(Number number, const trace::Trace& trace, const SassCode& sass, CountedBy by,
             const std::vector<RecordComparison>& records, const PtxLines& lines)
      : trace_(trace),
        sass_(sass),
        by_(by),
        memory_(record_of(records, instrument::Pass::memory)),
        entries_(record_of(records, instrument::Pass::block_entries)),
        lines_(lines),
        wanted_(class_of(number)),
        sectors_(number.quantity == Quantity::sectors) {}

  std::optional<Account> make() {
    const std::optional<Accesses> accesses = accesses_of(sass_, wanted_);
    if (!accesses) return std::nullopt;
    accesses_ = *accesses;
    tally();
    if (!follow_sites() || !follow_the_rest()) return std::nullopt;
    return account_;
  }

 private:
  bool of_class(const trace::Site& site) const { return is_of_class(wanted_, kind_of(site.operation), site.space); }

  // True if each lane made the same accesses in the recording as in the model, or if there is no recording.
  static bool as_recorded(const trace::Site& site, const RecordComparison* record) {
    return !record || (record->dropped == 0 && !holds(record->changed_sites, site.id));
  }

  // Notes and returns whether the GPU recorded the access with a different lane grouping.
  bool note_company(const trace::Site& site, const RecordComparison* record) {
    const bool regrouped = record && holds(record->regrouped_sites, site.id);
    if (regrouped && !account_.parts.contains(site.id) && ++account_.regrouped.accesses == 1)
      account_.regrouped.line = site.line;
    return regrouped;
  }

  // Adds the counts of one access. Returns false if its executions differ from the recorded ones.
  bool add(const trace::Site& site, const Tally& tally, std::uint64_t times, const RecordComparison* record) {
    if (!as_recorded(site, record)) return false;
    const bool regrouped = note_company(site, record);
    Account::Part& part = account_.parts[site.id];
    part.regrouped = regrouped;
    part.low += times * tally.counted;
    part.high += times * (tally.counted + tally.pieces);
    part.least += times * tally.least;
    part.most += times * tally.most;
    account_.total.low += times * tally.counted;
    account_.total.high += times * (tally.counted + tally.pieces);
    return true;
  }

  // True if the lanes' addresses have the same distances in shared memory as in global memory. The two events of a copy
  // are neighbours in the trace.
  bool side_by_side(std::size_t copy) const {
    const WarpEvent& from = trace_.events[copy];
    if (copy + 1 >= trace_.events.size()) return false;
    const WarpEvent& to = trace_.events[copy + 1];
    if (to.site != from.site || to.space != MemorySpace::shared || to.executed != from.executed) return false;
    const auto source = trace_.lane_addresses(from), goal = trace_.lane_addresses(to);
    bool same = true;
    std::optional<std::uint64_t> distance;
    from.executed.for_each([&](int lane) {
      const auto i = static_cast<std::size_t>(lane);
      same = same && distance.value_or(goal[i] - source[i]) == goal[i] - source[i];
      distance = goal[i] - source[i];
    });
    return same;
  }

  // A copy past L1 fetches the lanes' pieces separately if it cannot store them side by side: on an H200, 32 lanes that
  // copied 512 contiguous bytes to every other 16 bytes of shared memory counted 32 sectors.
  const MachineInstruction* past_l1(const trace::Site& site) const {
    const auto found = accesses_.find(site.ptx_line);
    if (!sectors_ || found == accesses_.end() || site.operation != trace::Operation::async_copy) return nullptr;
    const auto bypass = std::find_if(found->second.begin(), found->second.end(),
                                     [](const MachineInstruction* one) { return one->parts.has("BYPASS"); });
    return bypass == found->second.end() ? nullptr : *bypass;
  }

  std::uint64_t words(int bytes) const { return by_ == CountedBy::l1tex ? local_requests(bytes) : 1; }

  // Bytes per lane in the machine code; 0 for a site whose executions do not count.
  int bytes_of(const trace::Site& site) const {
    if (site.kind != trace::EventKind::memory) return 0;
    const auto found = accesses_.find(site.ptx_line);
    if (of_class(site)) {
      const int bytes = found == accesses_.end() ? 0 : width_of(found->second);
      return bytes == 0 ? site.width : bytes;
    }
    return wanted_.kind == Kind::load && trace::is_atomic(site.operation) && found != accesses_.end()
               ? 1
               : 0;  // the word that contains it, which is in the same sector
  }

  bool is_unrolled(const trace::Site& site) const {
    const auto found = accesses_.find(site.ptx_line);
    return wanted_.kind == Kind::load && site.kind == trace::EventKind::memory && of_class(site) &&
           found != accesses_.end() && found->second.size() > 1;
  }

  // True for a load whose only SASS instruction is in no loop: each run of its function executes it once, regardless of
  // the PTX.
  bool is_out_of_loops(const trace::Site& site) const {
    const auto found = accesses_.find(site.ptx_line);
    if (wanted_.kind != Kind::load || site.kind != trace::EventKind::memory || site.operation != trace::Operation::load)
      return false;
    if (found == accesses_.end() || found->second.size() != 1) return false;
    return !flow_.comes_again(static_cast<std::size_t>(found->second.front() - sass_.instructions.data()));
  }

  // Tallies the executions of all sites in one pass over the events.
  void tally() {
    struct Known {
      int bytes = 0;
      bool bypass = false, in_turns = false, regrouped = false, unrolled = false, out_of_loops = false;
    };
    std::vector<Known> known;
    for (const trace::Site& site : trace_.sites)
      known.push_back({.bytes = bytes_of(site),
                       .bypass = past_l1(site) != nullptr,
                       .in_turns = sectors_ && trace::is_atomic(site.operation) && wanted_.kind != Kind::load,
                       .regrouped = memory_ && holds(memory_->regrouped_sites, site.id),
                       .unrolled = is_unrolled(site),
                       .out_of_loops = is_out_of_loops(site)});
    FirstReads first_reads;  // for loads out of loops
    std::set<std::pair<std::tuple<std::uint32_t, std::uint32_t, std::uint16_t, std::uint32_t>, LaneAddresses>> seen;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint16_t>, LaneAddresses>
        of_lanes;  // for regrouped sites: indexed by site, block and warp
    tallies_.resize(trace_.sites.size());
    for (std::size_t i = 0; i < trace_.events.size(); ++i) {
      const WarpEvent& event = trace_.events[i];
      const Known& site = known[event.site];
      const trace::Site& place = trace_.sites[event.site];
      if (place.kind == trace::EventKind::block_entry && place.basic_block == 0)
        first_reads.begin(event, place.function);
      if (site.bytes == 0 || event.space != wanted_.space || event.executed.empty()) continue;
      Tally& tally = tallies_[event.site];
      LaneAddresses addresses{};
      if (sectors_ || site.unrolled || site.out_of_loops) addresses = trace_.lane_addresses(event);
      std::uint64_t one = 1;
      if (wanted_.space == MemorySpace::local)
        one = by_ == CountedBy::instruction || !reaches_also(trace_, i, MemorySpace::global) ? words(site.bytes) : 0;
      const auto of = [&](LaneMask lanes) -> std::uint64_t {
        return sectors_ ? metrics::sector_cost(addresses, lanes, site.bytes).sectors : one;
      };
      const std::uint64_t together = site.in_turns ? sectors_in_turns(trace_, event, sass_) : of(event.executed);
      ++tally.executions;
      tally.counted += together;
      if (site.unrolled && !seen.insert({{event.site, event.block, event.warp, event.executed.bits}, addresses}).second)
        tally.again += together;
      if (site.out_of_loops && first_reads.is_first(event, place.function, addresses)) tally.once += together;
      const bool apart = site.bypass && !side_by_side(i);
      if (!apart && !site.regrouped) continue;
      std::uint64_t alone = 0;
      auto& times = of_lanes[{event.site, event.block, event.warp}];
      event.executed.for_each([&](int lane) {
        alone += of(LaneMask::lane(lane));
        times[static_cast<std::size_t>(lane)] += one;
      });
      tally.most += alone;
      if (apart) tally.pieces += alone - together;
    }
    for (const std::uint32_t site : first_reads.not_moved()) tallies_[site].once = 0;
    for (const auto& [place, times] : of_lanes)
      tallies_[std::get<0>(place)].least += *std::max_element(times.begin(), times.end());
  }

  // Follows the PTX accesses: each is executed where its SASS instructions are, or it is gone.
  bool follow_sites() {
    for (const trace::Site& site : trace_.sites) {
      if (site.kind != trace::EventKind::memory || !of_class(site)) continue;
      const auto found = accesses_.find(site.ptx_line);
      Tally tally = tallies_[site.id];
      if (!as_recorded(site, memory_))
        return false;  // also if no SASS instruction remains: the recording differs from the model there
      if (tally.executions == 0) continue;
      ++account_.accesses.executed;
      if (found == accesses_.end()) {
        if (became_another(site)) return false;
        if (++account_.accesses.gone == 1) account_.accesses.gone_line = site.line;
        note_company(site, memory_);
        continue;
      }
      const int bytes = width_of(found->second);
      if (bytes == 0 || (bytes < site.width && !trace::is_atomic(site.operation) && found->second.size() > 1))
        return false;  // split into pieces
      // A retry loop executes as often as timing decides.
      const bool swaps = std::any_of(found->second.begin(), found->second.end(), [](const MachineInstruction* one) {
        return one->access.kind == Kind::compare_and_swap;
      });
      if (swaps && site.opcode.find(".cas") == std::string::npos) return false;
      if (wanted_.space == MemorySpace::local && bytes > 4 && by_ == CountedBy::l1tex)
        account_.shown.wide = found->second.front();
      if (tally.pieces > 0) account_.shown.past_l1 = past_l1(site);
      if (is_unrolled(site)) {
        if (account_.unrolled.counted == 0) account_.unrolled.line = site.line;
        account_.unrolled.counted += tally.counted;
        account_.unrolled.again += tally.again;
      }
      if (tally.once != 0 && tally.once < tally.counted && !(memory_ && holds(memory_->regrouped_sites, site.id))) {
        if (account_.moved.saved == 0) account_.moved.line = site.line;
        account_.moved.saved += tally.counted - tally.once;
        tally.counted = tally.once;
      }
      if (!add(site, tally, 1, memory_)) return false;
    }
    return true;
  }

  // Atomics and reductions that ptxas turned into each other or into a loop are not gone.
  bool became_another(const trace::Site& site) const {
    return trace::is_atomic(site.operation) &&
           std::any_of(sass_.instructions.begin(), sass_.instructions.end(), [&](const MachineInstruction& one) {
             return one.ptx_line == site.ptx_line && one.access.kind != Kind::none;
           });
  }

  // Follows SASS accesses that have no such access in the PTX.
  bool follow_the_rest() {
    for (const auto& [line, instructions] : accesses_) {
      const auto site =
          std::find_if(trace_.sites.begin(), trace_.sites.end(), [&, line = line](const trace::Site& one) {
            return one.kind == trace::EventKind::memory && one.ptx_line == line;
          });
      if (site != trace_.sites.end() && of_class(*site)) continue;
      if (wanted_.space == MemorySpace::local ? !follow_kept(instructions)
                                              : site == trace_.sites.end() || !follow_first_load(*site, instructions))
        return false;
    }
    return true;
  }

  // The load of the word that precedes a compare-and-swap of 1 or 2 bytes, or the loop that replaces another atomic.
  bool follow_first_load(const trace::Site& site, const std::vector<const MachineInstruction*>& instructions) {
    const int bytes = width_of(instructions);
    if (wanted_.kind != Kind::load || !trace::is_atomic(site.operation) || instructions.size() != 1 || bytes == 0)
      return false;
    const std::string& place = instructions.front()->parts.place;
    const bool swap =
        std::any_of(sass_.instructions.begin(), sass_.instructions.end(), [&](const MachineInstruction& one) {
          return one.access.kind == Kind::compare_and_swap &&
                 (one.ptx_line == site.ptx_line || (!place.empty() && one.parts.place == place));
        });
    if (!swap) return false;
    account_.shown.first_load = instructions.front();
    return add(site, tallies_[site.id], 1, memory_);
  }

  bool is_kept(const MachineInstruction& instruction) const {
    return std::none_of(trace_.sites.begin(), trace_.sites.end(), [&](const trace::Site& site) {
      return site.kind == trace::EventKind::memory && site.ptx_line == instruction.ptx_line &&
             kind_of(site.operation) == instruction.access.kind;
    });
  }

  // The last store to the place in local memory from which a register is restored. ptxas assigns the end of a function
  // to other lines.
  const MachineInstruction* put_there(const MachineInstruction& load) const {
    const MachineInstruction* found = nullptr;
    for (const MachineInstruction& one : sass_.instructions) {
      if (&one == &load) break;
      const SassAccess access = one.access;
      if (access.kind == Kind::store && access.space == MemorySpace::local && !load.parts.place.empty() &&
          one.parts.place == load.parts.place && is_kept(one))
        found = &one;
    }
    return found;
  }

  // A register saved to or restored from local memory without an access in the PTX. It counts as often as the basic
  // block that saves it is entered; for a register saved for the caller, that is the function's first block.
  bool follow_kept(const std::vector<const MachineInstruction*>& instructions) {
    return std::all_of(instructions.begin(), instructions.end(), [&](const MachineInstruction* one) {
      const MachineInstruction* put = wanted_.kind == Kind::load ? put_there(*one) : one;
      const std::vector<int>* function = put ? function_of(put->ptx_line) : nullptr;
      if (!function) return false;
      const trace::Site* block = block_of(*function, put->ptx_line);
      if (!block) return true;  // in a function of the module that this kernel does not call
      account_.shown.kept = one;
      const std::uint64_t entered = trace_.totals.sites[block->id].executions;
      return add(*block, {.executions = entered, .counted = entered, .least = entered, .most = entered},
                 words(one->access.bytes), entries_);
    });
  }

  // The lines of the function that contains this line, which may be the line of its head.
  const std::vector<int>* function_of(int line) const {
    const auto found =
        std::find_if(lines_.begin(), lines_.end(), [&](const std::vector<int>& one) { return line <= one.back(); });
    return found == lines_.end() ? nullptr : &*found;
  }

  const trace::Site* block_of(const std::vector<int>& function, int line) const {
    const int instruction = *std::lower_bound(function.begin(), function.end(), line);
    const trace::Site* block = nullptr;
    for (const trace::Site& site : trace_.sites)
      if (site.kind == trace::EventKind::block_entry && site.ptx_line >= function.front() &&
          site.ptx_line <= instruction && (!block || site.ptx_line > block->ptx_line))
        block = &site;
    return block;
  }

  const trace::Trace& trace_;
  const SassCode& sass_;
  CountedBy by_;
  const RecordComparison* memory_;
  const RecordComparison* entries_;
  const PtxLines& lines_;
  AccessClass wanted_;
  bool sectors_;
  Accesses accesses_;
  const SassFlow flow_{sass_};
  std::vector<Tally> tallies_;  // indexed by site
  Account account_;
};

}  // namespace

bool reaches_also(const trace::Trace& trace, std::size_t index, MemorySpace other) {
  const WarpEvent& event = trace.events[index];
  const auto is_part = [&](std::size_t at) {
    if (at >= trace.events.size()) return false;
    const WarpEvent& near = trace.events[at];
    return near.kind == trace::EventKind::memory && event.kind == near.kind && near.site == event.site &&
           near.block == event.block && near.warp == event.warp && near.space != event.space && near.space == other;
  };
  return is_part(index + 1) || (index > 0 && is_part(index - 1));
}

std::optional<Account> account_of(Number number, const trace::Trace& trace, const SassCode& sass, CountedBy by,
                                  const std::vector<RecordComparison>& records, const PtxLines& instruction_lines) {
  const AccessClass wanted = class_of(number);
  const bool sectors = number.quantity == Quantity::sectors;
  if (wanted.space == MemorySpace::shared ||
      (sectors ? wanted.space != MemorySpace::global : number.quantity != Quantity::requests))
    return std::nullopt;
  if (sass.instructions.empty() || !metrics::events_are_complete(trace)) return std::nullopt;
  return Accountant(number, trace, sass, by, records, instruction_lines).make();
}

Account between(const Account& a, const Account& b) {
  Account both = a;
  both.total = {};
  for (const auto& [site, part] : b.parts) both.parts.try_emplace(site);  // 0 in the other account
  for (auto& [site, part] : both.parts) {
    const auto other = b.parts.find(site);
    const Account::Part theirs = other == b.parts.end() ? Account::Part() : other->second;
    part.low = std::min(part.low, theirs.low);
    part.high = std::max(part.high, theirs.high);
    both.total.low += part.low;
    both.total.high += part.high;
  }
  return both;
}

std::optional<Bounds> bounds_where_regrouped(const Account& account) {
  if (account.regrouped.accesses == 0) return std::nullopt;
  Bounds bounds;
  for (const auto& [site, part] : account.parts) {
    bounds.low += part.regrouped ? part.least : part.low;
    bounds.high += part.regrouped ? part.most : part.high;
  }
  return bounds;
}

}  // namespace lanescope::job
