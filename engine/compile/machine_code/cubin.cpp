#include "compile/machine_code/cubin.h"

#include <elf.h>

#include <cstring>
#include <string_view>
#include <vector>

namespace lanescope::compile {
namespace {

// Attributes of .nv.info: one byte format, one byte attribute, two bytes; format 4 is followed by that many bytes.
constexpr std::uint8_t format_sized = 0x04;
constexpr std::uint8_t attribute_frame_size = 0x11;
constexpr std::uint8_t attribute_register_count = 0x2f;

template <typename T>
bool read(std::span<const std::uint8_t> bytes, std::uint64_t at, T& value) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return false;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return true;
}

class Elf {
 public:
  explicit Elf(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
    Elf64_Ehdr header{};
    if (!read(bytes, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr))
      return;
    for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
      Elf64_Shdr section{};
      if (!read(bytes, header.e_shoff + i * sizeof(Elf64_Shdr), section)) return;
      sections_.push_back(section);
    }
    names_ = header.e_shstrndx;
  }

  std::span<const std::uint8_t> content(std::size_t section) const {
    if (section >= sections_.size()) return {};
    const Elf64_Shdr& s = sections_[section];
    if (s.sh_type == SHT_NOBITS || s.sh_offset > bytes_.size() || s.sh_size > bytes_.size() - s.sh_offset) return {};
    return bytes_.subspan(s.sh_offset, s.sh_size);
  }

  std::string_view text_at(std::size_t section, std::uint64_t at) const {
    const auto text = content(section);
    if (at >= text.size()) return {};
    const auto* begin = reinterpret_cast<const char*>(text.data()) + at;
    return {begin, strnlen(begin, text.size() - at)};
  }

  std::string_view name_of(std::size_t section) const { return text_at(names_, sections_[section].sh_name); }
  const std::vector<Elf64_Shdr>& sections() const { return sections_; }

 private:
  std::span<const std::uint8_t> bytes_;
  std::vector<Elf64_Shdr> sections_;
  std::size_t names_ = 0;
};

bool find_symbol(const Elf& elf, const std::string& name, CubinKernel& kernel) {
  for (std::size_t s = 0; s < elf.sections().size(); ++s) {
    if (elf.sections()[s].sh_type != SHT_SYMTAB) continue;
    const auto table = elf.content(s);
    Elf64_Sym symbol{};
    for (std::uint32_t i = 0; read(table, std::uint64_t{i} * sizeof(symbol), symbol); ++i)
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && elf.text_at(elf.sections()[s].sh_link, symbol.st_name) == name) {
        kernel.symbol = i;
        kernel.code_bytes = symbol.st_size;
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

}  // namespace

std::optional<CubinKernel> find_in_cubin(std::span<const std::uint8_t> cubin, const std::string& mangled_kernel) {
  const Elf elf(cubin);
  CubinKernel kernel;
  if (!find_symbol(elf, mangled_kernel, kernel)) return std::nullopt;
  for (std::size_t s = 0; s < elf.sections().size(); ++s) {
    if (elf.name_of(s) == ".nv.info") read_attributes(elf.content(s), kernel);
    if (elf.name_of(s) == ".nv.constant3") kernel.constant_bytes = elf.sections()[s].sh_size;
  }
  return kernel;
}

}  // namespace lanescope::compile
