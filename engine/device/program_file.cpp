#include "device/program_file.h"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>

#include "core/os/read_file.h"
#include "core/os/system_error.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::device {
namespace {

constexpr std::size_t most_program_bytes = std::size_t{2} << 30;

class Elf {
 public:
  explicit Elf(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  // The text that begins there, to its NUL.
  std::string text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return "";
    const std::string_view from = bytes_.substr(offset);
    return std::string(from.substr(0, std::min<std::size_t>(from.find('\0'), 4096)));
  }
  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

std::vector<Elf64_Shdr> sections_of(const Elf& elf, const Elf64_Ehdr& head) {
  std::vector<Elf64_Shdr> sections;
  for (int i = 0; i < head.e_shnum && head.e_shentsize >= sizeof(Elf64_Shdr); ++i)
    if (const auto section = elf.at<Elf64_Shdr>(head.e_shoff + std::uint64_t{head.e_shentsize} * i))
      sections.push_back(*section);
  return sections;
}

void read_dynamic(const Elf& elf, const Elf64_Shdr& section, const std::vector<Elf64_Shdr>& sections,
                  ProgramFile& file) {
  if (section.sh_link >= sections.size()) return;
  const std::uint64_t names = sections[section.sh_link].sh_offset;
  for (std::uint64_t i = 0; i < section.sh_size / sizeof(Elf64_Dyn) && i < 65536; ++i) {
    const auto entry = elf.at<Elf64_Dyn>(section.sh_offset + i * sizeof(Elf64_Dyn));
    if (!entry || entry->d_tag == DT_NULL) return;
    if (entry->d_tag == DT_NEEDED) file.libraries.push_back(elf.text(names + entry->d_un.d_val));
    if (entry->d_tag == DT_RPATH) file.search_path = elf.text(names + entry->d_un.d_val);
  }
}

bool names_library(const ProgramFile& file, std::string_view start) {
  return std::ranges::any_of(file.libraries, [&](const std::string& one) { return one.starts_with(start); });
}

Diagnostic other_machine(const std::string& path) {
  return {Severity::error,
          "program.other_machine",
          {path},
          "This program is for another kind of machine",
          "Build it for 64-bit x86-64 Linux."};
}

}  // namespace

Result<ProgramFile> look_at_program_bytes(const std::string& path, const std::string& bytes) {
  ProgramFile file;
  file.is_script = bytes.starts_with("#!");
  if (!bytes.starts_with(ELFMAG)) return file;
  file.is_elf = true;
  const Elf elf(bytes);
  const auto head = elf.at<Elf64_Ehdr>(0);
  if (!head || head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_machine != EM_X86_64) return other_machine(path);
  const std::vector<Elf64_Shdr> sections = sections_of(elf, *head);
  const std::uint64_t names = head->e_shstrndx < sections.size() ? sections[head->e_shstrndx].sh_offset : bytes.size();
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type == SHT_DYNAMIC) read_dynamic(elf, section, sections, file);
    if (elf.text(names + section.sh_name) == ".nv_fatbin") file.has_cuda_code = true;
  }
  // The runtime opens the driver by its name; a program that links the shared runtime does not hold that name.
  file.has_own_runtime = file.has_cuda_code && !names_library(file, "libcudart.so") &&
                         contains(elf.bytes(), "libcuda.so.1") && contains(elf.bytes(), "cudart");
  return file;
}

Result<ProgramFile> look_at_program(const std::string& path) {
  if (::access(path.c_str(), F_OK) != 0)
    return Diagnostic{Severity::error,
                      "program.not_found",
                      {path},
                      "There is no such program.",
                      "Check its name; a .cu file is built first when its name ends in .cu."};
  std::string bytes;
  if (const int failed = read_file(path, bytes, most_program_bytes); failed != 0 && failed != EFBIG && failed != EACCES)
    return Diagnostic{Severity::error,
                      "io.cannot_read",
                      {path},
                      worded("The file cannot be read: {}.", system_error(failed)),
                      "Check its name, and that you may read it."};
  if (::access(path.c_str(), X_OK) != 0)
    return Diagnostic{Severity::error,
                      "program.not_executable",
                      {path},
                      "The file is not a program that may be started.",
                      path.ends_with(".py") ? worded("Start it with Python: python3 {}.", path)
                                            : worded("Make it executable: chmod +x {}.", path)};
  return look_at_program_bytes(path, bytes);
}

Diagnostic why_nothing_was_launched(const ProgramFile& file, const std::string& path) {
  const auto said = [&](const char* code, Wording message, Wording cure) {
    return Diagnostic{Severity::warning, code, {path}, std::move(message), std::move(cure)};
  };
  if (file.has_own_runtime)
    return said("program.static_runtime",
                "The program launched nothing here: NVIDIA's runtime is linked into it, and that needs NVIDIA's driver",
                "Build it with `nvcc -cudart shared`.");
  if (names_library(file, "libcudart.so") && !names_library(file, "libcudart.so.12") &&
      !names_library(file, "libcudart.so.13"))
    return said("program.old_runtime",
                "The program launched nothing here: it needs the runtime of another CUDA version",
                "Build it with CUDA 12 or 13.");
  if (contains(file.search_path, "cuda"))
    return said(
        "program.own_search_path",
        worded("The program launched nothing here: it looks for CUDA's libraries in {} first", file.search_path),
        "Build it without -rpath.");
  if (file.is_elf && !file.has_cuda_code && !names_library(file, "libcuda"))
    return said("program.no_cuda", "The program launched nothing, and has no CUDA code of its own",
                "Name a program that was built by nvcc, or a .cu file.");
  return said("program.no_launch", "The program launched nothing.", "Check its arguments, and what it says itself.");
}

}  // namespace lanescope::device
