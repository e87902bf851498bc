#pragma once
// The trace's buffer for an argument of the request. Internal to job/.

#include "job/run/job.h"

namespace lanescope::job {

// Null if the launch does not receive it. `argument`: as in WrongElement.
const trace::Buffer* passed_buffer(const Outcome& outcome, int launch, int argument);

}  // namespace lanescope::job
