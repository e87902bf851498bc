// Reads the sources. Every sentence that the program can say about a learner's code, files or the machine has a row in
// messages.def, and every row there is a sentence that the program says.

#include "words/messages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/diagnostic.h"
#include "core/worded.h"
#include "expressions.h"
#include "test_paths.h"
#include "unit/glossary.h"

namespace lanescope::diagram {
namespace {

namespace fs = std::filesystem;
constexpr Language chinese = Language::chinese;

// ---- string literals of the sources

struct Literal {
  std::string text;  // adjacent literals joined; escapes undone
  int line = 0;
  bool formatted = false;  // the pattern of fmt::format, which is lost in its result
  bool joined = false;     // beside a +
  bool said = false;       // in a Diagnostic, or passed to worded()
};

char unescaped(char c) {
  return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'f' ? '\f' : c == 'v' ? '\v' : c == '0' ? '\0' : c;
}

// Knows enough C++ to find literals: skips comments, characters and raw strings.
std::vector<Literal> literals_of(const std::string& code) {
  std::vector<Literal> found;
  std::string before;  // the last tokens, without blanks
  bool open = false;   // the last token was a literal
  int line = 1, depth = 0;
  int of_diagnostic = -1;  // the bracket depth of a Diagnostic's severity; -1: outside
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '\n') ++line;
    if (std::isspace(static_cast<unsigned char>(c)) != 0) continue;
    if (code.compare(i, 2, "//") == 0) {
      while (i + 1 < code.size() && code[i + 1] != '\n') ++i;
      continue;
    }
    if (code.compare(i, 2, "R\"") == 0) {
      const std::size_t bracket = code.find('(', i);
      const std::size_t end = code.find(")" + code.substr(i + 2, bracket - i - 2) + "\"", i);
      line += static_cast<int>(std::count(code.begin() + static_cast<std::ptrdiff_t>(i),
                                          code.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      i = end + (bracket - i - 2) + 1;
      open = false;
      continue;
    }
    const bool digits = c == '\'' && i > 0 && std::isalnum(static_cast<unsigned char>(code[i - 1])) != 0;  // 10'000
    if (c == '"' || (c == '\'' && !digits)) {
      std::string text;
      for (++i; i < code.size() && code[i] != c; ++i) text += code[i] == '\\' ? unescaped(code[++i]) : code[i];
      if (c == '\'') {
        open = false;
      } else if (open) {
        found.back().text += text;
      } else {
        found.push_back({text, line, before.ends_with("fmt::format("), before.ends_with("+"),
                         of_diagnostic >= 0 || before.ends_with("worded(")});
        open = true;
      }
      continue;
    }
    if (open && c == '+') found.back().joined = true;
    open = false;
    before += c;
    if (before.size() > 60) before.erase(0, 30);
    if (c == '{' || c == '(') ++depth;
    if ((c == '}' || c == ')') && --depth < of_diagnostic) of_diagnostic = -1;
    if (before.ends_with("Severity::")) of_diagnostic = depth;
  }
  return found;
}

// Two words, or a value and a word.
bool is_sentence(const std::string& text) {
  return lanescope::test::is_found(text, "[A-Za-z]{2,},? +(\\{|`?[A-Za-z])") ||
         lanescope::test::is_found(text, "\\{[^}]*\\} [a-z]{2,}");
}

int word_count(const std::string& text) {
  return static_cast<int>(lanescope::test::all_words(text, "[A-Za-z]{2,}").size());
}

// Files without messages: they hold texts of compilers, tools or the interpreter to search for, or PTX itself.
const std::set<std::string> without_messages{"engine/compile/compiler_log.cpp",
                                             "engine/compile/compiler_words.cpp",
                                             "engine/compile/nvcc/nvcc_lines.cpp",
                                             "engine/compile/nvcc/nvcc_options.cpp",
                                             "engine/compile/nvcc/cuda_12_names.cpp",
                                             "engine/compile/host/host_code.cpp",
                                             "engine/compile/host/source_needs.cpp",
                                             "engine/compile/host/host_headers.cpp",
                                             "engine/compile/ptx_text.cpp",
                                             "engine/device/api/error_texts.cpp",
                                             "engine/device/api/graph_text.cpp",
                                             "engine/device/device_runtime.cpp",
                                             "engine/device/status.cpp",
                                             "engine/compile/machine_code/disassembly.cpp",
                                             "engine/gpu/where_commands.cpp",
                                             "engine/instrument/snippets.cpp",
                                             "engine/job/request/form_trial.cpp",
                                             "engine/ptx/opcode_table.cpp",
                                             "engine/ptx/printer.cpp"};

// Files that also hold English help, table headings and the like. Only a certain message counts there.
bool also_prints(const std::string& file) {
  return file.starts_with("app/cli") || file == "app/gui/shot.cpp";
}

// Sentences in other files that are not messages: parts of others' messages to search for, names, reasons that are
// values in JSON.
const std::set<std::string> no_messages{
    "GCC ivdep", "clang loop vectorize(assume_safety)", "clang loop unroll(disable)",  // in a _Pragma
    "long int", "long unsigned int",                                                   // in the compiler's macros
    // from the compiler and the tools
    "not supported on .target", "device-side kernel launch", "a __global__ function must have a void return type",
    "cannot be a member function", "expression must have a constant value", "does not support exception handling",
    "calling a __host__ function", "calling a __host__ function(\"", "host functions are not allowed",
    "host variables are not allowed", "is not allowed in JIT mode", "expected a \"}\"", "expected a \")\"",
    "expected a \"]\"", "missing closing quote", "comment unclosed", "argument list",
    "too many arguments in function call", "too few arguments in function call", "incomplete type",
    "a parameter is not allowed", "the size of an array must be greater than zero", "unrecognized token",
    "qualified name is not allowed", "dynamic initialization", "return value type does not match",
    "excessive recursion", "expression must be a modifiable lvalue", "\"#\" not expected here",
    "explicit type is missing", "no operator \"", "operand types are:", "namespace cg", "must be a namespace name",
    "must have integral", "must have class type", "must have pointer-to-object type",
    "cannot be assigned to an entity of type", "cannot be used to initialize an entity",
    "is incompatible with parameter of type", "expected an identifier", "expected a \",\" or \">\"",
    "invalid combination of type", "requires separate compilation mode", "\"thrust\" has no member \"",
    "(declared implicitly)", "has already been declared", "expected a declaration", "expected an expression",
    "expected a \";\"", "cannot open source file", "cannot open source file \"", "is undefined",
    "namespace \"std\" has no member", "\"cub\" has no member \"Max\"", "is undefined in device code",
    "\"thrust\" has no member class \"unary_function\"", "\"thrust\" has no member class \"binary_function\"",
    "calling a __host__ function(\"cudaDeviceSynchronize\")", "without '.sync' is not supported",
    "identifier \"cudaThreadSynchronize\" is undefined", "identifier \"cudaThreadExit\" is undefined",
    "identifier \"cudaThreadSetLimit\" is undefined", "identifier \"cudaThreadSetCacheConfig\" is undefined",
    "\"cub\" has no member \"Min\"", "\"cub\" has no member \"Sum\"", "\"cub\" has no member \"CountingInputIterator\"",
    "\"cub\" has no member \"TransformInputIterator\"", "name followed by \"::\"", "name followed by",
    "attribute \"__global__\" does not apply here", "to match this", "Input name expression was: \"",
    "it is a __device__", "JIT the PTX", "SM version specified by .target", "Compiling entry function '",
    "Compile time", "bytes stack frame", " bytes stack frame", " bytes spill stores", " bytes spill loads",
    " bytes smem", "cannot open shared object", "unsigned int", "unsigned char",
    // why a library does not load, beside the system loader's text
    "cannot be loaded", "{} lacks {}", " does not answer", "no thread could be started",
    // in JSON and tables, and a key
    "no lane", "lanes {} ({})", "not counted", "interval narrow enough", "sample limit", "time limit", "{} replaced",
    "a launch's number must be 2 … 1000", "a state of the cache", "__global__ void empty() {}\n", " .align {}",
    ".maxnreg {}", "cuMemcpyDtoDAsync, CUDA ", "CUB {}.{}.{}", "async copy", "a memory access falls in a space",
    "not measured", "standard output", "{} trace {}{} {}",
    // the end of the text that nvcc receives
    "(const void*)({}),\n", "{}extern \"C\" __device__ const void* {}[] = {{\n{}}};\n",
    // stands in the source in both languages
    "They cannot be told apart"};

std::set<std::string> patterns() {
  std::set<std::string> all;
  for (const Bilingual& row : messages()) all.insert(row.english);
  return all;
}

std::string read(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// All literals of the folders that can say something to a learner, by file.
const std::map<std::string, std::vector<Literal>>& sources() {
  static const auto all = [] {
    std::map<std::string, std::vector<Literal>> found;
    const fs::path root = LANESCOPE_SOURCE_DIR;
    for (const char* folder : {"engine/sim", "engine/job", "engine/compile", "engine/instrument", "engine/gpu",
                               "engine/lesson", "engine/ptx", "engine/trace", "engine/device", "app/gui", "app/cli"})
      for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        const std::string kind = entry.path().extension().string();
        if (kind != ".cpp" && kind != ".h" && kind != ".inl") continue;
        found[fs::relative(entry.path(), root).generic_string()] = literals_of(read(entry.path()));
      }
    return found;
  }();
  return all;
}

TEST(Messages, EverySentenceHasARow) {
  const std::set<std::string> known = patterns();
  for (const auto& [file, literals] : sources()) {
    if (without_messages.contains(file)) continue;
    const bool window = file.starts_with("app/gui");  // names of its parts are two or three words long
    for (const Literal& one : literals) {
      if (!is_sentence(one.text) || (window && !one.said && word_count(one.text) < 4)) continue;
      if (no_messages.contains(one.text) || (also_prints(file) && !one.said)) continue;
      EXPECT_TRUE(known.contains(one.text))
          << file << ":" << one.line << ": engine/words/messages.def (or file_messages.def) lacks\n  \"" << one.text
          << '"';
    }
  }
}

TEST(Messages, EveryRowIsSaidSomewhere) {
  std::set<std::string> said;
  for (const auto& [file, literals] : sources())
    for (const Literal& one : literals) said.insert(one.text);
  for (const char* more : {"engine/core/os/installation.cpp", "engine/core/os/linux/process_end.cpp",
                           "engine/core/os/windows/process_end.cpp", "engine/metrics/report.cpp", "app/main.cpp",
                           "app/command_words.h", "engine/core/os/linux/environment.cpp",
                           "engine/core/os/windows/environment.cpp", "engine/core/os/linux/clipboard.cpp",
                           "engine/core/os/windows/clipboard.cpp", "engine/core/os/system_error.cpp"})
    for (const Literal& one : literals_of(read(fs::path(LANESCOPE_SOURCE_DIR) / more))) said.insert(one.text);
  said.insert({"Print this help message and exit", "Display program version information and exit"});  // CLI11's
  for (const std::string& pattern : patterns())
    EXPECT_TRUE(said.contains(pattern)) << "nothing says \"" << pattern << '"';
}

// Use worded(). With fmt::format() or +, the pattern is lost and the text stays English.
TEST(Messages, AreMadeSoThatTheyKeepTheirPattern) {
  const std::set<std::string> known = patterns();
  for (const auto& [file, literals] : sources()) {
    if (without_messages.contains(file)) continue;
    for (const Literal& one : literals)
      if (known.contains(one.text) && is_sentence(one.text)) {
        EXPECT_FALSE(one.formatted) << file << ":" << one.line << ": fmt::format(\"" << one.text << '"';
        EXPECT_FALSE(one.joined) << file << ":" << one.line << ": \"" << one.text << "\" +";
      }
  }
}

// The heads of tables: `column("LINE")`, and lists of them. Names of the learner's code are no literals.
TEST(Messages, EveryHeadOfATableHasARow) {
  const std::set<std::string> known = patterns();
  std::size_t heads = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(LANESCOPE_SOURCE_DIR) / "app/cli")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string code = read(entry.path());
    const auto has_row = [&](const std::string& head) {
      ++heads;
      EXPECT_TRUE(head.empty() || known.contains(head)) << entry.path() << ": head_messages.def lacks " << head;
    };
    for (std::size_t at = 0; (at = code.find("column(\"", at)) != std::string::npos;) {
      at += std::string("column(\"").size();
      has_row(code.substr(at, code.find('"', at) - at));
    }
    // for (const char* title : {"GRID", "BLOCK"}) table.column(title);
    for (std::size_t at = 0; (at = code.find(": {\"", at)) != std::string::npos; ++at) {
      const std::size_t end = code.find("})", at);
      if (end == std::string::npos || code.substr(end, 60).find("column(") == std::string::npos) continue;
      for (const Literal& one : literals_of(code.substr(at, end - at))) has_row(one.text);
    }
  }
  EXPECT_GT(heads, 70u);
}

// Use program_name(): users of ./run have no `lanescope` to type.
TEST(Messages, NameNoCommandThatMayNotBeThere) {
  for (const auto& [file, literals] : sources())
    for (const Literal& one : literals)
      EXPECT_FALSE(lanescope::test::is_found(one.text, "\\blanescope +(-|\\{\\}|[a-z]+\\b)"))
          << file << ":" << one.line << ": \"" << one.text << '"';
}

// The engine knows no command line, and the window has none. app/cli/output/cures.cpp adds the option. Exceptions:
// directives in files have options of their own, and `shot` is only used from a command line.
TEST(Messages, OfTheEngineAndTheWindowNameNoOption) {
  for (const auto& [file, literals] : sources()) {
    if (file.starts_with("app/cli") || file == "engine/job/request/directives.cpp" || without_messages.contains(file) ||
        file.starts_with("engine/compile/"))
      continue;
    for (const Literal& one : literals) {
      if (!is_sentence(one.text) || one.text == "Ask for a smaller --size.") continue;
      EXPECT_FALSE(lanescope::test::is_found(one.text, "(^|[ (])--[a-z]"))
          << file << ":" << one.line << ": \"" << one.text << '"';
    }
  }
}

// The tables of cures hold pairs (the command line's also an option): the engine's cure, then its replacement.
TEST(Messages, ACureIsReplacedThatTheEngineHas) {
  const char* const tables[] = {"app/cli/output/cures.cpp", "app/gui/forms/cures.cpp",
                                "engine/job/run/lesson_cures.cpp"};
  std::set<std::string> of_engine;
  for (const auto& [file, literals] : sources())
    if (file.starts_with("engine/") && file != tables[2])
      for (const Literal& one : literals) of_engine.insert(one.text);
  for (const char* file : tables) {
    std::vector<std::string> cures;
    for (const Literal& one : sources().at(file))
      if (is_sentence(one.text)) cures.push_back(one.text);
    ASSERT_GT(cures.size(), 4u) << file;
    ASSERT_EQ(cures.size() % 2, 0u) << file;
    for (std::size_t i = 0; i < cures.size(); i += 2)
      EXPECT_TRUE(of_engine.contains(cures[i])) << file << ": \"" << cures[i] << '"';
  }
}

// ---- the rows

struct Place {
  int value = 0;
  std::size_t at = 0;
};

// fmt's placeholders. Also checks that all other braces are doubled.
std::vector<Place> places_of(const std::string& pattern) {
  std::vector<Place> places;
  int next = 0;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern.compare(at, 2, "{{") == 0 || pattern.compare(at, 2, "}}") == 0) {
      ++at;
      continue;
    }
    if (pattern[at] != '{') continue;
    const bool numbered = std::isdigit(static_cast<unsigned char>(pattern[at + 1])) != 0;
    places.push_back({numbered ? pattern[at + 1] - '0' : next++, at});
  }
  return places;
}

bool holds_chinese(std::string_view text) {
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    const auto first = static_cast<unsigned char>(text[i]);
    if (first >= 0xe4 && first <= 0xe9) return true;
  }
  return false;
}

TEST(Messages, KeepTheirValues) {
  for (const Bilingual& row : messages()) {
    SCOPED_TRACE(row.english);
    const std::string english = row.english;
    if (english.find("`{`") != std::string::npos) continue;  // a text about braces
    std::set<int> given, used;
    for (const Place& place : places_of(english)) {
      // Skips the suffix of an English word: "{} byte{}".
      const bool ending = place.at > 0 && std::isalpha(static_cast<unsigned char>(english[place.at - 1])) != 0;
      if (!ending) given.insert(place.value);
    }
    for (const Place& place : places_of(row.chinese)) used.insert(place.value);
    for (const int value : given)
      EXPECT_TRUE(used.contains(value)) << "value " << value << " is lost in " << row.chinese;
    for (const int value : used) EXPECT_LT(value, static_cast<int>(places_of(english).size())) << row.chinese;
    const std::size_t numbered = std::string(row.chinese).find("{0}");
    const std::size_t counted = std::string(row.chinese).find("{}");
    EXPECT_TRUE(numbered == std::string::npos || counted == std::string::npos)
        << "numbers some of its values only: " << row.chinese;
  }
}

TEST(Messages, AreWrittenOnceAndInTheGlossarysWords) {
  const auto words = lanescope::test::words_ruled_out();
  ASSERT_GT(words.size(), 20u);
  EXPECT_EQ(patterns().size(), messages().size()) << "a pattern stands twice";
  for (const Bilingual& row : messages()) {
    SCOPED_TRACE(row.english);
    const std::string english = row.english, said = row.chinese;
    EXPECT_EQ(lanescope::test::ruled_out_in(said, words), "") << said;
    EXPECT_TRUE(holds_chinese(said) || word_count(english) < 3) << said;
    EXPECT_EQ(english.ends_with('.'), said.ends_with("。")) << "a sentence in both, or in none";
    for (std::size_t at = 3; at + 1 < said.size(); ++at)
      if (std::string(",:;").find(said[at]) != std::string::npos && said[at + 1] == ' ') {
        EXPECT_FALSE(holds_chinese(said.substr(at - 3, 3)) || holds_chinese(said.substr(at + 2, 3)))
            << "half-width punctuation: " << said;
      }
  }
}

// ---- translation

TEST(Messages, AreTranslatedWithTheirValues) {
  EXPECT_EQ(translated(worded("The file could not be saved: {}.", std::string("disk full")), chinese),
            "文件没能保存：disk full。");
  EXPECT_EQ(translated(
                worded("ptxas unrolled or duplicated accesses: {} in PTX, {} in SASS", worded("{} instructions", 2), 8),
                chinese),
            "ptxas 展开或重复了访问：PTX 里 2 条指令，SASS 里 8 条");
  const Wording english = worded("The file could not be saved: {}.", std::string("disk full"));
  EXPECT_EQ(english, "The file could not be saved: disk full.");
  EXPECT_EQ(translated(english, Language::english), english);
}

TEST(Messages, AValueMayBeAMessage) {
  const Wording entries =
      worded("{} entries into basic blocks in the model, {} on the GPU ({})", 49, 41, std::string("warp 3"));
  const Wording whole = worded(
      "the GPU's record shows that the warp's lanes reconverged elsewhere than at the immediate post-dominator: {}",
      entries);
  EXPECT_TRUE(holds_chinese(translated(entries, chinese)));
  EXPECT_EQ(translated(whole, chinese),
            "GPU 的记录表明，warp 的 lane 没有在直接后支配点汇合：" + translated(entries, chinese));
}

// A name that the learner chose is not a message, even if it looks like one.
TEST(Messages, OthersWordsStayAsTheyAre) {
  EXPECT_EQ(translated(std::string("exited"), chinese), "exited");
  EXPECT_EQ(translated(worded("There is no kernel `{}`.", std::string("exited")), chinese),
            "没有名为 `exited` 的 kernel。");
  EXPECT_EQ(translated(worded("There is no kernel `{}`.", std::string("{0} {1} }}")), chinese),
            "没有名为 `{0} {1} }}` 的 kernel。");
  EXPECT_EQ(translated("exited", chinese), "已退出") << "the program's own word is";
  EXPECT_EQ(translated("A sentence that nobody translated.", chinese), "A sentence that nobody translated.");
  EXPECT_EQ(translated("", chinese), "");
}

TEST(Messages, WhatIsBilingualFromTheStartIsSaidSo) {
  const Wording both = Wording::bilingual("two", "二");
  EXPECT_EQ(both, "two");
  EXPECT_EQ(translated(both, chinese), "二");
  EXPECT_EQ(translated(worded("{} more", both), chinese), "另有二处");
}

TEST(Wordings, FormatLikeFmt) {
  const Wording said = worded("{1:08x}, {0} and {1:08x}", 3, 255);
  EXPECT_EQ(said, "000000ff, 3 and 000000ff");
  ASSERT_EQ(said.values().size(), 2u);
  EXPECT_EQ(said.values()[1], "000000ff");
  EXPECT_EQ(worded("{{{}}}", 1), "{1}");
}

// Chinese spacing applies to every kind of value.
TEST(Messages, AreSpacedWhereTextAndValueMeet) {
  const auto past = [](const Wording& region) {
    return translated(worded("just past the end of {}", region), chinese);
  };
  EXPECT_EQ(past(worded("arg {}", 0)), "刚好越过实参 0 的末尾");
  EXPECT_EQ(past(worded("{} ({}[{}])", worded("arg {}", 0), "f32", 4)), "刚好越过实参 0（f32[4]）的末尾");
  EXPECT_EQ(past(worded("variable {}", std::string("table"))), "刚好越过变量 table 的末尾");
  EXPECT_EQ(past(std::string("名字")), "刚好越过名字的末尾");
}

}  // namespace
}  // namespace lanescope::diagram
