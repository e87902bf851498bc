// [[prediction]] and [[task]] of lesson.toml.

#include <algorithm>

#include <fmt/format.h>

#include "core/worded.h"

#include "lesson/lane_pattern.h"
#include "lesson/lesson_parts.h"
#include "lesson/nearest.h"

namespace lanescope::lesson {

namespace {

std::vector<std::string> variant_ids(const Lesson& lesson) {
  std::vector<std::string> ids;
  for (const Variant& variant : lesson.variants) ids.push_back(variant.id);
  return ids;
}

// Names that an answer may refer to; a yardstick has a time.
std::vector<std::string> measurable_ids(const Lesson& lesson) {
  std::vector<std::string> ids = variant_ids(lesson);
  for (const Yardstick& yardstick : lesson.yardsticks) ids.push_back(yardstick.id);
  return ids;
}

class QuestionReader {
 public:
  QuestionReader(const toml::table& table, const std::string& file, Lesson& lesson, Findings& findings)
      : reader_(table, file, "A question", findings),
        file_(file),
        lesson_(lesson),
        findings_(findings),
        variants_(variant_ids(lesson)),
        measurable_(measurable_ids(lesson)) {}

  void read() {
    question_.place = reader_.place();
    question_.id = reader_.text("id");
    reader_.rename(worded("Question `{}`", question_.id));
    check_name(reader_, question_.id, "question", reader_.place());
    question_.variant = reader_.text_or("variant", "");
    if (!question_.variant.empty() && !lesson_.find_variant(question_.variant))
      problem(reader_.place(), "lesson.unknown_name", worded("There is no variant `{}`.", question_.variant),
              did_you_mean(question_.variant, variants_));
    question_.ask = reader_.phrase("ask");
    read_kind();
    if (const toml::table* look = reader_.table_or_none("look")) {
      const Variant* of = lesson_.find_variant(question_.variant);
      question_.look = read_look(*look, file_, worded("`look` of question `{}`", question_.id),
                                 of                         ? *of
                                 : lesson_.variants.empty() ? Variant{}
                                                            : lesson_.variants.front(),
                                 findings_);
    }
    for (const toml::table* table : reader_.tables("misunderstanding", false)) read_misunderstanding(*table);
    reader_.refuse_unknown_keys();
    for (const Question& other : lesson_.questions)
      if (other.id == question_.id)
        problem(reader_.place(), "lesson.duplicate_id", worded("There are two questions `{}`.", question_.id),
                "Rename one of them.");
    lesson_.questions.push_back(std::move(question_));
  }

 private:
  void problem(const SourcePlace& place, const char* code, Wording message, Wording cure) {
    reader_.problem(place, code, std::move(message), std::move(cure));
  }

  void read_kind() {
    const std::string kind = reader_.text("kind");
    static const std::vector<std::string> kinds{"number", "lanes", "choice"};
    if (kind == "number") {
      question_.kind = Question::Kind::number;
      if (std::optional<Formula> answer = formula(reader_.expression("answer"))) question_.answer = std::move(*answer);
      check_names_of(question_.answer, question_.place, {});
    } else if (kind == "lanes") {
      question_.kind = Question::Kind::lanes;
      read_lanes(reader_.expression("answer"));
    } else if (kind == "choice") {
      question_.kind = Question::Kind::choice;
      read_options();
    } else if (!kind.empty()) {
      problem(reader_.place(), "lesson.unknown_name", worded("There is no kind `{}` of question.", kind),
              did_you_mean(kind, kinds));
    }
  }

  std::optional<Formula> formula(const Expression& written) {
    Result<Formula> made = Formula::parse(written.text, Dialect::answers, written.place, measurable_);
    if (made) return std::move(*made);
    for (Diagnostic& error : made.take_errors()) findings_.problems.push_back(std::move(error));
    return std::nullopt;
  }

  // "@add[3, 0]": the lanes that execute a warp's third execution.
  void read_lanes(const Expression& written) {
    Result<Formula> made = Formula::parse(written.text + ".executed_lanes", Dialect::numbers, written.place);
    const bool one = made.ok() && made->references().size() == 1 && made->references()[0].step > 0 &&
                     made->names().empty() && (written.text.starts_with('@') || written.text.starts_with("launch"));
    if (!one) {
      problem(written.place, "lesson.bad_formula", worded("`{}` does not name a step of a warp.", written.text),
              "Write it like @add[3, 0]: a mark, its execution from 1, and the warp.");
      return;
    }
    question_.lanes = made->references()[0];
    if (question_.lanes.warp < 0) question_.lanes.warp = 0;
  }

  void read_options() {
    for (const toml::table* table : reader_.tables("options", true)) {
      TableReader reader(*table, file_, worded("An option of question `{}`", question_.id), findings_);
      Question::Option option;
      option.id = reader.text("id");
      option.say = reader.phrase("say");
      if (reader.has("value")) {
        const Expression written = reader.expression("value");
        if (std::optional<Formula> made = formula(written)) {
          check_names_of(*made, written.place, {});
          option.value = std::move(*made);
          check_time(option.value, written.place);
        }
      }
      reader.refuse_unknown_keys();
      if (question_.find_option(option.id) || option.id == cannot_tell)
        problem(reader.place(), "lesson.duplicate_id", worded("There are two options `{}`.", option.id),
                option.id == cannot_tell ? "Remove it: this option is added automatically." : "Rename one of them.");
      question_.options.push_back(std::move(option));
    }
    if (question_.options.size() < 2)
      problem(reader_.place(), "lesson.missing_field", worded("Question `{}` has too few options.", question_.id),
              "Add another option.");
    read_right();
  }

  // Intervals are compared, so a time cannot be combined with other values.
  void check_time(const Formula& value, const SourcePlace& place) {
    for (const NumberReference& reference : value.references())
      if (is_measured(reference) && (value.references().size() != 1 || !value.names().empty() || value.is_comparison()))
        problem(place, "lesson.bad_formula", worded("`{}` mixes a time with other values.", value.text()),
                "Give the time alone: value = \"naive.time\".");
  }

  void read_right() {
    const bool valued = std::all_of(question_.options.begin(), question_.options.end(),
                                    [](const Question::Option& option) { return !option.value.text().empty(); });
    if (!reader_.has("pick")) {
      question_.right = reader_.text("answer");
      if (!question_.right.empty() && !question_.find_option(question_.right))
        unknown_option(question_.right, reader_.place());
      return;
    }
    const std::string pick = reader_.text("pick");
    static const std::vector<std::string> picks{"least", "most"};
    if (pick == "least")
      question_.pick = Question::Pick::least;
    else if (pick == "most")
      question_.pick = Question::Pick::most;
    else
      problem(reader_.place(), "lesson.unknown_name", worded("`pick` cannot be `{}`.", pick),
              did_you_mean(pick, picks));
    if (!valued)
      problem(reader_.place(), "lesson.missing_field",
              worded("An option of question `{}` has no `value`.", question_.id),
              "With `pick` each option needs one: value = \"naive.warp_instructions\".");
  }

  void unknown_option(const std::string& id, const SourcePlace& place) {
    std::vector<std::string> ids;
    for (const Question::Option& option : question_.options) ids.push_back(option.id);
    if (question_.asks_for_time()) ids.emplace_back(cannot_tell);
    if (std::find(ids.begin(), ids.end(), id) == ids.end())
      problem(place, "lesson.unknown_name", worded("Question `{}` has no option `{}`.", question_.id, id),
              did_you_mean(id, ids));
  }

  void read_misunderstanding(const toml::table& table) {
    TableReader reader(table, file_, worded("A misunderstanding of question `{}`", question_.id), findings_);
    Misunderstanding made;
    made.name = reader.phrase("name");
    made.say = reader.phrase("say");
    const Expression written = reader.expression("when");
    made.place = written.place;
    reader.refuse_unknown_keys();
    if (question_.kind == Question::Kind::choice) {
      made.option = written.text;
      unknown_option(made.option, made.place);
    } else if (std::optional<Formula> when = formula(written)) {
      const std::vector<std::string> words = question_.kind == Question::Kind::number
                                                 ? std::vector<std::string>{"answer", "right"}
                                                 : std::vector<std::string>{"answer_lanes", "right_lanes"};
      check_names_of(*when, made.place, words);
      made.when = std::move(*when);
    } else {
      return;
    }
    question_.misunderstandings.push_back(std::move(made));
  }

  // Allowed are controls of the variant, the question's own words and lane patterns. A bare word may also be a number
  // of the run ("simt_efficiency"), which is only known after the run.
  void check_names_of(const Formula& formula, const SourcePlace& place, const std::vector<std::string>& words) {
    static const std::vector<std::string> all_words{"answer", "right", "answer_lanes", "right_lanes"};
    for (const std::string& name : formula.names()) {
      const bool own = std::find(words.begin(), words.end(), name) != words.end();
      if (!own && std::find(all_words.begin(), all_words.end(), name) != all_words.end())
        problem(place, "lesson.unknown_name", worded("`{}` has no meaning here, in `{}`.", name, formula.text()),
                words.empty() ? "Use numbers of the run and controls." : did_you_mean(name, words));
      if (!name.starts_with("matches(")) continue;
      const std::string pattern = name.substr(8, name.size() - 9);
      if (question_.kind != Question::Kind::lanes || words.empty())
        problem(place, "lesson.unknown_name", "`matches` is for misunderstandings about lanes.",
                "Compare `answer` with a number.");
      else if (!lane_pattern(pattern))
        problem(place, "lesson.unknown_name", worded("There is no pattern `{}` of lanes.", pattern),
                did_you_mean(pattern, lane_patterns()));
    }
  }

  TableReader reader_;
  const std::string& file_;
  Lesson& lesson_;
  Findings& findings_;
  std::vector<std::string> variants_, measurable_;
  Question question_;
};

void read_task(const toml::table& table, const std::string& file, Lesson& lesson, Findings& findings) {
  TableReader reader(table, file, "A task", findings);
  Task task;
  task.place = reader.place();
  task.id = reader.text("id");
  reader.rename(worded("Task `{}`", task.id));
  check_name(reader, task.id, "task", reader.place());
  task.title = reader.phrase("title");
  task.say = reader.phrase("say");
  task.variant = reader.text("variant");
  task.solution = reader.text("solution");
  task.hints = reader.phrases_or_none("hints");
  const Variant* variant = lesson.find_variant(task.variant);
  if (!variant && !task.variant.empty())
    reader.problem(reader.place(), "lesson.unknown_name", worded("There is no variant `{}`.", task.variant),
                   did_you_mean(task.variant, variant_ids(lesson)));
  task.start = reader.text_or("start", variant ? variant->file : "");
  if (variant) task.launch = variant->first().shape;
  if (reader.has("grid")) {
    const std::vector<Expression> grid = reader.extents("grid");
    task.launch.grid_x = grid[0], task.launch.grid_y = grid[1], task.launch.grid_z = grid[2];
  }
  if (reader.has("block")) {
    const std::vector<Expression> block = reader.extents("block");
    task.launch.block_x = block[0], task.launch.block_y = block[1], task.launch.block_z = block[2];
  }
  if (reader.has("shared_bytes")) task.launch.shared_bytes = reader.expression("shared_bytes");
  for (const toml::table* check : reader.tables("check", false))
    if (std::optional<Check> made = read_check(*check, file, worded("A check of task `{}`", task.id), findings))
      task.checks.push_back(std::move(*made));
  reader.refuse_unknown_keys();
  if (lesson.find_task(task.id))
    reader.problem(reader.place(), "lesson.duplicate_id", worded("There are two tasks `{}`.", task.id),
                   "Rename one of them.");
  if (variant) {
    check_names(*variant, task.launch, false, findings.problems);
    for (const Check& check : task.checks) check_names(*variant, check, findings.problems);
    if (variant->gpu_only)
      reader.problem(reader.place(), "lesson.unknown_name",
                     worded("Variant `{}` runs on a GPU only: it cannot be a task.", variant->id),
                     "Choose a variant that is interpreted.");
  }
  lesson.tasks.push_back(std::move(task));
}

}  // namespace

void read_questions(TableReader& root, const std::string& file, Lesson& lesson, Findings& findings) {
  for (const toml::table* table : root.tables("prediction", false))
    QuestionReader(*table, file, lesson, findings).read();
}

void read_tasks(TableReader& root, const std::string& file, Lesson& lesson, Findings& findings) {
  for (const toml::table* table : root.tables("task", false)) read_task(*table, file, lesson, findings);
}

}  // namespace lanescope::lesson
