#include "job/run/prepared.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <mutex>
#include <sstream>
#include <utility>
#include <vector>

#include "compile/compiled_cache.h"
#include "compile/nvcc/nvcc_kernels.h"
#include "compile/toolchain.h"
#include "core/file_name_in_ptx.h"
#include "core/worded.h"
#include "job/run/parameters.h"
#include "ptx/module.h"

namespace lanescope::job {

namespace {

// The programs prepared last, so that moving a slider does not compile.
class ProgramCache {
 public:
  std::shared_ptr<const Prepared> find(const std::string& key) {
    if (key.empty()) return nullptr;
    const std::lock_guard lock(mutex_);
    for (auto& [known, prepared] : entries_)
      if (known == key) return prepared;
    return nullptr;
  }
  void add(const std::string& key, std::shared_ptr<const Prepared> prepared) {
    if (key.empty()) return;
    const std::lock_guard lock(mutex_);
    if (entries_.size() >= most_entries) entries_.erase(entries_.begin());
    entries_.emplace_back(key, std::move(prepared));
  }

 private:
  static constexpr std::size_t most_entries = 64;
  std::mutex mutex_;
  std::vector<std::pair<std::string, std::shared_ptr<const Prepared>>> entries_;
};

ProgramCache& program_cache() {
  static ProgramCache cache;
  return cache;
}

// The files that a source includes: they may change while the program runs.
compile::IncludeTree included_by(const compile::Source& source, const std::string& arch) {
  if (source.text.find("include") == std::string::npos) return {};
  const Result<compile::LocatedToolchain> toolchain = compile::locate_toolchain_for(arch);
  if (!toolchain) return {.files = {}, .complete = false};
  return compile::user_includes(source, toolchain->parts.include_paths);
}

// PTX that the parser does not know comes from inline assembly. Its source line is that of the last `.loc` before it.
// Files are numbered at the end of the PTX.
Diagnostics in_source(Diagnostics problems, const std::string& ptx, const std::string& source) {
  for (Diagnostic& problem : problems) {
    std::vector<std::array<int, 3>> places;  // file, line, column
    std::istringstream lines(ptx);
    int number = 0, own = -1;
    for (std::string line; std::getline(lines, line);) {
      std::array<int, 3> at{};
      if (++number <= problem.place.line && std::sscanf(line.c_str(), " .loc %d %d %d", &at[0], &at[1], &at[2]) == 3)
        places.push_back(at);
      int file = 0;
      if (std::sscanf(line.c_str(), " .file %d", &file) == 1 &&
          line.find('"' + escaped_name(source) + '"') != std::string::npos)
        own = file;
    }
    const auto last =
        std::find_if(places.rbegin(), places.rend(), [&](const std::array<int, 3>& at) { return at[0] == own; });
    if (last == places.rend()) continue;
    problem.message = worded("{} (PTX line {})", problem.message, problem.place.line);
    problem.place = {source, (*last)[1], (*last)[2]};
  }
  return problems;
}

}  // namespace

Result<std::shared_ptr<const Prepared>> prepare(const Request& request, const std::string& kernel,
                                                const sim::Progress* progress) {
  compile::Options options;
  options.arch = request.arch;
  options.name_expressions = {kernel};
  options.cancel = progress ? &progress->cancel : nullptr;
  const std::string key = compile::key_of_inputs(request.source, included_by(request.source, request.arch), options);
  if (std::shared_ptr<const Prepared> known = program_cache().find(key)) return known;
  auto made = std::make_shared<Prepared>();
  const bool is_ptx = request.source.name.ends_with(".ptx");
  if (is_ptx) {
    made->ptx = request.source.text;
    made->compiler_name = "none";
  } else {
    Result<compile::Ptx> compiled = compile::compile_with_either(request.source, options);
    if (!compiled) return compiled.take_errors();
    made->ptx = std::move(compiled->text);
    made->mangled = compiled->mangled[kernel];
    made->compiler_name = compiled->compiler_name;
    made->compiler_version = compiled->compiler_version;
    made->warnings = std::move(compiled->warnings);
  }
  Result<ptx::Module> module = ptx::parse(made->ptx, is_ptx ? request.source.name : request.source.name + ".ptx");
  if (!module) return is_ptx ? module.take_errors() : in_source(module.take_errors(), made->ptx, request.source.name);
  if (is_ptx) {
    Result<std::string> entry = entry_named(*module, kernel);
    if (!entry) return entry.take_errors();
    made->mangled = std::move(*entry);
  }
  Result<std::shared_ptr<const sim::Program>> program = sim::prepare(*module, made->mangled);
  if (!program) return program.take_errors();
  made->program = std::move(*program);
  program_cache().add(key, made);
  return std::shared_ptr<const Prepared>(std::move(made));
}

}  // namespace lanescope::job
