#pragma once
// What a lesson's variant asks to be run.

#include <cstdint>
#include <map>
#include <string>

#include "job/run/job.h"

namespace lanescope::job {

// A lesson's variant with these control values (missing ones take their default; unknown or out-of-range ones are
// errors listing what is legal: control.unknown, control.out_of_range). `full_size` takes the sources' sizes. Every
// block's events are recorded at looking size, those of the first blocks at full size.
Result<Request> from_lesson(const lesson::Lesson& lesson, const lesson::Variant& variant,
                            const std::map<std::string, std::int64_t>& controls, bool full_size = false);

}  // namespace lanescope::job
