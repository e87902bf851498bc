// What requests and outcomes tell about their launches.

#include <algorithm>

#include "job/run/job.h"

namespace lanescope::job {

std::vector<RequestedLaunch::Parameter> Request::parameters_of(const RequestedLaunch& launch) const {
  if (launch.number > 1) return launch.parameters;
  std::vector<RequestedLaunch::Parameter> own(arguments.size() + launch.pointed_at);
  for (std::size_t i = 0; i < own.size(); ++i) own[i].buffer = static_cast<int>(i);
  return own;
}

bool Outcome::checks_hold() const {
  return std::all_of(checks.begin(), checks.end(), [](const CheckResult& check) { return check.holds; });
}

bool Outcome::race_found() const {
  return std::ranges::any_of(launches, [](const LaunchOutcome& launch) { return launch.races.accuses(); });
}

const LaunchOutcome* Outcome::launch(int number) const {
  return number >= 1 && number <= launch_count() ? &launches[static_cast<std::size_t>(number) - 1] : nullptr;
}

const trace::Trace* Outcome::trace_of(int number) const {
  const LaunchOutcome* known = launch(number);
  return known ? &known->trace : nullptr;
}

trace::Totals Outcome::all_totals() const {
  trace::Totals sum;
  for (const LaunchOutcome& launch : launches) {
    trace::Totals totals = launch.trace.totals;
    totals.sites.clear();
    sum += totals;
  }
  return sum;
}

}  // namespace lanescope::job
