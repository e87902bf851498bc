#include "gui/programs/file_kind.h"

#include <filesystem>

#include "compile/host/source_scan.h"
#include "core/os/read_file.h"
#include "core/text.h"
#include "device/program_file.h"
#include "device/saved_run_reader.h"

namespace lanescope::gui {

FileKind kind_of_file(const std::string& path) {
  constexpr std::size_t most_code = std::size_t{8} << 20;
  if (device::is_saved_run(path)) return FileKind::saved_run;
  if (path.ends_with(".cuh")) return FileKind::cuda_code;
  if (path.ends_with(".py")) return FileKind::python;
  if (path.ends_with(".cu")) {
    std::string text;
    return read_file(path, text, most_code) == 0 && compile::defines_main(text) ? FileKind::cuda_program
                                                                                : FileKind::cuda_code;
  }
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return FileKind::other;
  const Result<device::ProgramFile> file = device::look_at_program(path);
  if (file) return file->is_elf || file->is_script ? FileKind::program : FileKind::other;
  const std::string& code = file.errors().front().code;
  return code == "program.other_machine" || code == "program.cut_off" ? FileKind::program : FileKind::other;
}

}  // namespace lanescope::gui
