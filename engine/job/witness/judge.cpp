#include "job/witness/judge.h"

#include <algorithm>
#include <string>
#include <vector>

namespace lanescope::job {
namespace {

std::string wavefront_counter(Number number, bool has_matrices) {
  const std::size_t which = number.memory_class == trace::MemoryClass::shared_atomic  ? 2
                            : number.memory_class == trace::MemoryClass::shared_store ? 1
                                                                                      : 0;
  const std::string name = wavefront_counters[which];
  return has_matrices ? name + " + " + matrix_counters[which] : name;
}

}  // namespace

Wording explain_conflicts(Number number, const InterpretedConflicts& interpreted, const ConflictCounts& counts) {
  if (counts.wavefronts != interpreted.wavefronts) return {};
  if (counts.arbitration == 0u && counts.again == interpreted.conflicts)
    return worded(
        "counted once more, there are {}, as interpreted, and no pass was lost to arbitration between L1's clients, "
        "which this counter includes; per instruction ({}) these accesses took {} wavefronts, as interpreted",
        interpreted.conflicts, wavefront_counter(number, counts.has_matrices), interpreted.wavefronts);
  if (counts.arbitration.value_or(0) == 0) return {};
  return worded(
      "the counter also includes passes lost to arbitration between L1's clients ({}: {} in a separate count); per "
      "instruction ({}) these accesses took {} wavefronts, as interpreted",
      std::string(arbitration_counter), *counts.arbitration, wavefront_counter(number, counts.has_matrices),
      interpreted.wavefronts);
}

void judge(AgreementRow& row, Number number, const trace::Trace& interpreted, const SassCode& sass,
           const Circumstances& known, const Beside& beside) {
  std::vector<std::uint64_t> said;
  for (const auto& value : {row.interpreted, row.recorded, row.counted})
    if (value) said.push_back(*value);
  if (said.size() < 2) return;
  if (std::all_of(said.begin(), said.end(), [&](std::uint64_t value) { return value == said.front(); })) {
    row.agreed = Agreed::equal;
    return;
  }
  const Values values{*row.interpreted, row.recorded, row.counted};
  row.evidence = first_reason({number, values, interpreted, sass, known, beside}).evidence;
  row.agreed = row.evidence.empty() ? Agreed::unexplained : Agreed::explained;
}

}  // namespace lanescope::job
