#pragma once
// What a file is to the window, and so what opening or dropping it does.

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::gui {

enum class FileKind : std::uint8_t {
  saved_run,     // what `exec --save` wrote: its launches are shown
  cuda_program,  // a .cu with main(): built and run
  cuda_code,     // a .cu without main(), or a .cuh: kernels alone
  python,        // run by python3
  program,       // an executable file: run
  other,         // anything else, also a file that is not there
};

// A .cu, .cuh or .py is one by its name, even if it cannot be read. Reads the beginning of the file, and a .cu as a
// whole if it has at most 8 MiB.
FileKind kind_of_file(const std::string& path);
inline bool is_run(FileKind kind) {
  return kind == FileKind::cuda_program || kind == FileKind::python || kind == FileKind::program;
}

// Whether CUDA C++ code defines main(), outside comments and of what its #if 0 leaves out.
bool has_main(std::string_view code);

}  // namespace lanescope::gui
