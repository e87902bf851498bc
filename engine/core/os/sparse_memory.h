#pragma once
// Memory of which only a small part may be used: zeros that use physical memory page by page, once they are used. (For
// memory that is used as a whole, see bulk_memory.h.)

#include <cstddef>

namespace lanescope::sparse_memory {

// Throws std::bad_alloc. `bytes` is not 0.
void* take(std::size_t bytes);
void give_back(void* memory, std::size_t bytes) noexcept;

}  // namespace lanescope::sparse_memory
