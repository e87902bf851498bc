#pragma once
// The environment variables of this process, which started programs inherit.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanescope {
class Wording;

// The value as UTF-8; std::getenv has it in the system's code page on some versions of Windows. nullopt if it is not
// set.
std::optional<std::string> value_of_variable(const char* name);
void set_variable(const char* name, const std::string& value);
void unset_variable(const char* name);

// Sets a variable while it lives; then the variable has its earlier value again.
class ScopedVariable {
 public:
  ScopedVariable(std::string name, const std::string& value)
      : name_(std::move(name)), before_(value_of_variable(name_.c_str())) {
    set_variable(name_.c_str(), value);
  }
  ~ScopedVariable() {
    if (before_)
      set_variable(name_.c_str(), *before_);
    else
      unset_variable(name_.c_str());
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

// The folders in which programs are searched by name (PATH), in order.
std::vector<std::string> folders_of_programs();
// The file name of a program such as "nvcc" on this system.
std::string program_file(const std::string& name);
// The Python environments in which pipx and uv may have installed the program `name`, if they put a copy of it into a
// folder of PATH, as on Windows. Empty on systems where they put a link there.
std::vector<std::string> environments_of_copied_programs(const std::string& name);
// Whether it is a regular file that this user may execute.
bool is_program(const std::string& path);
// The program that a shell finds by this file name; empty if there is none.
inline std::string path_of_program(const std::string& file) {
  for (const std::string& folder : folders_of_programs())
    if (std::string path = (std::filesystem::path(folder) / file).generic_string(); is_program(path)) return path;
  return {};
}

// This user's home folder; empty if it is not known.
std::string home_folder();
// The folder for data that a program of this user must find again the next time; empty if there is none.
std::string state_folder();
// The folder for data that can be created again.
std::string cache_folder();
// The folder for this user's desktop data: menu entries, icons. Empty if there is none, or if the desktop works
// differently.
std::string desktop_data_folder();
// The folders with fonts, the system's first.
std::vector<std::string> font_folders();

// The display on which windows open, as this user names it: "DISPLAY=:0". Empty if there is none.
std::string display_name();
// Cures for a missing display, and for one without the OpenGL that the window needs.
Wording how_to_get_a_display();
Wording how_to_get_opengl();
// This user's language in the system's notation: "zh_CN.UTF-8", "en-GB". Empty if it is not known.
std::string language_of_user();

// Whether standard error is a terminal.
bool errors_go_to_a_terminal();

}  // namespace lanescope
