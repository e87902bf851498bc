#include "gui/time/time_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "core/worded.h"
#include "gui/kit/widgets.h"
#include "gui/parts/ui.h"
#include "gui/time/sweep_plot.h"

namespace lanescope::gui {
namespace {

constexpr double apart = 1.5;  // ratios that differ by less are taken as agreeing
// The counter of bank conflicts includes passes that are not the kernel's own, up to 5 % of the requests
// (docs/agreement-history.md). Fewer conflicts than this, relative to the sectors, explain nothing.
constexpr double telling = 0.1;

double sum_of(const job::RecordedRun& run, std::initializer_list<const char*> counters) {
  double sum = 0;
  for (const char* name : counters)
    if (const auto at = run.counters.find(name); at != run.counters.end()) sum += at->second;
  return sum;
}

double load_sectors(const job::RecordedRun& run) {
  return sum_of(run, {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"});
}
double sectors(const job::RecordedRun& run) {
  return sum_of(run,
                {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"});
}
double from_l2(const job::RecordedRun& run) {
  return sum_of(run, {"lts__t_sectors_op_read.sum"});
}
// Bulk copies read without a request of a warp, so the requested sectors are not what the run moved. (L2 also reads a
// few thousand sectors of its own: code, and what the driver left.)
bool reads_beside_requests(const job::RecordedRun& run) {
  return from_l2(run) > 100'000 && load_sectors(run) < 0.1 * from_l2(run);
}
double conflicts(const job::RecordedRun& run) {
  return sum_of(run, {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"});
}
double atomics(const job::RecordedRun& run) {
  return sum_of(
      run, {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"});
}

// The count that differs most in the direction of the times, beyond the sectors; null if there is none. One that is
// small beside all others explains nothing.
const InterpretedCounts::Count* most_apart(const InterpretedCounts& interpreted, double asked) {
  double largest = 0;
  for (const auto& count : interpreted.counts) largest = std::max(largest, count.one);
  const auto ratio = [](const InterpretedCounts::Count& count) { return count.one / count.fastest; };
  const InterpretedCounts::Count* most = nullptr;
  for (const auto& count : interpreted.counts)
    if (count.fastest > 0 && count.one >= 0.02 * largest && ratio(count) >= apart * std::max(asked, 1.0) &&
        (most == nullptr || ratio(count) > ratio(*most)))
      most = &count;
  return most;
}

std::string times(double ratio) {
  return fmt::format("{:.{}f} ×", ratio, ratio < 9.995 ? 2 : ratio < 99.5 ? 1 : 0);
}

void add_interpreted(std::vector<Wording>& said, const CountInterpreted& interpreted, double asked) {
  const auto counted = interpreted ? interpreted() : InterpretedCounts();
  if (!counted) return;
  const InterpretedCounts::Count* most = most_apart(*counted, asked);
  const auto number = [](double value) { return grouped(static_cast<std::int64_t>(std::llround(value))); };
  said.push_back(most == nullptr ? worded("None of the recorded memory counters explains it.")
                                 : worded("Interpreted at {}: {} {}, against {}: {}.", counted->size, number(most->one),
                                          most->name, number(most->fastest), times(most->one / most->fastest)));
}

}  // namespace

std::vector<Wording> time_evidence(const NamedRun& one, const NamedRun& fastest, double empty_launch,
                                   const CountInterpreted& interpreted) {
  if (!one.run.timing || !fastest.run.timing || sectors(one.run) <= 0 || sectors(fastest.run) <= 0) return {};
  const double least = fastest.run.timing->seconds.median, time = one.run.timing->seconds.median / least;
  if (reads_beside_requests(one.run) || reads_beside_requests(fastest.run)) return {};
  const double asked = sectors(one.run) / sectors(fastest.run);
  const auto distance = [&](double ratio) { return std::abs(std::log(ratio / time)); };
  if (distance(asked) < std::log(apart)) return {};
  const bool as_many = std::abs(asked - 1) < 0.005;
  std::vector<Wording> said{as_many ? worded("\"{}\" requests as many sectors as \"{}\", but takes {} its time.",
                                             one.name, fastest.name, times(time))
                                    : worded("\"{}\" requests {} the sectors of \"{}\", but takes {} its time.",
                                             one.name, times(asked), fastest.name, times(time))};
  if (empty_launch > 0 && least < 2 * empty_launch) {
    said.push_back(worded("An empty launch takes {}, most of the time at this size.", time_text(empty_launch)));
    return said;
  }
  const auto against = [&](double (*count)(const job::RecordedRun&)) {
    const double a = count(one.run), b = count(fastest.run);
    return a >= apart * asked * b && a > telling * sectors(one.run);
  };
  const auto number = [](double value) { return grouped(static_cast<std::int64_t>(std::llround(value))); };
  const double read = from_l2(fastest.run) > 0 ? from_l2(one.run) / from_l2(fastest.run) : 0;
  if (read > 0 && distance(read) < std::log(apart))
    said.push_back(read < asked ? worded("From L2 it reads {} as many: L1 served the rest.", times(read))
                                : worded("From L2 it reads {} as many.", times(read)));
  else if (time > asked && against(atomics))
    said.push_back(
        worded("Counted atomic requests: {}, against {}.", number(atomics(one.run)), number(atomics(fastest.run))));
  else if (time > asked && against(conflicts))
    said.push_back(worded(
        "Counted bank conflicts: {}, against {}. The GPU's counter also counts passes in which accesses wait for "
        "other blocks' (arbitration), so it is not 0 for a kernel without conflicts.",
        number(conflicts(one.run)), number(conflicts(fastest.run))));
  else if (asked > time && time > 1)  // more sectors than the time needs are no riddle
    said = {worded("\"{}\" requests {} the sectors of \"{}\", and takes {} its time.", one.name, times(asked),
                   fastest.name, times(time))};
  else
    add_interpreted(said, time > asked ? interpreted : CountInterpreted(), asked);
  return said;
}

}  // namespace lanescope::gui
