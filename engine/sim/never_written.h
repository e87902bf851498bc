#pragma once
// Which bytes of a buffer mean nothing after a launch, because nothing ever wrote them.

#include <cstdint>

#include "sim/launch_request.h"
#include "sim/memory/written_map.h"

namespace lanescope::sim {

// Whether a launch of the interpreter has left these bytes of the buffer without contents: no thread wrote any of
// them, and they had none before. False where that is not known, as after a run on a GPU. The range must be inside the
// buffer.
inline bool never_written(const Argument& buffer, std::uint64_t first, std::uint64_t bytes) {
  return !buffer.written.empty() && !written_bits::any(buffer.written.data(), first, bytes);
}

}  // namespace lanescope::sim
