#pragma once
// From a step backwards: which steps its operands' values came from, and who wrote what it reads from memory.

#include <optional>
#include <string>
#include <vector>

#include "job/replay/last_writer.h"

namespace lanescope::job {

// A step that a value came from, of the same warp.
struct Origin {
  sim::Step step;
  int lane = 0;
  int line = 0;             // of the learner's file; 0: in another
  std::string instruction;  // as StepValues has it
  std::string parameter;    // the kernel's, where that is what the step loads
};

// A register that the step reads.
struct OperandOrigins {
  std::string name, source;  // as OperandValues has them
  std::string value;         // of the lane, in decimal
  bool address = false;      // it says where the access goes
  std::string computed;      // the instruction that wrote the register last; empty: none did
  int lane = 0;              // whose register it is: of a shuffle, the lane that the value comes from; −1: not known
  std::vector<Origin> from;  // newest first
  bool more = false;         // there are earlier ones than those
  bool beyond = false;       // and what cannot be followed: a call's result, a product of matrices, another function
};

// An element that the lane's access finds in memory: of a load or an atomic.
struct MemoryOrigin {
  std::string place, value;  // "in[148]", "148"
  // initial: nobody wrote it before, in this launch or an earlier one. unknown: local memory, and variables of a module
  // before launch 2, 3, …: they are not followed.
  enum class By : std::uint8_t { thread, initial, unknown } by = By::unknown;
  std::optional<Writer> writer;  // by a thread
};

struct Origins {
  std::vector<OperandOrigins> operands;  // values before addresses
  std::vector<MemoryOrigin> memory;      // element by element
};

// Of one lane at a step of launch 1, 2, … (its first repeat); empty where the lane does not execute it. Call it off the
// frame. Errors: those of step_values().
Result<Origins> origins(const Outcome& outcome, int launch, const sim::Step& step, int lane,
                        sim::Progress* progress = nullptr);

// "from step 6 and `n`": without the steps where `steps` is false, for they are listed then.
Wording in_words(const OperandOrigins& operand, bool steps = true);
// "Thread 5 of block 1 wrote it, in line 3."
Wording in_words(const MemoryOrigin& memory);

// One step after another, backwards from what a thread wrote: the writer's, then those that its values came from, then
// theirs. Loads of parameters are told by the steps that use them.
struct ChainLink {
  int launch = 1, lane = 0;
  StepValues values;
  Origins origins;
};
struct Chain {
  std::vector<ChainLink> links;
  bool more = false;  // there are more than were asked for
};
Result<Chain> chain_of(const Outcome& outcome, const Writer& writer, std::size_t most,
                       sim::Progress* progress = nullptr);

}  // namespace lanescope::job
