#pragma once
// Reads one TOML table and checks its keys: reports missing keys, wrong types and unknown keys with their line.
// Included only by the readers of lesson.toml, because toml++ costs seconds of compile time.

#include <string>
#include <vector>

#include "core/result.h"
#include "lesson/lesson.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_UNRELEASED_FEATURES 0
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <toml++/toml.h>
#pragma GCC diagnostic pop

namespace lanescope::lesson {

// Collected while reading a file.
struct Findings {
  Diagnostics problems;
  Diagnostics untranslated;  // phrases without Chinese; an error only if the lesson has a Chinese text
};

class TableReader {
 public:
  // `what` names the table in messages: "The lesson", "Variant `stride`".
  TableReader(const toml::table& table, std::string file, Wording what, Findings& findings)
      : table_(table), file_(std::move(file)), what_(std::move(what)), findings_(findings) {}

  void rename(Wording what) { what_ = std::move(what); }
  SourcePlace place() const { return place_of(table_); }
  SourcePlace place_of(const toml::node& node) const;

  // The value, or the fallback if the key is absent. A missing required key is reported.
  std::string text(const char* key);
  std::string text_or(const char* key, std::string fallback);
  // "Coalescing", or { en = "Coalescing", zh-CN = "合并访问" }.
  Phrase phrase(const char* key);
  Phrase phrase_or(const char* key, Phrase fallback);
  std::vector<Phrase> phrases_or_none(const char* key);
  std::int64_t integer(const char* key);
  std::int64_t integer_or(const char* key, std::int64_t fallback);
  bool boolean_or(const char* key, bool fallback);
  std::vector<std::int64_t> integers_or_none(const char* key);
  std::vector<std::string> texts_or_none(const char* key);
  // A string or an integer.
  Expression expression(const char* key);
  Expression expression_or(const char* key, const char* fallback);
  // One to three expressions: a string, an integer or an array.
  std::vector<Expression> extents(const char* key);
  // The tables of an array of tables; empty if the key is absent (reported if it is required).
  std::vector<const toml::table*> tables(const char* key, bool required);
  const toml::table* table_or_none(const char* key);
  const toml::node* node_or_none(const char* key) { return find(key); }
  bool has(const char* key) { return find(key) != nullptr; }

  void problem(const SourcePlace& place, const char* code, Wording message, Wording cure);
  // Reports every key that no function above asked for.
  void refuse_unknown_keys();

 private:
  const toml::node* find(const char* key);
  const toml::node* find_required(const char* key);
  void wrong_type(const char* key, const toml::node& node, const char* wanted);
  Expression to_expression(const char* key, const toml::node& node);
  Phrase to_phrase(const char* key, const toml::node& node);

  const toml::table& table_;
  std::string file_;
  Wording what_;
  Findings& findings_;
  std::vector<std::string> known_;
};

}  // namespace lanescope::lesson
