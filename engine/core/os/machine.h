#pragma once
// What the machine has, and who may use it.

#include <cstdint>
#include <optional>

namespace lanescope {

// 0 when the system does not tell.
std::uint64_t memory_of_the_machine();
// What a process has in memory now; 0 when the system does not tell.
std::uint64_t resident_bytes(int process);
int own_process();

bool is_administrator();
// Whether the NVIDIA driver lets only administrators read the hardware's counters; nothing without a driver.
std::optional<bool> counters_are_restricted();

}  // namespace lanescope
