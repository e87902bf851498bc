#include "compile/machine_code/disassembly.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "core/file_name_in_ptx.h"
#include "core/text.h"

namespace lanescope::compile {
namespace {

struct Place {
  std::string file;
  int line = 0;
};

// Parses `//## File "name", line 5`, possibly followed by `… inlined at "name", line 9`; returns the first place.
std::optional<Place> read_note(std::string_view line) {
  constexpr std::string_view lead = "//## File \"", mark = "\", line ";
  if (!line.starts_with(lead)) return std::nullopt;
  const std::size_t end = line.find(mark);
  if (end == std::string_view::npos) return std::nullopt;
  Place place{unescaped_name(line.substr(lead.size(), end - lead.size())), 0};
  const std::string_view number = line.substr(end + mark.size());
  std::from_chars(number.data(), number.data() + number.size(), place.line);
  return place;
}

// `/*0090*/  @!P0 BRA `(.L_x_0) ;   /* 0x… */`
std::optional<SassInstruction> read_instruction(std::string_view line) {
  if (!line.starts_with("/*")) return std::nullopt;
  const std::size_t close = line.find("*/");
  if (close == std::string_view::npos) return std::nullopt;
  SassInstruction instruction;
  const auto [end, status] = std::from_chars(line.data() + 2, line.data() + close, instruction.address, 16);
  if (status != std::errc() || end != line.data() + close) return std::nullopt;
  std::string_view text = line.substr(close + 2);
  const std::size_t semicolon = text.find(';');
  if (semicolon == std::string_view::npos) return std::nullopt;
  text = trimmed(text.substr(0, semicolon));
  // Instructions that issue together.
  while (text.starts_with('{') || text.starts_with('}')) text = trimmed(text.substr(1));
  if (text.starts_with('@')) {
    const std::size_t blank = text.find_first_of(" \t");
    instruction.predicate = std::string(text.substr(0, blank));
    text = blank == std::string_view::npos ? std::string_view() : trimmed(text.substr(blank));
  }
  if (text.empty()) return std::nullopt;
  instruction.text = std::string(text);
  return instruction;
}

// A note precedes the first instruction that it applies to and stays in force. A chain of inlining has one note per
// level, innermost first; the last one is in the kernel itself.
class Reader {
 public:
  explicit Reader(const std::string& kernel) : section_(".text." + kernel + ":"), kernel_(kernel + ":") {}

  void line(std::string_view raw) {
    const std::string_view text = trimmed(raw);
    if (text.starts_with("//----")) {
      inside_ = false;
    } else if (text == section_ || text == kernel_) {
      inside_ = true;
    } else if (!inside_ || text.empty()) {
      return;
    } else if (const auto place = read_note(text)) {
      note(*place, text.find(" inlined at ") != std::string_view::npos);
    } else if (text.starts_with('.') && text.ends_with(':')) {
      label_ = std::string(text.substr(0, text.size() - 1));
    } else if (auto instruction = read_instruction(text)) {
      finish(std::move(*instruction));
    }
  }

  std::vector<SassInstruction> take() { return std::move(instructions_); }

 private:
  void note(const Place& place, bool inlined) {
    if (place.file.starts_with(".nv_debug_ptx_txt")) {
      ptx_line_ = place.line;
      return;
    }
    if (!chain_open_) chain_.clear();
    chain_.push_back(place);
    chain_open_ = inlined;
  }

  void finish(SassInstruction instruction) {
    chain_open_ = false;
    instruction.label = std::move(label_);
    label_.clear();
    instruction.ptx_line = ptx_line_;
    if (!chain_.empty())
      for (const Place& place : chain_) {
        if (place.file != chain_.back().file) continue;
        instruction.file = place.file;
        instruction.line = place.line;
        break;
      }
    instructions_.push_back(std::move(instruction));
  }

  std::string section_, kernel_, label_;
  bool inside_ = false, chain_open_ = false;
  std::vector<Place> chain_;
  int ptx_line_ = 0;
  std::vector<SassInstruction> instructions_;
};

}  // namespace

std::vector<SassInstruction> parse_disassembly(const std::string& text, const std::string& mangled_kernel) {
  Reader reader(mangled_kernel);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    reader.line(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
  }
  return reader.take();
}

}  // namespace lanescope::compile
