#pragma once
// Variables of this process's environment; those that it starts inherit them. std::getenv reads them.

#include <string>
#include <vector>

namespace lanescope {
class Wording;

void set_variable(const char* name, const std::string& value);
void unset_variable(const char* name);

// The folders in which a program is looked for by its name (PATH), the first one first.
std::vector<std::string> folders_of_programs();
// "nvcc" as the file is called here.
std::string program_file(const std::string& name);
// Environments of Python that an installer made for the program `name` of which it puts copies elsewhere: pipx and uv
// on Windows. Empty where the program elsewhere is a link.
std::vector<std::string> environments_of_copied_programs(const std::string& name);
// A regular file that this user may execute.
bool is_program(const std::string& path);

// This user's home; empty when the system does not say.
std::string home_folder();
// Where a program of this user keeps what should be there again the next time; empty when there is none.
std::string state_folder();
// Where it keeps what can be made again.
std::string cache_folder();
// Where this user's programs put what belongs to the desktop: entries of menus, icons; empty when there is none, or the
// desktop has other ways.
std::string desktop_data_folder();
// Where fonts are installed, the system's first.
std::vector<std::string> font_folders();

// Where windows open, as this user names it: "DISPLAY=:0"; empty where there is no place for them.
std::string display_name();
// What to do when there is none, and when it has no OpenGL that serves.
Wording how_to_get_a_display();
Wording how_to_get_opengl();
// What this user reads, as the system has it: "zh_CN.UTF-8", "en-GB"; empty when it does not say.
std::string language_of_user();

// Where standard error is read by a person.
bool errors_go_to_a_terminal();

}  // namespace lanescope
