#include "device/program_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

#include "core/elf.h"
#include "core/os/environment.h"
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
  // The NUL-terminated text at this offset.
  std::string text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return "";
    const std::string_view from = bytes_.substr(offset);
    return std::string(from.substr(0, std::min<std::size_t>(from.find('\0'), 4096)));
  }
  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

std::vector<elf::Section> sections_of(const Elf& elf, const elf::Header& head) {
  std::vector<elf::Section> sections;
  for (int i = 0; i < head.section_headers && head.section_header_bytes >= sizeof(elf::Section); ++i)
    if (const auto section =
            elf.at<elf::Section>(head.section_headers_at + std::uint64_t{head.section_header_bytes} * i))
      sections.push_back(*section);
  return sections;
}

void read_dynamic(const Elf& elf, const elf::Section& section, const std::vector<elf::Section>& sections,
                  ProgramFile& file) {
  if (section.link >= sections.size()) return;
  const std::uint64_t names = sections[section.link].offset;
  for (std::uint64_t i = 0; i < section.size / sizeof(elf::Dynamic) && i < 65536; ++i) {
    const auto entry = elf.at<elf::Dynamic>(section.offset + i * sizeof(elf::Dynamic));
    if (!entry || entry->tag == elf::end_of_dynamic) return;
    if (entry->tag == elf::needed) file.libraries.push_back(elf.text(names + entry->value));
    if (entry->tag == elf::search_path) file.search_path = elf.text(names + entry->value);
  }
}

// Where the last of the parts ends that the system loads into memory.
std::uint64_t end_of_loaded(const Elf& elf, const elf::Header& head) {
  std::uint64_t end = 0;
  for (int i = 0; i < head.program_headers && head.program_header_bytes >= sizeof(elf::Segment); ++i)
    if (const auto segment =
            elf.at<elf::Segment>(head.program_headers_at + std::uint64_t{head.program_header_bytes} * i);
        segment && segment->type == elf::load)
      end = std::max(end, segment->offset + segment->file_bytes);
  return end;
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
  if (!bytes.starts_with(elf::magic)) return file;
  file.is_elf = true;
  const Elf elf(bytes);
  const auto head = elf.at<elf::Header>(0);
  if (!head || !elf::is_64_bit(*head) || head->machine != elf::x86_64) return other_machine(path);
  if (const std::uint64_t end = end_of_loaded(elf, *head); end > bytes.size())
    return Diagnostic{
        Severity::error,
        "program.cut_off",
        {path},
        worded("The program's file is cut off: it has {} bytes, and its parts need {}", bytes.size(), end),
        "Build or copy it again."};
  const std::vector<elf::Section> sections = sections_of(elf, *head);
  const std::uint64_t names =
      head->section_of_names < sections.size() ? sections[head->section_of_names].offset : bytes.size();
  for (const elf::Section& section : sections) {
    if (section.type == elf::dynamic) read_dynamic(elf, section, sections, file);
    if (elf.text(names + section.name) == ".nv_fatbin") file.has_cuda_code = true;
  }
  // The static runtime opens the driver by name. A program that links the shared runtime does not contain that name.
  file.has_own_runtime = file.has_cuda_code && !names_library(file, "libcudart.so") &&
                         contains(elf.bytes(), "libcuda.so.1") && contains(elf.bytes(), "cudart");
  return file;
}

Result<ProgramFile> look_at_program(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    return Diagnostic{Severity::error,
                      "program.not_found",
                      {path},
                      "There is no such program.",
                      "Check its name; a .cu file is built first when its name ends in .cu."};
  std::string bytes;
  if (const int failed = read_file(path, bytes, most_program_bytes); failed != 0 && failed != EFBIG && failed != EACCES)
    return unreadable(path, failed);
  if (!is_program(path))
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
  // The functions of a runtime that is linked in are replaced (api/inside), or program.runtime_inside says that they
  // are not. But the loader takes no part in a program without libraries.
  if (file.has_own_runtime && file.libraries.empty())
    return said("program.static_runtime",
                "The program launched nothing here: it is linked statically, so nothing can replace its calls of CUDA",
                "Build it without -static.");
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
  // An interpreter runs somebody's script, which has no code of CUDA either.
  const bool is_python = std::filesystem::path(path).filename().generic_string().starts_with("python");
  if (file.is_elf && !file.has_cuda_code && !names_library(file, "libcuda") && !is_python)
    return said("program.no_cuda", "The program launched nothing, and has no CUDA code of its own",
                "Name a program that was built by nvcc, or a .cu file.");
  return said("program.no_launch", "The program launched nothing.", "Check its arguments, and what it says itself.");
}

}  // namespace lanescope::device
