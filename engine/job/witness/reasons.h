#pragma once
// Why two witnesses of a number differ: a table of named reasons, asked in order. How to add one:
// docs/add-a-reason.md. Pure. Internal to job/.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/worded.h"
#include "job/sass/number.h"
#include "job/sass/ptx_facts.h"
#include "job/sass/sass_code.h"
#include "job/witness/record_comparison.h"
#include "job/witness/sass_account.h"
#include "job/witness/verify.h"
#include "trace/trace.h"

namespace lanescope::job {

// Evidence about a launch besides its numbers. Empty: no such evidence.
struct Circumstances {
  Wording entries;       // where the recorded block entries differ from the model's
  Wording regrouped;     // accesses that the GPU recorded with a different lane grouping; each lane makes the same ones
  Wording unrepeatable;  // why two runs of the unmodified kernel differ
  std::optional<std::vector<int>> lines_that_part;  // RecordComparison's, of the accesses
  std::optional<bool> changed;  // whether some lane made other accesses than in the model, where they were recorded
  std::string outside;          // functions_outside()
  const trace::Trace* recorded = nullptr;
  std::vector<RecordComparison> records;
  PtxLines instruction_lines;  // lines_of_instructions()
};

// Further counts of a number besides its counter.
struct Beside {
  Wording not_the_kernels;  // why more may have been counted than the kernel does; empty when there is no reason
  std::optional<std::uint64_t> by_instruction;  // the same of the kernel's own instructions
  std::string counters;                         // their names
  std::optional<std::uint64_t> copies;          // wavefronts of copies to shared memory
  std::optional<Agreed> requests;               // of a number of sectors: what became of its requests
};

struct Values {
  std::uint64_t interpreted = 0;
  std::optional<std::uint64_t> recorded, counted;  // at least one
};

// One number whose witnesses differ, with all that a reason may look at. It refers to what it is made of.
class Case {
 public:
  Case(Number its_number, const Values& its_values, const trace::Trace& interpreted, const SassCode& code,
       const Circumstances& circumstances, const Beside& further)
      : number(its_number), values(its_values), trace(interpreted), sass(code), known(circumstances), beside(further) {}

  const Number number;
  const Values values;
  const trace::Trace& trace;  // the interpreter's
  const SassCode& sass;
  const Circumstances& known;
  const Beside& beside;

  // The recording runs the same PTX as the interpreter: only timing may part those two, never the step to SASS.
  bool recording_parts() const { return values.recorded && *values.recorded != values.interpreted; }
  // What the interpreter's value is held against.
  std::uint64_t other() const { return values.counted.value_or(values.recorded.value_or(0)); }
  bool more() const { return other() > values.interpreted; }
  // The accesses followed from PTX to SASS, for a counted number; none where they cannot be. Made when first asked for.
  const std::optional<Account>& account() const;

 private:
  mutable std::optional<std::optional<Account>> account_;
};

struct Reason {
  const char* name;                 // unique
  bool (*applies)(const Case&);     // cheap; false: explain() is not asked
  Wording (*explain)(const Case&);  // the evidence; empty when this is not the reason
};

// In the order in which they are asked:
// 1. what follows every access and yields the counted number exactly, or within its bounds;
// 2. what the GPU itself shows: two runs differ, lanes wait elsewhere, or wait for another thread;
// 3. what other counters, or another unit, account for;
// 4. what the numbers of instructions in PTX and SASS suggest, the special before the general;
// 5. the driver's functions.
// A reason that proves more comes before one that proves less: the first that explains is the evidence shown.
std::span<const Reason> reasons();

// The first that explains the case; a null name when none does.
struct Explained {
  const char* reason = nullptr;
  Wording evidence;
};
Explained first_reason(const Case& one);

}  // namespace lanescope::job
