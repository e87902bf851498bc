#include "compile/machine_code/cubin.h"

#include <cstring>
#include <string_view>
#include <vector>

#include "core/elf.h"

namespace lanescope::compile {
namespace {

// Attributes of .nv.info: one byte format, one byte attribute, two bytes; format 4 is followed by that many bytes, and
// the first of the two is the value of format 2.
constexpr std::uint8_t format_byte = 0x02;
constexpr std::uint8_t format_sized = 0x04;
constexpr std::uint8_t attribute_frame_size = 0x11;
constexpr std::uint8_t attribute_register_count = 0x2f;
constexpr std::uint8_t attribute_barriers = 0x4c;  // in .nv.info.KERNEL

template <typename T>
bool read(std::span<const std::uint8_t> bytes, std::uint64_t at, T& value) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return false;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return true;
}

class Elf {
 public:
  explicit Elf(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
    elf::Header header{};
    if (!read(bytes, 0, header) || !elf::is_64_bit(header) || header.section_header_bytes != sizeof(elf::Section))
      return;
    for (std::uint64_t i = 0; i < header.section_headers; ++i) {
      elf::Section section{};
      if (!read(bytes, header.section_headers_at + i * sizeof(elf::Section), section)) return;
      sections_.push_back(section);
    }
    names_ = header.section_of_names;
  }

  std::span<const std::uint8_t> content(std::size_t section) const {
    if (section >= sections_.size()) return {};
    const elf::Section& s = sections_[section];
    if (s.type == elf::no_bits || s.offset > bytes_.size() || s.size > bytes_.size() - s.offset) return {};
    return bytes_.subspan(s.offset, s.size);
  }

  std::string_view text_at(std::size_t section, std::uint64_t at) const {
    const auto text = content(section);
    if (at >= text.size()) return {};
    const auto* begin = reinterpret_cast<const char*>(text.data()) + at;
    return {begin, strnlen(begin, text.size() - at)};
  }

  std::string_view name_of(std::size_t section) const { return text_at(names_, sections_[section].name); }
  const std::vector<elf::Section>& sections() const { return sections_; }

 private:
  std::span<const std::uint8_t> bytes_;
  std::vector<elf::Section> sections_;
  std::size_t names_ = 0;
};

bool find_symbol(const Elf& elf, const std::string& name, CubinKernel& kernel) {
  for (std::size_t s = 0; s < elf.sections().size(); ++s) {
    if (elf.sections()[s].type != elf::symbols) continue;
    const auto table = elf.content(s);
    elf::Symbol symbol{};
    for (std::uint32_t i = 0; read(table, std::uint64_t{i} * sizeof(symbol), symbol); ++i)
      if (symbol.type() == elf::function && elf.text_at(elf.sections()[s].link, symbol.name) == name) {
        kernel.symbol = i;
        kernel.code_bytes = symbol.size;
        return true;
      }
  }
  return false;
}

void read_attributes(std::span<const std::uint8_t> info, CubinKernel& kernel) {
  std::uint64_t at = 0;
  std::uint8_t format = 0, attribute = 0;
  std::uint16_t size = 0;
  while (read(info, at, format) && read(info, at + 1, attribute) && read(info, at + 2, size)) {
    at += 4;
    if (format != format_sized) continue;
    std::uint32_t symbol = 0, value = 0;
    if (size >= 8 && read(info, at, symbol) && read(info, at + 4, value) && symbol == kernel.symbol) {
      if (attribute == attribute_register_count) kernel.registers = static_cast<int>(value);
      if (attribute == attribute_frame_size) kernel.stack_bytes = value;
    }
    at += size;
  }
}

int barriers_in(std::span<const std::uint8_t> info) {
  std::uint64_t at = 0;
  std::uint8_t format = 0, attribute = 0;
  std::uint16_t value = 0;
  while (read(info, at, format) && read(info, at + 1, attribute) && read(info, at + 2, value)) {
    if (format == format_byte && attribute == attribute_barriers) return value & 0xff;
    at += 4;
    if (format == format_sized) at += value;
  }
  return 0;
}

}  // namespace

std::optional<CubinKernel> find_in_cubin(std::span<const std::uint8_t> cubin, const std::string& mangled_kernel) {
  const Elf elf(cubin);
  CubinKernel kernel;
  if (!find_symbol(elf, mangled_kernel, kernel)) return std::nullopt;
  const std::string own_info = ".nv.info." + mangled_kernel;
  for (std::size_t s = 0; s < elf.sections().size(); ++s) {
    if (elf.name_of(s) == own_info) kernel.barriers = barriers_in(elf.content(s));
    if (elf.name_of(s) == ".nv.info") read_attributes(elf.content(s), kernel);
    if (elf.name_of(s) == ".nv.constant3") kernel.constant_bytes = elf.sections()[s].size;
  }
  return kernel;
}

}  // namespace lanescope::compile
