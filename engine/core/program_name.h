#pragma once
// The command by which the user starts this program, for messages that mention it.

#include <string>
#include <string_view>

namespace lanescope {

// A wrapper that starts the program, such as `./run`, puts its own command here. The program puts its answer here for
// processes that it starts as itself.
inline constexpr const char* called_as_variable = "LANESCOPE_CALLED_AS";

// "./run", "build/release/lanescope", "'my folder/run'": quoted if a shell needs it. "lanescope" before
// set_program_name().
const std::string& program_name();

// Call from main(), before there is another thread. `argv0` is the command that started the program. The variable takes
// precedence if its value can be typed: a word, or the path of an executable file.
void set_program_name(const char* argv0);

// Helpers: whether `name` can be typed, and in which form.
bool can_be_typed(const std::string& name);
std::string as_typed(std::string_view name);

}  // namespace lanescope
