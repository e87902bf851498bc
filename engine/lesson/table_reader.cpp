#include "lesson/table_reader.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "core/os/installation.h"
#include "core/worded.h"

#include "lesson/nearest.h"

namespace lanescope::lesson {

SourcePlace TableReader::place_of(const toml::node& node) const {
  const toml::source_position begin = node.source().begin;
  return {file_, static_cast<int>(begin.line), static_cast<int>(begin.column)};
}

void TableReader::problem(const SourcePlace& place, const char* code, Wording message, Wording cure) {
  findings_.problems.push_back({Severity::error, code, place, std::move(message), std::move(cure)});
}

const toml::node* TableReader::find(const char* key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return table_.get(key);
}

const toml::node* TableReader::find_required(const char* key) {
  const toml::node* node = find(key);
  if (!node)
    problem(place(), "lesson.missing_field", worded("{} lacks `{}`.", what_, std::string_view(key)),
            worded("Add `{} = …`; {} says what it means.", std::string_view(key), document("docs/add-a-lesson.md")));
  return node;
}

void TableReader::wrong_type(const char* key, const toml::node& node, const char* wanted) {
  std::string english = what_;
  english[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(english[0])));
  const Wording of(std::move(english), what_.pattern(), what_.values());
  problem(place_of(node), "lesson.wrong_type", worded("`{}` of {} must be {}.", std::string_view(key), of, wanted),
          worded("Write {} here.", wanted));
}

std::string TableReader::text(const char* key) {
  const toml::node* node = find_required(key);
  if (!node) return {};
  if (const auto* value = node->as_string()) return value->get();
  wrong_type(key, *node, "a string");
  return {};
}

std::string TableReader::text_or(const char* key, std::string fallback) {
  return find(key) ? text(key) : std::move(fallback);
}

Phrase TableReader::to_phrase(const char* key, const toml::node& node) {
  Phrase made;
  if (const auto* value = node.as_string()) {
    made.en = value->get();
  } else if (const toml::table* table = node.as_table()) {
    TableReader reader(*table, file_, worded("`{}`", std::string_view(key)), findings_);
    made.en = reader.text("en");
    made.zh = reader.text_or("zh-CN", "");
    reader.refuse_unknown_keys();
  } else {
    wrong_type(key, node, "a string, or one for each language");
    return made;
  }
  if (made.zh.empty() && !made.en.empty())
    findings_.untranslated.push_back({Severity::error, "lesson.languages_differ", place_of(node),
                                      worded("`{}` has no Chinese text.", std::string_view(key)),
                                      worded("Write {} = {{ en = \"…\", zh-CN = \"…\" }}.", std::string_view(key))});
  return made;
}

Phrase TableReader::phrase(const char* key) {
  const toml::node* node = find_required(key);
  return node ? to_phrase(key, *node) : Phrase{};
}

Phrase TableReader::phrase_or(const char* key, Phrase fallback) {
  return find(key) ? phrase(key) : std::move(fallback);
}

std::vector<Phrase> TableReader::phrases_or_none(const char* key) {
  std::vector<Phrase> values;
  const toml::node* node = find(key);
  if (!node) return values;
  if (const toml::array* array = node->as_array())
    for (const toml::node& element : *array) values.push_back(to_phrase(key, element));
  else
    wrong_type(key, *node, "an array of strings");
  return values;
}

std::int64_t TableReader::integer(const char* key) {
  const toml::node* node = find_required(key);
  if (!node) return 0;
  if (const auto* value = node->as_integer()) return value->get();
  wrong_type(key, *node, "an integer");
  return 0;
}

std::int64_t TableReader::integer_or(const char* key, std::int64_t fallback) {
  return find(key) ? integer(key) : fallback;
}

bool TableReader::boolean_or(const char* key, bool fallback) {
  const toml::node* node = find(key);
  if (!node) return fallback;
  if (const auto* value = node->as_boolean()) return value->get();
  wrong_type(key, *node, "true or false");
  return fallback;
}

std::vector<std::int64_t> TableReader::integers_or_none(const char* key) {
  std::vector<std::int64_t> values;
  const toml::node* node = find(key);
  if (!node) return values;
  if (const toml::array* array = node->as_array())
    for (const toml::node& element : *array)
      if (const auto* value = element.as_integer()) values.push_back(value->get());
  if (values.empty() || values.size() != node->as_array()->size()) wrong_type(key, *node, "an array of integers");
  return values;
}

std::vector<std::string> TableReader::texts_or_none(const char* key) {
  std::vector<std::string> values;
  const toml::node* node = find(key);
  if (!node) return values;
  const toml::array* array = node->as_array();
  if (array)
    for (const toml::node& element : *array)
      if (const auto* value = element.as_string()) values.push_back(value->get());
  if (!array || values.size() != array->size()) wrong_type(key, *node, "an array of strings");
  return values;
}

Expression TableReader::to_expression(const char* key, const toml::node& node) {
  Expression made;
  made.place = place_of(node);
  if (const auto* number = node.as_integer()) {
    made.text = fmt::format("{}", number->get());
  } else if (const auto* string = node.as_string()) {
    made.text = string->get();
    ++made.place.column;  // after the quotation mark
  } else {
    wrong_type(key, node, "an integer or a formula in quotation marks");
    made.text.assign(1, '1');
  }
  return made;
}

Expression TableReader::expression(const char* key) {
  const toml::node* node = find_required(key);
  return node ? to_expression(key, *node) : Expression{"1", place()};
}

Expression TableReader::expression_or(const char* key, const char* fallback) {
  return find(key) ? expression(key) : Expression{fallback, place()};
}

std::vector<Expression> TableReader::extents(const char* key) {
  std::vector<Expression> made;
  if (const toml::node* node = find_required(key)) {
    if (const toml::array* array = node->as_array()) {
      for (const toml::node& element : *array) made.push_back(to_expression(key, element));
      if (made.empty() || made.size() > 3) wrong_type(key, *node, "one to three extents");
    } else {
      made.push_back(to_expression(key, *node));
    }
  }
  made.resize(3, Expression{"1", place()});
  return made;
}

std::vector<const toml::table*> TableReader::tables(const char* key, bool required) {
  std::vector<const toml::table*> found;
  const toml::node* node = required ? find_required(key) : find(key);
  if (!node) return found;
  if (const toml::array* array = node->as_array())
    for (const toml::node& element : *array)
      if (const toml::table* inner = element.as_table()) found.push_back(inner);
  if (found.empty() || found.size() != node->as_array()->size()) wrong_type(key, *node, "one or more tables");
  return found;
}

const toml::table* TableReader::table_or_none(const char* key) {
  const toml::node* node = find(key);
  if (!node) return nullptr;
  if (!node->is_table()) wrong_type(key, *node, "a table");
  return node->as_table();
}

void TableReader::refuse_unknown_keys() {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    const toml::source_position begin = key.source().begin;
    problem({file_, static_cast<int>(begin.line), static_cast<int>(begin.column)}, "lesson.unknown_key",
            worded("{} has no key `{}`.", what_, name), did_you_mean(name, known_));
  }
}

}  // namespace lanescope::lesson
