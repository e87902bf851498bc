#pragma once
// One function a parser of foreign bytes: it takes any bytes whatever. What must always hold is said by must(), which
// ends the program; crashes, endless loops and undefined behaviour are found by those who watch it: libFuzzer and the
// sanitizers (./test --fuzz), or ctest, which replays tests/fuzz/corpus/TARGET.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lanescope::fuzz {

using Input = std::span<const std::uint8_t>;

inline std::string text_of(Input input) {
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

// Ends the program, naming what does not hold.
void must(bool holds, const char* what);

// A file in a folder of this process, which is removed at the end; written anew with each call. Returns its path.
std::string as_file(std::string_view name, std::string_view contents);

struct Target {
  const char* name;
  void (*run)(Input);
};
std::span<const Target> targets();
const Target* find_target(std::string_view name);  // nullptr: there is none

}  // namespace lanescope::fuzz
