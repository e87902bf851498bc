#pragma once
// What a launch form lacks until its kernel is compiled.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "job/request/launch_form.h"

namespace lanescope::job {

struct CompiledParameters {
  std::vector<std::uint64_t> bytes;
  std::vector<std::string> types;  // in C++, "float const*"; empty if the kernel's name has none (extern "C")
  Diagnostics problems;            // why there are none, if the source does not compile
};
// Compiles, which is cached. Structs need no bytes.
CompiledParameters compiled_parameters(const LaunchForm& form, const compile::Source& source,
                                       const sim::Progress* progress);

// A struct by value has no bytes before its kernel is compiled, and no form compiles without: these get a byte.
LaunchForm with_a_byte(LaunchForm form);

// A struct by value that has no bytes yet gets zeros, and a buffer whose type the file does not declare gets elements
// of that type, unless it was changed.
LaunchForm completed(LaunchForm form, const FormKernel& kernel, const CompiledParameters& compiled);

// The folder near the source that has the header which the compiler says it cannot open; empty: it says nothing of the
// kind, or there is none but among `known`, the include paths.
std::string folder_of_missing_header(const std::string& source, const std::vector<std::string>& known,
                                     const Diagnostics& problems);

// Folders near the source in which headers lie that the compiler does not find (compile::folder_with_header()), in the
// order in which it asks for them; none that is an include path already. Compiles after each.
std::vector<std::string> folders_of_headers(const LaunchForm& form, compile::Source source,
                                            const sim::Progress* progress);
// The same for the kernel of a request.
std::vector<std::string> folders_of_headers(Request request, const sim::Progress* progress);
// The same for any compiler. `compiled` compiles with the folders found so far and returns what it says; `known` are
// the include paths without them.
std::vector<std::string> folders_of_headers(
    const std::string& source, std::vector<std::string> known,
    const std::function<Diagnostics(const std::vector<std::string>& found)>& compiled);
// program.headers: that the folder is an include path now.
Diagnostic note_of_headers(const std::string& source, const std::string& folder);

// A guessed buffer of a type that the file does not declare has this many bytes for each element.
inline constexpr std::uint64_t guessed_bytes_each = 32;
// A guessed table has this many pointers, as many as a guessed matrix has rows.
inline constexpr int guessed_rows = 64;

}  // namespace lanescope::job
