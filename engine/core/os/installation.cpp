#include "core/os/installation.h"

#include <algorithm>
#include <optional>

#include "core/os/environment.h"
#include "core/os/own_path.h"
#include "core/os/program_name.h"
#include "core/os/read_file.h"

namespace lanescope {
namespace fs = std::filesystem;
namespace {

constexpr PinnedPackage pins[] = {
#include "pinned_packages.inc"
};

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string text_of(const fs::path& file) {
  std::string text;
  read_file(file.generic_string(), text);
  return text;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// PREFIX/lib/python3.N/site-packages and similar folders; on Windows PREFIX/Lib/site-packages, and PREFIX/site-packages
// for `pip install --user`. PREFIX itself for `pip install --target PREFIX`.
std::vector<fs::path> site_packages_below(const fs::path& prefix) {
  std::vector<fs::path> found;
  for (const char* lib : {"lib", "lib64"}) {
    std::error_code ignored;
    for (const auto& python : fs::directory_iterator(prefix / lib, ignored))
      if (python.path().filename().generic_string().starts_with("python3"))
        for (const char* leaf : {"site-packages", "dist-packages"})
          if (is_there(python.path() / leaf)) found.push_back(python.path() / leaf);
  }
  std::sort(found.begin(), found.end());
  for (const char* of_windows : {"Lib/site-packages", "site-packages"})
    if (is_there(prefix / of_windows)) found.push_back(prefix / of_windows);
  found.push_back(prefix);
  return found;
}

struct DistInfo {
  fs::path folder;
  std::string version;
};

// SITE/lanescope-0.1.0.dist-info, which has a package's name, version and files.
std::optional<DistInfo> dist_info(const fs::path& site, std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  constexpr std::string_view ending = ".dist-info";
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(site, ignored)) {
    const std::string file = entry.path().filename().generic_string();
    if (file.starts_with(name + "-") && file.ends_with(ending))
      return DistInfo{entry.path(), file.substr(name.size() + 1, file.size() - name.size() - 1 - ending.size())};
  }
  return std::nullopt;
}

// The value of a line "key = value" of pyvenv.cfg.
std::string setting(const std::string& text, std::string_view key) {
  for (const std::string_view line : lines_of(text)) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const auto trimmed = [](std::string_view part) {
      while (part.starts_with(' ')) part.remove_prefix(1);
      while (part.ends_with(' ')) part.remove_suffix(1);
      return part;
    };
    if (trimmed(line.substr(0, equals)) == key) return std::string(trimmed(line.substr(equals + 1)));
  }
  return "";
}

void find_site_packages(Installation& found, std::string_view version) {
  for (const fs::path& site : site_packages_below(found.prefix)) {
    const auto own = dist_info(site, "lanescope");
    if (!own || (found.is_wheel() && own->version != version)) continue;
    found.site_packages = site;
    found.version_there = own->version;
    if (own->version == version) return;
  }
}

// Other folders that may contain a dependency that was installed earlier: an environment may use its Python's packages,
// and a user's installation may use the system's.
void find_other_site_packages(Installation& found) {
  found.all_site_packages = {found.site_packages};
  std::vector<fs::path> prefixes;
  const std::string venv = text_of(found.prefix / "pyvenv.cfg");
  if (venv.empty() || setting(venv, "include-system-site-packages") == "true") {
    // The folder of the python program: PREFIX/bin, on Windows PREFIX.
    if (const fs::path home = setting(venv, "home"); !home.empty()) {
      prefixes.push_back(home.parent_path());
      if (is_there(home / "Lib/site-packages")) prefixes.push_back(home);
    }
    if (const std::string own = home_folder(); !own.empty()) prefixes.push_back(fs::path(own) / ".local");
    prefixes.insert(prefixes.end(), {"/usr/local", "/usr"});
  }
  for (const fs::path& prefix : prefixes)
    for (const fs::path& site : site_packages_below(prefix))
      if (site != prefix && std::find(found.all_site_packages.begin(), found.all_site_packages.end(), site) ==
                                found.all_site_packages.end())
        found.all_site_packages.push_back(site);
}

// Extracts "../../../bin/lanescope" from a line "path,sha256=…,size" of RECORD. A path with a comma is in quotes.
std::string_view recorded_path(std::string_view line) {
  if (!line.starts_with('"')) return line.substr(0, line.find(','));
  line.remove_prefix(1);
  return line.substr(0, line.find('"'));
}

// The files of a package that are missing, relative to the folder of packages.
std::vector<std::string> missing_files(const DistInfo& info) {
  std::vector<std::string> missing;
  const std::string record = text_of(info.folder / "RECORD");
  for (const std::string_view line : lines_of(record)) {
    const std::string_view path = recorded_path(line);
    if (!path.empty() && !path.ends_with(".pyc") && !is_there(info.folder.parent_path() / path))
      missing.emplace_back(path);
  }
  return missing;
}

std::optional<DistInfo> found_package(const Installation& installation, const std::string& name) {
  for (const fs::path& site : installation.all_site_packages)
    if (auto info = dist_info(site, name)) return info;
  return std::nullopt;
}

// What was given to pip if it was not a name: file:///home/… or https://….
std::string origin_of(const Installation& installation) {
  const auto own = dist_info(installation.site_packages, "lanescope");
  if (!own) return "";
  const std::string text = text_of(own->folder / "direct_url.json");
  const std::size_t key = text.find("\"url\"");
  const std::size_t begin = key == std::string::npos ? key : text.find('"', key + 5);
  const std::size_t end = begin == std::string::npos ? begin : text.find('"', begin + 1);
  return end == std::string::npos ? "" : text.substr(begin + 1, end - begin - 1);
}

std::string requirement(const Installation& installation, std::string_view package) {
  if (package == "lanescope") {
    const std::string origin = origin_of(installation);
    return origin.empty() ? "lanescope==" + installation.version_there : origin;
  }
  for (const PinnedPackage& pin : pins)
    if (pin.name == package) return std::string(package) + "==" + std::string(pin.version);
  return std::string(package);
}

// Quoted if a shell needs it, but not name==version and file:///path.
std::string as_word(const std::string& text) {
  std::string plain = text;
  std::erase_if(plain, [](char c) { return c == '=' || c == ':'; });
  return as_typed(plain) == plain ? text : as_typed(text);
}

// Debian's and other systems' Pythons refuse to install packages beside the system's unless told to.
bool is_externally_managed(const std::string& python) {
  return is_there(fs::path("/usr/lib") / python / "EXTERNALLY-MANAGED");
}

// Windows: PREFIX/Scripts/lanescope.exe of an environment. A user's packages are in PREFIX/site-packages, where PREFIX
// is "Python313" for every Python 3.13 of this user.
bool is_of_windows(const Installation& installation) {
  return installation.program.extension() == ".exe";
}
bool is_of_windows_user(const Installation& installation) {
  return installation.site_packages == installation.prefix / "site-packages";
}

// The python program of an environment. Conda's and the system's on Windows are in PREFIX itself.
fs::path python_of(const Installation& installation, bool is_venv) {
  if (!is_of_windows(installation)) return installation.prefix / "bin/python";
  return is_venv ? installation.prefix / "Scripts/python.exe" : installation.prefix / "python.exe";
}

// "py -3.13", which python.org's installer brings, for ".../Python313"; the Python of Microsoft's store has no `py`.
std::string python_of_windows_user(const Installation& installation) {
  const std::string folder = installation.prefix.filename().generic_string();
  const std::string version = folder.starts_with("Python3") ? "3." + folder.substr(std::string("Python3").size()) : "3";
  const bool of_store = installation.prefix.generic_string().find("PythonSoftwareFoundation") != std::string::npos;
  return (of_store ? "python" : "py -") + version;
}

std::string installer(const Installation& installation) {
  const fs::path& prefix = installation.prefix;
  if (is_there(prefix / "pipx_metadata.json"))
    return "pipx runpip " + as_typed(prefix.filename().generic_string()) + " install --force-reinstall --no-deps";
  const std::string venv = text_of(prefix / "pyvenv.cfg");
  const std::string own_python = as_typed(python_of(installation, !venv.empty()).generic_string());
  if (!setting(venv, "uv").empty()) return "uv pip install --python " + own_python + " --reinstall --no-deps";
  if (installation.site_packages == prefix)
    return std::string(is_of_windows(installation) ? "python" : "python3") + " -m pip install --target " +
           as_typed(prefix.generic_string()) + " --upgrade --no-deps";
  if (is_of_windows_user(installation))
    return python_of_windows_user(installation) + " -m pip install --user --force-reinstall --no-deps";
  if (!venv.empty() || is_there(prefix / "conda-meta") || is_of_windows(installation))
    return own_python + " -m pip install --force-reinstall --no-deps";
  const std::string python = installation.site_packages.parent_path().filename().generic_string();  // "python3.11"
  const std::string home = home_folder();
  const bool of_user = !home.empty() && prefix == fs::path(home) / ".local";
  return python + " -m pip install" + (of_user ? " --user" : "") +
         (is_externally_managed(python) ? " --break-system-packages" : "") + " --force-reinstall --no-deps";
}

}  // namespace

std::span<const PinnedPackage> pinned_packages() {
  return pins;
}

namespace {

// Of a program whose parts are in and below `prefix`.
Installation installation_in(const fs::path& prefix, const fs::path& program, std::string_view version) {
  Installation found;
  found.program = program;
  found.prefix = prefix;
  find_site_packages(found, version);
  // `pip install --user` on Windows puts data beside the folders of all Pythons.
  for (const fs::path& folder : {prefix, is_of_windows_user(found) ? prefix.parent_path() : fs::path()})
    if (found.data.empty() && !folder.empty() && is_there(folder / "share/lanescope"))
      found.data = folder / "share/lanescope";
  if (!found.data.empty()) {
    const std::string archive = text_of(found.data / "unpacked-from");
    found.archive = archive.substr(0, archive.find_first_of("\r\n"));
  }
  if (!found.is_wheel()) {
    if (found.archive.empty()) found.prefix.clear();
    return found;
  }
  if (found.archive.empty())
    find_other_site_packages(found);
  else
    found.all_site_packages = {found.site_packages};
  return found;
}

}  // namespace

Installation installation_of(const fs::path& program, std::string_view version) {
  if (program.empty()) return {};
  Installation found = installation_in(program.parent_path().parent_path(), program, version);
  if (!found.data.empty() || found.is_wheel()) return found;
  for (const std::string& environment : environments_of_copied_programs(program.stem().generic_string()))
    if (Installation of_tool = installation_in(environment, program, version); of_tool.is_wheel()) return of_tool;
  found.is_alone = !is_there(program.parent_path() / "CMakeCache.txt");
  return found;
}

const Installation& installation() {
  static const Installation found = installation_of(own_path(), LANESCOPE_VERSION);
  return found;
}

std::vector<PackageState> packages_of(const Installation& installation, std::string_view group) {
  std::vector<PackageState> states;
  for (const PinnedPackage& pin : pins) {
    if (pin.group != group) continue;
    PackageState state{std::string(pin.name), std::string(pin.version), "", 0, ""};
    if (const auto info = found_package(installation, state.name)) {
      const std::vector<std::string> missing = missing_files(*info);
      state.found = info->version;
      state.missing = missing.size();
      if (!missing.empty()) state.example = missing.front();
    }
    states.push_back(std::move(state));
  }
  return states;
}

std::vector<std::string> missing_data(const Installation& installation) {
  std::vector<std::string> missing;
  const auto own = installation.is_wheel() ? dist_info(installation.site_packages, "lanescope") : std::nullopt;
  if (!own) return missing;
  // Below share/lanescope, wherever that is: `pip install --target` moves it, but not the paths in RECORD.
  constexpr std::string_view share = "share/lanescope/";
  const std::string record = text_of(own->folder / "RECORD");
  for (const std::string_view line : lines_of(record)) {
    const std::string_view path = recorded_path(line);
    const std::size_t at = path.find(share);
    if (at == std::string_view::npos) continue;
    const std::string_view file = path.substr(at + share.size());
    if (installation.data.empty() || !is_there(installation.data / file)) missing.emplace_back(file);
  }
  return missing;
}

std::string package_that_lacks(const Installation& installation, std::string_view file) {
  for (const PinnedPackage& pin : pins) {
    if (const auto info = found_package(installation, std::string(pin.name)))
      for (const std::string& missing : missing_files(*info))
        if (fs::path(missing).filename() == fs::path(file).filename() && missing.ends_with(file))
          return std::string(pin.name);
  }
  return "";
}

std::string command_to_install(const Installation& installation, std::span<const std::string_view> packages) {
  if (!installation.is_wheel() || !installation.archive.empty()) return "";
  std::string command = installer(installation);
  for (const std::string_view package : packages) command += " " + as_word(requirement(installation, package));
  return command;
}

Wording how_to_install(const Installation& installation, std::span<const std::string_view> packages) {
  const auto any_of_group = [&](std::string_view group) {
    return std::ranges::any_of(pinned_packages(), [&](const PinnedPackage& pin) {
      return pin.group == group && std::ranges::find(packages, pin.name) != packages.end();
    });
  };
  const bool is_archive = !installation.archive.empty();
  if (is_archive && any_of_group("nvcc")) return "Install the CUDA Toolkit 12 or newer: the archive has no nvcc.";
  if (is_archive && any_of_group("cuda12")) return "Install the CUDA Toolkit 12.9: the archive has only CUDA 13.";
  if (is_archive)
    return worded("Unpack {} again, over {}.", installation.archive, installation.prefix.generic_string());
  const std::string command = command_to_install(installation, packages);
  return command.empty() ? Wording() : worded("Run `{}`.", command);
}

std::string document_of(const Installation& installation, std::string_view name) {
  return installation.data.empty() ? std::string(name) : (installation.data / name).generic_string();
}

std::string document(std::string_view name) {
  return document_of(installation(), name);
}

}  // namespace lanescope
