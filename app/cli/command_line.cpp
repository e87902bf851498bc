#include "cli/command_line.h"

#include <algorithm>
#include <span>

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "bench/engine_bench.h"
#include "cli/command_words.h"
#include "cli/commands/commands.h"
#include "cli/commands/exec.h"
#include "cli/commands/own_parts.h"
#include "cli/commands/runner.h"
#include "cli/gpu_options.h"
#include "cli/input/lessons.h"
#include "cli/output/cures.h"
#include "cli/output/output.h"
#include "cli/shared_options.h"
#include "core/os/installation.h"
#include "core/os/program_name.h"
#include "core/worded.h"
#include "device/kept_launch.h"
#include "job/run/job.h"
#include "words/messages.h"

namespace lanescope::cli {

namespace {

void add_preprocessor(CLI::App& command, std::vector<std::string>& include_paths, std::vector<std::string>& defines) {
  command.add_option("-I,--include", include_paths, "a folder of headers, for a .cu file")->allow_extra_args(false);
  command.add_option("-D,--define", defines, "define a macro, for a .cu file: -D N=1024, -D DEBUG; may be given again")
      ->allow_extra_args(false);
}

void add_list(CLI::App& app, int& code) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = app.add_subcommand("list", "list lessons and their variants");
  command->add_flag("--json", options->json, "print JSON");
  add_language(*command);
  command->callback([options, &code] { code = list(*options); });
}

void add_run(CLI::App& app, int& code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "run a lesson's kernel");
  command->add_option("lesson", options->lesson, "the lesson's id, which `{} list` shows, or its folder: ./my_lesson")
      ->required();
  command->add_option("variant,--variant", options->variant, "one of the lesson's kernels (default: the first)");
  command->add_option("--task", options->task, "one of the lesson's tasks: its start, or what --source gives")
      ->excludes("--variant");
  command->add_option("--source", options->source_file, "a .cu file that replaces the lesson's own kernel");
  command->add_flag("--questions", options->questions,
                    "for teachers: the questions of this variant with their right answers");
  command->add_option("--set", options->settings, "set a control: --set stride=8")->allow_extra_args(false);
  command->add_flag("--full", options->full_size, "use the sizes that the lesson's sources measured");
  command->add_flag("--check", options->check, "exit with 1 if a check of the lesson fails");
  add_runner(*command, options->runner);
  command->callback([options, &code] { code = run(*options); });
}

void add_compare(CLI::App& app, int& code) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand("compare", "compare two variants of a lesson");
  command->add_option("lesson", options->lesson, "the lesson's id or folder")->required();
  command->add_option("variant_a", options->first, "a variant")->required();
  command->add_option("variant_b", options->second, "another variant, or the same at another launch")->required();
  command->add_option("--launch-a", options->launch_a, "which launch of A to compare, from 1 (default: all together)")
      ->check(CLI::Range(1, 1000));
  command->add_option("--launch-b", options->launch_b, "which launch of B to compare")->check(CLI::Range(1, 1000));
  command->add_option("--set", options->settings, "set a control of both: --set n=4096")->allow_extra_args(false);
  command->add_option("--set-b", options->second_settings, "set a control of B only: --set-b stride=8")
      ->allow_extra_args(false);
  command->add_flag("--full", options->full_size, "use the sizes that the lesson's sources measured");
  add_device(*command, options->runner);
  add_l2(*command, options->runner.l2);
  command->add_option("--threads", options->runner.threads, "cores to use (default all)")->check(CLI::Range(0, 4096));
  command->add_flag("--nsight", options->runner.nsight, "print Nsight Compute's name beside each number");
  command->add_flag("--json", options->runner.json, "print JSON");
  add_language(*command);
  command->callback([options, &code] { code = compare(*options); });
}

// The forms of arguments, from the table that help and README share: job::argument_forms().
std::string forms_of_arguments(diagram::Language language) {
  std::string out =
      diagram::translated(Wording("Forms of --arg, --symbol and the arguments in --then:"), language) + "\n";
  for (const job::ArgumentForm& one : job::argument_forms())
    out += fmt::format("  {:<28}{}\n", one.form, diagram::translated(Wording(one.meaning), language));
  return out +
         diagram::translated(Wording("Small launches are checked for data races automatically; the exit code is 1 if "
                                     "there are any."),
                             language);
}

void add_trace(CLI::App& app, int& code, diagram::Language language) {
  auto options = std::make_shared<TraceOptions>();
  CLI::App* command = app.add_subcommand("trace", "run any kernel of your own");
  command->add_option("file", options->file, "CUDA source, or PTX when it ends in .ptx")->required();
  command->add_option("--kernel", options->kernel,
                      "the kernel as the source names it: 'reduce<float,4>' (default: the file's only one)");
  command->add_option("--grid", options->grid,
                      "blocks: X[,Y[,Z]] (default: as the kernel's `// run:` line says, else the file's own <<<…>>>)");
  command->add_option("--block", options->block, "threads per block: X[,Y[,Z]] (default: likewise)");
  command
      ->add_option(
          "--arg", options->arguments,
          "one per parameter, in order; the forms are listed below (default: scalars and sizes as the file launches "
          "it)")
      ->allow_extra_args(false);
  command
      ->add_option("--symbol", options->symbols,
                   "fill a __constant__ or __device__ variable: --symbol filter=f32[64]=iota, in the forms of --arg")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--then", options->then,
          "launch another kernel on the same memory: --then 'scale<<<4, 256>>>(same:0, i32=1024)'; may be given again")
      ->allow_extra_args(false);
  command->add_option("--shared", options->shared_bytes,
                      "dynamic shared memory, bytes per block (default: as the file "
                      "launches it)");
  command->add_option("--cluster", options->cluster,
                      "blocks per cluster: X[,Y[,Z]] (default: the kernel's __cluster_dims__)");
  command->add_flag("--cooperative", options->cooperative, "cooperative launch: the grid can synchronise");
  command->add_option("--arch", options->arch, "architecture to compile for, and to imitate (default sm_90)");
  add_preprocessor(*command, options->include_paths, options->defines);
  add_runner(*command, options->runner);
  command->footer(forms_of_arguments(language));
  command->callback([options, &code] { code = trace(*options); });
}

void add_exec(CLI::App& app, int& code) {
  auto options = std::make_shared<ProgramOptions>();
  CLI::App* command =
      app.add_subcommand("exec", "run a whole CUDA program without a GPU, and show what its kernels did");
  command->prefix_command();
  command->add_option("--json", options->json_file, "write the table as JSON into this file");
  command->add_flag("--verbose", options->verbose, "print a line for each launch when it has run");
  command->add_flag("--races", options->races, "look for data races in each launch");
  command->add_option("--max-steps", options->max_steps, "stop a kernel after this many warp instructions")
      ->check(between(0, most_steps, "UINT"));
  command->add_option("--launches", options->launches, "count only these launches: 3-5, or 1,4- (the first is 1)");
  command->add_option("--kernels", options->kernels,
                      "count only kernels whose name has a match of this regular expression");
  command->add_option("--save", options->save_file,
                      "save each counted launch with its memory in this file; `{} open FILE` shows them");
  command
      ->add_option("--save-limit", options->save_megabytes, "the most that the saved file takes, in MiB (default 1024)")
      ->check(between(1, most_event_megabytes, "UINT"));
  command
      ->add_option(
          "--event-budget", options->event_megabytes,
          "memory for the events of a saved launch when it is opened, in MiB (default: 32 in the window, 256 for "
          "`{} open --launch`)")
      ->check(between(1, static_cast<double>(device::most_event_budget >> 20), "UINT"))
      ->needs("--save");
  command->add_option("--threads", options->threads, "cores to use (default all)")->check(CLI::Range(0, 4096));
  command->add_option("--arch", options->arch, "architecture of the imitated GPU (default sm_90)");
  add_preprocessor(*command, options->include_paths, options->defines);
  command->add_option("--std", options->standard, "C++ standard of a .cu file: c++17, c++20");
  command->add_option("--nvcc", options->nvcc_options, "a further option for nvcc: --nvcc=-O3; may be given again")
      ->allow_extra_args(false);
  command->add_option("--said", options->said_file)->group("");
  add_device(*command, options->device, options->gpu);
  add_language(*command);
  command->footer(
      "After the options: FILE.cu, a program or a script's interpreter, and its arguments. A .cu file is built by nvcc "
      "first.\nThe table goes to standard error. The exit code is the program's, or 1 if that is 0 although a kernel "
      "or a call failed.");
  command->callback([options, command, &code] {
    options->command = command->remaining();
    options->behind_file = options_behind_file(*command, options->command);
    code = exec(*options);
  });
}

void add_open(CLI::App& app, int& code) {
  auto options = std::make_shared<OpenOptions>();
  CLI::App* command =
      app.add_subcommand("open", "open the launches that `exec --save` saved, or run a program and open its");
  command
      ->add_option(
          "file", options->file,
          "what `exec --save` wrote; FILE.cu, FILE.py or a program, to run it first; or FILE.cu without main()")
      ->required();
  command->add_option("arguments", options->arguments, "the program's arguments, after --");
  command->add_flag("--list", options->list,
                    "list the launches, or the kernels of a file, here instead of opening the window");
  command->add_option("--launch", options->launch, "run this launch in the interpreter, as `trace` runs a kernel")
      ->check(between(1, most_steps, "UINT"));
  add_preprocessor(*command, options->include_paths, options->defines);
  add_runner(*command, options->runner);
  command->callback([options, &code] { code = open(*options); });
}

void add_show(CLI::App& app, int& code) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* command = app.add_subcommand("show", "open a saved trace");
  command->add_option("file", options->file, "what `--save` wrote")->required();
  add_svg(*command, options->svg_folder, options->language);
  command->add_flag("--nsight", options->nsight, "print Nsight Compute's name beside each number");
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options, &code] { code = show(*options); });
}

void add_stage_input(CLI::App& command, FileOptions& options, const char* what_kernel) {
  command.add_option("file", options.file, "PTX, or CUDA source when it ends in .cu or .cuh")->required();
  command.add_option("--kernel", options.kernel, what_kernel);
  command.add_option("--arch", options.arch, "architecture to compile CUDA source for (default sm_90)");
  add_preprocessor(command, options.include_paths, options.defines);
  add_language(command);
}

void add_file_command(CLI::App& app, const char* name, const char* help, int (*execute)(const FileOptions&),
                      int& code) {
  auto options = std::make_shared<FileOptions>();
  CLI::App* command = app.add_subcommand(name, help);
  add_stage_input(*command, *options, "only this kernel; a template with its arguments, as in 'reduce<float,4>'");
  command->callback([options, execute, &code] { code = execute(*options); });
}

void add_check(CLI::App& app, int& code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "check that everything a lesson says is true");
  command->add_option("folder", options->folder, "a lesson, or a folder of lessons")->required();
  command->add_flag("--json", options->json, "print JSON");
  add_language(*command);
  command->callback([options, &code] { code = check(*options); });
}

void add_bench(CLI::App& app, int& code) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "measure the speed of the engine on this machine");
  command->add_flag("--gpu", options->gpu, "measure what self-recording costs a kernel on the GPU");
  command->add_option("--kernel", options->kernels, "only this one; may be given again")
      ->check(CLI::IsMember(bench::kernel_names()))
      ->allow_extra_args(false);
  command->add_option("--threads", options->threads, "only on this many threads (default: 1, 2 and all cores)")
      ->check(CLI::Range(0, 4096));
  CLI::Option* times =
      command->add_option("--times", options->times, "this many times as many blocks, for many threads (default 1)")
          ->check(CLI::Range(1, 64));
  command->add_option("--seconds", options->seconds, "seconds per figure (default 0.5)")
      ->check(between(0, 3600, "FLOAT"));
  command->add_flag("--peers", options->peers, "the same kernels under Oclgrind too, one thread: a minute or so")
      ->excludes(times);
  command->add_flag("--json", options->json, "print JSON");
  add_language(*command);
  command->callback([options, &code] { code = options->gpu ? bench_gpu(*options) : bench(*options); });
}

void add_doctor(CLI::App& app, int& code) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* command = app.add_subcommand("doctor", "show what this machine has, what is missing and how to get it");
  CLI::Option* device = command->add_option("--device", options->device,
                                            "look at a GPU elsewhere instead: ssh:HOST, slurm, slurm:PARTITION");
  device->check(device_check());
  command->add_flag("--install", options->install, "with ssh:HOST: copy this program there first")->needs(device);
  command->add_flag("--json", options->json, "print JSON");
  add_language(*command);
  command->callback([options, &code] { code = doctor(*options); });
}

void add_install_desktop(CLI::App& app, int& code) {
  auto options = std::make_shared<DesktopOptions>();
  CLI::App* command =
      app.add_subcommand("install-desktop", "put this program into the desktop's menu of programs, for this user");
  command->add_flag("--remove", options->remove, "take it out again");
  add_language(*command);
  command->callback([options, &code] { code = install_desktop(*options); });
}

void add_instrument(CLI::App& app, int& code) {
  auto options = std::make_shared<InstrumentOptions>();
  CLI::App* command = app.add_subcommand("instrument", "print the self-recording kernel as PTX");
  add_stage_input(*command, *options, "as the source names it (default: the first)");
  command->add_option("--pass", options->pass, "what it records: memory, entries or operations");
  command->callback([options, &code] { code = instrument_file(*options); });
}

void add_verify(CLI::App& app, int& code) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command =
      app.add_subcommand("verify", "compare interpreter, recording and hardware counters (needs a GPU)");
  command->add_option("target", options->targets, "lessons, .cu files with `// run:` lines, saved runs (exec --save)");
  add_preprocessor(*command, options->include_paths, options->defines);
  command->add_flag("--calibrate", options->calibrate, "the calibration kernels, whose answers are known");
  command->add_flag("--lines", options->lines, "each source line too, counted for its machine instructions");
  add_gpu_place(*command, options->device, options->gpu);
  command->add_flag("--json", options->json, "print JSON");
  add_language(*command);
  command->callback([options, &code] { code = verify(*options); });
}

void add_record(CLI::App& app, int& code) {
  auto options = std::make_shared<RecordOptions>();
  CLI::App* command = app.add_subcommand("record", "measure a lesson on a GPU, for machines without one");
  command->add_option("lesson", options->lesson, "the lesson's id or folder")->required();
  command->add_option("-o,--output", options->file, "file to write")->required();
  add_gpu_place(*command, options->device, options->gpu);
  command->add_option("--seconds", options->seconds, "maximum sampling time per run, in seconds")
      ->check(between(0, 3600, "FLOAT"));
  command->add_option("--samples", options->samples, "maximum number of samples per run")
      ->check(CLI::Range(1, 1000000));
  CLI::Option* sweep_seconds = command
                                   ->add_option("--sweep-seconds", options->sweep_seconds,
                                                "start no new run of a sweep after this many seconds "
                                                "(default: no limit)")
                                   ->check(between(0, 1e9, "FLOAT"));
  command
      ->add_option("--array", options->array,
                   "with --device slurm: spread the runs over a job array of this many tasks, and go on where an "
                   "earlier call was interrupted")
      ->check(CLI::Range(1, 10000))
      ->excludes(sweep_seconds)
      ->excludes("--gpu");
  command->add_option("--share", options->share)->check(CLI::Range(1, 1000000))->group("");
  add_l2(*command, options->l2);
  add_language(*command);
  command->callback([options, &code] { code = record(*options); });
}

#if LANESCOPE_HAS_GUI
void add_shot(CLI::App& app, int& code) {
  auto options = std::make_shared<ShotOptions>();
  gui::ShotOptions& window = options->window;
  CLI::App* command = app.add_subcommand("shot", "save what the window shows as PNG");
  command->add_option("-o,--output,file", window.output, "the file to write")->required();
  command->add_option("--lesson", window.lesson, "lesson (default: the first)");
  command->add_option("--open", window.run, "a program, FILE.cu, FILE.py or a saved run instead of a lesson");
  command->add_option("--arguments", window.run_arguments, "of the program, as typed in a terminal");
  command->add_option("--open-launch", window.run_launch, "the program's launch to show (default: the first)");
  command->add_option("--variant", window.variant, "variant (default: the lesson's first)");
  command->add_option("--set", options->settings, "name=value: a control, repeatable")->allow_extra_args(false);
  command->add_option("--size", options->size, "WxH in device-independent pixels (default 1440x900)");
  command->add_option("--scale", window.scale, "pixels per device-independent pixel (default 1)")
      ->check(between(0.5, 4, "FLOAT"));
  command->add_option("--theme", window.theme, "dark or light")->check(CLI::IsMember({"dark", "light"}));
  hear_language(command->add_option("--language", window.language, "en or zh-CN"));
  command->add_option("--page", window.page, "read, predict, run, see, explain or try");
  command->add_option("--tab", window.tab,
                      "sectors, banks, shuffle, groups, atomics, matrices, phases, running, values or memory; "
                      "below: steps or schedules");
  command->add_option("--code", window.code, "cuda, ptx, sass or linked (the three side by side)");
  command->add_option("--step", window.step, "step, from 1");
  command->add_option("--block", window.block, "block; when comparing, of both");
  command->add_option("--lane", window.lane, "lane whose values are followed back, with --tab values")
      ->check(CLI::Range(0, 31));
  command->add_option("--warp", window.warp, "warp of the block; when comparing, of both");
  command->add_option("--launch", window.launch, "which launch of the variant, from 1");
  command->add_option("--schedules", window.schedules, "run this many schedules and show the results")
      ->check(CLI::Range(1, 1024));
  command->add_option("--source", window.source, "a CUDA file that replaces the variant's code");
  command->add_option("--compare", window.compare, "a variant to show next to the first");
  command->add_option("--compare-launch", window.compare_launch, "which launch of the other variant, from 1");
  command
      ->add_option("--compare-set", options->compare_settings,
                   "name=value: a control of the other variant alone, repeatable")
      ->allow_extra_args(false);
  command->add_flag("--compare-original", window.compare_original,
                    "the other variant with the lesson's code, not the code of --source");
  command->add_flag("--compare-before", window.compare_before, "what ran before --source next to what it is now")
      ->excludes("--compare");
  command->add_flag("--compare-code", window.compare_code, "when comparing: the code of both, line by line");
  command->add_option("--totals", window.totals, "when comparing: block (so far), launch or all")
      ->check(CLI::IsMember({"block", "launch", "all"}));
  command->add_flag("--present", window.present, "present mode");
  command->add_flag("--whole-film", window.whole_film, "all steps of the warp in the film, however many");
  command->add_option("--device", window.device, "cpu (default), or gpu: the first one")
      ->check(CLI::IsMember({"cpu", "gpu"}));
  command->add_option("--results", window.results, "time or agreement")->check(CLI::IsMember({"time", "agreement"}));
  command->add_flag("--recorded", window.recorded, "show the GPU's recording instead of the interpreter's")
      ->needs("--device");
  command->callback([options, &code] { code = shot(*options); });
}
#else
void add_shot(CLI::App& app, int& code) {
  CLI::App* command = app.add_subcommand("shot", "save what the window shows as PNG");
  command->allow_extras();
  command->callback([&code] {
    print_diagnostics({{Severity::error,
                        "window.not_built",
                        {},
                        "This binary was built without its window.",
                        "Build with the "
                        "preset "
                        "`release`."}});
    code = 3;
  });
}
#endif

constexpr const char* description =
    "Lanescope shows what a CUDA kernel does to the hardware, one warp instruction at a time.\n"
    "Without arguments it opens its window.";
constexpr const char* exit_codes =
    "Exit codes: 0 done; 1 the kernel did not compile or run to its end, or a check failed; 2 the command line is "
    "wrong;\n"
    "3 something needed is not on this machine.\n\n"
    "Environment: LANESCOPE_COMPILER_GIB=8 lets the compiler take 8 GiB of memory (default 4); {} lists all.";

std::vector<std::string> names_of_subcommands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// Cures may only name options that the given command has.
void offer_options_of(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({}))
    command->preparse_callback([command](std::size_t) {
      std::vector<std::string> names;
      for (const CLI::Option* option : command->get_options()) names.push_back(option->get_name());
      offer(std::move(names));
    });
}

// Prints CLI11's errors in the form of all others. The parser may not have reached --json yet, so the words are
// searched for it.
int usage_error(const CLI::App* chosen, const Wording& said, std::span<const char* const> words) {
  const std::string help = fmt::format("{}{}{} --help", program_name(), chosen == nullptr ? "" : " ",
                                       chosen == nullptr ? "" : chosen->get_name());
  const bool json = chosen != nullptr && chosen->get_option_no_throw("--json") != nullptr &&
                    std::ranges::any_of(words, [](std::string_view word) { return word == "--json"; });
  return refuse({{Severity::error,
                  "command.usage",
                  {},
                  worded("{}.", said),
                  worded("Run "
                         "`{}` to "
                         "see "
                         "what is "
                         "available.",
                         help)}},
                json);
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  const diagram::Language language = command::language_asked(argc, argv);
  speak(language);
  CLI::App app(description, program_name());
  app.allow_windows_style_options(false);  // /folder/file is a path on every system
  app.set_version_flag("--version", version_text);
  app.require_subcommand(1);
  app.footer(told(worded(exit_codes, document("docs/environment.md"))));
  int code = 0;
  add_list(app, code);
  add_run(app, code);
  add_compare(app, code);
  add_trace(app, code, language);
  add_exec(app, code);
  add_open(app, code);
  add_show(app, code);
  add_file_command(app, "parse", "read PTX, or what CUDA source compiles to, and print it again", parse, code);
  add_file_command(app, "cfg", "print basic blocks and where divergent lanes reconverge", cfg, code);
  add_check(app, code);
  add_bench(app, code);
  add_doctor(app, code);
  add_install_desktop(app, code);
  add_instrument(app, code);
  add_verify(app, code);
  add_record(app, code);
  add_shot(app, code);
  command::word_help(app, language);
  offer_options_of(app);
  const std::string named = argv[1];
  const std::vector<std::string> known = names_of_subcommands(app);
  if (!named.starts_with('-') && std::find(known.begin(), known.end(), named) == known.end()) {
    print_diagnostics({{Severity::error,
                        "command.unknown",
                        {},
                        worded("There is no command `{}`.", named),
                        cure_of_unknown_command(named, known)}});
    return 2;
  }
  std::vector<std::string> words(argv + 1, argv + argc);
  command::take_out_mark(*app.get_subcommand("exec"), words);
  const std::span<const char* const> typed(argv, static_cast<std::size_t>(argc));
  if (const auto said = command::option_without_value(app, words))
    return usage_error(command::command_named(app, named), *said, typed);
  std::ranges::reverse(words);  // as the parser takes them
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    return usage_error(chosen.empty() ? nullptr : chosen[0], command::said_by_parser(app, error), typed);
  }
  return code;
}

}  // namespace lanescope::cli
