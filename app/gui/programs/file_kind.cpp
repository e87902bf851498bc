#include "gui/programs/file_kind.h"

#include <filesystem>

#include "compile/host/source_scan.h"
#include "core/os/read_file.h"
#include "core/text.h"
#include "device/program_file.h"
#include "device/saved_run_reader.h"

namespace lanescope::gui {

bool has_main(std::string_view code) {
  constexpr std::string_view name = "main";
  const std::string text = compile::blank_non_code(code);
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t after = text.find_first_not_of(blanks, at + name.size());
    const bool whole = (at == 0 || (!is_name_char(text[at - 1]) && text[at - 1] != ':' && text[at - 1] != '.')) &&
                       after != std::string::npos && text[after] == '(';
    if (whole) return true;
  }
  return false;
}

FileKind kind_of_file(const std::string& path) {
  constexpr std::size_t most_code = std::size_t{8} << 20;
  if (device::is_saved_run(path)) return FileKind::saved_run;
  if (path.ends_with(".cuh")) return FileKind::cuda_code;
  if (path.ends_with(".py")) return FileKind::python;
  if (path.ends_with(".cu")) {
    std::string text;
    return read_file(path, text, most_code) == 0 && has_main(text) ? FileKind::cuda_program : FileKind::cuda_code;
  }
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return FileKind::other;
  const Result<device::ProgramFile> file = device::look_at_program(path);
  if (file) return file->is_elf || file->is_script ? FileKind::program : FileKind::other;
  return file.errors().front().code == "program.other_machine" ? FileKind::program : FileKind::other;
}

}  // namespace lanescope::gui
