#include "cli/help_layout.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

namespace lanescope::command {

namespace {

struct HelpWords {
  const char *usage, *options, *command, *positionals, *commands, *required, *needs, *excludes;
};
constexpr HelpWords english_words{"Usage",       "Options",  "SUBCOMMAND", "Positionals",
                                  "Subcommands", "REQUIRED", "Needs:",     "Excludes:"};
constexpr HelpWords chinese_words{"用法", "选项", "命令", "位置参数", "命令", "（必填）", "需要:", "不能同用:"};

// CLI11 counts bytes, but a Chinese character has three bytes and two columns.
std::size_t columns(std::string_view text) {
  std::size_t wide = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    wide += byte < 0x80 ? 1 : byte >= 0xe3 ? 2 : byte >= 0xc0 ? 1 : 0;
  }
  return wide;
}

class HelpLayout : public CLI::FormatterBase {
 public:
  explicit HelpLayout(diagram::Language language)
      : chinese_(language == diagram::Language::chinese), words_(chinese_ ? chinese_words : english_words) {}

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
    std::string text = app->get_description() + "\n" + usage(*app, name) + "\n";
    const auto positionals = app->get_options(
        [](const CLI::Option* option) { return !option->get_group().empty() && option->get_positional(); });
    if (!positionals.empty()) text += fmt::format("\n{}:\n", words_.positionals);
    for (const CLI::Option* option : positionals)
      text += row(option->get_name(true, false) + meaning(*option), option->get_description());
    const auto options = app->get_options(
        [](const CLI::Option* option) { return !option->get_group().empty() && option->nonpositional(); });
    if (!options.empty()) text += fmt::format("\n{}:\n", words_.options);
    for (const CLI::Option* option : options)
      text += row(option->get_name(false, true) + meaning(*option), option->get_description());
    const auto commands = app->get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
    if (!commands.empty()) text += fmt::format("\n{}:\n", words_.commands);
    for (const CLI::App* command : commands) text += row(command->get_name(), command->get_description());
    return text + "\n" + app->get_footer() + "\n";
  }

 private:
  std::string usage(const CLI::App& app, const std::string& name) const {
    std::string text = fmt::format("{}: {} [{}]", words_.usage, name, chinese_ ? words_.options : "OPTIONS");
    for (const CLI::Option* option : app.get_options([](const CLI::Option* one) { return one->get_positional(); })) {
      const bool many = option->get_expected_max() >= CLI::detail::expected_max_vector_size;
      const std::string typed = option->get_name(true, false) + (many ? "..." : "");
      text += option->get_required() ? " " + typed : " [" + typed + "]";
    }
    if (!app.get_subcommands([](const CLI::App*) { return true; }).empty()) text += fmt::format(" {}", words_.command);
    return text;
  }

  // What follows an option's name: the kind of its value, the values that are allowed, whether it is needed.
  std::string meaning(const CLI::Option& option) const {
    std::string text;
    if (option.get_type_size() != 0) {
      const std::string& type = option.get_type_name();  // "TEXT", "INT:INT in [0 - 4096]", ":{cpu,gpu}"
      const std::size_t colon = type.find(':');
      if (colon != 0 && !type.empty()) text += fmt::format(" {}", kind(type.substr(0, colon)));
      if (colon != std::string::npos) {
        std::string allowed = type.substr(colon + 1);
        if (const std::size_t range = allowed.find(" in ["); range != std::string::npos) allowed.erase(0, range + 4);
        text += fmt::format(" {}", allowed);
      }
      if (option.get_expected_max() >= CLI::detail::expected_max_vector_size) text += " ...";
      if (option.get_required()) text += fmt::format(" {}", words_.required);
    }
    return text + others(words_.needs, option.get_needs()) + others(words_.excludes, option.get_excludes());
  }
  std::string_view kind(const std::string& type) const {
    if (type == "INT" || type == "UINT") return chinese_ ? "整数" : "INT";
    if (type == "FLOAT") return chinese_ ? "数" : "FLOAT";
    return chinese_ ? "文字" : "TEXT";
  }
  static std::string others(const char* heading, const std::set<CLI::Option*>& options) {
    std::vector<std::string> names;
    for (const CLI::Option* option : options) names.push_back(option->get_name());
    std::ranges::sort(names);
    return names.empty() ? "" : fmt::format(" {} {}", heading, fmt::join(names, " "));
  }
  std::string row(const std::string& name, const std::string& said) const {
    const std::size_t used = columns(name) + 2;
    return "  " + name +
           (used >= column_width_ ? "\n" + std::string(column_width_, ' ') : std::string(column_width_ - used, ' ')) +
           said + "\n";
  }

  bool chinese_;
  const HelpWords& words_;
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_layout(diagram::Language language) {
  return std::make_shared<HelpLayout>(language);
}

}  // namespace lanescope::command
