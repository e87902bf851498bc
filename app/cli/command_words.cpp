#include "cli/command_words.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/os/program_name.h"
#include "words/messages.h"

namespace lanescope::command {

namespace {

// The values in a text that was made from a pattern with "{}"; nullopt if the text does not match.
std::optional<std::vector<Wording>> values_of(std::string_view text, std::string_view pattern) {
  std::vector<Wording> values;
  const std::size_t first = pattern.find("{}");
  if (first == std::string_view::npos) return text == pattern ? std::optional(values) : std::nullopt;
  if (!text.starts_with(pattern.substr(0, first))) return std::nullopt;
  text.remove_prefix(first), pattern.remove_prefix(first);
  while (!pattern.empty()) {
    pattern.remove_prefix(2);
    const std::string_view behind = pattern.substr(0, pattern.find("{}"));
    const bool last = behind.size() == pattern.size();
    const std::size_t end = !last                    ? text.find(behind)
                            : text.ends_with(behind) ? text.size() - behind.size()
                                                     : std::string_view::npos;
    if (end == std::string_view::npos) return std::nullopt;
    values.emplace_back(std::string(text.substr(0, end)));
    text.remove_prefix(end + behind.size()), pattern.remove_prefix(behind.size());
  }
  return values;
}

// Formats help in Chinese: CLI11 pads by bytes, but a Chinese character has three bytes and two columns.
class ChineseHelp : public CLI::Formatter {
 public:
  ChineseHelp() {
    label("Usage", "用法"), label("OPTIONS", "选项"), label("SUBCOMMAND", "命令"), label("Positionals", "位置参数");
    label("REQUIRED", "（必填）"), label("Needs", "需要"), label("Excludes", "不能同用");
    label("TEXT", "文字"), label("INT", "整数"), label("UINT", "整数"), label("FLOAT", "数");
  }
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string values = make_option_opts(option);
    const std::string& type = option->get_type_name();
    if (const std::size_t colon = type.find(':'); colon != std::string::npos && option->get_type_size() != 0) {
      std::string allowed = type.substr(colon + 1);  // "INT in [0 - 4096]", "{cpu,gpu}"
      if (const std::size_t range = allowed.find(" in ["); range != std::string::npos) allowed.erase(0, range + 4);
      values.replace(values.find(type), type.size(), get_label(type.substr(0, colon)) + " " + allowed);
    }
    return row(make_option_name(option, is_positional) + values, make_option_desc(option));
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return row(command->get_display_name(true), command->get_description());
  }

 private:
  static std::size_t columns(std::string_view text) {
    std::size_t wide = 0;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      wide += byte < 0x80 ? 1 : byte >= 0xe3 ? 2 : byte >= 0xc0 ? 1 : 0;
    }
    return wide;
  }
  std::string row(const std::string& name, const std::string& said) const {
    const std::size_t used = columns(name) + 2;
    return "  " + name +
           (used >= column_width_ ? "\n" + std::string(column_width_, ' ') : std::string(column_width_ - used, ' ')) +
           said + "\n";
  }
};

}  // namespace

diagram::Language language_asked(int argc, const char* const* argv) {
  constexpr std::string_view option = "--language";
  std::string_view code;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == option && i + 1 < argc)
      code = argv[i + 1];
    else if (word.starts_with(option) && word.size() > option.size() && word[option.size()] == '=')
      code = word.substr(option.size() + 1);
  }
  return code == "zh-CN" ? diagram::Language::chinese : diagram::Language::english;
}

void take_out_mark(const CLI::App& exec, std::vector<std::string>& words) {
  if (words.empty() || words.front() != exec.get_name()) return;
  for (std::size_t i = 1; i < words.size() && words[i].starts_with('-'); ++i) {
    if (words[i] == "--") {
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
    const CLI::Option* option = exec.get_option_no_throw(words[i]);
    if (option != nullptr && option->get_expected_min() > 0) ++i;  // its value
  }
}

Wording said_by_parser(const std::string& text) {
  for (const char* pattern :
       {"A subcommand is required", "{} is required", "The following argument was not expected: {}",
        "The following arguments were not expected: {}", "{}: Value {} not in range {} to {}", "{}: {} not in {}",
        "{}: {} required {} missing", "{} excludes {}", "{} requires {}", "Could not convert: {} = {}",
        "{} was given a disallowed flag override", "{}: At Most {} required but received {}"})
    if (auto values = values_of(text, pattern)) return {text, pattern, std::move(*values)};
  return Wording(text);
}

void word_help(CLI::App& app, diagram::Language language) {
  // "{}" stands for the program's name as typed.
  const auto worded_in = [language](const std::string& text) {
    if (text.find("{}") == std::string::npos) return diagram::translated(Wording(text.c_str()), language);
    return diagram::translated(Wording(with_values(text, {program_name()}), text, {Wording(program_name())}), language);
  };
  app.description(worded_in(app.get_description()));
  app.footer(worded_in(app.get_footer()));
  if (language == diagram::Language::chinese) app.formatter(std::make_shared<ChineseHelp>());
  for (CLI::Option* option : app.get_options()) {
    option->description(worded_in(option->get_description()));
    if (language == diagram::Language::chinese && option->get_group() == "Options") option->group("选项");
  }
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (language == diagram::Language::chinese) command->group("命令");
    word_help(*command, language);
  }
}

}  // namespace lanescope::command
