#include "lesson/lesson_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/worded.h"

#include "lesson/lesson_parts.h"
#include "lesson/nearest.h"
#include "lesson/table_reader.h"
#include "lesson/toml_guard.h"

namespace lanescope::lesson {

namespace {

class LessonParser {
 public:
  explicit LessonParser(std::string file) : file_(std::move(file)) {}

  Result<Lesson> parse(const toml::table& root) {
    TableReader reader(root, file_, "The lesson", findings_);
    lesson_.id = reader.text("id");
    lesson_.order = static_cast<int>(std::clamp<std::int64_t>(reader.integer("order"), 0, 1'000'000));
    lesson_.title = reader.phrase("title");
    lesson_.question = reader.phrase("question");
    lesson_.summary = reader.phrase("summary");
    check_name(reader, lesson_.id, "lesson", reader.place());
    for (const toml::table* table : reader.tables("phase", false)) read_phase(*table);
    for (const toml::table* table : reader.tables("control", false)) read_control(*table);
    for (const toml::table* table : reader.tables("variant", true)) read_variant(*table);
    for (const toml::table* table : reader.tables("yardstick", false)) read_yardstick(*table);
    if (const toml::table* table = reader.table_or_none("point")) lesson_.point = read_point(*table, file_, findings_);
    read_questions(reader, file_, lesson_, findings_);
    read_tasks(reader, file_, lesson_, findings_);
    reader.refuse_unknown_keys();
    if (!findings_.problems.empty()) return std::move(findings_.problems);
    lesson_.untranslated = std::move(findings_.untranslated);
    return std::move(lesson_);
  }

 private:
  void read_phase(const toml::table& table) {
    TableReader reader(table, file_, "A phase", findings_);
    PhaseName phase;
    phase.name = reader.text("name");
    reader.rename(worded("Phase `{}`", phase.name));
    phase.title = reader.phrase("title");
    phase.place = reader.place();
    reader.refuse_unknown_keys();
    if (find_phase(lesson_.phases, phase.name) != nullptr)
      reader.problem(reader.place(), "lesson.duplicate_id", worded("The phase `{}` is named twice.", phase.name),
                     "Remove one of them.");
    lesson_.phases.push_back(std::move(phase));
  }

  void read_control(const toml::table& table) {
    TableReader reader(table, file_, "A control", findings_);
    Control control;
    control.name = reader.text("name");
    reader.rename(worded("Control `{}`", control.name));
    check_name(reader, control.name, "control", reader.place());
    if (control.name == "k")
      reader.problem(reader.place(), "lesson.bad_name", "`k` cannot name a control: it counts the repeats of a launch.",
                     "Choose another name.");
    control.label = reader.phrase_or("label", {control.name, {}});
    control.choices = reader.integers_or_none("choices");
    if (control.choices.empty()) {
      control.min = reader.integer("min");
      control.max = reader.integer("max");
      control.step = reader.integer_or("step", 1);
    } else {
      std::sort(control.choices.begin(), control.choices.end());
      control.min = control.choices.front();
      control.max = control.choices.back();
    }
    control.logarithmic = reader.boolean_or("logarithmic", false);
    control.value = reader.integer("value");
    control.full_value = reader.integer_or("full_value", control.value);
    control.unit = reader.phrase_or("unit", {});
    control.explain = reader.phrase("explain");
    reader.refuse_unknown_keys();
    check_range(reader, control);
    if (lesson_.find_control(control.name))
      reader.problem(reader.place(), "lesson.duplicate_id", worded("There are two controls `{}`.", control.name),
                     "Rename one of them.");
    lesson_.controls.push_back(std::move(control));
  }

  void check_range(TableReader& reader, const Control& control) {
    if (!reader.has("value") || (control.choices.empty() && !(reader.has("min") && reader.has("max")))) return;
    if (control.step < 1 || control.min > control.max) {
      reader.problem(reader.place(), "lesson.bad_control", worded("Control `{}` has no legal value.", control.name),
                     "`min` must not exceed `max`, and `step` must be at least 1.");
      return;
    }
    constexpr std::int64_t most = std::int64_t{1} << 53;  // what a slider can compute without overflow
    const auto far = [](std::int64_t value) { return value > most || value < -most; };
    if (far(control.min) || far(control.max) || far(control.step)) {
      reader.problem(reader.place(), "lesson.bad_control",
                     worded("The values of control `{}` are out of range.", control.name),
                     worded("Keep its values between {} and {}.", -most, most));
      return;
    }
    for (const char* key : {"value", "full_value"}) {
      const std::int64_t value = key == std::string_view("value") ? control.value : control.full_value;
      const toml::node* node = reader.node_or_none(key);
      if (node && !control.allows(value))
        reader.problem(reader.place_of(*node), "lesson.bad_control",
                       worded("`{}` = {} of control `{}` is out of range.", std::string_view(key), value, control.name),
                       worded("Legal values: {}.", control.legal_values()));
    }
  }

  void read_variant(const toml::table& table) {
    TableReader reader(table, file_, "A variant", findings_);
    Variant variant;
    variant.place = reader.place();
    variant.id = reader.text("id");
    reader.rename(worded("Variant `{}`", variant.id));
    check_name(reader, variant.id, "variant", reader.place());
    variant.title = reader.phrase_or("title", {variant.id, {}});
    variant.file = reader.text("file");
    variant.first().kernel = reader.text("kernel");
    variant.summary = reader.phrase("summary");
    variant.controls = reader.texts_or_none("controls");
    variant.first().shape = read_launch(reader);
    for (const toml::table* argument : reader.tables("arguments", false))
      variant.arguments.push_back(read_argument(*argument, variant));
    read_further_launches(reader, variant);
    if (reader.has("bytes")) variant.bytes = reader.expression("bytes");
    variant.time_over = reader.text_or("time_over", "");
    if (!variant.time_over.empty() && std::ranges::find(variant.controls, variant.time_over) == variant.controls.end())
      reader.problem(reader.place(), "lesson.unknown_name",
                     worded("Variant `{}` has no control `{}`.", variant.id, variant.time_over),
                     did_you_mean(variant.time_over, variant.controls));
    for (const toml::table* check : reader.tables("check", !reader.boolean_or("broken_on_purpose", false)))
      if (std::optional<Check> made =
              read_check(*check, file_, worded("A check of variant `{}`", variant.id), findings_))
        variant.checks.push_back(std::move(*made));
    if (const toml::table* look = reader.table_or_none("look"))
      variant.look = read_look(*look, file_, worded("`look` of variant `{}`", variant.id), variant, findings_);
    variant.broken_on_purpose = reader.boolean_or("broken_on_purpose", false);
    variant.gpu_only = reader.boolean_or("gpu_only", false);
    reader.refuse_unknown_keys();
    if (lesson_.find_variant(variant.id))
      reader.problem(reader.place(), "lesson.duplicate_id", worded("There are two variants `{}`.", variant.id),
                     "Rename one of them.");
    check_names(variant, lesson_, findings_.problems);
    lesson_.variants.push_back(std::move(variant));
  }

  void read_yardstick(const toml::table& table) {
    TableReader reader(table, file_, "A yardstick", findings_);
    Yardstick yardstick;
    yardstick.place = reader.place();
    yardstick.id = reader.text("id");
    reader.rename(worded("Yardstick `{}`", yardstick.id));
    check_name(reader, yardstick.id, "yardstick", reader.place());
    yardstick.title = reader.phrase("title");
    yardstick.summary = reader.phrase("summary");
    yardstick.library = reader.text("library");
    yardstick.controls = reader.texts_or_none("controls");
    yardstick.count = reader.expression("count");
    if (reader.has("bytes")) yardstick.bytes = reader.expression("bytes");
    reader.refuse_unknown_keys();
    static const std::vector<std::string> libraries{"copy", "cub_sum", "cublas_gemm"};
    if (std::find(libraries.begin(), libraries.end(), yardstick.library) == libraries.end())
      reader.problem(reader.place(), "lesson.unknown_name",
                     worded("There is no library `{}` to compare with.", yardstick.library),
                     did_you_mean(yardstick.library, libraries));
    if (lesson_.find_variant(yardstick.id) || lesson_.find_yardstick(yardstick.id))
      reader.problem(reader.place(), "lesson.duplicate_id", worded("`{}` is there twice.", yardstick.id),
                     "Rename one of them.");
    Variant formulas;  // the variant whose controls they may use
    formulas.id = yardstick.id;
    formulas.place = yardstick.place;
    formulas.controls = yardstick.controls;
    formulas.bytes = yardstick.bytes;
    Launch count;
    count.grid_x = yardstick.count;
    check_names(formulas, count, false, findings_.problems);
    check_names(formulas, lesson_, findings_.problems);
    lesson_.yardsticks.push_back(std::move(yardstick));
  }

  static Launch read_launch(TableReader& reader) {
    std::vector<Expression> grid = reader.extents("grid"), block = reader.extents("block");
    Launch launch;
    launch.grid_x = grid[0], launch.grid_y = grid[1], launch.grid_z = grid[2];
    launch.block_x = block[0], launch.block_y = block[1], launch.block_z = block[2];
    launch.shared_bytes = reader.expression_or("shared_bytes", "0");
    launch.cooperative = reader.boolean_or("cooperative", false);
    return launch;
  }

  void read_further_launches(TableReader& reader, Variant& variant) {
    for (const toml::table* table : reader.tables("buffers", false)) {
      variant.buffers.push_back(read_argument(*table, variant));
      if (!variant.buffers.back().is_buffer)
        reader.problem(
            reader.place(), "lesson.wrong_type",
            worded("`{}` among the buffers of variant `{}` is not a buffer.", variant.buffers.back().name, variant.id),
            "Put scalars into the `arguments` of the launch that takes them.");
    }
    for (const toml::table* table : reader.tables("launch", false)) read_further_launch(*table, variant);
  }

  void read_further_launch(const toml::table& table, Variant& variant) {
    const Wording what = worded("Launch {} of variant `{}`", variant.launches.size() + 1, variant.id);
    TableReader reader(table, file_, what, findings_);
    VariantLaunch made;
    made.place = reader.place();
    made.kernel = reader.text("kernel");
    made.shape = read_launch(reader);
    made.repeat = reader.expression_or("repeat", "1");
    made.swap = reader.texts_or_none("swap");
    if (const toml::node* node = reader.node_or_none("arguments")) read_parameters(reader, *node, variant, made);
    reader.refuse_unknown_keys();
    std::vector<std::string> taken = made.swap;
    if (!taken.empty() && (taken.size() != 2 || taken[0] == taken[1]))
      reader.problem(reader.place(), "lesson.wrong_type", "`swap` needs two buffers.",
                     "Write it like swap = [\"from\", \"to\"].");
    taken.clear();
    for (const VariantLaunch::Parameter& parameter : made.parameters) {
      if (parameter.buffer.empty()) continue;
      if (std::find(taken.begin(), taken.end(), parameter.buffer) != taken.end())
        reader.problem(reader.place(), "lesson.duplicate_id", worded("{} takes `{}` twice.", what, parameter.buffer),
                       "Pass each buffer once.");
      taken.push_back(parameter.buffer);
    }
    const std::vector<std::string> buffers = buffers_of(variant);
    taken.insert(taken.end(), made.swap.begin(), made.swap.end());
    for (const std::string& name : taken)
      if (std::find(buffers.begin(), buffers.end(), name) == buffers.end())
        reader.problem(reader.place(), "lesson.unknown_name",
                       worded("`{}` is not a buffer of variant `{}`.", name, variant.id), did_you_mean(name, buffers));
    variant.launches.push_back(std::move(made));
  }

  void read_parameters(TableReader& reader, const toml::node& node, const Variant& variant, VariantLaunch& launch) {
    const toml::array* array = node.as_array();
    if (!array) {
      reader.problem(reader.place_of(node), "lesson.wrong_type", "`arguments` of a launch must be an array.",
                     "Write it like arguments = [\"partial\", { name = \"count\", scalar = \"i32\", value = \"n\" }].");
      return;
    }
    for (const toml::node& element : *array) {
      VariantLaunch::Parameter made;
      if (const auto* name = element.as_string()) {
        made.buffer = name->get();
      } else if (const toml::table* table = element.as_table()) {
        made.scalar = read_argument(*table, variant);
        if (made.scalar.is_buffer)
          reader.problem(reader.place_of(element), "lesson.wrong_type",
                         worded("The buffer `{}` is declared in a later launch.", made.scalar.name),
                         "Declare it in the variant's `arguments` or `buffers`, and name it here.");
      } else {
        reader.problem(reader.place_of(element), "lesson.wrong_type", "An argument is a buffer's name or a scalar.",
                       "Write it like \"partial\" or { name = \"count\", scalar = \"i32\", value = \"n\" }.");
        continue;
      }
      launch.parameters.push_back(std::move(made));
    }
  }

  ArgumentSpec read_argument(const toml::table& table, const Variant& variant) {
    TableReader reader(table, file_, worded("An argument of variant `{}`", variant.id), findings_);
    ArgumentSpec argument;
    argument.name = reader.text("name");
    reader.rename(worded("Argument `{}` of variant `{}`", argument.name, variant.id));
    check_name(reader, argument.name, "argument", reader.place());
    argument.is_buffer = reader.has("buffer");
    argument.type = argument.is_buffer ? reader.text("buffer") : reader.text_or("scalar", "");
    if (argument.is_buffer) {
      argument.count = reader.expression("count");
      argument.offset = reader.expression_or("offset", "0");
      argument.fill = reader.text("fill");
    } else if (reader.has("real")) {
      argument.real = reader.text("real");
    } else {
      argument.value = reader.expression("value");
    }
    const auto& types = element_types();
    if (argument.type.empty())
      reader.problem(reader.place(), "lesson.missing_field",
                     worded("Argument `{}` says neither `buffer` nor `scalar`.", argument.name),
                     "Add buffer = \"f32\" or scalar = \"i32\".");
    else if (std::find(types.begin(), types.end(), argument.type) == types.end())
      reader.problem(reader.place(), "lesson.wrong_type", worded("There is no element type `{}`.", argument.type),
                     did_you_mean(argument.type, types));
    reader.refuse_unknown_keys();
    return argument;
  }

  std::string file_;
  Lesson lesson_;
  Findings findings_;
};

}  // namespace

Result<Lesson> parse_lesson_file(const std::string& text, const std::string& file) {
  if (std::optional<Diagnostic> refused = refused_before_parsing(text, file)) return *std::move(refused);
  toml::parse_result parsed = toml::parse(text, file);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    const toml::source_position at = error.source().begin;
    return Diagnostic{
        Severity::error, "lesson.syntax", SourcePlace{file, static_cast<int>(at.line), static_cast<int>(at.column)},
        worded("This is not valid TOML: {}.",
               Wording::bilingual(std::string(error.description()), fmt::format("“{}”", error.description()))),
        "Correct the TOML; strings need quotation marks, tables need [[…]]."};
  }
  return LessonParser(file).parse(parsed.table());
}

}  // namespace lanescope::lesson
