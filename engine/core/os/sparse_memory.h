#pragma once
// Memory of which little may be used: zeros that take room page by page, from their first use on. (bulk_memory.h has
// memory that will be used as a whole.)

#include <cstddef>

namespace lanescope::sparse_memory {

// Throws std::bad_alloc. `bytes` is not 0.
void* take(std::size_t bytes);
void give_back(void* memory, std::size_t bytes) noexcept;

}  // namespace lanescope::sparse_memory
