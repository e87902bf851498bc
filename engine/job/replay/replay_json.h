#pragma once
// The JSON of replay results. New keys may be added.

#include <nlohmann/json_fwd.hpp>

#include "job/replay/origins.h"

namespace lanescope::job {

// Steps are numbered from 1. A value is its decimal text (value_text.h), or null for a lane that takes no part. "bits"
// are hexadecimal.
nlohmann::ordered_json values_json(const StepValues& values);
nlohmann::ordered_json writer_json(const std::optional<Writer>& writer);
nlohmann::ordered_json chain_json(const Chain& chain);

}  // namespace lanescope::job
