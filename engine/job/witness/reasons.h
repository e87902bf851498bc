#pragma once
// Why two witnesses of a number differ: a table of named reasons, tried in order. docs/add-a-reason.md tells how to add
// one. Pure. Internal to job/.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/worded.h"
#include "job/sass/number.h"
#include "job/sass/ptx_facts.h"
#include "job/sass/sass_code.h"
#include "job/witness/code_counts.h"
#include "job/witness/record_comparison.h"
#include "job/witness/sass_account.h"
#include "job/witness/verify.h"
#include "trace/trace.h"

namespace lanescope::job {

// Evidence about a launch besides its numbers. An empty member means no such evidence.
struct Circumstances {
  Wording entries;  // where the recorded block entries differ from the model's entries
  // Accesses that the GPU recorded with a different lane grouping; each lane makes the same accesses.
  Wording regrouped;
  Wording unrepeatable;                             // why two runs of the unmodified kernel differ
  Wording race;                                     // a data race that was found
  std::optional<std::vector<int>> lines_that_part;  // RecordComparison's, of the accesses
  // Some lane made other accesses than in the model; nullopt if accesses were not recorded.
  std::optional<bool> changed;
  const trace::Trace* recorded = nullptr;
  std::vector<RecordComparison> records;
  // Empty if the machine instructions were not counted, or if the result on the GPU, plain or recording, shows that the
  // kernel did something else there than in the model, and vote_apart does not tell why.
  std::vector<CodeCount> code_counts;
  Wording vote_apart;  // vote_of_lanes_apart()
  PtxFacts ptx;
};

// Further counts for a number besides its own counter.
struct Beside {
  Wording not_the_kernels;  // why more may have been counted than the kernel does; empty if there is no reason
  std::optional<std::uint64_t> by_instruction;  // the same quantity, counted only for the kernel's own instructions
  std::string counters;                         // the names of those counters
  std::optional<std::uint64_t> copies;          // wavefronts of copies to shared memory
  std::optional<Agreed> requests;               // for a number of sectors: the agreement of its requests
};

struct Values {
  std::uint64_t interpreted = 0;
  std::optional<std::uint64_t> recorded, counted;  // at least one has a value
};

// One number whose witnesses differ, with everything that a reason may use. It holds references to its inputs.
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

  // True if the recording differs. It runs the same PTX as the interpreter, so only timing can cause that, never the
  // translation to SASS.
  bool recording_parts() const { return values.recorded && *values.recorded != values.interpreted; }
  // The value that the interpreter's is compared with.
  std::uint64_t other() const { return values.counted.value_or(values.recorded.value_or(0)); }
  bool more() const { return other() > values.interpreted; }
  // The accesses followed from PTX to SASS, for a counted number; nullopt if they cannot be followed. Computed on first
  // use.
  const std::optional<Account>& account() const;

 private:
  mutable std::optional<std::optional<Account>> account_;
};

struct Reason {
  const char* name;                 // unique
  bool (*applies)(const Case&);     // cheap; if false, explain() is not called
  Wording (*explain)(const Case&);  // the evidence; empty if this is not the reason
};

// The order:
// 1. reasons that follow every access and give the counted number exactly, or within its bounds;
// 2. what the GPU itself shows: two runs differ, lanes wait elsewhere or for another thread;
// 3. what other counters, or another unit, account for;
// 4. what the instruction counts in PTX and SASS suggest, special cases before general ones;
// 5. the driver's functions.
// A reason that proves more comes before one that proves less, because the first that explains is shown.
std::span<const Reason> reasons();

// The first reason that explains the case; a null name if none does.
struct Explained {
  const char* reason = nullptr;
  Wording evidence;
};
Explained first_reason(const Case& one);

}  // namespace lanescope::job
