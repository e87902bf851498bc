#pragma once
// Keeps the compiler's results in a folder for later processes: a `cuda::barrier` file that takes NVRTC ten seconds is
// there at once when the program starts again. The folder is ~/.cache/lanescope/compiled (XDG_CACHE_HOME is heeded);
// LANESCOPE_COMPILED names another one, which must be there, and empty it turns keeping off. Several processes may
// share it: files are replaced whole. The default folder never holds more than most_kept_bytes; the tests' folder is
// emptied by whoever names it. Internal to compile/.

#include <cstdint>
#include <optional>
#include <string>

#include "compile/nvrtc_job.h"

namespace lanescope::compile {

inline constexpr std::uint64_t most_kept_bytes = std::uint64_t{256} << 20;

// The file of one compiler call, named by everything that goes in: `request` (the source, the files that it includes,
// its folder), what NVRTC is asked, and which NVRTC (its file, size and date). Empty when nothing is kept, or when
// `request` is empty (the inputs are not known then).
std::string kept_name(const std::string& request, const NvrtcJob& job, const NvrtcLibrary& nvrtc);

// Null where `name` is empty, and where there is no whole answer of that name. An answer that is used counts as new.
std::optional<NvrtcOutcome> kept_outcome(const std::string& name);

// Only what depends on what went in: PTX, or the source's errors. Silent where the folder cannot be written to.
void keep_outcome(const std::string& name, const NvrtcOutcome& outcome);

// Removes the files that were used least recently until no more than three quarters of `most` bytes are left; nothing
// when there are no more than `most`. Files that vanish meanwhile are another process's doing, and no error.
void bound_kept(const std::string& folder, std::uint64_t most);

}  // namespace lanescope::compile
