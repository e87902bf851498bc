#pragma once
// Comments in a kernel that lessons refer to:
//   `// @name`         marks its line, or the next line when it stands alone;
//   `// @phase NAME`   begins the phase NAME, which lasts until the next one or the end of the file. Variants of a
//                      lesson use the same names, so that two can be stepped together.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::lesson {

struct LineRange {
  int first = 0, last = 0;  // both included, from 1
};

struct Phase {
  std::string name;  // "last warp"
  LineRange lines;
};

struct Mark {
  std::string name;  // for a phase: "last_warp"
  std::vector<LineRange> lines;
  bool contains(int line) const;
};

// In the order of the text.
std::vector<Phase> phases(std::string_view source);
// The name of the phase that contains the line; empty if there is none.
std::string phase_of(const std::vector<Phase>& phases, int line);

// A line mark with the name of a phase; it would silently extend that phase's mark.
struct MarkClash {
  std::string name;
  int line = 0;       // of the comment
  std::string phase;  // as in the text
};
std::vector<MarkClash> mark_clashes(std::string_view source);

// Marks of lines, then phases, in whose names every run of other characters becomes `_`. Lines that share a name form
// one mark with several ranges.
std::vector<Mark> marks(std::string_view source);

}  // namespace lanescope::lesson
