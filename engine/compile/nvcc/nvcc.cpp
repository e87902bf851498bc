#include "compile/nvcc/nvcc.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <fmt/ranges.h>

#include "compile/host/definitions.h"
#include "compile/host/include_tree.h"
#include "compile/nvcc/cuda_12_names.h"
#include "compile/nvcc/nvcc_options.h"
#include "compile/nvcc/nvcc_run.h"
#include "compile/own_features.h"
#include "compile/source_text.h"
#include "core/os/environment.h"
#include "core/os/files.h"
#include "core/os/read_file.h"
#include "core/os/system_error.h"
#include "core/os/write_all.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::compile {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds most_time{600};

Diagnostic nvcc_error(std::string code, Wording message, Wording cure) {
  return {Severity::error, std::move(code), {}, std::move(message), std::move(cure)};
}

// Parses "Cuda compilation tools, release 13.0, V13.0.88".
bool read_version(const std::string& said, LocatedNvcc& nvcc) {
  const std::size_t at = said.find("release ");
  if (at == std::string::npos) return false;
  const char* const end = said.data() + said.size();
  const auto [point, failed] = std::from_chars(said.data() + at + 8, end, nvcc.major);
  if (failed != std::errc{} || point == end || *point != '.') return false;
  return std::from_chars(point + 1, end, nvcc.minor).ec == std::errc{};
}

Wording how_to_get_nvcc() {
  return how_to_get({"nvidia-cuda-nvcc", "nvidia-nvvm", "nvidia-cuda-crt", "nvidia-cuda-runtime"},
                    "Run third_party/fetch nvcc (it needs no GPU), or install the CUDA Toolkit 12 or newer.");
}

}  // namespace

Result<LocatedNvcc> locate_nvcc(const SearchPlaces& places) {
  LocatedNvcc nvcc;
  nvcc.path = locate_program(places, "nvcc");
  if (nvcc.path.empty())
    return nvcc_error("toolchain.no_nvcc", "nvcc, which builds a whole program, was not found.", how_to_get_nvcc());
  const ProgramOutcome asked = run_program(nvcc.path, {"--version"}, {}, std::chrono::seconds(60));
  const fs::path beside = fs::path(nvcc.path).parent_path();
  std::error_code ignored;
  // The packages can be installed without cicc, the other half of the compiler.
  const bool is_half =
      fs::exists(beside / "nvcc.profile", ignored) && !fs::exists(beside / "../nvvm/bin/cicc", ignored);
  if (asked.exit_status != 0 || is_half || !read_version(asked.output, nvcc))
    return nvcc_error("toolchain.no_nvcc", worded("nvcc at {} is not complete or does not run.", nvcc.path),
                      how_to_get_nvcc());
  if (nvcc.major < 12)
    return nvcc_error("toolchain.no_nvcc",
                      worded("nvcc at {} is of CUDA {}.{}, which is too old.", nvcc.path, nvcc.major, nvcc.minor),
                      how_to_get_nvcc());
  if (!value_of_variable("NVCC_CCBIN") && (path_of_program("g++").empty() || path_of_program("gcc").empty()))
    return nvcc_error("toolchain.no_host_compiler",
                      "nvcc needs g++ for the host's part of a program, and it was not found.",
                      "Install g++ (on Debian: apt install g++).");
  return nvcc;
}

Result<LocatedNvcc> locate_nvcc() {
  return locate_nvcc(SearchPlaces::of_this_process());
}

ScratchFolder::ScratchFolder() : path_(make_scratch_folder("lanescope-exec")) {}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

namespace {

// "90", or "90a" if the source or a file that it includes has instructions that only sm_90a supports.
std::string architecture_for(const ProgramSource& source, const std::string& text) {
  const Source read{source.file, text, source.include_paths};
  const std::string arch = with_own_features(source.arch, read, user_includes(read, {}));
  return std::to_string(architecture_number(arch)) + (arch.ends_with('a') ? "a" : "");
}

// `own`: the user's further options, and those that the code needs.
std::vector<std::string> options_for(const ProgramSource& source, const std::string& number, const fs::path& folder,
                                     const std::string& program, const std::vector<std::string>& own) {
  std::vector<std::string> options{source.file,
                                   "-o",
                                   program,
                                   "-lineinfo",
                                   "-gencode",
                                   "arch=compute_" + number + ",code=compute_" + number,
                                   "-cudart",
                                   "shared",
                                   "-cudadevrt",
                                   "none",
                                   "-L" + folder.generic_string(),
                                   "-Xlinker",
                                   "-rpath-link=" + source.runtime_folder};
  for (const std::string& one : source.defines) options.push_back("-D" + one);
  for (const std::string& one : source.include_paths) options.push_back("-I" + one);
  if (!source.standard.empty()) options.push_back("-std=" + source.standard);
  options.insert(options.end(), own.begin(), own.end());
  return options;
}

std::optional<Diagnostic> prepare_folder(const fs::path& folder, const ProgramSource& source, const LocatedNvcc& nvcc) {
  const fs::path runtime = source.runtime_folder;
  std::error_code failed;
  if (!folder.empty())
    fs::create_symlink(runtime / ("libcudart.so." + std::to_string(nvcc.major)), folder / "libcudart.so", failed);
  if (!folder.empty() && !failed) fs::create_symlink(runtime / "libcuda.so.1", folder / "libcuda.so", failed);
  if (!folder.empty() && !failed) return std::nullopt;
  return nvcc_error("io.cannot_write", "There is no folder to build the program in.",
                    "Set TMPDIR to a folder that you may write to.");
}

// Writes the header with the names of CUDA 12 and returns the option for it; empty: that failed.
std::string option_for_cuda_12(const fs::path& folder) {
  const fs::path header = folder / "cuda_12_names.h";
  Descriptor file;
  const std::string_view text = header_of_cuda_12();
  const bool written =
      create_new(header.generic_string(), file) == 0 && write_all(file.get(), text.data(), text.size()) == 0;
  return written ? "--pre-include=" + header.generic_string() : "";
}

}  // namespace

std::string architecture_of_own(const std::string& log) {
  static constexpr std::string_view refusal = "not supported on .target";
  const std::size_t at = log.find(refusal);
  const std::size_t first = log.find('\'', at), last = log.find('\'', first + 1);
  if (at == std::string::npos || last == std::string::npos) return "";
  const std::string target = log.substr(first + 1, last - first - 1);
  const bool is_plain = target.starts_with("sm_") && target.find_first_not_of("0123456789", 3) == std::string::npos;
  return is_plain && architecture_number(target) >= 90 ? target + "a" : "";
}

ProgramOutcome run_nvcc(const LocatedNvcc& nvcc, const fs::path& folder,
                        const std::function<std::vector<std::string>(const std::vector<std::string>&)>& options,
                        std::vector<std::string> own, std::chrono::seconds limit, const std::function<bool()>& stop,
                        Needed& needed) {
  for (;;) {
    ProgramOutcome outcome = run_program(nvcc.path, options(own), {}, limit, stop);
    if (outcome.exit_status == 0 || outcome.stopped || outcome.timed_out) return outcome;
    const std::string log = outcome.output + outcome.errors;
    const std::vector<std::string> more = options_that_help(log, own);
    const bool older = nvcc.major > 12 && !needed.names_of_cuda_12 && lacks_names_of_cuda_12(log);
    const std::string header = older ? option_for_cuda_12(folder) : "";
    if (more.empty() && header.empty()) {
      if (!needed.architecture.empty()) return outcome;
      needed.architecture = architecture_of_own(log);
      if (needed.architecture.empty()) return outcome;
      continue;
    }
    own.insert(own.end(), more.begin(), more.end());
    needed.options.insert(needed.options.end(), more.begin(), more.end());
    if (header.empty()) continue;
    own.push_back(header);
    needed.names_of_cuda_12 = true;
  }
}

Diagnostics notes_of(const Needed& needed, const std::string& file) {
  Diagnostics notes;
  const auto note = [&](Wording message) {
    notes.push_back({Severity::note, "compile.option_needed", {file}, std::move(message), ""});
  };
  if (!needed.options.empty())
    note(worded("Built with {}, which the code needs.", Wording(fmt::format("{}", fmt::join(needed.options, " ")))));
  if (!needed.architecture.empty())
    note(worded("Built for {}: the code has instructions of this architecture alone.", needed.architecture));
  if (needed.names_of_cuda_12)
    note("The code is for CUDA 12: built with the names that CUDA 13 removed, such as clockRate of cudaDeviceProp.");
  return notes;
}

namespace {

// What ptxas says, if it is that which failed: the rest repeats warnings that are told already. Each sentence once: a
// kernel may have hundreds of the instructions that ptxas refuses.
std::string what_failed(const std::string& log) {
  std::string of_ptxas;
  std::set<std::string_view> told;
  for (const std::string_view line : split(log, '\n')) {
    if (!line.starts_with("ptxas") || line.find("error") == std::string_view::npos) continue;
    const std::size_t sentence = line.find(" : ");
    if (told.insert(sentence == std::string_view::npos ? line : line.substr(sentence)).second)
      of_ptxas.append(of_ptxas.empty() ? "" : "\n").append(line);
  }
  return of_ptxas.empty() ? std::string(trimmed(log)) : of_ptxas;
}

}  // namespace

Wording cure_of_nvcc(const std::string& log) {
  if (log.find("without '.sync' is not supported") != std::string::npos)
    return "GPUs since Volta vote and shuffle with a mask: write __ballot_sync(0xffffffff, …) for __ballot(…), and "
           "__any_sync, __all_sync, __shfl_sync, __shfl_down_sync and so on likewise.";
  // The compiler, of nvidia-nvvm, writes newer PTX than ptxas, of nvidia-cuda-nvcc, reads: pip has updated one of them.
  if (log.find("Unsupported .version") != std::string::npos)
    return "The packages nvidia-cuda-nvcc and nvidia-nvvm have different versions: install both in one version, or "
           "Lanescope in an environment of its own.";
  if (log.find("not supported on .target") != std::string::npos)
    return "The code is for a GPU of another architecture: name that one, for example `--arch sm_100a`.";
  return "Look at what it says above.";
}

Result<BuiltProgram> build_program(const ProgramSource& source) {
  std::string text;
  if (const int failed = read_file(source.file, text, most_source_bytes); failed != 0)
    return unreadable(source.file, failed);
  if (std::optional<Diagnostic> utf16 = refuse_utf16(source.file, text)) return *utf16;
  for (const std::string& define : source.defines)
    if (std::optional<Diagnostic> wrong = wrong_definition(define)) return *wrong;
  const Source read{source.file, text, source.include_paths};
  if (std::optional<Diagnostic> wrong = refuse_includes(read, user_includes(read, {}))) return *wrong;
  const Result<LocatedNvcc> nvcc = locate_nvcc();
  if (!nvcc) return nvcc.errors();
  BuiltProgram built;
  built.folder = std::make_unique<ScratchFolder>();
  if (std::optional<Diagnostic> no_folder = prepare_folder(built.folder->path(), source, *nvcc)) return *no_folder;
  built.path = (built.folder->path() / fs::path(source.file).stem()).generic_string();
  Needed needed;
  const std::string number = architecture_for(source, text);
  const auto options = [&](const std::vector<std::string>& own) {
    return options_for(source, needed.architecture.empty() ? number : needed.architecture.substr(3),
                       built.folder->path(), built.path, own);
  };
  const ProgramOutcome outcome = [&] {
    const ScopedVariable temporary_files("TMPDIR", built.folder->path().generic_string());
    return run_nvcc(*nvcc, built.folder->path(), options, source.further, most_time, source.stop, needed);
  }();
  if (outcome.stopped) return nvcc_error("compile.stopped", "nvcc was ended before it was done.", "Start it again.");
  if (outcome.timed_out)
    return nvcc_error("compile.too_slow", worded("nvcc did not end within {} minutes.", most_time.count() / 60),
                      "Build the program by hand with `nvcc -cudart shared`, and give its name.");
  built.warnings = diagnose_nvcc(outcome.output + outcome.errors, source, text);
  if (outcome.exit_status == 0) {
    std::erase_if(built.warnings, [](const Diagnostic& one) { return one.severity == Severity::error; });
    Diagnostics notes = notes_of(needed, source.file);
    built.warnings.insert(built.warnings.end(), notes.begin(), notes.end());
    return built;
  }
  if (!has_error(built.warnings))
    built.warnings.push_back(nvcc_error("compile.nvcc", worded("nvcc failed: {}", Wording(what_failed(outcome.errors))),
                                        cure_of_nvcc(outcome.errors)));
  return std::move(built.warnings);
}

}  // namespace lanescope::compile
