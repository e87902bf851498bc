#pragma once
// Keeps the compiler's results in a folder for later processes, for example the tests, which start the program many
// times with the same kernels. LANESCOPE_COMPILED names the folder, which must be there; without it nothing is kept.
// Whoever names it also empties it. Internal to compile/.

#include <optional>
#include <string>

#include "compile/nvrtc_job.h"

namespace lanescope::compile {

// The key of one compiler call: `request`, the files that the source includes, and the source's folder. Empty when
// nothing is kept, or when `request` is empty (the inputs are not known then).
std::string kept_name(const std::string& request, const NvrtcJob& job, const NvrtcLibrary& nvrtc);

// Null where `name` is empty, and where there is no whole answer of that name.
std::optional<NvrtcOutcome> kept_outcome(const std::string& name);

// Only what depends on what went in: PTX, or the source's errors. Silent where the folder cannot be written to.
void keep_outcome(const std::string& name, const NvrtcOutcome& outcome);

}  // namespace lanescope::compile
