// Where a wheel's parts are found, and what is said if one is missing: environments as pip, pipx and uv leave them.

#include "core/os/installation.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <tuple>

#include <fmt/format.h>

#include "compile/fixture.h"
#include "compile/toolchain.h"
#include "core/os/program_name.h"
#include "core/worded.h"
#include "golden.h"
#include "test_paths.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using test::write_file;
using testing::HasSubstr;

constexpr std::string_view nvrtc[] = {"nvidia-cuda-nvrtc"};
constexpr std::string_view own[] = {"lanescope"};

std::string pinned(std::string_view name) {
  for (const PinnedPackage& pin : pinned_packages())
    if (pin.name == name) return std::string(pin.version);
  return "";
}

// An environment with a program, its data, and Python's record of the installation.
class Environment {
 public:
  explicit Environment(const std::string& site = "lib/python3.11/site-packages") : site_(prefix() / site) {
    write_file(prefix() / "bin/lanescope", "");
    write_file(prefix() / "share/lanescope/lessons/01_coalescing/lesson.toml", "");
    name_version("1.2.3", site_);
  }
  fs::path prefix() const { return folder_ / "my env"; }
  const fs::path& site() const { return site_; }
  fs::path info(const std::string& package) const { return site_ / (package + ".dist-info"); }
  Installation found() const { return installation_of(prefix() / "bin/lanescope", "1.2.3"); }
  std::string python() const { return "'" + (prefix() / "bin/python").string() + "'"; }

  static void name_version(const std::string& version, const fs::path& site) {
    write_file(site / ("lanescope-" + version + ".dist-info/METADATA"), "");
  }
  void has_package(std::string name, const std::string& version, const std::vector<std::string>& files) const {
    std::ranges::replace(name, '-', '_');
    std::string record;
    for (const std::string& file : files) {
      write_file(site_ / file, "x");
      record += file + ",sha256=abc,1\r\n";
    }
    const std::string of_info = name + "-" + version + ".dist-info/RECORD";
    write_file(site_ / of_info, record + of_info + ",,\n");
  }

 private:
  test::TempFolder folder_;
  fs::path site_;
};

TEST(Installation, KnowsThePinnedVersions) {
  std::ifstream file(std::string(LANESCOPE_SOURCE_DIR) + "/third_party/pins.txt");
  std::size_t rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string group, name, version;
    words >> group >> name >> version;
    EXPECT_EQ(pinned(name), version) << name;
    ++rows;
  }
  EXPECT_EQ(pinned_packages().size(), rows);
  EXPECT_GT(rows, 9u);
}

TEST(Installation, ABuiltTreeIsNoWheel) {
  EXPECT_FALSE(installation().is_wheel());  // of this test program
  EXPECT_EQ(command_to_install(installation(), nvrtc), "");
  EXPECT_FALSE(installation_of("", "1.2.3").is_wheel());
  const Environment other("elsewhere/site-packages");
  EXPECT_FALSE(other.found().is_wheel());
}

TEST(Installation, IsFoundInEachKindOfEnvironment) {
  for (const char* site :
       {"lib/python3.11/site-packages", "lib/python3.9/dist-packages", "lib64/python3.13/site-packages", "."}) {
    SCOPED_TRACE(site);
    const Environment environment(site);
    const Installation found = environment.found();
    ASSERT_TRUE(found.is_wheel());
    EXPECT_TRUE(fs::equivalent(found.site_packages, environment.site())) << found.site_packages;
    EXPECT_EQ(found.data, environment.prefix() / "share/lanescope");
    EXPECT_EQ(found.version_there, "1.2.3");
  }
}

TEST(Installation, BelongsToThePythonThatNamesItsVersion) {
  const Environment environment("lib/python3.12/site-packages");
  Environment::name_version("1.2.2", environment.prefix() / "lib/python3.11/site-packages");
  EXPECT_EQ(environment.found().site_packages, environment.site());
  fs::remove_all(environment.info("lanescope-1.2.3"));
  EXPECT_EQ(environment.found().version_there, "1.2.2");
}

TEST(Installation, AnEnvironmentMaySeeThePackagesOfItsPython) {
  const Environment environment, python;
  write_file(environment.prefix() / "pyvenv.cfg",
             "home = " + (python.prefix() / "bin").string() + "\ninclude-system-site-packages = false\n");
  EXPECT_THAT(environment.found().all_site_packages, testing::ElementsAre(environment.site()));
  write_file(environment.prefix() / "pyvenv.cfg",
             "home = " + (python.prefix() / "bin").string() + "\ninclude-system-site-packages = true\n");
  const auto all = environment.found().all_site_packages;
  ASSERT_GE(all.size(), 2u);
  EXPECT_EQ(all[0], environment.site());
  EXPECT_EQ(all[1], python.site());
}

TEST(Installation, TellsWhatBecameOfEachPackage) {
  const Environment environment;
  environment.has_package("nvidia-cuda-nvrtc", pinned("nvidia-cuda-nvrtc"),
                          {"nvidia/cu13/lib/libnvrtc.so.13", "nvidia/cu13/lib/libnvrtc-builtins.so.13.0"});
  environment.has_package("nvidia-nvjitlink", "13.5.1", {"nvidia/cu13/lib/libnvJitLink.so.13"});
  const auto state = [&](std::string_view name) {
    for (const PackageState& one : packages_of(environment.found(), "cuda"))
      if (one.name == name) return one;
    return PackageState{};
  };
  EXPECT_TRUE(state("nvidia-cuda-nvrtc").whole());
  EXPECT_EQ(state("nvidia-nvjitlink").found, "13.5.1");
  EXPECT_FALSE(state("nvidia-nvjitlink").whole());
  EXPECT_EQ(state("nvidia-cuda-crt").found, "");
  EXPECT_FALSE(state("nvidia-cuda-crt").whole());
  fs::remove(environment.site() / "nvidia/cu13/lib/libnvrtc-builtins.so.13.0");
  EXPECT_EQ(state("nvidia-cuda-nvrtc").missing, 1u);
  EXPECT_EQ(state("nvidia-cuda-nvrtc").example, "nvidia/cu13/lib/libnvrtc-builtins.so.13.0");
  EXPECT_FALSE(state("nvidia-cuda-nvrtc").whole());
  EXPECT_EQ(package_that_lacks(environment.found(), "libnvrtc-builtins.so.13.0"), "nvidia-cuda-nvrtc");
  EXPECT_EQ(package_that_lacks(environment.found(), "libnvrtc.so.13"), "");
  EXPECT_EQ(package_that_lacks(environment.found(), "builtins.so.13.0"), "");
  EXPECT_EQ(packages_of(environment.found(), "cuda").size(), 6u);
}

TEST(Installation, TellsWhichOfItsOwnFilesAreMissing) {
  const Environment environment;
  const auto record = [&](const std::string& way) {
    write_file(environment.info("lanescope-1.2.3") / "RECORD",
               way + "bin/lanescope,sha256=abc,1\n" + way + "share/lanescope/lessons/01_coalescing/lesson.toml,,\n" +
                   way + "share/lanescope/lessons/01_coalescing/stride.cu,,\n");
  };
  for (const char* way : {"../../../", "../../"}) {  // the second is what `pip install --target` leaves
    record(way);
    EXPECT_THAT(missing_data(environment.found()), testing::ElementsAre("lessons/01_coalescing/stride.cu"));
  }
  write_file(environment.prefix() / "share/lanescope/lessons/01_coalescing/stride.cu", "");
  EXPECT_THAT(missing_data(environment.found()), testing::IsEmpty());
  fs::remove_all(environment.prefix() / "share");
  EXPECT_EQ(missing_data(environment.found()).size(), 2u);
  EXPECT_THAT(missing_data(installation()), testing::IsEmpty()) << "a source tree has no record";
}

TEST(Installation, SaysWhatToTypeForEachInstaller) {
  const std::string want = "nvidia-cuda-nvrtc==" + pinned("nvidia-cuda-nvrtc");
  const Environment environment;
  const fs::path prefix = environment.prefix();
  const auto command = [&] { return command_to_install(environment.found(), nvrtc); };

  write_file(prefix / "pyvenv.cfg", "home = /usr/bin\n");
  EXPECT_EQ(command(), environment.python() + " -m pip install --force-reinstall --no-deps " + want);
  write_file(prefix / "pyvenv.cfg", "home = /usr/bin\nuv = 0.9.1\n");
  EXPECT_EQ(command(), "uv pip install --python " + environment.python() + " --reinstall --no-deps " + want);
  write_file(prefix / "pipx_metadata.json", "{}");
  EXPECT_EQ(command(), "pipx runpip 'my env' install --force-reinstall --no-deps " + want);
}

// After `pip install --no-deps` the first command that is printed must suffice.
TEST(Installation, OneCommandBringsAllThatIsMissing) {
  const Environment environment;
  write_file(environment.prefix() / "pyvenv.cfg", "home = /usr/bin\n");
  const auto command = [&](std::initializer_list<std::string_view> first) {
    return std::string(compile::how_to_get(environment.found(), first, "of a source tree"));
  };
  std::string all, others;
  for (const PinnedPackage& pin : pinned_packages()) {
    if (pin.group != "cuda") continue;
    const std::string one = fmt::format(" {}=={}", pin.name, pin.version);
    all += one;
    if (pin.name != "nvidia-nvjitlink") others += one;
  }
  const std::string begin = "Run `" + environment.python() + " -m pip install --force-reinstall --no-deps";
  EXPECT_EQ(command({"nvidia-cuda-nvrtc"}), begin + all + "`.") << "NVRTC is the first of pins.txt";
  EXPECT_EQ(command({"nvidia-nvjitlink"}), begin + " nvidia-nvjitlink==" + pinned("nvidia-nvjitlink") + others + "`.");
  for (const PinnedPackage& pin : pinned_packages()) {
    const bool is_runtime = pin.name == "nvidia-cuda-runtime";
    if (pin.group != "cuda") continue;
    environment.has_package(std::string(pin.name), std::string(pin.version), {is_runtime ? "cuda_fp16.h" : "other"});
  }
  EXPECT_EQ(command({"nvidia-cuda-nvrtc"}), begin + " nvidia-cuda-nvrtc==" + pinned("nvidia-cuda-nvrtc") + "`.");
  fs::remove(environment.site() / "cuda_fp16.h");
  EXPECT_EQ(command({"nvidia-cuda-nvrtc"}), begin + " nvidia-cuda-nvrtc==" + pinned("nvidia-cuda-nvrtc") +
                                                " nvidia-cuda-runtime==" + pinned("nvidia-cuda-runtime") + "`.");
}

// As pip lays packages out on Windows: sysconfig's schemes `nt`, `nt_venv` and `nt_user`.
struct OnWindows {
  test::TempFolder folder;
  fs::path prefix() const { return folder / "Python313"; }
  fs::path program() const { return prefix() / "Scripts/lanescope.exe"; }
  Installation found() const { return installation_of(program(), "1.2.3"); }
  OnWindows(const std::string& site, const std::string& data) {
    write_file(program(), "");
    write_file(folder / data / "share/lanescope/lessons/01_coalescing/lesson.toml", "");
    Environment::name_version("1.2.3", prefix() / site);
  }
};

TEST(Installation, IsFoundInEachKindOfEnvironmentOfWindows) {
  const OnWindows whole("Lib/site-packages", "Python313"), of_user("site-packages", ".");
  for (const auto& [one, site, data] : {std::tuple(&whole, "Lib/site-packages", whole.prefix()),
                                        std::tuple(&of_user, "site-packages", of_user.folder.path())}) {
    SCOPED_TRACE(site);
    const Installation found = one->found();
    ASSERT_TRUE(found.is_wheel());
    EXPECT_EQ(found.site_packages, one->prefix() / site);
    EXPECT_EQ(found.data, data / "share/lanescope");
  }
}

TEST(Installation, SaysWhatToTypeOnWindows) {
  const std::string want = " nvidia-cuda-nvrtc==" + pinned("nvidia-cuda-nvrtc");
  const OnWindows whole("Lib/site-packages", "Python313"), of_user("site-packages", ".");
  const auto command = [&](const OnWindows& one) { return command_to_install(one.found(), nvrtc); };
  const auto python = [&](const char* file) { return as_typed((whole.prefix() / file).generic_string()); };
  EXPECT_EQ(command(of_user), "py -3.13 -m pip install --user --force-reinstall --no-deps" + want);
  EXPECT_EQ(command(whole), python("python.exe") + " -m pip install --force-reinstall --no-deps" + want);
  write_file(whole.prefix() / "pyvenv.cfg", "home = C:\\Python313\n");
  EXPECT_EQ(command(whole), python("Scripts/python.exe") + " -m pip install --force-reinstall --no-deps" + want);
  write_file(whole.prefix() / "pyvenv.cfg", "home = C:\\Python313\nuv = 0.9.1\n");
  EXPECT_EQ(command(whole),
            "uv pip install --python " + python("Scripts/python.exe") + " --reinstall --no-deps" + want);
}

TEST(Installation, AnEnvironmentOfWindowsMaySeeThePackagesOfItsPython) {
  const OnWindows environment("Lib/site-packages", "Python313"), python("Lib/site-packages", "Python313");
  write_file(environment.prefix() / "pyvenv.cfg",
             "home = " + python.prefix().generic_string() + "\ninclude-system-site-packages = true\n");
  EXPECT_THAT(environment.found().all_site_packages, testing::Contains(python.prefix() / "Lib/site-packages"));
}

// The zip for Windows has NVIDIA's libraries beside the data and no Python packages.
TEST(Installation, AnArchiveMayHaveNoPackages) {
  const OnWindows unpacked("elsewhere", "Python313");
  write_file(unpacked.prefix() / "share/lanescope/unpacked-from", "lanescope-1.2.3-windows-x86_64.zip\r\n");
  const Installation found = unpacked.found();
  EXPECT_FALSE(found.is_wheel());
  EXPECT_EQ(found.data, unpacked.prefix() / "share/lanescope");
  const Wording again =
      worded("Unpack {} again, over {}.", "lanescope-1.2.3-windows-x86_64.zip", unpacked.prefix().generic_string());
  EXPECT_EQ(how_to_install(found, nvrtc), again);
  EXPECT_EQ(compile::how_to_get(found, {"nvidia-cuda-nvrtc"}, "of a source tree"), again);
}

TEST(Installation, AProgramMayHaveLostItsParts) {
  const test::TempFolder folder;
  write_file(folder / "bin/lanescope", "");
  const Installation found = installation_of(folder / "bin/lanescope", "1.2.3");
  EXPECT_TRUE(found.is_alone);
  EXPECT_THAT(compile::how_to_get(found, {"nvidia-cuda-nvrtc"}, "of a source tree"),
              HasSubstr((folder / "bin").generic_string()));
  write_file(folder / "bin/CMakeCache.txt", "");
  EXPECT_FALSE(installation_of(folder / "bin/lanescope", "1.2.3").is_alone) << "a build folder";
  EXPECT_FALSE(Environment().found().is_alone);
}

TEST(Installation, OfAUserOrAFolderIsRestoredThere) {
  const Environment target(".");
  EXPECT_THAT(command_to_install(target.found(), nvrtc), HasSubstr(" --target '" + target.prefix().string() + "' "));
  const test::TempFolder home;
  const fs::path site = home / ".local/lib/python3.77/site-packages";
  write_file(home / ".local/bin/lanescope", "");
  Environment::name_version("1.2.3", site);
  const ScopedVariable here("HOME", home.path().string());
  EXPECT_EQ(command_to_install(installation_of(home / ".local/bin/lanescope", "1.2.3"), own),
            "python3.77 -m pip install --user --force-reinstall --no-deps lanescope==1.2.3");
}

TEST(Installation, ComesAgainFromWhereItCame) {
  const Environment environment;
  write_file(environment.prefix() / "pyvenv.cfg", "home = /usr/bin\n");
  EXPECT_THAT(command_to_install(environment.found(), own), HasSubstr(" lanescope==1.2.3"));
  write_file(environment.info("lanescope-1.2.3") / "direct_url.json",
             R"({"archive_info": {}, "url": "file:///home/me/lanescope-1.2.3.whl"})");
  EXPECT_THAT(command_to_install(environment.found(), own), HasSubstr(" file:///home/me/lanescope-1.2.3.whl"));
}

TEST(Installation, DocumentsAreNamedByTheirPathThere) {
  const Environment environment;
  EXPECT_EQ(document_of(environment.found(), "docs/environment.md"),
            (environment.prefix() / "share/lanescope/docs/environment.md").generic_string());
  EXPECT_EQ(document("docs/environment.md"), "docs/environment.md") << "of this test program, in the source tree";
}

TEST(Installation, AnArchiveIsUnpackedAgain) {
  const Environment environment;
  environment.has_package("nvidia-cuda-nvrtc", pinned("nvidia-cuda-nvrtc"), {"nvidia/cu13/lib/libnvrtc.so.13"});
  EXPECT_EQ(how_to_install(environment.found(), nvrtc),
            worded("Run `{}`.", command_to_install(environment.found(), nvrtc)));
  write_file(environment.prefix() / "share/lanescope/unpacked-from", "lanescope-1.2.3-linux-x86_64.tar.gz\n");
  const Installation found = environment.found();
  ASSERT_TRUE(found.is_wheel()) << "its packages are looked for in the same places";
  EXPECT_EQ(packages_of(found, "cuda").front().found, pinned("nvidia-cuda-nvrtc"));
  EXPECT_EQ(found.all_site_packages.size(), 1u) << "nothing outside the folder belongs to it";
  EXPECT_EQ(command_to_install(found, nvrtc), "");
  EXPECT_EQ(how_to_install(found, nvrtc),
            worded("Unpack {} again, over {}.", "lanescope-1.2.3-linux-x86_64.tar.gz", environment.prefix().string()));
  const std::vector<std::string_view> not_in_it = {"nvidia-cuda-nvcc", "nvidia-cuda-runtime"};
  EXPECT_EQ(how_to_install(found, not_in_it),
            Wording("Install the CUDA Toolkit 12 or newer: the archive has no nvcc."));
  const std::vector<std::string_view> older = {"nvidia-cuda-nvrtc-cu12"};
  EXPECT_EQ(how_to_install(found, older), Wording("Install the CUDA Toolkit 12.9: the archive has only CUDA 13."));
}

}  // namespace
}  // namespace lanescope
