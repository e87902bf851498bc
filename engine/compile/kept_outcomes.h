#pragma once
// Stores compiler results in a folder for later processes: a `cuda::barrier` file that takes NVRTC ten seconds is
// available at once when the program starts again. The folder is ~/.cache/lanescope/compiled (or below XDG_CACHE_HOME).
// LANESCOPE_COMPILED names another folder, which must exist; an empty value disables storing. Several processes may
// share a folder, because files are replaced as a whole. The default folder never exceeds most_kept_bytes; a folder set
// by LANESCOPE_COMPILED is not cleaned up. Internal to compile/.

#include <cstdint>
#include <optional>
#include <string>

#include "compile/nvrtc_job.h"

namespace lanescope::compile {

inline constexpr std::uint64_t most_kept_bytes = std::uint64_t{256} << 20;

// The file name for one compiler call, derived from all inputs: `request` (the source, its included files, its folder),
// the options for NVRTC, and the NVRTC itself (file, size and date). Empty if nothing is stored, or if `request` is
// empty (the inputs are not known).
std::string kept_name(const std::string& request, const NvrtcJob& job, const NvrtcLibrary& nvrtc);

// nullopt if `name` is empty or there is no complete file of that name. Reading a file marks it as recently used.
std::optional<NvrtcOutcome> kept_outcome(const std::string& name);

// Stores only results that depend on the inputs alone: PTX, or errors in the source. Does nothing if the folder cannot
// be written.
void keep_outcome(const std::string& name, const NvrtcOutcome& outcome);

// If the files exceed `most` bytes, removes the least recently used ones until at most three quarters of `most` are
// left. Files that another process removes meanwhile are not an error.
void bound_kept(const std::string& folder, std::uint64_t most);

}  // namespace lanescope::compile
