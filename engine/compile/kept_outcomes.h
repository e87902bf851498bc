#pragma once
// What the compiler answered, kept in a folder for processes to come: for who starts the program many times with the same
// kernels, as the tests do. LANESCOPE_COMPILED names the folder, which must be there; without it nothing is kept. Whoever
// names it also empties it. Internal to compile/.

#include <optional>
#include <string>

#include "compile/nvrtc_job.h"

namespace lanescope::compile {

// Everything that goes into one call of the compiler, beside `request`: what the source includes, and where it lies.
// Empty when nothing is to be kept, and when `request` is empty: what goes in is not known then.
std::string kept_name(const std::string& request, const NvrtcJob& job, const NvrtcLibrary& nvrtc);

// Null where `name` is empty, and where there is no whole answer of that name.
std::optional<NvrtcOutcome> kept_outcome(const std::string& name);

// Only what depends on what went in: PTX, or the source's errors. Silent where the folder cannot be written to.
void keep_outcome(const std::string& name, const NvrtcOutcome& outcome);

}  // namespace lanescope::compile
