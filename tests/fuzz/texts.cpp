// Texts from compilers, users and others: CUDA source, SASS listing, compiler log, lessons, recordings, requests.

#include <filesystem>

#include "compile/compiler_log.h"
#include "compile/host/host_slice.h"
#include "compile/host/source_scan.h"
#include "compile/machine_code/disassembly.h"
#include "compile/machine_code/sass_instruction.h"
#include "fuzz/targets.h"
#include "gui/state/state_store.h"
#include "job/lesson/lesson_request.h"
#include "job/lesson/recording.h"
#include "job/run/job.h"
#include "job/sass/sass_code.h"
#include "job/values/argument.h"
#include "lesson/folder_bounds.h"
#include "lesson/formula.h"
#include "lesson/lesson.h"
#include "lesson/marks.h"
#include "lesson/text.h"

namespace lanescope::fuzz {

void sass(Input input) {
  const std::string text = text_of(input);
  for (const compile::SassInstruction& one : compile::parse_disassembly(text, "_Z1kPi")) {
    const compile::SassParts parts = compile::parse_sass(one.text);
    must(parts.opcode == compile::sass_opcode(one.text), "an opcode is read the same way twice");
    must(one.text.starts_with(parts.opcode), "an opcode begins its text");
    must(one.text.find(parts.place) != std::string::npos, "a place is part of its text");
    must(one.text.find(parts.target) != std::string::npos, "a target is part of its text");
    job::access_of(parts);
  }
  compile::parse_compiler_log(text);
}

void cuda(Input input) {
  const std::string text = text_of(input);
  must(compile::blank_non_code(text).size() == text.size(), "blanking keeps the length");
  int classes = 0;
  for (const compile::ScannedDeclaration& one : compile::scan_declarations(text)) {
    must(one.begin <= one.end && one.end <= text.size(), "a declaration lies in its text");
    if (one.kind == compile::ScannedDeclaration::Kind::type && ++classes <= 8) compile::scan_members(text, one);
  }
  compile::scan_kernels(text);
  bool computed = false;
  compile::scan_includes(text, &computed);
  compile::bracket_depth(text);
  lesson::marks(text);
  lesson::phases(text);
  lesson::mark_clashes(text);
  lesson::foreign_includes(text, "input.cu");
}

void recording(Input input) {
  const Result<job::LessonRecording> opened = job::open_recording(as_file("recording.json", text_of(input)));
  if (!opened) return;
  opened->label();
  for (const job::RecordedRun& run : opened->runs) {
    opened->find(run.variant, run.controls, "text");
    opened->machine_code(run.variant);
    for (const auto& [name, value] : run.controls) opened->sweep(run.variant, name, run.controls, "text");
  }
  const std::string saved = as_file("saved.json", "");
  if (job::save_recording(*opened, saved)) must(job::open_recording(saved).ok(), "a recording that was saved opens");
}

// lesson.toml, then after a line of five equals signs text.md, then after another one the kernel.
void lesson_folder(Input input) {
  std::string parts[3];
  const std::string text = text_of(input);
  std::size_t from = 0;
  for (int part = 0; part < 3 && from <= text.size(); ++part) {
    const std::size_t cut = part < 2 ? text.find("\n=====\n", from) : std::string::npos;
    parts[part] = text.substr(from, cut == std::string::npos ? cut : cut + 1 - from);
    from = cut == std::string::npos ? text.size() + 1 : cut + 7;
  }
  const std::string file = as_file("lesson/lesson.toml", parts[0]);
  as_file("lesson/text.md", parts[1]);
  as_file("lesson/copy.cu", parts[2]);
  const Result<lesson::Lesson> loaded = lesson::load(std::filesystem::path(file).parent_path().string());
  if (!loaded) return;
  for (const lesson::Variant& variant : loaded->variants) (void)job::from_lesson(*loaded, variant, {});
  if (const auto parsed = lesson::parse_text(*loaded, "en")) lesson::references(*parsed);
}

namespace {

struct Hundred : lesson::ElementSource {
  bool element(std::size_t, std::int64_t index, lesson::Value& value) override {
    value = lesson::Value::of(index);
    return index >= 0 && index < 100;
  }
};

}  // namespace

void formula(Input input) {
  using lesson::Dialect;
  for (const Dialect dialect :
       {Dialect::integers, Dialect::elements, Dialect::numbers, Dialect::text, Dialect::answers}) {
    const Result<lesson::Formula> parsed = lesson::Formula::parse(text_of(input), dialect);
    if (!parsed) continue;
    const std::vector<lesson::Value> names(parsed->names().size()), references(parsed->references().size());
    Hundred elements;
    std::uint64_t left = 20'000;
    const lesson::Formula::Inputs inputs{names, references, &elements, &left};
    (void)parsed->evaluate(inputs);
    if (parsed->is_comparison()) (void)parsed->compare(inputs);
  }
}

void settings(Input input) {
  const std::string file = as_file("state/settings.json", text_of(input));
  as_file("state/edits/coalescing/stride.cu", text_of(input));
  const gui::StateStore store(std::filesystem::path(file).parent_path().string());
  const gui::SavedSettings read = store.settings();
  store.edit("coalescing", "stride");
  must(store.save(read).ok(), "settings can be saved");
  must(store.settings().theme == read.theme, "settings come back");
}

void argument(Input input) {
  const std::string text = text_of(input);
  if (text.find('@') == std::string::npos) (void)job::make_argument_unfilled({text, ""});
}

}  // namespace lanescope::fuzz
