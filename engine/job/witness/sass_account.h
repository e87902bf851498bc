#pragma once
// Follows a run's accesses from PTX to SASS: each SASS access names its PTX line, so each access of the trace is mapped
// to the SASS instructions that remain of it. Pure. Internal to job/.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "core/worded.h"
#include "job/witness/record_comparison.h"
#include "job/witness/sass_evidence.h"
#include "trace/trace.h"

namespace lanescope::job {

// Sectors of an atomic or reduction when the hardware takes the lanes of one address one after another: each round has
// at most one lane of an address. Where ptxas joins the lanes' values first (REDUX), one lane alone goes to memory.
std::uint64_t sectors_in_turns(const trace::Trace& trace, const trace::WarpEvent& event, const compile::Sass& sass);

// Events of one generic instruction that some lanes make to one space and some to another follow each other without an
// entry between.
bool reaches_also(const trace::Trace& trace, std::size_t event, trace::MemorySpace other);

// Lines of the PTX that hold an instruction, in order; by function. None when it cannot be read.
PtxLines lines_of_instructions(const std::string& ptx);

// What counts: l1tex, for which local memory has a request for each 4 bytes of a lane and none for a generic access
// that other lanes make to global memory; or the instructions themselves, one for each execution.
enum class CountedBy : std::uint8_t { l1tex, instruction };

struct Account {
  std::uint64_t low = 0, high = 0;  // the number; low == high where nothing is free
  int accesses = 0;                 // of the PTX, of this number's class, that were executed
  int gone = 0, gone_line = 0;      // of them, those without a remaining SASS instruction; the source line of the first
  std::uint64_t of_unrolled = 0;  // that loads make which became several instructions, or fewer where ptxas joined some
  std::uint64_t of_unrolled_again =
      0;  // of it, what the same lanes make where they read what they read there before: the most that can be joined
  int unrolled_line = 0;
  std::uint64_t saved_by_moving =
      0;  // what loads do not make any more that were moved out of the loops that repeat them
  int moved_line = 0;
  int regrouped = 0, regrouped_line = 0;           // accesses that the GPU recorded with a different lane grouping
  const compile::SassInstruction* wide = nullptr;  // local, of more than 4 bytes
  const compile::SassInstruction* kept = nullptr;  // puts a register into local memory, or takes it from there
  const compile::SassInstruction* first_load = nullptr;  // reads what a compare-and-swap in its place changes
  const compile::SassInstruction* past_l1 =
      nullptr;  // a copy to shared memory whose sectors depend on where it stores them
  // What each access adds: by its site, or by that of the basic block where registers are kept.
  struct Part {
    std::uint64_t low = 0, high = 0;
    std::uint64_t least = 0, most = 0;  // from a warp's lanes together, whatever that counts at least, to each alone
    bool regrouped = false;
  };
  std::map<std::uint32_t, Part> parts;
  bool contains(std::uint64_t value) const { return low <= value && value <= high; }
};
// `number`: requests or sectors of global memory, requests of local memory. `records`: of the run, may be empty.
// `instruction_lines`: lines_of_instructions(); where they are missing, registers that are kept cannot be followed.
// None when the trace does not hold every event, when some lane made other accesses of this class than recorded, or
// when it is not known how often a SASS access is executed.
std::optional<Account> account_of(const std::string& number, const trace::Trace& trace, const compile::Sass& sass,
                                  CountedBy by, const std::vector<RecordComparison>& records,
                                  const PtxLines& instruction_lines);
// Where each access adds something from what it adds by one account to what it adds by the other.
Account between(const Account& a, const Account& b);

// What the number can be when in the regrouped accesses, and there alone, any lanes may run together. None where there
// are none.
std::optional<Bounds> bounds_where_regrouped(const Account& account);

// A run's number, explained by where its accesses are left in the machine code: by the model's company of lanes, by the
// company that they have in the kernel's own record (`recorded`: its trace, may be null), or access by access by one
// between these two. Empty when none gives `counted`.
Wording explain_by_account(const std::string& number, const trace::Trace& interpreted, const trace::Trace* recorded,
                           const compile::Sass& sass, CountedBy by, std::uint64_t counted,
                           const std::vector<RecordComparison>& records, const PtxLines& instruction_lines);

// Why l1tex may count more than the kernel's own instructions make: functions of the driver that it calls (`outside`:
// functions_outside()), generic accesses that reach local memory too. Empty when the machine code gives no reason.
Wording beyond_instructions(const std::string& number, const trace::Trace& interpreted, const compile::Sass& sass,
                            const std::string& outside);

// The same as explain_by_account() of a number that was counted a second time, by instruction: `by_instruction`, with
// the names of those counters. `beyond`: beyond_instructions().
Wording explain_by_instruction(const std::string& number, const trace::Trace& interpreted, const trace::Trace* recorded,
                               const compile::Sass& sass, std::uint64_t counted, std::uint64_t by_instruction,
                               const std::string& counters, const Wording& beyond,
                               const std::vector<RecordComparison>& records, const PtxLines& instruction_lines);

// Conflicts of stores to shared memory, where the kernel also copies to it (cp.async): the hardware counts these apart.
// `wavefronts`: what it counted of copies. On an H200 they were those that their banks take where lanes copy side by
// side, and up to one for each lane where not. Empty when the stores alone do not make `counted`, or the copies not
// `wavefronts`.
Wording explain_copies(const std::string& number, const trace::Trace& interpreted, const compile::Sass& sass,
                       std::uint64_t counted, std::optional<std::uint64_t> wavefronts);

}  // namespace lanescope::job
