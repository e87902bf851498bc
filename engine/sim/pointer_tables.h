#pragma once
// Buffers that hold pointers to other buffers (Argument::pointers). In memory the pointers are addresses; between
// launches they are kept apart, so that the contents do not depend on where a launch places its buffers.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/launch_request.h"

namespace lanescope::sim {

inline bool holds_pointers(const Argument& argument) {
  return argument.is_buffer && !argument.pointers.empty();
}

// The index of the buffer with this number among a launch's arguments.
std::optional<std::size_t> index_of_number(const std::vector<Argument>& arguments, std::uint32_t number);

// Where a launch with these arguments places each buffer; 0 for an argument that is none.
std::vector<std::uint64_t> addresses_of(const std::vector<Argument>& arguments);
// Makes them the buffers' own (Argument::address).
void keep_addresses(std::vector<Argument>& arguments);

// `addresses`: where each argument that is a buffer begins; the others' are not read.
// Writes the addresses into the contents of each buffer that holds pointers.
void put_pointers(std::vector<Argument>& arguments, const std::vector<std::uint64_t>& addresses);
// The reverse, after a launch that may have changed them: each aligned word that is an address in one of the buffers,
// or of its end, becomes a pointer, and 0 in the contents.
void take_pointers(std::vector<Argument>& arguments, const std::vector<std::uint64_t>& addresses);

// The addresses in these bytes, which stay as they are: `argument` of each pointer is an index.
std::vector<Argument::Pointer> pointers_in(std::span<const std::byte> contents, const std::vector<Argument>& arguments,
                                           const std::vector<std::uint64_t>& addresses);

}  // namespace lanescope::sim
