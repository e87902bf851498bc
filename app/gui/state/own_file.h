#pragma once
// Writes a file of the learner's, if it still is what the edited text was made of.

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::gui {

// What is on the disk. Without text: there is no such file.
struct OnDisk {
  std::optional<std::string> text;
  friend bool operator==(const OnDisk&, const OnDisk&) = default;
};

struct OwnFileWritten {
  enum class End : std::uint8_t {
    saved,      // the file has the text now
    changed,    // it is not the text that was edited
    gone,       // it is not there
    read_only,  // nobody may write it
    not_text,   // the edited text was not UTF-8, so an editor would have changed its bytes
    failed      // `reason`
  } end = End::failed;
  int reason = 0;  // errno
  OnDisk found;    // before
};

// `base`: the file's text of which `text` was made. A file that is found to be `over` is written all the same. It is
// replaced as a whole and keeps its permissions; unless it is saved, it stays as it is.
OwnFileWritten write_own_file(const std::string& file, const std::string& base, const std::string& text,
                              const std::optional<OnDisk>& over);

// `text`, whose lines end in \n, with the line ends of `base` if those all are \r\n.
std::string with_line_ends_of(const std::string& base, const std::string& text);

}  // namespace lanescope::gui
