#include "cli/commands/stage_input.h"

#include <filesystem>
#include <vector>

#include "cli/output/output.h"
#include "cli/output/waiting.h"
#include "compile/nvcc/nvcc_kernels.h"
#include "core/kernel_name.h"
#include "core/worded.h"
#include "job/run/parameters.h"

namespace lanescope::cli {

namespace {

// The PTX for a stage, and its origin.
struct StageText {
  std::string name, ptx, kernel;
};

Result<StageText> compiled(const FileOptions& options, const std::string& source, const Texts& texts) {
  compile::Options wanted;
  wanted.arch = options.arch;
  const std::string kernel = with_cast(options.kernel);
  if (!kernel.empty()) wanted.name_expressions.push_back(kernel);
  // #include "beside.h" searches the file's own folder first, as every compiler does.
  std::vector<std::string> folders = options.include_paths;
  const std::string beside = std::filesystem::path(options.file).parent_path().generic_string();
  folders.insert(folders.begin(), beside.empty() ? "." : beside);
  const auto compile = [&] {
    const Waiting waiting([&] { return worded("Compiling {}. Ctrl+C stops it.", options.file); });
    return compile::compile_with_either({options.file, source, folders, options.defines}, wanted);
  };
  Result<compile::Ptx> ptx = compile();
  if (!ptx) return ptx.errors();
  print_diagnostics(ptx->warnings, texts);
  return StageText{options.file + ".ptx", ptx->text, kernel.empty() ? "" : ptx->mangled[kernel]};
}

}  // namespace

int print_stage(const FileOptions& options, const Stage& stage) {
  Texts texts;
  const auto refused = [&texts](const Diagnostics& problems) {
    print_diagnostics(problems, texts);
    return exit_code(problems);
  };
  Result<std::string> text = read_text_file(options.file);
  if (!text) return refused(text.errors());
  texts[options.file] = *text;
  const bool is_cuda = options.file.ends_with(".cu") || options.file.ends_with(".cuh");
  Result<StageText> input = is_cuda ? compiled(options, *text, texts) : StageText{options.file, *text, options.kernel};
  if (!input) return refused(input.errors());
  texts[input->name] = input->ptx;
  Result<ptx::Module> module = ptx::parse(input->ptx, input->name);
  if (!module) return refused(module.errors());
  Result<std::string> kernel = input->kernel.empty() ? std::string() : job::entry_named(*module, input->kernel);
  if (!kernel) return refused(kernel.errors());
  Result<std::string> made = stage(*module, *kernel);
  if (!made) return refused(made.errors());
  return print(*made) ? 0 : 1;
}

}  // namespace lanescope::cli
