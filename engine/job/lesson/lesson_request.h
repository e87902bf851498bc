#pragma once
// Turns a lesson's variant into a request.

#include <cstdint>
#include <map>
#include <string>

#include "job/run/job.h"

namespace lanescope::job {

// The request for a variant with these control values. Missing controls take their default. Unknown or out-of-range
// ones are errors that list the legal values: control.unknown, control.out_of_range. `full_size` uses the full sizes of
// the lesson. At looking size the events of all blocks are recorded, at full size those of the first blocks.
Result<Request> from_lesson(const lesson::Lesson& lesson, const lesson::Variant& variant,
                            const std::map<std::string, std::int64_t>& controls, bool full_size = false);

}  // namespace lanescope::job
