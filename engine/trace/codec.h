#pragma once
// Encodes a trace as bytes and back: the payload of a saved file, without its header and checksum.
//
// Layout: numbers are LEB128 varints (signed ones zigzag), little-endian if fixed; strings are indices into a pool at
// the start; an event is a flag byte and its differences from the event before. Typically 5 to 8 bytes per event
// instead of 40.

#include <cstddef>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace lanescope::trace {

std::vector<std::byte> encode(const Trace& trace);

// Accepts any bytes: anything but a well-formed trace (indices out of range, unsorted events, missing or surplus bytes)
// gives trace.corrupt without a place. Allocates at most a constant times payload.size().
Result<Trace> decode(std::span<const std::byte> payload);

}  // namespace lanescope::trace
