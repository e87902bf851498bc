#pragma once
// Follows a run's accesses from PTX to SASS: each SASS access names its PTX line, so each access of the trace is mapped
// to the SASS instructions that remain of it. Pure. Internal to job/.

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

// Events of one generic instruction that some lanes make to one space and some to another follow each other without an
// entry between.
bool reaches_also(const trace::Trace& trace, std::size_t event, trace::MemorySpace other);

// Requests that l1tex counts for a local access of this many bytes per lane: one per 4 bytes (see explain_by_words()).
constexpr std::uint64_t local_requests(int bytes) {
  return bytes < 8 ? 1 : static_cast<std::uint64_t>(bytes) / 4;
}

// What counts: l1tex, for which local memory has a request for each 4 bytes of a lane and none for a generic access
// that other lanes make to global memory; or the instructions themselves, one for each execution.
enum class CountedBy : std::uint8_t { l1tex, instruction };

struct Account {
  struct Accesses {  // of the PTX, of this number's class, that were executed
    int executed = 0;
    int gone = 0, gone_line = 0;  // without a remaining SASS instruction; the source line of the first
  };
  struct Unrolled {  // loads that became several instructions, or fewer where ptxas joined some
    std::uint64_t counted = 0;
    std::uint64_t again = 0;  // of it, what the same lanes make where they read what they read there before: the most
                              // that can be joined
    int line = 0;             // of the first
  };
  struct Moved {  // loads that were moved out of the loops that repeat them
    std::uint64_t saved = 0;
    int line = 0;
  };
  struct Regrouped {  // accesses that the GPU recorded with a different lane grouping
    int accesses = 0, line = 0;
  };
  struct Shown {                                     // machine code that changes what an access counts; null: none
    const MachineInstruction* wide = nullptr;        // local, of more than 4 bytes
    const MachineInstruction* kept = nullptr;        // puts a register into local memory, or takes it from there
    const MachineInstruction* first_load = nullptr;  // reads what a compare-and-swap in its place changes
    const MachineInstruction* past_l1 = nullptr;     // a copy whose sectors depend on where in shared memory it stores
  };
  // What each access adds: by its site, or by that of the basic block where registers are kept.
  struct Part {
    std::uint64_t low = 0, high = 0;
    std::uint64_t least = 0, most = 0;  // from a warp's lanes together, whatever that counts at least, to each alone
    bool regrouped = false;
  };

  Bounds total;  // the number; low == high where nothing is free
  Accesses accesses;
  Unrolled unrolled;
  Moved moved;
  Regrouped regrouped;
  Shown shown;
  std::map<std::uint32_t, Part> parts;
  bool contains(std::uint64_t value) const { return total.contain(value); }
};
// `number`: requests or sectors of global memory, requests of local memory. `records`: of the run, may be empty.
// `instruction_lines`: lines_of_instructions(); where they are missing, registers that are kept cannot be followed.
// None when the trace does not hold every event, when some lane made other accesses of this class than recorded, or
// when it is not known how often a SASS access is executed.
std::optional<Account> account_of(Number number, const trace::Trace& trace, const SassCode& sass, CountedBy by,
                                  const std::vector<RecordComparison>& records, const PtxLines& instruction_lines);
// Where each access adds something from what it adds by one account to what it adds by the other.
Account between(const Account& a, const Account& b);

// What the number can be when in the regrouped accesses, and there alone, any lanes may run together. None where there
// are none.
std::optional<Bounds> bounds_where_regrouped(const Account& account);

}  // namespace lanescope::job
