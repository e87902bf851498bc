#include "core/os/library_file.h"

#include <windows.h>

#include <algorithm>
#include <cerrno>

#include "core/os/files.h"

namespace lanescope {
namespace {

template <typename T>
bool read_part(int file, std::uint64_t at, T& to, int& reason) {
  const std::ptrdiff_t got = read_some_at(file, at, &to, sizeof to);
  if (got < 0) reason = errno;
  return got == static_cast<std::ptrdiff_t>(sizeof to);
}

}  // namespace

// Microsoft's "PE Format": a DOS header, the PE header to which it points, the section table.
LibraryShape shape_of_library(int file) {
  LibraryShape shape;
  IMAGE_DOS_HEADER dos{};
  IMAGE_NT_HEADERS64 head{};
  if (!read_part(file, 0, dos, shape.reason) || dos.e_magic != IMAGE_DOS_SIGNATURE || dos.e_lfanew < 0) return shape;
  const auto begin = static_cast<std::uint64_t>(dos.e_lfanew);
  if (!read_part(file, begin, head, shape.reason)) return shape;
  shape.is_library = head.Signature == IMAGE_NT_SIGNATURE && head.FileHeader.Machine == IMAGE_FILE_MACHINE_AMD64 &&
                     (head.FileHeader.Characteristics & IMAGE_FILE_DLL) != 0;
  const std::uint64_t table =
      begin + offsetof(IMAGE_NT_HEADERS64, OptionalHeader) + head.FileHeader.SizeOfOptionalHeader;
  for (std::uint64_t i = 0; shape.is_library && i < head.FileHeader.NumberOfSections; ++i) {
    IMAGE_SECTION_HEADER section{};
    if (!read_part(file, table + i * sizeof section, section, shape.reason)) {
      shape.least_bytes = std::max(shape.least_bytes, table + (i + 1) * sizeof section);
      continue;
    }
    shape.least_bytes = std::max(shape.least_bytes, std::uint64_t{section.PointerToRawData} + section.SizeOfRawData);
  }
  return shape;
}

}  // namespace lanescope
