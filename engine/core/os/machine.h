#pragma once
// The machine's resources, and who may use them.

#include <cstdint>
#include <optional>

namespace lanescope {

// 0 if it is not known.
std::uint64_t memory_of_the_machine();
// The resident memory of a process; 0 if it is not known.
std::uint64_t resident_bytes(int process);
int own_process();

bool is_administrator();
// Whether the NVIDIA driver allows only administrators to read hardware counters. nullopt without a driver.
std::optional<bool> counters_are_restricted();

}  // namespace lanescope
