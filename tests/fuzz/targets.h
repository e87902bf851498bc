#pragma once
// One function per parser of untrusted bytes; it accepts any bytes. must() states what always has to hold and otherwise
// ends the program. Crashes, endless loops and undefined behaviour are found by libFuzzer and the sanitizers (./test
// --fuzz), or by ctest, which replays tests/fuzz/corpus/TARGET.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lanescope::fuzz {

using Input = std::span<const std::uint8_t>;

inline std::string text_of(Input input) {
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

// Ends the program with the violated condition `what` unless `holds`.
void must(bool holds, const char* what);

// Writes a file into a folder of this process, which is removed at the end; each call overwrites it. Returns its path.
std::string as_file(std::string_view name, std::string_view contents);

struct Target {
  const char* name;
  void (*run)(Input);
};
std::span<const Target> targets();
const Target* find_target(std::string_view name);  // nullptr: unknown name

}  // namespace lanescope::fuzz
