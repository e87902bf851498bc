#include "gui/programs/printed_lines.h"

#include "core/text.h"

namespace lanescope::gui {
namespace {

// As device/log_observer.cpp prints it.
constexpr std::string_view launch_line = "lanescope: launch ";

}  // namespace

void PrintedLines::add(std::string_view bytes) {
  for (const char c : bytes) {
    if (c == '\n' || c == '\r')
      take_line();
    else if (line_.size() < longest_line && (static_cast<unsigned char>(c) >= ' ' || c == '\t'))
      line_ += c == '\t' ? ' ' : c;
  }
}

void PrintedLines::end() {
  if (!line_.empty()) take_line();
}

// The program's own line may have been interrupted by that of a launch.
void PrintedLines::take_line() {
  if (const std::size_t at = line_.find(launch_line); at != std::string::npos) {
    ++launches_;
    line_.resize(at);
    return;
  }
  if (!trimmed(line_).empty()) last_ = line_;
  lines_.push_back(std::move(line_));
  line_.clear();
  if (lines_.size() > most_lines) lines_.pop_front();
}

const std::string& PrintedLines::last() const {
  return last_;
}

std::string PrintedLines::text() const {
  std::string all;
  for (const std::string& line : lines_) all += line + "\n";
  return all;
}

}  // namespace lanescope::gui
