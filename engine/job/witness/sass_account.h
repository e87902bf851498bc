#pragma once
// Follows a run's accesses from PTX to SASS. Each SASS access names its PTX line, so each access of the trace maps to
// the SASS instructions that remain of it. Pure. Internal to job/.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "job/sass/bounds.h"
#include "job/sass/number.h"
#include "job/sass/ptx_facts.h"
#include "job/sass/sass_code.h"
#include "job/witness/record_comparison.h"
#include "trace/trace.h"

namespace lanescope::job {

// True if the same execution of a generic instruction also accesses the space `other` with other lanes. Such events are
// adjacent, with no block entry between them.
bool reaches_also(const trace::Trace& trace, std::size_t event, trace::MemorySpace other);

// Requests that l1tex counts for a local access of this many bytes per lane: one per 4 bytes (see explain_by_words()).
constexpr std::uint64_t local_requests(int bytes) {
  return bytes < 8 ? 1 : static_cast<std::uint64_t>(bytes) / 4;
}

// The counting unit. l1tex: local memory has one request per 4 bytes of a lane, and none for a generic access whose
// other lanes access global memory. instruction: one per execution.
enum class CountedBy : std::uint8_t { l1tex, instruction };

struct Account {
  struct Accesses {  // PTX accesses of this number's class that were executed
    int executed = 0;
    int gone = 0, gone_line = 0;  // without a remaining SASS instruction; source line of the first
  };
  struct Unrolled {  // loads that became several instructions, or fewer if ptxas merged some
    std::uint64_t counted = 0;
    // The most of these that can be merged: loads by which the same lanes read again what they have read there before.
    std::uint64_t again = 0;
    int line = 0;  // source line of the first
  };
  struct Moved {  // loads that were moved out of the loops that repeat them
    std::uint64_t saved = 0;
    int line = 0;
  };
  struct Regrouped {  // accesses that the GPU recorded with a different lane grouping
    int accesses = 0, line = 0;
  };
  struct Shown {                                     // machine code that changes what an access counts; null: none
    const MachineInstruction* wide = nullptr;        // a local access of more than 4 bytes
    const MachineInstruction* kept = nullptr;        // moves a register to or from local memory
    const MachineInstruction* first_load = nullptr;  // reads what a compare-and-swap changes that replaced an atomic
    const MachineInstruction* past_l1 = nullptr;     // a copy whose sectors depend on where it stores in shared memory
  };
  // What each access adds, indexed by its site, or by the basic block's site for saved registers.
  struct Part {
    std::uint64_t low = 0, high = 0;
    // The least and the most for any lane grouping: from all lanes of a warp together to each lane alone.
    std::uint64_t least = 0, most = 0;
    bool regrouped = false;
  };

  Bounds total;  // the number; low == high if it is determined exactly
  Accesses accesses;
  Unrolled unrolled;
  Moved moved;
  Regrouped regrouped;
  Shown shown;
  std::map<std::uint32_t, Part> parts;
  bool contains(std::uint64_t value) const { return total.contain(value); }
};
// `number`: requests or sectors of global memory, or requests of local memory. `records`: those of the run; may be
// empty. `instruction_lines`: PtxFacts::instruction_lines; without them, saved registers cannot be followed. nullopt if
// the trace does not hold every event, if some lane made other accesses of this class than recorded, or if the
// execution count of a SASS access is not known.
std::optional<Account> account_of(Number number, const trace::Trace& trace, const SassCode& sass, CountedBy by,
                                  const std::vector<RecordComparison>& records, const PtxLines& instruction_lines);
// Bounds between two accounts: each access adds a value between its values in `a` and `b`.
Account between(const Account& a, const Account& b);

// The range of the number if the lanes of the regrouped accesses, and only of those, may be grouped in any way. nullopt
// if there are none.
std::optional<Bounds> bounds_where_regrouped(const Account& account);

}  // namespace lanescope::job
