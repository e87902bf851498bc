#pragma once
// Two variants stepped together: pure functions from two traces to the steps they share, by the phases that the
// lesson's sources mark with the same names.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diagram/words.h"
#include "gui/session/run_result.h"
#include "metrics/block_steps.h"
#include "trace/trace.h"

namespace lanescope::gui {

using diagram::ratio_text;

// One pass through a phase by one warp: "halving", the second of eight.
struct PhasePass {
  std::string name;
  int number = 1, count = 1;        // of this name, from 1
  std::size_t first = 0, last = 0;  // events of the warp, both included
  std::size_t telling = 0;          // the one that says most: see event_weight()
  friend bool operator==(const PhasePass&, const PhasePass&) = default;
};

// A phase begins anew where its lines are entered from another phase, or where an instruction comes up again (a loop).
// Events outside every phase, those of functions that a phase calls among them, belong to the pass they fall into, and
// those before the first to none. A load that bears the line of the store behind it is of the phase before the store's,
// where nothing else is. A source without phases is one pass named "".
std::vector<PhasePass> phase_passes(const trace::Trace& trace, const std::string& source, std::uint32_t block,
                                    std::uint32_t warp);

// Of each warp of a block.
std::vector<std::vector<PhasePass>> passes_of_block(const trace::Trace& trace, const std::string& source,
                                                    std::uint32_t block);

// Finds a pass by its name and number, in a list that has each once.
class PassIndex {
 public:
  explicit PassIndex(const std::vector<PhasePass>& passes);
  std::optional<std::size_t> find(const PhasePass& like) const;

 private:
  std::map<std::string, std::vector<std::size_t>> by_name_;  // the passes 1, 2, … of a name
};

// An access of the one, or an exchange among its lanes, beside that of the other which does the same: events of their
// warps. One of them may be missing.
struct AccessPair {
  std::optional<std::size_t> a, b;
  friend bool operator==(const AccessPair&, const AccessPair&) = default;
};

// A step of both: the pass with the same name and number in each; one of them may be missing.
struct JointStep {
  std::string name;
  int number = 1, count = 1;         // count: the larger of both
  std::optional<std::size_t> a, b;   // indices of passes
  std::vector<AccessPair> accesses;  // not empty once they are paired: what has no access has its telling event
  std::size_t telling =
      0;  // of the accesses: the dearest that both make, or, where they make none alike, that either makes
  friend bool operator==(const JointStep&, const JointStep&) = default;
};
std::vector<JointStep> joint_steps(const std::vector<PhasePass>& a, const std::vector<PhasePass>& b);

// Whether a warp's event is an access of memory or moves something among lanes: what can be stepped through.
bool is_access(const trace::WarpEvent& event);

// What a block does at a pass: how many warps have a lane at work at its telling event, and how busy each of them is
// (executed lanes, one number a warp; 0 = does not come here).
struct BlockWork {
  std::vector<int> lanes;
  int busy_warps() const;
  int most_lanes() const;
  friend bool operator==(const BlockWork&, const BlockWork&) = default;
};
BlockWork block_work(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t event);
BlockWork block_work(const std::vector<const trace::WarpEvent*>& events);  // one or null for each warp

// Whose step shows what a block does in a pass: the warp's that is looked at, unless that touches no memory and moves
// nothing among lanes there while another warp of the block does.
struct Teller {
  std::uint32_t warp = 0;
  std::size_t event = 0;  // of that warp
  friend bool operator==(const Teller&, const Teller&) = default;
};
// One for each pass of `warp`; `of_warps`: the passes of each warp of the block.
std::vector<Teller> tellers_of(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp,
                               const std::vector<std::vector<PhasePass>>& of_warps);

// One of the two: a warp of a launch, and its passes.
struct Walk {
  const trace::Trace& trace;
  const std::vector<PhasePass>& passes;
  std::uint32_t block = 0, warp = 0;
  const std::vector<Teller>* tellers = nullptr;      // parallel to `passes`; none: the warp's own steps
  const metrics::BlockSteps* block_steps = nullptr;  // of the block; none: its warps are searched from their beginning
  std::span<const trace::WarpEvent> events() const { return trace.warp(block, warp); }
};
// Pairs the accesses within a step: alike are those of the same space and operation, in the order of the program.
void pair_accesses(const Walk& a, const Walk& b, JointStep& step);
void pair_accesses(const Walk& a, const Walk& b, std::vector<JointStep>& steps);

// The first joint step on which the two differ: in the lanes at work, or in what the telling access costs. nullopt if
// they never do, and once `stop` says so.
std::optional<std::size_t> where_they_part(const Walk& a, const Walk& b, const std::vector<JointStep>& steps,
                                           const std::function<bool()>& stop = {});

// B ÷ A of one number, and whether B does better by it. Nothing where they cannot be compared.
struct Ratio {
  enum class Verdict : std::uint8_t { same, better, worse, neutral };
  enum class Only : std::uint8_t { neither, a, b };  // zero in the other one
  std::string text;                                  // "0.65 ×", "–"; empty where only one has it
  Verdict verdict = Verdict::neutral;
  Only only = Only::neither;
};
Ratio ratio_of(const metrics::Measurement& a, const metrics::Measurement& b);

// The numbers of two reports side by side, without those that are zero or do not apply in both: those that differ
// first. Of an interpreted and a recorded one those of accesses alone: a recording counts no instructions.
struct CompareRow {
  metrics::Measurement a, b;
};
std::vector<CompareRow> compare_rows(const std::vector<metrics::Measurement>& a,
                                     const std::vector<metrics::Measurement>& b);

}  // namespace lanescope::gui
