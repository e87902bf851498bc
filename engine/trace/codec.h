#pragma once
// A trace as a row of bytes and back: the payload of a saved file, without its header and checksum.
//
// Layout: numbers are LEB128 varints (signed ones zigzag), little-endian where fixed; strings are indices into a pool
// that stands first; an event is a flag byte and what differs from the event before it. Typical: 5 to 8 bytes per event
// instead of 40.

#include <cstddef>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace lanescope::trace {

std::vector<std::byte> encode(const Trace& trace);

// Accepts any bytes whatever: what is not a well-formed trace (indices out of range, unsorted events, missing or
// surplus bytes) gives trace.corrupt without a place. Allocates no more than a constant times payload.size().
Result<Trace> decode(std::span<const std::byte> payload);

// 64-bit hash of bytes, such that changing any one of them always changes it. Not cryptographic.
std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace lanescope::trace
