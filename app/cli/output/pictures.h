#pragma once
// The diagrams of a run as SVG files.

#include <string>
#include <vector>

#include "core/result.h"
#include "job/run/job.h"
#include "trace/trace.h"
#include "words/language.h"

namespace lanescope::cli {

// Draws, for the first warp with kept events: the film of its lane masks and, for each site that accesses memory or
// shuffles, its first execution. For the whole run: blocks × phases and the running sum, if it has them. `outcome`: the
// interpreted run of the trace, for what the trace does not contain (values, sums, names of phases); may be null.
// Creates the folder and replaces files of the same name. Returns the file names. `sass_of`: the run whose machine code
// is also drawn, for each launch; null: none. Errors: io.cannot_write; picture.no_events if no events were kept; those
// of job::machine_code(), after the other pictures were written.
Result<std::vector<std::string>> write_pictures(const trace::Trace& trace, const job::Outcome* outcome,
                                                const std::string& folder, diagram::Language language,
                                                const job::Outcome* sass_of = nullptr);
// "pictures: 9 SVG files in DIR, of block 0, warp 0: each instruction where the warp first executes it": what was drawn
// of this trace. Ends with a newline.
std::string pictures_line(const trace::Trace& trace, std::size_t files, const std::string& folder);

}  // namespace lanescope::cli
