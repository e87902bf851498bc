#include "lesson/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/text.h"
#include "core/worded.h"
#include "lesson/marks.h"
#include "lesson/nearest.h"

namespace lanescope::lesson {

namespace {

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names{"plain", "bytes", "percent", "s", "ms", "us", "ns", "GB/s",
                                              "0",     "1",     "2",       "3", "4",  "5",  "6"};
  return names;
}

// "1,024", "12.5 %", "-3"; nullopt if it is not a number.
struct StatedNumber {
  double value = 0;
  int decimals = 0;
};
std::optional<StatedNumber> read_stated(std::string_view text) {
  StatedNumber stated;
  text = trimmed(text);
  if (text.ends_with('%')) text = trimmed(text.substr(0, text.size() - 1));
  std::string digits;
  for (const char c : text)
    if (c != ',') digits += c;
  const auto [end, status] =
      std::from_chars(digits.data(), digits.data() + digits.size(), stated.value, std::chars_format::fixed);
  if (status != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  if (const std::size_t point = digits.find('.'); point != std::string::npos)
    stated.decimals = static_cast<int>(digits.size() - point - 1);
  return stated;
}

class TextParser {
 public:
  TextParser(const Lesson& lesson, const std::string& language, std::string file) : lesson_(lesson) {
    text_.language = language;
    text_.file = std::move(file);
  }

  Result<Text> parse(std::string_view markdown) {
    rest_ = markdown;
    while (!rest_.empty()) line();
    end_markdown();
    for (std::size_t i = text_.sections.size(); i < std::size(section_names); ++i)
      problem({text_.file, line_}, "lesson.bad_text", worded("The section `# {}` is missing.", section_names[i]),
              "A text has the sections Read, Predict, Run, See, Explain, Try, in this order.");
    if (has_error(problems_)) return std::move(problems_);
    return std::move(text_);
  }

  // `place`: the sentence's place.
  Result<Section> parse_sentence(std::string_view sentence, const SourcePlace& place) {
    text_.sections.push_back({});
    rest_ = sentence;
    for (line_ = place.line - 1; !rest_.empty();) line();
    end_markdown();
    for (const Piece& piece : text_.sections.front().pieces) {
      const bool plain = piece.kind == Piece::Kind::markdown || piece.kind == Piece::Kind::number;
      const bool current = std::ranges::all_of(piece.formula.references(), [](const NumberReference& reference) {
        return reference.variant == "current" && reference.controls.empty() && !is_measured(reference);
      });
      if (!plain || !current)
        problem(place, "lesson.bad_text",
                worded("The sentence of `point` says something else than numbers of the run on screen."),
                "Write its numbers like {{current.divergent_branches}}, with neither other variants nor times.");
    }
    // A phrase has no columns.
    for (Diagnostic& error : problems_) error.place = place;
    for (Piece& piece : text_.sections.front().pieces) piece.place = place;
    if (has_error(problems_)) return std::move(problems_);
    return std::move(text_.sections.front());
  }

 private:
  void problem(SourcePlace place, const char* code, Wording message, Wording cure) {
    problems_.push_back({Severity::error, code, std::move(place), std::move(message), std::move(cure)});
  }
  void take(Diagnostics errors) {
    for (Diagnostic& error : errors) problems_.push_back(std::move(error));
  }

  // Consumes one line, or all lines of a construct that spans several.
  void line() {
    ++line_;
    column_ = 1;
    const std::size_t newline = rest_.find('\n');
    const std::string_view whole = rest_.substr(0, newline);
    if (trimmed(whole).starts_with("```")) fenced_ = !fenced_;
    if (!fenced_ && whole.starts_with("# ")) {
      heading(trimmed(whole.substr(2)));
      skip(newline == std::string_view::npos ? rest_.size() : newline + 1);
      return;
    }
    if (text_.sections.empty()) {
      if (!trimmed(whole).empty() && !reported_preface_) {
        reported_preface_ = true;
        problem({text_.file, line_, 1}, "lesson.bad_text", "There is text before the first section.",
                "Begin the file with `# Read`.");
      }
      skip(newline == std::string_view::npos ? rest_.size() : newline + 1);
      return;
    }
    while (!rest_.empty()) {
      const std::size_t plain = std::min(rest_.find_first_of("\n{[<"), rest_.size());
      append(plain);
      column_ += static_cast<int>(plain);
      if (rest_.empty()) return;
      if (rest_.front() == '\n') {
        append(1);
        return;
      }
      if (!fenced_ && construct()) continue;
      append(1);
      ++column_;
    }
  }

  void skip(std::size_t count) { rest_.remove_prefix(count); }
  void append(std::size_t count) {
    pending_ += rest_.substr(0, count);
    skip(count);
  }

  void heading(std::string_view name) {
    end_markdown();
    const std::size_t next = text_.sections.size();
    if (next >= std::size(section_names) || name != section_names[next]) {
      problem(
          {text_.file, line_, 3}, "lesson.bad_text",
          next < std::size(section_names) ? worded("`# {}` is here, but `# {}` is expected.", name, section_names[next])
                                          : worded("`# {}` comes after the last section.", name),
          "A text has the sections Read, Predict, Run, See, Explain, Try, in this order; use ## for smaller headings.");
    }
    if (next < std::size(section_names)) text_.sections.push_back({section_names[next], {}});
  }

  void end_markdown() {
    if (!pending_.empty() && !text_.sections.empty()) {
      Piece piece;
      piece.markdown = std::move(pending_);
      text_.sections.back().pieces.push_back(std::move(piece));
    }
    pending_.clear();
  }

  // Parses a placeholder, a stated number or a comment at the front of rest_; false if there is none.
  bool construct() {
    if (rest_.starts_with("{{")) return enclosed("{{", "}}", &TextParser::number);
    if (rest_.starts_with("[[")) return enclosed("[[", "]]", &TextParser::stated);
    if (rest_.starts_with("<!--")) return enclosed("<!--", "-->", &TextParser::comment);
    return false;
  }

  using Reader = void (TextParser::*)(std::string_view inside, SourcePlace place);
  bool enclosed(std::string_view open, std::string_view close, Reader reader) {
    std::size_t end = rest_.find(close, open.size());
    const bool one_line = open != "<!--";
    if (open == "[[" && end != std::string_view::npos)
      while (rest_.substr(end + close.size()).starts_with(']')) ++end;  // [[1 = sum.after.out[0]]]
    const SourcePlace place{text_.file, line_, column_};
    if (end == std::string_view::npos || (one_line && rest_.substr(0, end).find('\n') != std::string_view::npos)) {
      problem(place, "lesson.bad_text", worded("`{}` is not closed.", open),
              worded("Add `{}`{}.", close, one_line ? " on the same line" : ""));
      append(open.size());
      column_ += static_cast<int>(open.size());
      return true;
    }
    end_markdown();
    const std::string_view inside = rest_.substr(open.size(), end - open.size());
    (this->*reader)(inside, {place.file, place.line, place.column + static_cast<int>(open.size())});
    for (const char c : rest_.substr(0, end + close.size())) {
      column_ = c == '\n' ? 1 : column_ + 1;
      line_ += c == '\n';
    }
    skip(end + close.size());
    return true;
  }

  // `offset`: the position of `text` within the part that `place` refers to.
  std::optional<Formula> formula(std::string_view text, SourcePlace place, std::size_t offset) {
    const std::string_view inner = trimmed(text);
    place.column += static_cast<int>(offset + static_cast<std::size_t>(inner.data() - text.data()));
    Result<Formula> made = Formula::parse(inner, Dialect::text, place);
    if (!made) {
      take(made.take_errors());
      return std::nullopt;
    }
    check_names(*made, place);
    return std::move(*made);
  }

  void add(Piece piece) {
    if (!text_.sections.empty()) text_.sections.back().pieces.push_back(std::move(piece));
  }

  void number(std::string_view inside, SourcePlace place) {
    Piece piece;
    piece.kind = Piece::Kind::number;
    piece.place = place;
    const std::size_t bar = inside.rfind('|');
    if (bar != std::string_view::npos) {
      piece.format = std::string(trimmed(inside.substr(bar + 1)));
      if (std::find(format_names().begin(), format_names().end(), piece.format) == format_names().end())
        problem(place, "lesson.bad_text", worded("There is no format `{}`.", piece.format),
                did_you_mean(piece.format, format_names()));
    }
    std::optional<Formula> made = formula(inside.substr(0, bar), place, 0);
    if (!made) return;
    piece.formula = std::move(*made);
    add(std::move(piece));
  }

  void stated(std::string_view inside, SourcePlace place) {
    Piece piece;
    piece.kind = Piece::Kind::stated;
    piece.place = place;
    const std::size_t equals = inside.find('=');
    const auto value = equals == std::string_view::npos ? std::nullopt : read_stated(inside.substr(0, equals));
    if (!value) {
      problem(place, "lesson.bad_text", worded("`[[{}]]` does not state a number.", inside),
              "Write it like [[4 = stride(stride=1).global_load.sectors_per_request]].");
      return;
    }
    piece.markdown = std::string(trimmed(inside.substr(0, equals)));
    piece.stated = value->value;
    piece.decimals = value->decimals;
    std::optional<Formula> made = formula(inside.substr(equals + 1), place, equals + 1);
    if (!made) return;
    piece.formula = std::move(*made);
    refuse_measured(piece.formula, place);
    add(std::move(piece));
  }

  // A time is never shown without its origin. A check may compare it, because it is not shown.
  void refuse_measured(const Formula& formula, const SourcePlace& place) {
    for (const NumberReference& reference : formula.references())
      if (is_measured(reference))
        problem(place, "lesson.bad_text",
                worded("`{}` is measured, so a text cannot state its value.", reference.text()),
                worded("Write {{{{{}}}}}, which shows what was measured and where.", reference.text()));
  }

  void comment(std::string_view inside, SourcePlace place) {
    const std::string_view text = trimmed(inside);
    if (!text.starts_with("check:")) return;
    const std::size_t offset = static_cast<std::size_t>(text.data() - inside.data()) + 6;
    Piece piece;
    piece.kind = Piece::Kind::check;
    piece.place = place;
    std::optional<Formula> made = formula(inside.substr(offset), place, offset);
    if (!made) return;
    if (!made->is_comparison())
      problem(place, "lesson.bad_text", "The check compares nothing.",
              "Write it like <!-- check: stride.global_load.sectors == 4 -->.");
    piece.formula = std::move(*made);
    add(std::move(piece));
  }

  void check_names(const Formula& formula, const SourcePlace& place) {
    std::vector<std::string> controls;
    for (const Control& control : lesson_.controls) controls.push_back(control.name);
    for (const std::string& name : formula.names())
      if (!lesson_.find_control(name))
        problem(place, "lesson.unknown_name",
                worded("`{}` in `{}` is not a control of this lesson.", name, formula.text()),
                did_you_mean(name, controls));
    for (const NumberReference& reference : formula.references()) check_reference(reference, place);
  }

  void check_reference(const NumberReference& reference, SourcePlace place) {
    place.column += reference.column - 1;
    if (reference.variant == "current") return;
    const Variant* variant = lesson_.find_variant(reference.variant);
    if (const Yardstick* yardstick = lesson_.find_yardstick(reference.variant)) {
      if (!is_measured(reference))
        problem(place, "lesson.unknown_name",
                worded("The yardstick `{}` has no number `{}`.", yardstick->id, reference.number),
                "It has `time` and, when it says its bytes, `bandwidth`.");
      return;
    }
    if (!variant) {
      std::vector<std::string> variants;
      for (const Variant& known : lesson_.variants) variants.push_back(known.id);
      for (const Yardstick& known : lesson_.yardsticks) variants.push_back(known.id);
      problem(place, "lesson.unknown_name", worded("There is no variant `{}` in this lesson.", reference.variant),
              did_you_mean(reference.variant, variants));
      return;
    }
    if (reference.launch > static_cast<int>(variant->launches.size()))
      problem(place, "lesson.unknown_name", worded("Variant `{}` has no launch {}.", variant->id, reference.launch),
              worded("It has {}.", variant->launches.size()));
    for (const auto& [name, value] : reference.controls) check_override(*variant, name, value, place);
    if (!reference.buffer.empty()) check_buffer(*variant, reference, place);
    if (reference.mark.empty()) return;
    const auto source = lesson_.sources.find(variant->file);
    if (source == lesson_.sources.end()) return;  // already reported as missing
    const std::vector<std::string>& known = marks_of(source->first, source->second);
    if (std::find(known.begin(), known.end(), reference.mark) == known.end())
      problem(place, "lesson.bad_mark", worded("{} has no line marked `@{}`.", variant->file, reference.mark),
              did_you_mean(reference.mark, known));
  }

  // A text refers to the same few marks repeatedly.
  const std::vector<std::string>& marks_of(const std::string& file, const std::string& source) {
    const auto [at, fresh] = marks_.try_emplace(file);
    if (fresh)
      for (const Mark& mark : marks(source)) at->second.push_back(mark.name);
    return at->second;
  }

  void check_buffer(const Variant& variant, const NumberReference& reference, const SourcePlace& place) {
    std::vector<std::string> buffers;
    for (const auto* list : {&variant.arguments, &variant.buffers})
      for (const ArgumentSpec& argument : *list)
        if (argument.is_buffer) buffers.push_back(argument.name);
    if (std::find(buffers.begin(), buffers.end(), reference.buffer) == buffers.end())
      problem(place, "lesson.unknown_name", worded("Variant `{}` has no buffer `{}`.", variant.id, reference.buffer),
              did_you_mean(reference.buffer, buffers));
  }

  void check_override(const Variant& variant, const std::string& name, std::int64_t value, const SourcePlace& place) {
    const bool applies = std::find(variant.controls.begin(), variant.controls.end(), name) != variant.controls.end();
    const Control* control = applies ? lesson_.find_control(name) : nullptr;
    if (!control)
      problem(place, "lesson.unknown_name", worded("Variant `{}` has no control `{}`.", variant.id, name),
              did_you_mean(name, variant.controls));
    else if (!control->allows(value))
      problem(place, "lesson.bad_control", worded("`{}` cannot be {}.", name, value),
              worded("Legal values: {}.", control->legal_values()));
  }

  const Lesson& lesson_;
  std::map<std::string, std::vector<std::string>> marks_;  // by file name
  Text text_;
  Diagnostics problems_;
  std::string_view rest_;
  std::string pending_;  // Markdown that has been read but is not yet a piece
  int line_ = 0, column_ = 1;
  bool fenced_ = false, reported_preface_ = false;
};

}  // namespace

const Section* Text::find(std::string_view name) const {
  for (const Section& section : sections)
    if (section.name == name) return &section;
  return nullptr;
}

Result<Text> parse_text(const Lesson& lesson, const std::string& language) {
  const auto found = lesson.text.find(language);
  if (found == lesson.text.end())
    return Diagnostic{Severity::error,
                      "lesson.bad_text",
                      {lesson.folder},
                      worded("The lesson has no text in `{}`.", language),
                      "Add the file, or choose another language."};
  const auto file = lesson.text_files.find(language);
  return TextParser(lesson, language, file == lesson.text_files.end() ? "text.md" : file->second).parse(found->second);
}

Result<Section> parse_sentence(const Lesson& lesson, const std::string& language) {
  return TextParser(lesson, language, lesson.point.sentence_place.file)
      .parse_sentence(lesson.point.sentence.in(language), lesson.point.sentence_place);
}

std::vector<NumberReference> references(const Text& text) {
  std::vector<NumberReference> found;
  for (const Section& section : text.sections)
    for (const Piece& piece : section.pieces)
      for (const NumberReference& reference : piece.formula.references())
        if (std::none_of(found.begin(), found.end(),
                         [&](const NumberReference& known) { return known.text() == reference.text(); }))
          found.push_back(reference);
  return found;
}

Result<std::optional<double>> value_of(const Formula& formula, const NumberSource& numbers,
                                       const ControlValues& controls) {
  std::vector<Value> names, values;
  for (const std::string& name : formula.names()) {
    const auto found = controls.find(name);
    if (found == controls.end()) return std::optional<double>();  // a control of another variant
    names.push_back(Value::of(found->second));
  }
  for (const NumberReference& reference : formula.references()) {
    const std::optional<double> value = numbers(reference);
    if (!value) return std::optional<double>();
    values.push_back(Value::of(*value));
  }
  Result<Value> value = formula.evaluate({names, values, nullptr, nullptr});
  if (!value) return value.take_errors();
  return std::optional<double>(value->as_real());
}

namespace {

// The labels below a section, each once, and the superscripts that refer to them.
class Footnotes {
 public:
  std::string figure(const std::string& label) {
    static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::size_t number = 0;
    while (number < labels_.size() && labels_[number] != label) ++number;
    if (number == labels_.size()) labels_.push_back(label);
    std::string out;
    for (const char digit : fmt::format("{}", number + 1)) out += digits[digit - '0'];
    return out;
  }
  std::string text() {
    std::string out;
    const std::vector<std::string> labels = labels_;
    for (const std::string& label : labels) out += fmt::format("\n\n{} {}\n", figure(label), label);
    return out;
  }

 private:
  std::vector<std::string> labels_;
};

}  // namespace

std::string render(const Section& section, const NumberSource& numbers, const ControlValues& controls,
                   const LabelSource& labels, std::string_view language, const LinkSource& links) {
  std::string out;
  Footnotes notes;
  // Numbers in code have no link. A formula with several numbers links to the first.
  const auto add = [&](const Piece& piece, const std::string& said) {
    const bool in_code = std::ranges::count(out, '`') % 2 != 0;
    const std::string to =
        links && !in_code && !piece.formula.references().empty() ? links(piece.formula.references().front()) : "";
    out += to.empty() ? said : "[" + said + "](" + to + ")";
  };
  for (const Piece& piece : section.pieces) {
    if (piece.kind == Piece::Kind::check) continue;
    if (piece.kind != Piece::Kind::number) {
      if (piece.kind == Piece::Kind::stated)
        add(piece, piece.markdown);
      else
        out += piece.markdown;
      continue;
    }
    const Result<std::optional<double>> value = value_of(piece.formula, numbers, controls);
    const bool known = value.ok() && *value;
    std::vector<std::string> sources;
    bool measured = false;
    for (const NumberReference& reference : piece.formula.references()) {
      if (!is_measured(reference)) continue;
      measured = true;
      std::string label = labels ? labels(reference) : "";
      const bool new_one = std::find(sources.begin(), sources.end(), label) == sources.end();
      if (!label.empty() && new_one) sources.push_back(std::move(label));
    }
    // A time is never shown without its origin.
    if (measured && (!known || sources.empty()))
      out += language.starts_with("zh") ? "未测量" : "not measured";
    else
      add(piece, known ? format_number(**value, piece.format) : "…");
    if (measured && known)
      for (const std::string& label : sources) out += notes.figure(label);
  }
  return out + notes.text();
}

}  // namespace lanescope::lesson
