#pragma once
// What a program under `exec --verbose` prints: its own lines, and the lines that tell of its launches.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace lanescope::gui {

class PrintedLines {
 public:
  void add(std::string_view bytes);  // as they arrive, cut anywhere
  void end();                        // the last line may have no end

  std::uint64_t launches() const { return launches_; }
  const std::string& last() const;  // the latest of its own lines that is not blank; empty: none
  std::string text() const;         // the latest of its own lines

 private:
  void take_line();

  static constexpr std::size_t most_lines = 200, longest_line = 2000;
  std::deque<std::string> lines_;
  std::string line_;
  std::uint64_t launches_ = 0;
  std::string last_;
};

}  // namespace lanescope::gui
