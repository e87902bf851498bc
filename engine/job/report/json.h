#pragma once
// Pieces of JSON that several commands print.

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "job/run/job.h"
#include "job/run/schedules.h"

namespace lanescope::job {

// {"lanescope": {"version", "schema"}}: the head of every document.
nlohmann::ordered_json document_head();
nlohmann::ordered_json diagnostics_json(const Diagnostics& diagnostics);
nlohmann::ordered_json outcome_json(const Outcome& outcome);
// The race detector's findings in all launches: {"looked", "complete", "accused", "found": […]}.
nlohmann::ordered_json races_json(const Outcome& outcome);
nlohmann::ordered_json schedules_json(const ScheduleReport& report);

// Replaces invalid UTF-8, because a kernel's printf may print any bytes.
std::string dumped(const nlohmann::ordered_json& json, bool pretty);
// Returns a discarded value (is_discarded()) if `text` is not JSON.
nlohmann::ordered_json parsed_json(std::string_view text);

}  // namespace lanescope::job
