// The entry points of a launch, with the checks.

#include <utility>

#include "sim/launch.h"
#include "sim/launch_check.h"
#include "sim/launch_run.h"

namespace lanescope::sim {

namespace {

// `take` copies or moves the request's arguments into the result.
template <typename Request, typename Take>
LaunchResult checked_run(const Program& program, Request& request, Take&& take) {
  LaunchResult result;
  const trace::Launch launch = whole_launch(program, request);
  result.diagnostics = check_launch(*program.kernel, request, launch);
  result.arguments = take(request.arguments);
  if (has_error(result.diagnostics)) {
    result.trace.launch = launch;
    return result;
  }
  LaunchRun(program, request, result).run();
  return result;
}

}  // namespace

Diagnostics check_shape(const Program& program, const LaunchRequest& request) {
  return check_shape(*program.kernel, request, whole_launch(program, request));
}

LaunchResult run(const Program& program, const LaunchRequest& request) {
  return checked_run(program, request, [](const std::vector<Argument>& arguments) { return arguments; });
}

LaunchResult run(const Program& program, LaunchRequest&& request) {
  return checked_run(program, request, [](std::vector<Argument>& arguments) { return std::move(arguments); });
}

}  // namespace lanescope::sim
