#include "metrics/costliest_line.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace lanescope::metrics {
namespace {

CostliestLine most_by(const trace::Trace& trace, bool in_wavefronts) {
  CostliestLine most{.in_wavefronts = in_wavefronts};
  std::map<std::pair<std::string, std::int32_t>, std::uint64_t> lines;
  const std::size_t sites = std::min(trace.sites.size(), trace.totals.sites.size());
  for (std::size_t i = 0; i < sites; ++i) {
    const trace::SiteTotals& totals = trace.totals.sites[i];
    const std::uint64_t count =
        in_wavefronts ? totals.memory.wavefronts + totals.memory_shared_part.wavefronts : totals.memory.sectors;
    if (count == 0) continue;
    most.of += count;
    if (trace.sites[i].line > 0) lines[{trace.sites[i].file, trace.sites[i].line}] += count;
  }
  for (const auto& [place, count] : lines)
    if (count > most.count) {
      std::tie(most.file, most.line) = place;
      most.count = count;
    }
  return most;
}

}  // namespace

CostliestLine costliest_line(const trace::Trace& trace) {
  CostliestLine most = most_by(trace, false);
  return most.of > 0 ? most : most_by(trace, true);
}

}  // namespace lanescope::metrics
