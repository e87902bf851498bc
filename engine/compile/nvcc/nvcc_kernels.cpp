#include "compile/nvcc/nvcc_kernels.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "compile/compiled_cache.h"
#include "compile/cures.h"
#include "compile/diagnose.h"
#include "compile/host/include_tree.h"
#include "compile/host/source_needs.h"
#include "compile/host/source_scan.h"
#include "compile/nvcc/nvcc.h"
#include "compile/nvcc/nvcc_run.h"
#include "compile/own_features.h"
#include "compile/ptx_text.h"
#include "compile/source_text.h"
#include "compile/toolchain.h"
#include "core/kernel_name.h"
#include "core/os/abilities.h"
#include "core/os/asked_to_end.h"
#include "core/os/files.h"
#include "core/os/read_file.h"
#include "core/os/system_error.h"
#include "core/os/write_all.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::compile {
namespace fs = std::filesystem;
namespace {

// Both are names of our own in the text that nvcc receives.
constexpr std::string_view kernel_table = "lanescope_kernels_by_name", place_of_table = "lanescope_kernels";

bool has_mangled_name(const std::string& name) {
  return name.starts_with("_Z");
}

const Diagnostic* first_of_errors(const Diagnostics& errors) {
  const auto at = std::ranges::find(errors, Severity::error, &Diagnostic::severity);
  return at == errors.end() ? nullptr : &*at;
}

bool was_cancelled(const Options& options) {
  return EndLater::asked() || (options.cancel != nullptr && options.cancel->load(std::memory_order_relaxed));
}

bool is_of_the_source(const Diagnostic& error) {
  static constexpr std::array<std::string_view, 3> codes{"compile.error", "compile.missing_include", "compile.crashed"};
  return error.severity == Severity::error && std::ranges::find(codes, error.code) != codes.end();
}

// The kernels' names with the namespaces that they lack.
std::vector<std::string> whole_names(const Source& source, std::vector<std::string> names) {
  const std::vector<std::string> kernels = scan_kernels(source.text);
  for (std::string& name : names)
    if (const std::string whole = in_its_namespace(name, kernels); !whole.empty()) name = whole;
  return names;
}

// A `#line` of a name with any characters.
std::string line_marker(std::string_view name) {
  std::string marker = "# 1 \"";
  for (const char c : name) {
    if (c == '"' || c == '\\') marker += '\\';
    marker += c;
  }
  return marker + "\"\n";
}

bool write_new(const fs::path& path, std::string_view text) {
  Descriptor file;
  return create_new(path.generic_string(), file) == 0 && write_all(file.get(), text.data(), text.size()) == 0;
}

// nvcc names what an unnamed namespace holds by a number that it makes of its input's place, which changes with each
// call. Sets it to 0, so that machine code has the names of the PTX that was compiled before it.
void same_names_each_time(std::string& ptx) {
  constexpr std::string_view mark = "_10_kernels_cu";
  constexpr std::size_t digits = 8;
  for (std::size_t at = ptx.find(mark); at != std::string::npos; at = ptx.find(mark, at + mark.size())) {
    if (at < digits) continue;
    const std::string_view number = std::string_view(ptx).substr(at - digits, digits);
    if (number.find_first_not_of("0123456789abcdef") == std::string_view::npos)
      ptx.replace(at - digits, digits, digits, '0');
  }
}

// "a::b" if the kernels are all there: their template arguments are looked up beside them.
std::string common_namespace(const std::vector<std::string>& names) {
  std::optional<std::string> common;
  for (const std::string& name : names) {
    if (has_mangled_name(name)) continue;
    const std::string_view bare = without_cast(name), whole = bare.substr(0, bare.find('<'));
    const std::size_t end = whole.rfind("::");
    const std::string_view space = whole.substr(0, end == std::string_view::npos ? 0 : end);
    if (common && *common != space) return "";
    common = space;
  }
  return common.value_or("");
}

// The name in this line of the table; empty if there is none.
std::string name_in_table(const std::vector<std::string>& names, int line) {
  constexpr int first = 3;
  for (const std::string& name : names)
    if (!has_mangled_name(name) && line-- == first) return name;
  return "";
}

// One request to nvcc.
class ByNvcc {
 public:
  ByNvcc(const Source& source, const Options& options, const LocatedNvcc& nvcc)
      : source_(source), options_(options), nvcc_(nvcc), names_(whole_names(source, options.name_expressions)) {}

  // nullopt: nvcc gives no PTX either; why_not() then has its errors, as far as they concern the source.
  std::optional<Ptx> run() {
    const fs::path& folder = scratch_.path();
    std::string code = source_.text;
    if (code.starts_with("\xef\xbb\xbf")) code.replace(0, 3, "   ");  // g++ takes the mark only where a file begins
    const std::string text = line_marker(source_.name) + code + '\n' + table_of_kernels(names_);
    if (folder.empty() || !write_new(folder / "kernels.cu", text)) return std::nullopt;
    Needed needed;
    const auto options = [&](const std::vector<std::string>& own) { return arguments(own); };
    std::vector<std::string> standard;
    if (is_of_cpp20(blank_non_code(source_.text))) standard.push_back("-std=c++20");
    const ProgramOutcome outcome = run_nvcc(nvcc_, folder, options, standard, limit(), stop(), needed);
    said_ = diagnose_nvcc(outcome.output + outcome.errors, {.file = source_.name, .runtime_folder = ""}, source_.text);
    if (outcome.exit_status != 0) return std::nullopt;
    Ptx ptx;
    if (read_file((folder / "kernels.ptx").generic_string(), ptx.text, std::size_t{1} << 30) != 0) return std::nullopt;
    same_names_each_time(ptx.text);
    const std::vector<std::string> mangled = take_table_of_kernels(ptx.text);
    std::size_t next = 0;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (!has_mangled_name(names_[i]) && next >= mangled.size()) return std::nullopt;
      ptx.mangled[options_.name_expressions[i]] = has_mangled_name(names_[i]) ? names_[i] : mangled[next++];
    }
    const std::vector<std::string> kernels = kernels_in_ptx(ptx.text);
    for (const auto& [name, entry] : ptx.mangled)
      if (std::ranges::find(kernels, entry) == kernels.end()) return std::nullopt;
    if (options_.machine_code && !assemble(ptx)) return std::nullopt;
    const std::vector<std::string> headers{(fs::path(nvcc_.path).parent_path() / "../include").generic_string()};
    ptx.text = with_file_names(ptx.text, {source_.name, source_.name, headers});
    ptx.text = with_asm_places(ptx.text, source_.name, source_.text);
    ptx.compiler_name = "nvcc";
    ptx.compiler_version = version_in_ptx(ptx.text);
    std::erase_if(said_, [](const Diagnostic& one) { return one.severity == Severity::error; });
    ptx.warnings = std::move(said_);
    for (Diagnostic& note : notes_of(needed, source_.name)) ptx.warnings.push_back(std::move(note));
    return ptx;
  }
  // nvcc's first error; nullptr: none.
  const Diagnostic* why_not() const { return first_of_errors(said_); }
  // compile.no_such_kernel if that is where a kernel is named, so that the source itself is right.
  std::optional<Diagnostic> why_not_named() const {
    const Diagnostic* const first = why_not();
    if (first == nullptr || first->place.file != place_of_table) return std::nullopt;
    const std::string name = name_in_table(names_, first->place.line);
    if (name.empty()) return std::nullopt;
    return no_such_kernel(source_, name, scan_kernels(source_.text), first->message);
  }

 private:
  std::string number() const {
    const IncludeTree included = user_includes(source_, {});
    const std::string arch = with_own_features(options_.arch, source_, included);
    const std::size_t at = arch.find_first_of("0123456789");
    return at == std::string::npos ? arch : arch.substr(at);
  }
  std::chrono::seconds limit() const { return std::chrono::seconds(static_cast<int>(options_.most_seconds) + 1); }
  std::function<bool()> stop() const {
    return [this] { return was_cancelled(options_); };
  }

  std::vector<std::string> arguments(const std::vector<std::string>& own) const {
    const fs::path& folder = scratch_.path();
    std::vector<std::string> made{(folder / "kernels.cu").generic_string(),
                                  "-o",
                                  (folder / "kernels.ptx").generic_string(),
                                  "-ptx",
                                  "-lineinfo",
                                  "-arch=compute_" + number(),
                                  "-objtemp"};
    // "headers" are searched for in the source's folder first, and nvcc's input is elsewhere. nvcc takes quotes away.
    std::string beside = fs::path(source_.name).parent_path().generic_string();
    if (beside.empty()) beside = ".";
    if (beside.find_first_of("\"\\$`,") == std::string::npos) {
      made.emplace_back("-Xcompiler=-iquote");
      made.push_back("-Xcompiler=\"" + beside + '"');
    } else {
      made.push_back("-I" + beside);
    }
    for (const std::string& one : source_.defines) made.push_back("-D" + one);
    for (const std::string& one : source_.include_paths) made.push_back("-I" + one);
    made.insert(made.end(), own.begin(), own.end());
    return made;
  }

  // By nvcc's own ptxas, with the file names that nvcc wrote, as in NVRTC's machine code.
  bool assemble(Ptx& ptx) {
    const fs::path& folder = scratch_.path();
    const std::string cubin = (folder / "kernels.cubin").generic_string();
    if (!write_new(folder / "assembled.ptx", ptx.text)) return false;
    const ProgramOutcome outcome = run_program(
        (fs::path(nvcc_.path).parent_path() / "ptxas").generic_string(),
        {"-arch=sm_" + number(), "--generate-line-info", "-o", cubin, (folder / "assembled.ptx").generic_string()}, {},
        limit(), stop());
    std::string bytes;
    if (outcome.exit_status != 0 || read_file(cubin, bytes, std::size_t{1} << 30) != 0) return false;
    ptx.cubin.assign(bytes.begin(), bytes.end());
    return true;
  }

  const Source& source_;
  const Options& options_;
  const LocatedNvcc& nvcc_;
  std::vector<std::string> names_;  // as the table has them
  ScratchFolder scratch_;
  Diagnostics said_;
};

CompiledCache& nvcc_cache() {
  static CompiledCache the_cache;
  return the_cache;
}

// `std::string name;` in a class: nvcc compiles the class, and kernels may use the other members.
bool is_host_member(const Diagnostic& error, const Source& source) {
  const std::string said(error.message);
  return error.place.file == source.name && said.starts_with("namespace \"std\" has no member") &&
         is_in_a_data_member(source.text, error.place.line, error.place.column);
}

Result<Ptx> by_nvcc(const Source& source, const Options& options, Diagnostics refused) {
  const Diagnostic* const reason = first_of_errors(refused);
  const SourcePlace place = reason->place;
  const Wording said = reason->message;
  const Result<LocatedNvcc> nvcc = locate_nvcc();
  if (!nvcc) {
    if (is_of_nvrtc_alone(*reason, source.name) || is_host_member(*reason, source))
      refused.push_back(
          {Severity::note,
           "toolchain.no_nvcc",
           {source.name},
           "NVRTC refuses some code that nvcc takes. If nvcc is on this machine, it compiles such a file.",
           nvcc.errors().front().cure});
    return refused;
  }
  const EndLater until_nvcc_has_ended;
  ByNvcc request(source, options, *nvcc);
  std::optional<Ptx> made = request.run();
  if (was_cancelled(options))
    return Diagnostic{Severity::error, "compile.cancelled", {source.name, 0, 0}, "the compilation was stopped", ""};
  if (made) {
    made->warnings.insert(
        made->warnings.begin(),
        {Severity::note, "compile.by_nvcc", place,
         worded("nvcc {}.{} compiled the kernels, because NVRTC refuses this: {}", nvcc->major, nvcc->minor, said),
         ""});
    return std::move(*made);
  }
  if (std::optional<Diagnostic> name = request.why_not_named()) return std::move(*name);
  const Diagnostic* const other = request.why_not();
  const auto tells_it = [&](const Diagnostic& one) {
    return one.place.line == other->place.line &&
           (one.place.file == other->place.file || same_file(one.place.file, other->place.file));
  };
  if (other != nullptr && other->place.file != place_of_table && std::ranges::none_of(refused, tells_it))
    refused.push_back({Severity::note, "compile.nvcc", other->place,
                       worded("nvcc refuses the file too, here: {}", other->message), other->cure});
  return refused;
}

}  // namespace

std::string table_of_kernels(const std::vector<std::string>& names) {
  const std::string space = common_namespace(names);
  std::string list;
  for (const std::string& name : names)
    if (!has_mangled_name(name)) list += fmt::format("(const void*)({}),\n", name);
  if (list.empty()) return "";
  const std::string head = line_marker(place_of_table) + (space.empty() ? "" : "namespace " + space + " {") + '\n';
  return fmt::format("{}extern \"C\" __device__ const void* {}[] = {{\n{}}};\n", head, kernel_table, list) +
         (space.empty() ? "" : "}\n");
}

std::vector<std::string> take_table_of_kernels(std::string& ptx) {
  const std::size_t name = ptx.find(fmt::format(" {}[", kernel_table));
  if (name == std::string::npos) return {};
  const std::size_t begin = ptx.rfind('\n', name) + 1, end = ptx.find(';', name);
  const std::size_t open = ptx.find('{', name);
  if (end == std::string::npos || open > end) return {};
  std::vector<std::string> mangled;
  for (const std::string_view one : split(std::string_view(ptx).substr(open + 1, ptx.find('}', open) - open - 1), ','))
    mangled.emplace_back(trimmed(one));
  // The lines of all that follows stay the same.
  ptx.erase(begin, end + 1 - begin);
  return mangled;
}

bool is_of_nvrtc_alone(const Diagnostic& error, std::string_view source_name) {
  static constexpr std::string_view extensions[] = {"a parameter is not allowed",
                                                    "the size of an array must be greater than zero",
                                                    "unrecognized token",
                                                    "qualified name is not allowed",
                                                    "typeof",
                                                    "__builtin_",
                                                    "dynamic initialization",
                                                    "[]\" is"};
  const std::string said(error.message);
  const bool lacks_definition =
      said.find("incomplete ") != std::string::npos && said.find("std::") == std::string::npos;
  if (!error.place.file.empty() && error.place.file != source_name) return !lacks_definition;
  if (error.code == "compile.crashed" || said.find("name followed by \"::\"") != std::string::npos) return true;
  return std::ranges::any_of(extensions, [&](std::string_view one) { return said.find(one) != std::string::npos; });
}

bool nvcc_may_take(const Diagnostics& errors, const Source& source) {
  if (std::ranges::none_of(errors, is_of_the_source)) return false;
  bool computed = false;
  const std::vector<IncludeDirective> included = scan_includes(source.text, &computed);
  if (computed || !included.empty()) return true;
  static constexpr std::string_view extensions[] = {"typeof", "({", " ... ", "__builtin_", "$", "?:", "__COUNTER__"};
  const std::string& code = source.text;  // macros too
  return std::ranges::any_of(extensions, [&](std::string_view one) { return code.find(one) != std::string::npos; }) ||
         is_of_nvrtc_alone(*first_of_errors(errors), source.name);
}

Result<Ptx> compile_with_either(const Source& source, const Options& options) {
  Result<Ptx> made = compile(source, options);
  if (made || !can_stand_in_for_cuda() || !nvcc_may_take(made.errors(), source)) return made;
  if (was_cancelled(options)) return made;
  Source named = source;
  if (named.name.empty()) named.name = "kernel.cu";
  const std::string key = key_of_inputs(named, user_includes(named, {}), options);
  if (!key.empty())
    if (const auto known = nvcc_cache().find(key)) return *known;
  made = by_nvcc(named, options, made.take_errors());
  const auto depends_on_the_machine = [](const Diagnostic& one) { return one.code.starts_with("toolchain."); };
  if (!key.empty() && !was_cancelled(options) && (made || std::ranges::none_of(made.errors(), depends_on_the_machine)))
    nvcc_cache().add(key, made);
  return made;
}

}  // namespace lanescope::compile
