// compile() and kernels_in(): attempts, names, the cache.

#include "compile/compiler.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compile/compiled_cache.h"
#include "compile/compiler_log.h"
#include "compile/compiler_process.h"
#include "compile/diagnose.h"
#include "compile/host/definitions.h"
#include "compile/host/gxx_macros.h"
#include "compile/host/host_code.h"
#include "compile/host/host_headers.h"
#include "compile/host/host_slice.h"
#include "compile/host/include_tree.h"
#include "compile/host/source_scan.h"
#include "compile/kept_outcomes.h"
#include "compile/own_features.h"
#include "compile/ptx_text.h"
#include "compile/source_text.h"
#include "compile/toolchain.h"
#include "core/architecture.h"
#include "core/file_name_in_ptx.h"
#include "core/source_name.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::compile {
namespace {

constexpr int most_attempts = 16;
// Large host headers have more errors than the compiler reports at once.
constexpr int attempts_before_slice = 3;

Diagnostic error(const char* code, const std::string& file, Wording message, Wording cure) {
  return {Severity::error, code, {file, 0, 0}, std::move(message), std::move(cure)};
}

// "sm_90", "90" or "compute_90" → "compute_90"; keeps a suffix as in sm_90a.
Result<std::string> virtual_architecture(const std::string& arch, const NvrtcLibrary& nvrtc, const std::string& file) {
  const auto [digits, suffix] = parts_of_architecture(arch);
  const int value = architecture_number(arch);
  const auto& known = nvrtc.architectures;
  if (std::find(known.begin(), known.end(), value) != known.end() && (suffix.empty() || suffix == "a" || suffix == "f"))
    return "compute_" + std::string(digits) + std::string(suffix);
  std::string list;
  for (const int architecture : known) list += fmt::format("{}sm_{}", list.empty() ? "" : ", ", architecture);
  return error("compile.unknown_arch", file,
               worded("NVRTC {}.{} does not know the architecture `{}`", nvrtc.major, nvrtc.minor, arch),
               worded("Choose one of: {}.", list));
}

bool is_mangled(const std::string& name) {
  return name.starts_with("_Z");
}

// "a, b, c"; only the beginning of a long list.
std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 24;
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, … ({})", fmt::join(names.begin(), names.begin() + most, ", "), names.size());
}

// One request and its attempts to compile.
class Compilation {
 public:
  // `key`: the cache's key, or empty.
  Compilation(const Source& source, const Options& options, const LocatedToolchain& toolchain, std::string architecture,
              const std::string& key)
      : source_(source),
        options_(options),
        toolchain_(toolchain),
        architecture_(std::move(architecture)),
        key_(key),
        attempt_(first_attempt(source, toolchain.parts.include_paths)) {
    std::vector<std::string_view> texts{attempt_.text};
    const std::vector<IncludedFile> files = user_includes(source, toolchain.parts.include_paths).files;
    for (const IncludedFile& file : files) texts.push_back(file.content);
    for (const TrimmedHeader& header : attempt_.headers) texts.push_back(header.text);
    as_gxx_ = gxx_definitions(texts);
  }

  Result<Ptx> run() {
    NvrtcOutcome outcome;
    std::vector<LogEntry> log;
    int attempts = 0;  // those that got past the #include lines; the others take only a moment
    for (int all = 0; attempts < most_attempts && all < 4 * most_attempts; ++all) {
      if (cancelled()) return cancelled_error();
      outcome = attempt();
      if (cancelled()) return cancelled_error();
      if (may_lack_a_declaration(outcome)) {
        attempt_.nvcc_prelude = true;
        ++attempts;
        continue;
      }
      if (outcome.code < 0) return ended(outcome);
      log = parse_compiler_log(outcome.log);
      if (compiled_as_ != source_.name) rename_file(log, compiled_as_, source_.name);
      if (may_be_the_files_name(outcome, log)) {
        compiled_as_ = in_ascii(source_.name);
        continue;
      }
      if (outcome.code != NvrtcOutcome::compilation_failed) break;
      if (!lacks_a_header(log)) ++attempts;
      const bool sliced_before = !before_slice_.log.empty();
      const bool impatient = !sliced_before && attempts > attempts_before_slice;
      if (!impatient && improve(attempt_, log, source_, toolchain_.parts.include_paths)) continue;
      if (!sliced_before) {
        before_slice_ = {log, attempt_.left_out};
        if (leave_out_host(attempt_, log, source_, toolchain_.parts.include_paths)) continue;
        if (impatient && improve(attempt_, log, source_, toolchain_.parts.include_paths)) continue;
      }
      if (!leave_out_others(log)) break;
    }
    if (outcome.code == NvrtcOutcome::success) return success(outcome, with_columns_of_source(log, attempt_));
    State reported = before_others_.log.empty() ? to_report(log) : before_others_;
    attempt_.left_out = std::move(reported.left_out);
    Diagnostics found = failure(outcome, with_columns_of_source(reported.log, attempt_));
    if (auto named = with_namespaces(found, reported.log)) return std::move(*named);
    return found;
  }

 private:
  struct State {
    std::vector<LogEntry> log;
    std::vector<std::string> left_out;
  };

  // The last errors if they concern the kernels, else the errors before slicing.
  State to_report(const std::vector<LogEntry>& log) const {
    const bool concerns_others =
        attempt_.sliced && (!attempt_.missing_headers.empty() || !concerns_device_code_alone(attempt_, log, source_));
    return concerns_others ? before_slice_ : State{log, attempt_.left_out};
  }

  bool leave_out_others(const std::vector<LogEntry>& log) {
    const std::vector<std::string>& names = options_.name_expressions;
    if (names.empty() || std::ranges::any_of(names, is_mangled)) return false;
    const State before = to_report(log);
    if (!leave_out_other_kernels(attempt_, log, source_, toolchain_.parts.include_paths, names)) return false;
    if (before_others_.log.empty()) before_others_ = before;
    if (!attempt_.sliced) before_slice_ = {};  // host code may have errors that the others hid
    return true;
  }

  // NVRTC crashes if a template uses an undeclared name, such as int8_t, which nvcc declares by default.
  bool may_lack_a_declaration(const NvrtcOutcome& outcome) const {
    return outcome.code == NvrtcOutcome::crashed && outcome.error != "SIGKILL" && !attempt_.nvcc_prelude;
  }
  // If the file's name is not ASCII, NVRTC for Windows resolves no template's name, and some names it refuses without a
  // word. Another file name then takes its place for the compiler.
  bool may_be_the_files_name(const NvrtcOutcome& outcome, const std::vector<LogEntry>& log) const {
    if (outcome.code == NvrtcOutcome::success) return false;
    if (compiled_as_ != source_.name || in_ascii(source_.name) == source_.name) return false;
    return std::none_of(log.begin(), log.end(), [&](const LogEntry& entry) {
      return entry.severity == Severity::error && entry.place.file == source_.name;
    });
  }
  bool cancelled() const { return options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed); }
  Diagnostic cancelled_error() const {
    return error("compile.cancelled", source_.name, "the compilation was stopped", "");
  }
  Diagnostic too_slow() const {
    return error("compile.too_slow", source_.name,
                 worded("the compilation did not finish within {:g} seconds", options_.most_seconds),
                 "Templates, unrolled loops and inlined calls multiply the code: use fewer of them in the kernel.");
  }

  // The diagnostics of a compilation that ended without an answer.
  Diagnostics ended(const NvrtcOutcome& outcome) const {
    switch (outcome.code) {
      case NvrtcOutcome::cancelled:
        return {cancelled_error()};
      case NvrtcOutcome::too_slow:
        return {too_slow()};
      case NvrtcOutcome::too_much_memory:
        return {
            error("compile.too_much_memory", source_.name,
                  worded("the compilation took more than {} of memory", outcome.error),
                  "Macros, templates and calls that expand into one another multiply the code: make them expand less. "
                  "LANESCOPE_COMPILER_GIB=8 gives the compiler 8 GiB.")};
      case NvrtcOutcome::not_started:
        return {worker_not_started(outcome.error)};
      case NvrtcOutcome::crashed:
        return crashed(outcome.error);
      default:
        return {broken(outcome.error)};
    }
  }
  Diagnostic broken(const Wording& reason) const {
    return error("toolchain.broken", source_.name, worded("NVRTC failed: {}", reason),
                 how_to_mend({"nvidia-cuda-nvrtc"}));
  }
  // NVRTC crashes on some mistakes while it instantiates templates. Without name expressions it reports these mistakes.
  Diagnostics crashed(const Wording& how) const {
    if (!options_.name_expressions.empty()) {
      Options plain = options_;
      plain.name_expressions.clear();
      const Result<Ptx> without_names = compile(source_, plain);
      if (!without_names) return without_names.errors();
    }
    const std::string version = toolchain_.parts.nvrtc_version;
    if (how == "SIGKILL")
      return {error("compile.crashed", source_.name,
                    worded("NVRTC {} was ended (SIGKILL) while it compiled this file", version),
                    "Run again. The system kills processes when memory runs out; in that case, close other programs.")};
    return {error("compile.crashed", source_.name,
                  worded("NVRTC {} crashed ({}) while it compiled this file", version, how),
                  "NVRTC crashes on some mistakes instead of naming them, most often on a type or name that is not "
                  "declared where a "
                  "template uses it. Check those that the kernel uses, and include the headers that declare them.")};
  }

  NvrtcOutcome attempt() const {
    const NvrtcJob wanted = job();
    const std::string name = kept_name(key_, wanted, *toolchain_.nvrtc);
    if (auto known = kept_outcome(name)) return std::move(*known);
    NvrtcOutcome outcome = compile_in_worker(*toolchain_.nvrtc, wanted);
    keep_outcome(name, outcome);
    return outcome;
  }

  NvrtcJob job() const {
    NvrtcJob job;
    job.name = compiled_as_;
    job.text = attempt_.text;
    job.library = attempt_.library;
    job.empty_headers = attempt_.empty_headers;
    job.headers = header_texts(attempt_);
    job.cancel = options_.cancel;
    job.deadline = deadline_;
    job.options = {"--gpu-architecture=" + (options_.machine_code ? "sm_" + architecture_.substr(8) : architecture_),
                   "-lineinfo",
                   attempt_.old_standard   ? "-std=c++14"
                   : attempt_.new_standard ? "-std=c++20"
                                           : "-std=c++17",
                   "--no-cache",
                   // setrlimit would change the whole process, and is not needed on our own deep stack.
                   "--modify-stack-limit=false"};
    if (toolchain_.nvrtc->major < 13) std::erase(job.options, "--no-cache");
    if (attempt_.light_cooperative_groups) job.options.push_back("-D_CG_LIMIT_INCLUDED_DEPENDENCIES");
    if (!as_gxx_.empty()) {
      job.headers.emplace_back("lanescope_as_gxx.h", as_gxx_);
      job.options.push_back("--pre-include=lanescope_as_gxx.h");
    }
    if (attempt_.half_prelude)
      for (const char* header : {"cuda_fp16.h", "cuda_bf16.h"})
        job.options.push_back(std::string("--pre-include=") + header);
    if (attempt_.nvcc_prelude)
      for (const char* header : {"cmath", "cstdlib", "algorithm", "cstdint", "climits", "cfloat"})
        job.options.push_back(std::string("--pre-include=") + header);
    if (attempt_.std_prelude)
      for (const char* header : {"type_traits", "utility", "limits", "tuple", "functional"})
        job.options.push_back(std::string("--pre-include=") + header);
    if (attempt_.thrust_functors) {
      job.headers.emplace_back("lanescope_thrust_functors.h", std::string(thrust_functors()));
      job.options.push_back("--pre-include=lanescope_thrust_functors.h");
    }
    if (attempt_.device_is_default) job.options.push_back("-default-device");
    if (attempt_.wide_integers) job.options.push_back("--device-int128");
    for (const std::string& define : source_.defines) job.options.push_back("-D" + define);
    // The folder of the source's own name is searched for "headers".
    const auto own_folder = std::filesystem::path(source_.name).parent_path();
    if (compiled_as_ != source_.name && !own_folder.empty()) job.options.push_back("-I" + own_folder.generic_string());
    for (const std::string& path : source_.include_paths) job.options.push_back("-I" + path);
    // A header may include files from its own folder.
    for (const TrimmedHeader& header : attempt_.headers)
      if (const auto folder = std::filesystem::path(header.path).parent_path(); !folder.empty())
        job.options.push_back("-I" + folder.generic_string());
    for (const std::string& path : toolchain_.parts.include_paths) job.options.push_back("-I" + path);
    for (const std::string& name : options_.name_expressions)
      if (!is_mangled(name)) job.name_expressions.push_back(name);
    return job;
  }

  Result<std::vector<std::string>> compiled_kernels() const {
    Options plain = options_;
    plain.name_expressions.clear();
    return kernels_in(source_, plain);
  }
  bool compiles_without_names() const { return compiled_kernels().ok(); }
  std::vector<std::string> known_kernels() const {
    const auto names = compiled_kernels();
    return names ? *names : scan_kernels(source_.text);
  }

  Diagnostics failure(const NvrtcOutcome& outcome, const std::vector<LogEntry>& log) const {
    Diagnostics found = diagnose(log, {source_, attempt_.left_out, toolchain_.parts.include_paths});
    if (has_error(found)) return found;
    for (const std::string& name : options_.name_expressions) {
      const Wording reason = name_failure(log, name);
      if (!reason.empty()) found.push_back(no_such_kernel(source_, name, known_kernels(), reason));
    }
    // The log has no error in the source, which compiles without the names: the names are malformed (`"`).
    if (!has_error(found) && !options_.name_expressions.empty() && compiles_without_names())
      for (const std::string& name : options_.name_expressions)
        found.push_back(no_such_kernel(source_, name, known_kernels(), "it cannot be resolved"));
    if (!has_error(found)) found.push_back(broken(outcome.error));
    return found;
  }

  // The result with the namespaces that the names lack, if nothing else is wrong.
  std::optional<Result<Ptx>> with_namespaces(const Diagnostics& found, const std::vector<LogEntry>& log) const {
    const auto is_name = [](const Diagnostic& one) { return one.code == "compile.no_such_kernel"; };
    if (found.empty() || !std::ranges::all_of(found, is_name)) return std::nullopt;
    Options full = options_;
    const std::vector<std::string> kernels = known_kernels();
    bool only_arguments = true;
    for (std::string& name : full.name_expressions) {
      const std::string whole = in_its_namespace(name, kernels);
      only_arguments &= whole.empty();
      name = whole.empty() ? with_argument_in_namespace(name, name_failure(log, name)) : whole;
    }
    if (full.name_expressions == options_.name_expressions) return std::nullopt;
    Result<Ptx> named = compile(source_, full);
    if (!named && only_arguments && std::ranges::any_of(named.errors(), is_name)) return std::nullopt;
    for (std::size_t i = 0; named && i < full.name_expressions.size(); ++i)
      named->mangled[options_.name_expressions[i]] = named->mangled[full.name_expressions[i]];
    return named;
  }

  Result<Ptx> success(NvrtcOutcome& outcome, const std::vector<LogEntry>& log) const {
    Ptx ptx;
    ptx.compiler_version = version_in_ptx(outcome.ptx);
    ptx.mangled = std::move(outcome.mangled);
    ptx.cubin = std::move(outcome.cubin);
    for (const std::string& name : options_.name_expressions)
      if (is_mangled(name)) ptx.mangled[name] = name;
    ptx.text = with_file_names(outcome.ptx, {compiled_as_, source_.name, toolchain_.parts.include_paths});
    ptx.text = with_asm_places(ptx.text, source_.name, attempt_.text);
    const auto kernels = kernels_in_ptx(ptx.text);
    Diagnostics missing;
    for (const std::string& name : options_.name_expressions) {
      const auto at = ptx.mangled.find(name);
      if (at == ptx.mangled.end() || std::find(kernels.begin(), kernels.end(), at->second) == kernels.end())
        missing.push_back(undefined_kernel(source_, name));
    }
    if (!missing.empty()) return missing;
    ptx.warnings = diagnose(log, {source_, attempt_.left_out, toolchain_.parts.include_paths});
    const auto note = [&](const char* code, Wording message) {
      ptx.warnings.push_back({Severity::note, code, {source_.name, 0, 0}, std::move(message), ""});
    };
    if (!attempt_.left_out.empty())
      note("compile.host_code",
           worded("host code was left out, only kernels are compiled: {}", list_of(attempt_.left_out)));
    if (!attempt_.other_kernels.empty())
      note("compile.other_kernels",
           worded("code with errors that this kernel does not need was left out: {}", list_of(attempt_.other_kernels)));
    for (const std::string& name : attempt_.missing_headers)
      ptx.warnings.push_back(missing_but_unneeded(source_, name));
    return ptx;
  }

  const Source& source_;
  const Options& options_;
  const LocatedToolchain& toolchain_;
  std::string architecture_;
  const std::string& key_;
  std::chrono::steady_clock::time_point deadline_ =
      std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                             std::chrono::duration<double>(options_.most_seconds));
  Attempt attempt_;
  std::string as_gxx_;  // definitions of the g++ macros that the source names
  State before_slice_;
  State before_others_;                     // what is reported if it does not help to leave out other kernels
  std::string compiled_as_ = source_.name;  // the file's name for NVRTC
};

CompiledCache& cache() {
  static CompiledCache the_cache;
  return the_cache;
}

// All inputs of the result; empty if they are not known.
std::string key_of(const Source& source, const IncludeTree& included, const Options& options,
                   const LocatedToolchain& toolchain) {
  std::string key = key_of_inputs(source, included, options);
  if (key.empty()) return key;
  add_parts(key, toolchain.parts.include_paths);
  add_part(key, toolchain.parts.nvrtc_path);
  return key;
}

bool says_no_more_than_a_name(const std::string& expression) {
  return std::all_of(expression.begin(), expression.end(),
                     [](unsigned char c) { return c == '_' || c == ':' || (c < 0x80 && std::isalnum(c)); });
}

// Uses a compilation without name expressions as if `names` had been requested. Kernels that are not templates are in
// the PTX either way, so one compilation serves all kernels of a file. nullopt if a name does not match exactly one
// kernel: then the compiler must decide.
std::optional<Ptx> with_names(const Ptx& whole, const std::vector<std::string>& names) {
  std::map<std::string, std::vector<std::string>> kernels;  // by their names in the source
  for (const std::string& mangled : kernels_in_ptx(whole.text)) {
    kernels[mangled] = {mangled};
    if (const std::string name = source_name(mangled); name != mangled) kernels[name].push_back(mangled);
  }
  std::map<std::string, std::string> found;
  for (const std::string& name : names) {
    const auto at = kernels.find(name);
    if (at == kernels.end() || at->second.size() != 1) return std::nullopt;
    found[name] = at->second.front();
  }
  Ptx named = whole;
  named.mangled = std::move(found);
  return named;
}

// False for a compilation that was stopped, or that failed without a working compiler: the next try may succeed.
bool depends_on_key_alone(const Result<Ptx>& result) {
  if (result) return true;
  const std::string& code = result.errors().front().code;
  static constexpr std::string_view ends[] = {"compile.cancelled", "compile.too_slow", "compile.too_much_memory",
                                              "compile.crashed"};
  return std::find(std::begin(ends), std::end(ends), code) == std::end(ends) && !code.starts_with("toolchain.");
}

}  // namespace

std::string key_of_inputs(const Source& source, const IncludeTree& included, const Options& options) {
  if (!included.complete) return "";
  std::string key;
  std::error_code ignored;
  add_part(key, std::filesystem::current_path(ignored).generic_string());
  add_part(key, options.arch);
  add_part(key, options.machine_code ? "cubin" : "ptx");
  add_parts(key, options.name_expressions);
  add_part(key, source.name);
  add_part(key, source.text);
  add_parts(key, source.include_paths);
  add_parts(key, source.defines);
  for (const IncludedFile& file : included.files) {
    add_part(key, file.path);
    add_part(key, file.content);
  }
  return key;
}

Result<Ptx> compile(const Source& given, const Options& asked) {
  Source source = given;
  Options options = asked;
  if (source.name.empty()) source.name = "kernel.cu";
  if (auto refused = refuse(source)) return std::move(*refused);
  const std::size_t replaced = make_utf8(source.text);
  const auto toolchain = locate_toolchain_for(options.arch);
  if (!toolchain) return toolchain.errors();
  const IncludeTree included = user_includes(source, toolchain->parts.include_paths);
  if (auto refused = refuse_includes(source, included)) return std::move(*refused);
  options.arch = with_own_features(asked.arch, source, included);
  const auto architecture = virtual_architecture(options.arch, *toolchain->nvrtc, source.name);
  if (!architecture) return architecture.errors();
  std::string key = key_of(source, included, options, *toolchain);
  if (!key.empty()) key += fmt::format("{} replaced", replaced);
  if (!key.empty())
    if (const auto known = cache().find(key)) return *known;
  const auto& names = options.name_expressions;
  if (!names.empty() && std::all_of(names.begin(), names.end(), says_no_more_than_a_name)) {
    Options plain = options;
    plain.name_expressions.clear();
    const auto whole = compile(given, plain);
    if (!whole && !may_concern_others(whole.errors(), source, names)) return whole;
    if (auto named = whole ? with_names(*whole, names) : std::nullopt) {
      if (!key.empty()) cache().add(key, *named);
      return std::move(*named);
    }
  }
  auto ptx = Compilation(source, options, *toolchain, *architecture, key).run();
  if (ptx && replaced > 0) ptx->warnings.push_back(not_utf8(source, replaced));
  if (!key.empty() && depends_on_key_alone(ptx)) cache().add(key, ptx);
  return ptx;
}

Result<std::vector<std::string>> kernels_in(const Source& source, const Options& options) {
  std::vector<std::string> names = scan_kernels(source.text);
  Options plain = options;
  plain.name_expressions.clear();
  const auto ptx = compile(source, plain);
  if (!ptx) return names;
  for (const std::string& mangled : kernels_in_ptx(ptx->text)) {
    const std::string name = source_name(mangled);
    const auto is_name = [&name](const std::string& known) { return without_blanks(known) == without_blanks(name); };
    if (std::none_of(names.begin(), names.end(), is_name)) names.push_back(name);
  }
  return names;
}

}  // namespace lanescope::compile
