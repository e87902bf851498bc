#pragma once
// The command that the user types to start this program, for messages that mention it.

#include <string>
#include <string_view>

namespace lanescope {

// A wrapper that starts the program says here how it was called itself: `./run` does. Other processes that the program
// starts as itself find its own answer there.
inline constexpr const char* called_as_variable = "LANESCOPE_CALLED_AS";

// "./run", "build/release/lanescope", "'my folder/run'": quoted where a shell needs it. "lanescope" until
// set_program_name().
const std::string& program_name();

// From main(), before there is another thread. `argv0` is how the program itself was called; the variable comes first,
// where what it holds can be typed: a word, or the path of a file that may be executed.
void set_program_name(const char* argv0);

// The pieces: whether `name` can be typed, whether it is a path and no bare word, and how a shell takes it.
bool can_be_typed(const std::string& name);
bool is_path(std::string_view name);
std::string as_typed(std::string_view name);

}  // namespace lanescope
