#pragma once
// Backwards from a step: the steps that its operands' values came from, and who wrote what it reads from memory.

#include <optional>
#include <string>
#include <vector>

#include "job/replay/last_writer.h"

namespace lanescope::job {

// A step of the same warp that a value came from.
struct Origin {
  sim::Step step;
  int lane = 0;
  int line = 0;             // of the learner's file; 0: in another file
  std::string instruction;  // as in StepValues
  std::string parameter;    // name of the kernel parameter, if the step loads one
};

// A register that the step reads.
struct OperandOrigins {
  std::string name, source;  // as in OperandValues
  std::string value;         // in this lane, in decimal
  bool address = false;      // the register is used as an address
  std::string computed;      // the last instruction that wrote the register; empty if none did
  int lane = 0;  // the lane whose register it is: for a shuffle, the lane that the value comes from; −1: not known
  std::vector<Origin> from;  // newest first
  bool more = false;         // there are earlier origins that are not listed
  bool beyond = false;       // some origins cannot be followed: a call's result, a matrix product, another function
};

// An element that a load or atomic of the lane finds in memory.
struct MemoryOrigin {
  std::string place, value;  // "in[148]", "148"
  // initial: no thread wrote it before, in this or an earlier launch. unknown: local memory, and module variables
  // before launch 2, 3, …, which are not followed.
  enum class By : std::uint8_t { thread, initial, unknown } by = By::unknown;
  std::optional<Writer> writer;  // if By::thread
};

struct Origins {
  std::vector<OperandOrigins> operands;  // values before addresses
  std::vector<MemoryOrigin> memory;      // per element
};

// For one lane at a step of launch 1, 2, … (its first repeat). Empty if the lane does not execute the step. Takes long:
// do not call it while a frame is drawn. Errors: those of step_values().
Result<Origins> origins(const Outcome& outcome, int launch, const sim::Step& step, int lane,
                        sim::Progress* progress = nullptr);

// "from step 6 and `n`". With `steps` false, steps are left out because the caller lists them.
Wording in_words(const OperandOrigins& operand, bool steps = true);
// "Thread 5 of block 1 wrote it, in line 3."
Wording in_words(const MemoryOrigin& memory);

// The history of a value, backwards from the write of a thread: the writing step, then the steps that its values came
// from, and so on. Loads of parameters appear in the steps that use them.
struct ChainLink {
  int launch = 1, lane = 0;
  StepValues values;
  Origins origins;
};
struct Chain {
  std::vector<ChainLink> links;
  bool more = false;  // there are more links than requested
};
Result<Chain> chain_of(const Outcome& outcome, const Writer& writer, std::size_t most,
                       sim::Progress* progress = nullptr);

}  // namespace lanescope::job
