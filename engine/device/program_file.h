#pragma once
// What a program's file tells about its use of CUDA, before and after it ran.

#include <string>
#include <vector>

#include "core/result.h"

namespace lanescope::device {

struct ProgramFile {
  bool is_elf = false;                 // else a script, or not executable
  bool is_script = false;              // begins with #!
  bool has_cuda_code = false;          // a section .nv_fatbin
  bool has_own_runtime = false;        // CUDA's runtime is linked into it
  std::vector<std::string> libraries;  // needed libraries: "libcudart.so.13"
  std::string search_path;             // DT_RPATH, which has precedence over LD_LIBRARY_PATH
};

// Reads only within the file, whatever its contents. Codes: program.not_found, program.not_executable,
// program.other_machine, program.cut_off, io.cannot_read.
Result<ProgramFile> look_at_program(const std::string& path);
// The same for bytes; other_machine and cut_off are the only errors.
Result<ProgramFile> look_at_program_bytes(const std::string& path, const std::string& bytes);

// Why a program that ran to its end launched nothing, as far as its file tells.
Diagnostic why_nothing_was_launched(const ProgramFile& file, const std::string& path);

}  // namespace lanescope::device
