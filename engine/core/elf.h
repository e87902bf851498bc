#pragma once
// The parts of an ELF file that are used here: shared libraries, programs, and cubins. 64-bit and little-endian only.
// Layout and constants: System V ABI, chapters 4 and 5 (gabi, "Object Files").

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lanescope::elf {

struct Header {
  unsigned char identity[16];  // \x7f E L F, class, …
  std::uint16_t type, machine;
  std::uint32_t version;
  std::uint64_t entry, program_headers_at, section_headers_at;
  std::uint32_t flags;
  std::uint16_t header_bytes, program_header_bytes, program_headers, section_header_bytes, section_headers,
      section_of_names;
};
static_assert(sizeof(Header) == 64);

struct Section {
  std::uint32_t name, type;  // name: its position in the string table
  std::uint64_t flags, address, offset, size;
  std::uint32_t link, info;
  std::uint64_t alignment, entry_bytes;
};
static_assert(sizeof(Section) == 64);

struct Segment {
  std::uint32_t type, flags;
  std::uint64_t offset, address, physical_address, file_bytes, memory_bytes, alignment;
};
static_assert(sizeof(Segment) == 56);

struct Symbol {
  std::uint32_t name;
  std::uint8_t info, other;
  std::uint16_t section;
  std::uint64_t value, size;

  int type() const { return info & 0xf; }
};
static_assert(sizeof(Symbol) == 24);

struct Dynamic {
  std::int64_t tag;
  std::uint64_t value;
};
static_assert(sizeof(Dynamic) == 16);

inline constexpr char magic[] =
    "\x7f"
    "ELF";
inline constexpr std::size_t magic_bytes = 4, class_at = 4;
inline constexpr unsigned char class_of_64_bits = 2;
inline constexpr std::uint16_t x86_64 = 62;
inline constexpr std::uint32_t symbols = 2, dynamic = 6, no_bits = 8;            // Section::type
inline constexpr std::uint32_t load = 1;                                         // Segment::type
inline constexpr int function = 2;                                               // Symbol::type()
inline constexpr std::int64_t end_of_dynamic = 0, needed = 1, search_path = 15;  // Dynamic::tag

inline bool is_64_bit(const Header& header) {
  return std::memcmp(header.identity, magic, magic_bytes) == 0 && header.identity[class_at] == class_of_64_bits;
}

}  // namespace lanescope::elf
