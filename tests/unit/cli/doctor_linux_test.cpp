// What `doctor` says about the packages of an installed program: an environment as pip leaves it, with a copy of the
// program.

#include <filesystem>

#include <gmock/gmock.h>

#include "cli/program.h"
#include "core/os/installation.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// The environment's program.
fs::path install(const fs::path& prefix) {
  const fs::path program = prefix / "bin/lanescope";
  fs::create_directories(program.parent_path());
  std::error_code other_file_system;
  fs::create_hard_link(LANESCOPE_BINARY, program, other_file_system);
  if (other_file_system) fs::copy_file(LANESCOPE_BINARY, program);
  return program;
}

void has_package(const fs::path& site, std::string name, const std::string& version, const std::string& file) {
  std::ranges::replace(name, '-', '_');
  test::write_file(site / (name + "-" + version + ".dist-info/RECORD"), file + ",sha256=abc,1\n");
}

test::Ran doctor_of(const fs::path& program, const std::string& options) {
  return test::lanescope(
      {}, {.environment = "sh -c " + test::quoted(test::quoted(program.string()) + " doctor" + options)});
}

TEST(Doctor, SaysWhichVersionOfAPackageIsThere) {
  if (test::installed()) GTEST_SKIP() << "the program is in an environment of its own";
  const test::TempFolder folder;
  const fs::path program = install(folder / "env"), site = folder / "env/lib/python3.11/site-packages";
  test::write_file(site / ("lanescope-" LANESCOPE_VERSION ".dist-info/METADATA"), "");
  std::string pinned;
  for (const PinnedPackage& pin : pinned_packages())
    if (pin.name == "nvidia-cuda-nvrtc") pinned = pin.version;
  ASSERT_NE(pinned, "");
  has_package(site, "nvidia-cuda-nvrtc", "12.0.1", "x");
  has_package(site, "nvidia-nvjitlink", "13.0.88", "not/there.so");
  const test::Ran ran = doctor_of(program, "");
  EXPECT_THAT(ran.out, HasSubstr("differs  Package of NVIDIA        nvidia-cuda-nvrtc is version 12.0.1; this program "
                                 "was made for " +
                                 pinned + "."));
  EXPECT_THAT(ran.out, HasSubstr("damaged  Package of NVIDIA        nvidia-nvjitlink 13.0.88 lacks files"));
  EXPECT_THAT(ran.out, HasSubstr("missing  Package of NVIDIA        nvidia-cuda-nvdisasm is not installed."));
  EXPECT_THAT(ran.out, Not(HasSubstr("missing  Package of NVIDIA        nvidia-cuda-nvrtc")));
  const nlohmann::json parts = doctor_of(program, " --json").json()["parts"];
  const auto of_nvrtc = std::ranges::find_if(parts, [](const nlohmann::json& part) {
    return part["what"].get<std::string>().starts_with("nvidia-cuda-nvrtc");
  });
  ASSERT_NE(of_nvrtc, parts.end());
  EXPECT_EQ((*of_nvrtc)["state"], "differs");
  EXPECT_EQ((*of_nvrtc)["found"], false);
}

// The program was copied without its other files.
TEST(ProgramAlone, SaysThatItsLessonsAreMissing) {
  if (test::installed()) GTEST_SKIP() << "the program is in an environment of its own";
  const test::TempFolder folder;
  const fs::path program = install(folder / "alone");
  for (const std::string arguments : {"list", "run coalescing", "shot window.png", ""}) {
    const std::string command =
        "unset LANESCOPE_ROOT; cd / && exec " + test::quoted(program.string()) + " " + arguments;
    const test::Ran ran = test::lanescope({}, {.environment = "sh -c " + test::quoted(command)});
    EXPECT_NE(ran.code, 0) << arguments;
    EXPECT_THAT(ran.err, HasSubstr("error: The lessons were not found.\n  cure: ")) << arguments;
  }
}

}  // namespace
}  // namespace lanescope
