// lanescope list

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/runner.h"
#include "cli/input/lessons.h"
#include "cli/output/output.h"
#include "cli/output/table.h"
#include "job/report/json.h"

namespace lanescope::cli {

namespace {

std::string as_text(const lesson::Library& library) {
  std::string out;
  for (const lesson::Lesson& lesson : library.lessons) {
    out += fmt::format("{}{}. {} ({}): {}\n", out.empty() ? "" : "\n", lesson.order, lesson.title.en, lesson.id,
                       lesson.question.en);
    Table table;
    table.column("   VARIANT", Align::left);
    table.column("CONTROLS", Align::left);
    table.column("", Align::left);
    for (const lesson::Variant& variant : lesson.variants)
      table.row({"   " + variant.id, fmt::format("{}", fmt::join(variant.controls, ", ")),
                 (variant.gpu_only ? "GPU only. " : "") + variant.summary.en});
    for (const lesson::Yardstick& yardstick : lesson.yardsticks)
      table.row({"   " + yardstick.id, fmt::format("{}", fmt::join(yardstick.controls, ", ")),
                 "GPU only. " + yardstick.summary.en});
    out += table.text();
    for (const lesson::Task& task : lesson.tasks) out += fmt::format("   task {}: {}\n", task.id, task.title.en);
  }
  return out;
}

// Adds both languages: English under the key itself, Chinese under `zh-CN`.
void add_phrase(nlohmann::ordered_json& to, const char* key, const lesson::Phrase& phrase) {
  to[key] = phrase.en;
  if (!phrase.zh.empty()) to["zh-CN"][key] = phrase.zh;
}

std::string as_json(const lesson::Library& library) {
  nlohmann::ordered_json json = job::document_head();
  json["lessons"] = nlohmann::ordered_json::array();
  for (const lesson::Lesson& lesson : library.lessons) {
    nlohmann::ordered_json entry{{"id", lesson.id}, {"order", lesson.order}};
    add_phrase(entry, "title", lesson.title);
    add_phrase(entry, "question", lesson.question);
    add_phrase(entry, "summary", lesson.summary);
    entry["controls"] = nlohmann::ordered_json::array();
    for (const lesson::Control& control : lesson.controls) {
      nlohmann::ordered_json made{{"name", control.name},   {"label", control.label.en},
                                  {"min", control.min},     {"max", control.max},
                                  {"step", control.step},   {"choices", control.choices},
                                  {"value", control.value}, {"full_value", control.full_value},
                                  {"unit", control.unit.en}};
      add_phrase(made, "explain", control.explain);
      entry["controls"].push_back(std::move(made));
    }
    entry["variants"] = nlohmann::ordered_json::array();
    for (const lesson::Variant& variant : lesson.variants) {
      nlohmann::ordered_json made{{"id", variant.id}};
      add_phrase(made, "title", variant.title);
      add_phrase(made, "summary", variant.summary);
      made.update({{"controls", variant.controls},
                   {"file", variant.file},
                   {"kernel", variant.first().kernel},
                   {"broken_on_purpose", variant.broken_on_purpose},
                   {"gpu_only", variant.gpu_only}});
      entry["variants"].push_back(std::move(made));
    }
    entry["yardsticks"] = nlohmann::ordered_json::array();
    for (const lesson::Yardstick& yardstick : lesson.yardsticks) {
      nlohmann::ordered_json made{{"id", yardstick.id}};
      add_phrase(made, "title", yardstick.title);
      add_phrase(made, "summary", yardstick.summary);
      made.update({{"library", yardstick.library}, {"controls", yardstick.controls}, {"gpu_only", true}});
      entry["yardsticks"].push_back(std::move(made));
    }
    entry["tasks"] = nlohmann::ordered_json::array();
    for (const lesson::Task& task : lesson.tasks) {
      nlohmann::ordered_json made{{"id", task.id}, {"variant", task.variant}};
      add_phrase(made, "title", task.title);
      add_phrase(made, "say", task.say);
      entry["tasks"].push_back(std::move(made));
    }
    json["lessons"].push_back(std::move(entry));
  }
  json["diagnostics"] = job::diagnostics_json(library.problems);
  return job::dumped(json, true) + "\n";
}

}  // namespace

int list(const ListOptions& options) {
  if (const Diagnostics missing = missing_lessons(); !missing.empty()) return refuse(missing, options.json);
  const lesson::Library library = lesson::load_library(lessons_folder());
  print_diagnostics(library.problems);
  const bool printed = print(options.json ? as_json(library) : as_text(library));
  const int code = exit_code(library.problems);
  return code ? code : printed ? 0 : 1;
}

}  // namespace lanescope::cli
