// nvcc prints the logs of several programs: its own compilers (like NVRTC's), g++ and the linker.

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/compiler_log.h"
#include "compile/compiler_words.h"
#include "compile/diagnose.h"
#include "compile/host/nearby_files.h"
#include "compile/nvcc/nvcc.h"
#include "compile/nvcc/nvcc_lines.h"
#include "compile/nvcc/nvcc_options.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::compile {
namespace {

// The functions that further files of the program may define; read when the first name is asked for.
class OtherFiles {
 public:
  explicit OtherFiles(const ProgramSource& source) : source_(source) {}

  std::string that_defines(std::string_view linker_name) {
    if (!functions_) {
      functions_ = functions_defined_beside(source_.file, {".cu", ".cpp", ".cc", ".cxx", ".c"});
      // A file that nvcc has built already does not help.
      std::erase_if(*functions_, [&](const DefinedBeside& one) {
        return std::ranges::any_of(source_.further, [&](const std::string& option) {
          return std::filesystem::path(option).filename() == std::filesystem::path(one.file).filename();
        });
      });
    }
    return file_of_linker_name(*functions_, linker_name);
  }

 private:
  const ProgramSource& source_;
  std::optional<std::vector<DefinedBeside>> functions_;
};

// What to do about a name that no file defines.
Wording cure_of_undefined(std::string_view message, OtherFiles& others) {
  const std::size_t quote = message.find('`');
  const std::string_view name = quote == std::string_view::npos ? std::string_view() : message.substr(quote + 1);
  if (option_for(message) == "-lcuda") return "It is of the driver API: link that with `--nvcc=-lcuda`.";
  constexpr std::string_view of_kernels = "__device_builtin_variable_";  // warpSize, threadIdx, …
  if (name.starts_with(of_kernels))
    return worded("Only kernels have `{}`. In host code write its value, or take it from cudaGetDeviceProperties().",
                  name.substr(of_kernels.size(), name.find_last_not_of("'") + 1 - of_kernels.size()));
  static constexpr std::pair<std::string_view, const char*> libraries[] = {
      {"cublas", "cuBLAS"},     {"cusparse", "cuSPARSE"}, {"cufft", "cuFFT"}, {"curand", "cuRAND"},
      {"cusolver", "cuSOLVER"}, {"cudnn", "cuDNN"},       {"nccl", "NCCL"}};
  for (const auto& [prefix, library] : libraries)
    if (name.starts_with(prefix))
      return worded(
          "It is of {}, a library whose kernels are machine code for a GPU. Without one, write a kernel of "
          "your own in its place.",
          library);
  if (const std::string file = others.that_defines(name.substr(0, name.rfind('\''))); !file.empty())
    return worded("`{}` defines it: build that file too, with `--nvcc={}`.", file, file);
  return "Define it, or give the file or library that does as a further option for nvcc.";
}

Diagnostic of_linker(const LinkerLine& line, const std::string& file, OtherFiles& others) {
  if (line.kind == LinkerLine::Kind::undefined && line.message.ends_with("`main'"))
    return {Severity::error,
            "compile.no_main",
            {file},
            "The file has no main(), so it is not a program.",
            "Write a main(), or run one of its kernels alone."};
  Diagnostic said{Severity::error, "compile.link_error", {}, told_by_compiler(line.message), {}};
  switch (line.kind) {
    case LinkerLine::Kind::undefined:
      said.cure = cure_of_undefined(line.message, others);
      break;
    case LinkerLine::Kind::no_library:
      said.cure = "Install that library, or give its folder with -L as a further option for nvcc.";
      break;
    case LinkerLine::Kind::options:
      said.code = "compile.nvcc";
      said.cure = "Change the options that are handed on to nvcc.";
      break;
  }
  return said;
}

}  // namespace

Diagnostics diagnose_nvcc(const std::string& log, const ProgramSource& source, const std::string& text) {
  // nvcc compiles a file once for the host and once per architecture, and repeats its warnings each time.
  std::vector<LogEntry> entries;
  const auto add = [&](LogEntry entry) {
    for (const LogEntry& one : entries)
      if (one.place == entry.place && one.message == entry.message) return;
    entries.push_back(std::move(entry));
  };
  for (LogEntry& entry : parse_compiler_log(log)) {
    // nvcc's echo of a line has __attribute__((global)) for __global__, so the caret's column is not the source's.
    entry.place.column = 0;
    if (!is_remark_on_warnings(entry)) add(std::move(entry));
  }
  // The linker reports a missing function once for each call.
  Diagnostics others;
  OtherFiles beside(source);
  std::set<std::string> told_of;
  for (const std::string_view line : split(log, '\n')) {
    if (std::optional<LogEntry> entry = line_of_host_compiler(line))
      add(std::move(*entry));
    else if (const std::optional<LinkerLine> one = line_of_linker(line); one && told_of.insert(one->message).second)
      others.push_back(of_linker(*one, source.file, beside));
  }
  const Source whole{source.file, text, source.include_paths};
  Diagnostics said = diagnose(entries, {.source = whole, .left_out = {}, .system_paths = {}, .whole_program = true});
  for (Diagnostic& one : said)
    if (const std::string_view option = option_for(std::string(one.message));
        !option.empty() && !option.starts_with("-D"))
      one.cure = worded("Give nvcc the option for that: `--nvcc={}`.", option);
  said.insert(said.end(), others.begin(), others.end());
  return said;
}

}  // namespace lanescope::compile
