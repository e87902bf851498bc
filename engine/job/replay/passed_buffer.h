#pragma once
// Where a launch finds a buffer of the request. Internal to job/.

#include "job/run/job.h"

namespace lanescope::job {

// Null where it is not passed. `argument`: as in WrongElement.
const trace::Buffer* passed_buffer(const Outcome& outcome, int launch, int argument);

}  // namespace lanescope::job
