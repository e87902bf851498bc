#pragma once
// The diagrams of a run as SVG files.

#include <string>
#include <vector>

#include "core/result.h"
#include "job/run/job.h"
#include "trace/trace.h"
#include "words/language.h"

namespace lanescope::cli {

// For the first warp whose events were kept: its film of lane masks, and for each place in the kernel that touches
// memory or shuffles, the first time it did so; of the whole run, blocks × phases and the running sum where it has
// them. `outcome`: the interpreted run that the trace is of, for what the trace alone does not tell (values, sums, the
// names of phases); null when there is none. Makes the folder; files of the same name are replaced. Returns the names
// of the files. `sass_of`: the run whose machine code is drawn beside its source as well, of each launch; null: none.
// Errors: io.cannot_write; nothing kept: picture.no_events; of job::machine_code(), after the other pictures were
// written.
Result<std::vector<std::string>> write_pictures(const trace::Trace& trace, const job::Outcome* outcome,
                                                const std::string& folder, diagram::Language language,
                                                const job::Outcome* sass_of = nullptr);

}  // namespace lanescope::cli
