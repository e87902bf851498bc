#include "cli/output/output.h"

#include <cerrno>
#include <cstdio>

#include "cli/output/cures.h"
#include "core/os/read_file.h"
#include "core/os/system_error.h"
#include "core/worded.h"
#include "words/messages.h"

namespace lanescope::cli {

namespace {

diagram::Language spoken = diagram::Language::english;

}  // namespace

int exit_code(const Diagnostics& diagnostics) {
  struct Row {
    const char* prefix;
    int code;
  };
  // All other errors concern a kernel, a lesson or a file: 1.
  static constexpr Row rows[] = {
      {"toolchain.", 3},
      {"gpu.no_", 3},
      {"gpu.driver_too_old", 3},
      {"window.no_", 3},
      {"peer.", 3},
      {"argument.", 2},
      {"launch.", 2},
      {"control.", 2},
      {"command.", 2},
      {"run.no_such_event", 2},
      {"value.no_launch", 2},
      {"compile.no_such_kernel", 2},
      {"instrument.no_such_kernel", 2},
      {"compile.unknown_arch", 2},
      {"compile.bad_define", 2},
      {"io.cannot_read", 2},
      {"trace.cannot_read", 2},
      {"lesson.no_such", 2},
      {"program.not_", 2},
      {"saved_run.no_such_launch", 2},
      {"lesson.yardstick", 2},
      {"shot.unknown_name", 2},
  };
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity != Severity::error) continue;
    for (const Row& row : rows)
      if (diagnostic.code.starts_with(row.prefix)) return row.code;
    return 1;
  }
  return 0;
}

void speak(diagram::Language language) {
  spoken = language;
}

std::string told(const Wording& wording) {
  return diagram::translated(wording, spoken);
}

void print_diagnostics(const Diagnostics& diagnostics, const Texts& texts) {
  for (const Diagnostic& one : with_options(diagnostics)) {
    const auto text = texts.find(one.place.file);
    std::fprintf(stderr, "%s\n", diagram::told(one, spoken, text == texts.end() ? nullptr : &text->second).c_str());
  }
}

Texts texts_of(const job::Outcome& outcome) {
  const std::string& name = outcome.request.source.name;
  return {{name, outcome.request.source.text}, {name + ".ptx", outcome.first().ptx}};
}

bool print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written)
    print_diagnostics({{Severity::error,
                        "io.cannot_write",
                        {"standard output"},
                        worded("The output could not be written: {}.", system_error(errno)),
                        "Free some space, or send the output elsewhere."}});
  return written;
}

Diagnostic cannot_write(const std::string& path, int reason) {
  const bool full = reason == ENOSPC || reason == EFBIG || reason == EIO;
  const bool no_folder = reason == ENOENT || reason == ENOTDIR;
  return {Severity::error,
          "io.cannot_write",
          {path},
          worded("It cannot be written: {}.", system_error(reason)),
          full        ? "Free some space, or choose another place."
          : no_folder ? "Make its folder, or choose another place."
                      : "Choose a place where you may write."};
}

Result<std::string> read_text_file(const std::string& path) {
  std::string text;
  const std::size_t most = path.ends_with(".ptx") ? most_text_bytes : most_source_bytes;
  const int reason = read_file(path, text, most);
  if (reason == ESPIPE)
    return Diagnostic{
        Severity::error, "io.cannot_read", {path}, "This is a pipe or a device, not a file.", "Name a file."};
  if (reason == EFBIG)
    return Diagnostic{Severity::error,
                      "io.cannot_read",
                      {path},
                      worded("The file is larger than {} MiB, which is too large "
                             "for a source file.",
                             most >> 20),
                      "Name a source file."};
  if (reason == EISDIR)
    return Diagnostic{Severity::error, "io.cannot_read", {path}, "This is a folder, not a file.", "Name a file in it."};
  if (reason != 0) return unreadable(path, reason);
  return text;
}

}  // namespace lanescope::cli
