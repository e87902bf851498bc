#include "core/os/library_file.h"

#include <cerrno>

#include "core/elf.h"
#include "core/os/files.h"

namespace lanescope {

LibraryShape shape_of_library(int file) {
  LibraryShape shape;
  elf::Header head{};
  const std::ptrdiff_t got = read_some_at(file, 0, &head, sizeof head);
  if (got < 0) shape.reason = errno;
  shape.is_library = got == static_cast<std::ptrdiff_t>(sizeof head) && elf::is_64_bit(head);
  // Linkers write the section header table last, so the file ends after it.
  if (shape.is_library)
    shape.least_bytes =
        head.section_headers_at + static_cast<std::uint64_t>(head.section_headers) * head.section_header_bytes;
  return shape;
}

}  // namespace lanescope
