#include "core/os/environment.h"

#include <io.h>
#include <windows.h>

#include <cstdlib>
#include <string_view>

#include "core/os/files.h"
#include "core/os/program_name.h"
#include "core/os/windows/system_text.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope {
namespace {

// nullopt if it is not set.
std::optional<std::string> found_variable(const wchar_t* name) {
  std::wstring value(32768, L'\0');
  ::SetLastError(ERROR_SUCCESS);
  const DWORD length = ::GetEnvironmentVariableW(name, value.data(), static_cast<DWORD>(value.size()));
  if (length >= value.size() || (length == 0 && ::GetLastError() == ERROR_ENVVAR_NOT_FOUND)) return std::nullopt;
  return narrow({value.data(), length});
}

std::string variable_of_the_system(const wchar_t* name) {
  return found_variable(name).value_or("");
}

std::string folder_in(const wchar_t* name) {
  return as_path(wide(variable_of_the_system(name)));
}

}  // namespace

std::optional<std::string> value_of_variable(const char* name) {
  return found_variable(wide(name).c_str());
}

void set_variable(const char* name, const std::string& value) {
  ::_wputenv_s(wide(name).c_str(), wide(value).c_str());
}

void unset_variable(const char* name) {
  ::_wputenv_s(wide(name).c_str(), L"");
}

std::vector<std::string> folders_of_programs() {
  const std::string path = variable_of_the_system(L"PATH");
  std::vector<std::string> folders;
  for (const std::string_view folder : split(path, ';'))
    if (!folder.empty()) folders.push_back(as_path(wide(folder)));
  return folders;
}

std::string program_file(const std::string& name) {
  return name + ".exe";
}

// pipx: PIPX_HOME/venvs/NAME; uv: UV_TOOL_DIR/NAME. Both have had several default folders.
std::vector<std::string> environments_of_copied_programs(const std::string& name) {
  std::vector<std::string> environments;
  const auto add = [&](const wchar_t* variable, const char* below) {
    if (const std::string folder = folder_in(variable); !folder.empty()) environments.push_back(folder + below + name);
  };
  add(L"PIPX_HOME", "/venvs/");
  add(L"USERPROFILE", "/pipx/venvs/");
  add(L"LOCALAPPDATA", "/pipx/pipx/venvs/");
  add(L"UV_TOOL_DIR", "/");
  add(L"APPDATA", "/uv/data/tools/");
  add(L"APPDATA", "/uv/tools/");
  return environments;
}

bool is_program(const std::string& path) {
  FileFacts facts;
  return facts_of(path, facts) == 0 && facts.regular;
}

std::string home_folder() {
  return folder_in(L"USERPROFILE");
}

std::string state_folder() {
  const std::string data = folder_in(L"LOCALAPPDATA");
  return data.empty() ? data : data + "/Lanescope";
}

std::string cache_folder() {
  const std::string data = folder_in(L"LOCALAPPDATA");
  return data.empty() ? data : data + "/Lanescope/cache";
}

std::string desktop_data_folder() {
  return {};
}

std::vector<std::string> font_folders() {
  std::vector<std::string> folders;
  if (const std::string system = folder_in(L"SystemRoot"); !system.empty()) folders.push_back(system + "/Fonts");
  if (const std::string data = folder_in(L"LOCALAPPDATA"); !data.empty())
    folders.push_back(data + "/Microsoft/Windows/Fonts");
  return folders;
}

std::string display_name() {
  return "desktop";
}

Wording how_to_get_a_display() {
  return worded("Start it from the desktop of a signed-in user, or use the command line: `{} run LESSON`.",
                program_name());
}

Wording how_to_get_opengl() {
  return "Install the driver of the graphics card from its maker's website: the one that comes with Windows has no "
         "OpenGL 3.3. Remote Desktop may hide it: then start the program on the machine itself.";
}

std::string language_of_user() {
  wchar_t name[LOCALE_NAME_MAX_LENGTH];
  return ::GetUserDefaultLocaleName(name, LOCALE_NAME_MAX_LENGTH) > 0 ? narrow(name) : std::string();
}

bool errors_go_to_a_terminal() {
  constexpr int standard_errors = 2;
  return ::_isatty(standard_errors) != 0;
}

}  // namespace lanescope
