#include "cli/command_words.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "cli/help_layout.h"
#include "core/os/program_name.h"
#include "core/worded.h"
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

const CLI::App* command_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (command->get_name() == name) return command;
  return nullptr;
}

std::optional<Wording> option_without_value(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = words.empty() ? nullptr : command_named(app, words.front());
  if (command == nullptr) return std::nullopt;
  for (std::size_t i = 1; i + 1 < words.size() && words[i] != "--"; ++i) {
    if (!words[i].starts_with('-')) {
      if (command->get_name() == "exec") break;  // the rest is the program's
      continue;
    }
    const CLI::Option* option = command->get_option_no_throw(words[i]);
    if (option == nullptr || option->get_expected_min() == 0) continue;
    ++i;
    if (words[i].starts_with("--") && words[i].size() > 2 && command->get_option_no_throw(words[i]) != nullptr)
      return worded("`{}` has no value: `{}` behind it is an option", words[i - 1], words[i]);
  }
  return std::nullopt;
}

Wording said_by_parser(const CLI::App& app, const CLI::ParseError& error) {
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {  // its own text has another order in each version
    const std::vector<std::string> extras = app.remaining(true);
    const std::string words = fmt::format("{}", fmt::join(extras, " "));
    return extras.size() == 1 ? worded("The following argument was not expected: {}", words)
                              : worded("The following arguments were not expected: {}", words);
  }
  struct Said {
    const char* by_parser;
    const char* here = by_parser;
  };
  for (const Said& said :
       {Said{"A subcommand is required"}, Said{"{} is required"}, Said{"{}: Value {} not in range {} to {}"},
        Said{"{}: Value {} not in range [{} - {}]", "{}: Value {} not in range {} to {}"}, Said{"{}: {} not in {}"},
        Said{"{}: {} required {} missing"}, Said{"{} excludes {}"}, Said{"{} requires {}"},
        Said{"Could not convert: {} = {}"}, Said{"{} was given a disallowed flag override"},
        Said{"{}: At Most {} required but received {}", "{}: at most {} can be given, not {}"},
        Said{"{}: At most {} required but received {}", "{}: at most {} can be given, not {}"}})
    if (auto values = values_of(text, said.by_parser)) {
      return {with_values(said.here, {values->begin(), values->end()}), said.here, std::move(*values)};
    }
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
  app.formatter(help_layout(language));
  for (CLI::Option* option : app.get_options()) option->description(worded_in(option->get_description()));
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) word_help(*command, language);
}

}  // namespace lanescope::command
