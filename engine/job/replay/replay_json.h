#pragma once
// The JSON of what a replay found; new keys may be added.

#include <nlohmann/json_fwd.hpp>

#include "job/replay/origins.h"

namespace lanescope::job {

// Steps are numbered from 1. A value is its text in decimal (value_text.h), null where a lane takes no part; "bits" are
// in hexadecimal.
nlohmann::ordered_json values_json(const StepValues& values);
nlohmann::ordered_json writer_json(const std::optional<Writer>& writer);
nlohmann::ordered_json chain_json(const Chain& chain);

}  // namespace lanescope::job
