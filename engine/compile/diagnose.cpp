#include "compile/diagnose.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compile/compiler_words.h"
#include "compile/cures.h"
#include "compile/host/host_code.h"
#include "compile/host/include_tree.h"
#include "compile/host/nearby_files.h"
#include "compile/host/source_scan.h"
#include "compile/host/texture_references.h"
#include "core/kernel_name.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::compile {
namespace {

// Removes the leading "./" that the compiler writes if the source's folder is the current one.
std::string tidy(const std::string& file) {
  return file.starts_with("./") ? file.substr(2) : file;
}

SourcePlace last_line_of(const Source& source) {
  const auto lines = std::count(source.text.begin(), source.text.end(), '\n');
  const bool open_line = !source.text.empty() && source.text.back() != '\n';
  return {source.name, static_cast<int>(lines) + (open_line ? 1 : 0), 0};
}

// "%%writefile k.cu" or "!nvcc k.cu", copied from a notebook's cell.
bool is_of_a_notebook(const Source& source, const SourcePlace& place) {
  if (place.file != source.name || place.line < 1) return false;
  std::size_t begin = 0;
  for (int line = 1; line < place.line && begin != std::string::npos; ++line) {
    begin = source.text.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  return begin < source.text.size() && (source.text[begin] == '%' || source.text[begin] == '!');
}

Wording message_of(const LogEntry& entry, const std::string& declared) {
  if (!is_host_refusal(entry)) return told_by_compiler(entry.message);
  const Wording name = declared.empty() ? Wording("this") : Wording("`" + declared + "`");
  if (entry.message.find("variable") != std::string::npos)
    return worded("{} is a host variable: kernels can use only __device__, __constant__ and constexpr variables", name);
  return worded("{} is a host function: only __global__ and __device__ functions are compiled", name);
}

class Teller {
 public:
  explicit Teller(const LogContext& context) : context_(context) {
    cures_.text = context.source.text;
    cures_.source_name = context.source.name;
    cures_.defines = context.source.defines;
    cures_.left_out = context.left_out;
    cures_.whole_program = context.whole_program;
    declarations_ = scan_declarations(context.source.text);
    textures_ = texture_references(context.source.text);
  }

  Diagnostics tell(const std::vector<LogEntry>& log) {
    survey(log);
    const bool real_errors = std::any_of(log.begin(), log.end(), [this](const LogEntry& entry) {
      return entry.severity == Severity::error && entry.place.file != name_map && !is_noise(entry);
    });
    bool left_out = false;
    for (const LogEntry& entry : log) {
      if (out_.size() >= most_) break;
      if (entry.severity != Severity::note)
        left_out = entry.place.file == name_map || (real_errors && is_noise(entry)) || is_unused_here(entry) ||
                   is_about_old_gpus(entry) || is_about_cuda(entry) || told_as_texture(entry) ||
                   told_as_incomplete(entry);
      if (left_out) continue;
      if (entry.severity == Severity::note) {
        note(entry);
      } else {
        error_or_warning(entry);
      }
    }
    return std::move(out_);
  }

 private:
  static constexpr std::size_t most_ = 100;
  static constexpr int never_referenced_ = 177;
  static constexpr std::string_view undefined_in_device_code = "is undefined in device code";

  const ScannedDeclaration* declaration_of(const LogEntry& entry) const {
    if (entry.place.file != context_.source.name) return nullptr;
    for (const ScannedDeclaration& declaration : declarations_)
      if (declaration.line == entry.place.line) return &declaration;
    return nullptr;
  }

  // True for errors that follow from another error in a kernel's head: the compiler then takes the kernel for a host
  // variable and reports what follows. The first undefined name is the real error.
  bool is_noise(const LogEntry& entry) const {
    if (entry.severity == Severity::warning) return entry.number == never_referenced_ && has_errors_;
    if (entry.message.ends_with(undefined_in_device_code))
      return host_calls_.contains({entry.place.file, entry.place.line, called_name(entry)});
    if (spoils_cuda_ != nullptr && &entry > spoils_cuda_ && entry.instantiated_at.empty() && in_cuda(entry))
      return true;
    if (entry.place.file != context_.source.name) return false;
    const auto broken = broken_heads_.find(entry.place.line);
    if (broken != broken_heads_.end() && broken->second != nullptr) return broken->second != &entry;
    const ScannedDeclaration* declaration = declaration_of(entry);
    return is_host_refusal(entry) && declaration != nullptr && (declaration->is_kernel || declaration->is_device);
  }

  // The host code that launches the kernel or uses the variable may have been left out.
  bool is_unused_here(const LogEntry& entry) const {
    if (entry.number != never_referenced_) return false;
    if (!context_.left_out.empty()) return true;
    const ScannedDeclaration* declaration = declaration_of(entry);
    return declaration != nullptr && declaration->is_kernel && entry.message.starts_with("function");
  }

  // CUDA 12.9 is used for GPUs that later versions dropped, and warns about that in each program.
  static bool is_about_old_gpus(const LogEntry& entry) {
    return entry.severity == Severity::warning && entry.place.line == 0 &&
           entry.message.find("'<compute/sm>_75'") != std::string::npos;
  }

  bool in_cuda(const LogEntry& entry) const { return lies_in(entry.place.file, context_.system_paths); }
  // A warning about CUDA's own headers, which nobody can mend.
  bool is_about_cuda(const LogEntry& entry) const { return entry.severity == Severity::warning && in_cuda(entry); }

  // The first quoted part of the message, up to one of `ends`.
  static std::string quoted_up_to(std::string_view message, std::string_view ends) {
    message.remove_prefix(std::min(message.find('"'), message.size() - 1) + 1);
    return std::string(trimmed(message.substr(0, message.find_first_of(ends))));
  }
  // "scale" of `… function("T1  ::scale<float> (T1)") …`.
  static std::string called_name(const LogEntry& entry) {
    std::string name = quoted_up_to(entry.message, "\"(<");
    name.erase(0, name.rfind(' ') + 1);
    return name.starts_with("::") ? name.substr(2) : name;
  }

  void survey(const std::vector<LogEntry>& log) {
    for (const LogEntry& entry : log) {
      if (entry.message.starts_with("calling a __host__ function(\""))
        host_calls_.insert({entry.place.file, entry.place.line, called_name(entry)});
      has_errors_ = has_errors_ || entry.severity == Severity::error;
      if (spoils_cuda_ == nullptr && entry.severity == Severity::error && entry.place.line > 0 && !in_cuda(entry))
        spoils_cuda_ = &entry;
      if (entry.message == "attribute \"__global__\" does not apply here" && entry.place.file == context_.source.name)
        broken_heads_[entry.place.line] = nullptr;
    }
    for (const LogEntry& entry : log) {
      const auto broken = broken_heads_.find(entry.place.line);
      const bool names_it = (entry.message.starts_with("identifier \"") && entry.message.ends_with("is undefined")) ||
                            entry.message.starts_with("name followed by");
      if (broken != broken_heads_.end() && broken->second == nullptr && names_it) broken->second = &entry;
    }
  }

  // The use of a texture reference is not a separate mistake: its declaration is reported once.
  bool told_as_texture(const LogEntry& entry) {
    if (entry.severity != Severity::error || textures_.empty()) return false;
    for (const TextureReference& texture : textures_) {
      if (!entry.message.starts_with("identifier \"" + texture.name + '"') || !entry.message.ends_with("is undefined"))
        continue;
      const SourcePlace place{context_.source.name, texture.line, texture.column};
      const bool told =
          std::any_of(out_.begin(), out_.end(), [&](const Diagnostic& one) { return one.place == place; });
      if (!told)
        out_.push_back({Severity::error, "compile.texture_reference", place,
                        worded("`{}` is a texture reference (texture<…>), which CUDA 12 no longer has", texture.name),
                        worded("Give the kernel a texture object instead, cudaTextureObject_t {}, as a parameter; "
                               "tex1Dfetch<{}>({}, i) reads it. Where "
                               "the texture only caches a buffer, pass the buffer: const {}* __restrict__.",
                               texture.name, texture.element, texture.name, texture.element)});
      return true;
    }
    // That tex1Dfetch() does not accept it is a consequence.
    return entry.message.find("\"tex") != std::string::npos && entry.message.find("<error-type>") != std::string::npos;
  }

  // CUDA's template needs the same type at several places.
  bool told_as_incomplete(const LogEntry& entry) {
    if (entry.severity != Severity::error || !in_cuda(entry) || !contains(entry.message, "incomplete ")) return false;
    for (const SourcePlace& place : entry.instantiated_at)
      if (place.file == context_.source.name)
        return !incomplete_.insert({quoted_up_to(entry.message, "\"["), place.line}).second;
    return false;
  }

  void note(const LogEntry& entry) {
    if (out_.empty() || entry.place.line == 0) return;
    SourcePlace place = entry.place;
    place.file = tidy(place.file);
    if (out_.back().severity == Severity::error && out_.back().place == last_line_of(context_.source) &&
        entry.message.starts_with("to match this")) {
      out_.push_back({Severity::note, "compile.note", place, "the bracket that is not closed", ""});
      return;
    }
    out_.push_back({Severity::note, "compile.note", place, told_by_compiler(entry.message), ""});
  }

  void error_or_warning(const LogEntry& entry) {
    Diagnostic diagnostic;
    diagnostic.severity = entry.severity;
    diagnostic.code = entry.severity == Severity::error ? "compile.error" : "compile.warning";
    diagnostic.place = entry.at_end ? last_line_of(context_.source) : entry.place;
    if (entry.message.starts_with("cannot open source file")) {
      diagnostic.code = "compile.missing_include";
      diagnostic.place.column = 0;  // the compiler points behind the line
    }
    diagnostic.place.file = tidy(diagnostic.place.file);
    if (entry.place.file == context_.source.name) diagnostic.place.file = context_.source.name;
    const ScannedDeclaration* declaration = declaration_of(entry);
    diagnostic.message = message_of(entry, declaration != nullptr ? declaration->name : "");
    diagnostic.cure = is_of_a_notebook(context_.source, entry.place)
                          ? "Remove this line: it is a command of a notebook, not CUDA."
                          : cure_for(entry, cures_);
    out_.push_back(std::move(diagnostic));
    if (entry.severity == Severity::error) follow_up(entry);
  }

  // For an error outside the user's own lines, adds a note with the line that led there.
  void follow_up(const LogEntry& entry) {
    for (auto place = entry.instantiated_at.rbegin(); place != entry.instantiated_at.rend(); ++place)
      if (place->file == context_.source.name) {
        out_.push_back({Severity::note, "compile.note", *place, "the template is used here", ""});
        break;
      }
    if (entry.place.file.empty() || entry.place.file == context_.source.name) return;
    const int line = line_including(context_.source, context_.system_paths, entry.place.file);
    if (line > 0)
      out_.push_back(
          {Severity::note, "compile.note", {context_.source.name, line, 0}, "the header is included here", ""});
  }

  const LogContext& context_;
  CureContext cures_;
  std::vector<ScannedDeclaration> declarations_;
  std::vector<TextureReference> textures_;
  bool has_errors_ = false;
  // The first error in the user's own files: what follows in CUDA's headers follows from it, such as all of
  // cuda_fp16.h behind a line that is not C++.
  const LogEntry* spoils_cuda_ = nullptr;
  // nvcc tells a call of a host function twice: file, line and name.
  std::set<std::tuple<std::string, int, std::string>> host_calls_;
  std::set<std::pair<std::string, int>> incomplete_;  // types of CUDA's templates, and the lines that hand them over
  std::map<int, const LogEntry*> broken_heads_;       // line of a kernel's head → the error with the cause
  Diagnostics out_;
};

std::string base_name(const std::string& name) {
  const std::string_view bare = without_cast(name);
  return std::string(bare.substr(0, bare.find('<')));
}

// 'scale(float* x, int n)' for each kernel of this name.
std::vector<Wording> with_types(const Source& source, const std::string& name) {
  std::vector<Wording> made;
  for (const ScannedDeclaration& one : scan_declarations(source.text))
    if (one.is_kernel && one.name == name && one.template_arguments.empty())
      made.emplace_back(fmt::format("'{}({})'", name, one.parameters));
  return made;
}

// Where the source first declares the kernel; 0: nowhere.
int line_of_kernel(const Source& source, const std::string& name) {
  for (const ScannedDeclaration& declaration : scan_declarations(source.text))
    if (declaration.is_kernel && declaration.name == base_name(name)) return declaration.line;
  return 0;
}

// The first file beside the source, by name, that defines the kernel; empty: none.
std::string file_that_defines(const Source& source, const std::string& name) {
  for (const DefinedBeside& one : functions_defined_beside(source.name, {".cu", ".cuh"}))
    if (one.is_kernel && one.name == base_name(name)) return one.file;
  return "";
}

}  // namespace

Diagnostics diagnose(const std::vector<LogEntry>& log, const LogContext& context) {
  return Teller(context).tell(log);
}

Diagnostic missing_but_unneeded(const Source& source, const std::string& name) {
  Diagnostic found{Severity::warning,
                   "compile.missing_include",
                   {source.name, 0, 0},
                   worded("`{}` was not found; the kernels compile without it", name),
                   worded("Put `{}` next to the source or in an include path if a kernel needs its contents.", name)};
  for (const IncludeDirective& directive : scan_includes(source.text))
    if (directive.name == name) found.place.line = directive.line;
  return found;
}

Wording name_failure(const std::vector<LogEntry>& log, const std::string& expression) {
  constexpr std::string_view echo = "Input name expression was: \"";
  Wording reason;
  for (const LogEntry& entry : log) {
    if (entry.place.file != name_map || entry.severity != Severity::error) continue;
    const std::size_t at = entry.message.find(echo);
    if (at == std::string::npos) {
      reason = entry.message;
      continue;
    }
    const std::string of = entry.message.substr(at + echo.size(), entry.message.rfind('"') - at - echo.size());
    if (without_blanks(of) == without_blanks(expression))
      return entry.message.find("non-__global__") != std::string::npos ? "it is a __device__ function, not a kernel"
             : reason.empty()                                          ? "it cannot be resolved"
                                                                       : reason;
    reason = {};
  }
  return "";
}

Diagnostic undefined_kernel(const Source& source, const std::string& name) {
  Diagnostic diagnostic{Severity::error,
                        "compile.no_such_kernel",
                        {source.name},
                        worded("the kernel `{}` is declared here, and its definition is in another file", name),
                        "Run the file that defines it, or include that file here."};
  diagnostic.place.line = line_of_kernel(source, name);
  if (const std::string file = file_that_defines(source, name); !file.empty())
    diagnostic.cure = worded("`{}` defines it: run that file, or include it here.", file);
  return diagnostic;
}

std::string in_its_namespace(const std::string& wanted, const std::vector<std::string>& kernels) {
  const std::string base = base_name(wanted);
  std::string found;
  for (const std::string& kernel : kernels) {
    const std::string one = base_name(kernel);
    if (one == base) return "";
    if (!one.ends_with("::" + base) || one == found) continue;
    if (!found.empty()) return "";
    found = one;
  }
  const std::size_t bare = wanted.size() - without_cast(wanted).size();  // behind "(void (*)(int*))"
  return found.empty() ? "" : wanted.substr(0, bare) + found + wanted.substr(bare + base.size());
}

std::string with_argument_in_namespace(const std::string& wanted, std::string_view reason) {
  const auto quoted = [&](std::string_view before) {
    const std::size_t at = reason.find(before);
    if (at == std::string_view::npos) return std::string();
    const std::string_view rest = reason.substr(at + before.size());
    return std::string(rest.substr(0, rest.find('"')));
  };
  const auto outside = [](const std::string& name) {
    const std::size_t at = name.rfind("::");
    return at == std::string::npos ? std::string() : name.substr(0, at);
  };
  const std::string base = base_name(wanted), searched = quoted("namespace \""), member = quoted("member \"");
  const std::string space = outside(searched.empty() ? base : searched);
  const bool is_around = searched.empty() || base.starts_with(searched + "::");
  const std::string unknown = searched.empty() ? quoted("identifier \"") : searched + "::" + member;
  if (space.empty() || !is_around || unknown.empty() || unknown.ends_with(':')) return wanted;
  const std::string known = space + "::" + (searched.empty() ? unknown : member);
  std::string made = wanted;
  const auto is_of_name = [&](std::size_t at) {
    return at < made.size() && (is_name_char(made[at]) || made[at] == ':');
  };
  std::size_t at = made.find(unknown, made.size() - without_cast(made).size() + base.size());
  for (; at != std::string::npos; at = made.find(unknown, at)) {
    const std::size_t end = at + unknown.size();
    const bool whole = !is_of_name(at - 1) && !(end < made.size() && is_name_char(made[end]));
    if (whole) made.replace(at, unknown.size(), known);
    at += whole ? known.size() : unknown.size();
  }
  return made;
}

Diagnostic no_such_kernel(const Source& source, const std::string& wanted, const std::vector<std::string>& kernels,
                          const Wording& reason) {
  const std::string shown = as_signature(wanted);
  Diagnostic diagnostic;
  diagnostic.code = "compile.no_such_kernel";
  diagnostic.place.file = source.name;
  if (kernels.empty()) {
    diagnostic.message = worded("there is no kernel `{}`: the source has no __global__ function at all", shown);
    diagnostic.cure = "Write a kernel: a void function with __global__ before it.";
    return diagnostic;
  }
  const auto same = std::find_if(kernels.begin(), kernels.end(),
                                 [&](const std::string& name) { return base_name(name) == base_name(wanted); });
  if (same != kernels.end()) {
    diagnostic.message = worded("the kernel `{}` cannot be named as `{}`: {}", *same, shown, reason);
    const std::vector<Wording> types = with_types(source, base_name(wanted));
    const bool by_type = without_cast(wanted).size() < wanted.size();
    const bool is_template = same->find('<') != std::string::npos;
    diagnostic.cure =
        is_template && wanted.find('<') == std::string::npos
            ? worded("`{}` is a template: name it with its arguments, such as '{}<…>'.", *same, wanted)
        : types.size() > 1 && (by_type || reason.find("overloaded") != std::string::npos)
            ? worded("Several kernels have this name. Say which by its parameters: {}.", joined(types, "{}, or {}"))
        : by_type && !types.empty() ? worded("It has other parameters: {}.", types.front())
                                    : "Give template arguments that fit the kernel's parameters.";
    diagnostic.place.line = line_of_kernel(source, wanted);
    return diagnostic;
  }
  diagnostic.message =
      worded("there is no kernel `{}`{}; the kernels are: {}", shown,
             reason.starts_with("it is a __device__") ? worded(" ({})", reason) : "", fmt::join(kernels, ", "));
  const auto last_of = [](const std::string& name) {
    const std::string base = base_name(name);
    return base.substr(base.rfind(':') + 1);  // of the whole name if it has no namespace
  };
  for (const std::string& name : kernels)
    if (last_of(name) == base_name(wanted)) {
      diagnostic.cure = worded("Did you mean `{}`?", name);
      return diagnostic;
    }
  const auto nearest = std::min_element(kernels.begin(), kernels.end(), [&](const auto& a, const auto& b) {
    return edit_distance(base_name(wanted), base_name(a)) < edit_distance(base_name(wanted), base_name(b));
  });
  const bool near =
      edit_distance(base_name(wanted), base_name(*nearest)) <= std::max<std::size_t>(1, wanted.size() / 3);
  diagnostic.cure = kernels.size() == 1 ? worded("Use the kernel name `{}`.", *nearest)
                    : near              ? worded("Did you mean `{}`?", *nearest)
                                        : "Choose one of these.";
  return diagnostic;
}

}  // namespace lanescope::compile
