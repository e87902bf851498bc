#pragma once
// Compare-and-swap loops, which read their word once before they swap:
//   old = *p;  do { assumed = old; old = atomicCAS(p, assumed, f(assumed)); } while (assumed != old);
// ("CUDA C++ Programming Guide", "Atomic Functions"). What that read returns does not matter: if another thread has
// written in between, the swap fails and gives the value that is there.

#include <cstddef>
#include <cstdint>
#include <unordered_set>

#include "ptx/module.h"

namespace lanescope::sim {

// The loads whose value is first compared by a compare-and-swap at the same address.
std::unordered_set<const ptx::Instruction*> first_reads_of_swaps(const ptx::Module& module);

struct MemoryOp;

// The bytes of the word, one bit each, that a compare-and-swap of a lane would change, if these are one byte or one
// half; else all.
std::uint32_t bytes_to_swap(const MemoryOp& swap, const std::byte* registers, std::uint32_t lane);

}  // namespace lanescope::sim
