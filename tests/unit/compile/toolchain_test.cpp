// Finds the compiler, and says what is missing where there is none.

#include "compile/toolchain.h"

#include <gmock/gmock.h>

#include "compile/fixture.h"
#include "golden.h"

namespace lanescope::compile {
namespace {

using testing::HasSubstr;

TEST(Toolchain, SaysHowToGetNvrtcWhereThereIsNone) {
  const test::TempFolder nothing;
  const ScopedVariable only("LANESCOPE_CUDA", nothing.path().string());
  const auto toolchain = find_toolchain();
  ASSERT_FALSE(toolchain.ok());
  EXPECT_EQ(toolchain.errors().front().code, "toolchain.no_nvrtc");
  EXPECT_THAT(toolchain.errors().front().cure, HasSubstr("LANESCOPE_CUDA is " + nothing.path().string()));
  const auto ptx = compile({"k.cu", "__global__ void k() {}", {}}, {});
  ASSERT_FALSE(ptx.ok());
  EXPECT_EQ(ptx.errors().front().code, "toolchain.no_nvrtc");
  const auto sass = to_sass("", "k", "sm_90");
  ASSERT_FALSE(sass.ok());
  EXPECT_EQ(sass.errors().front().code, "toolchain.no_nvrtc");
}

TEST(Toolchain, SaysHowToGetNvrtcFromItsPackage) {
  const ScopedVariable none("LANESCOPE_CUDA", "");
  const auto toolchain = locate_toolchain(SearchPlaces{{}, false});
  ASSERT_FALSE(toolchain.ok());
  EXPECT_THAT(toolchain.errors().front().cure, HasSubstr("third_party/fetch"));
}

TEST(Toolchain, AMissingFolderIsNoCrash) {
  const ScopedVariable only("LANESCOPE_CUDA", "/nowhere/at all");
  EXPECT_FALSE(find_toolchain().ok());
}

TEST(Toolchain, ADamagedLibraryIsNamed) {
  const test::TempFolder folder;
  test::write_file(folder / "lib/libnvrtc.so.13", "this is no library");
  const auto located = locate_toolchain({{folder.path().string()}, false});
  ASSERT_FALSE(located.ok());
  EXPECT_THAT(located.errors().front().message, HasSubstr("libnvrtc.so.13"));
}

TEST(Toolchain, AnOldLibraryIsNamed) {
  const test::TempFolder folder;
  test::write_file(folder / "lib64/libnvrtc.so.11.2", "");
  const auto located = locate_toolchain({{folder.path().string()}, false});
  ASSERT_FALSE(located.ok());
  EXPECT_THAT(located.errors().front().message, HasSubstr("older than version 12"));
}

TEST(Toolchain, FetchedDependenciesComeBeforeToolkits) {
  const test::TempFolder folder;
  std::filesystem::create_directories(folder / "cuda");
  const ScopedVariable deps("LANESCOPE_DEPS", folder.path().string());
  const ScopedVariable home("CUDA_HOME", folder.path().string());
  unset_variable("LANESCOPE_CUDA");
  const auto places = SearchPlaces::of_this_process();
  ASSERT_GE(places.roots.size(), 2u);
  EXPECT_EQ(places.roots.front(), (folder / "cuda").string());
}

TEST(Toolchain, PartsOfWheelsAreFoundInSeparateFolders) {
  NEEDS_NVRTC();
  const Toolchain real = *find_toolchain();
  const test::TempFolder folder;
  const auto nvidia = folder / "nvidia";
  std::filesystem::create_directories(nvidia / "cuda_nvrtc/lib");
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(real.nvrtc_path).parent_path()))
    if (entry.path().filename().string().starts_with("libnvrtc"))
      std::filesystem::create_symlink(entry.path(), nvidia / "cuda_nvrtc/lib" / entry.path().filename());
  test::write_file(nvidia / "cuda_runtime/include/cuda_fp16.h", "");
  test::write_file(nvidia / "cuda_cccl/include/nv/target", "");
  const auto located = locate_toolchain({{folder.path().string()}, false});
  ASSERT_TRUE(located.ok()) << format(located.errors().front());
  EXPECT_THAT(located->parts.include_paths, testing::ElementsAre((nvidia / "cuda_runtime/include").string(),
                                                                 (nvidia / "cuda_cccl/include").string()));
  EXPECT_TRUE(located->parts.sass_compiler_path.empty());
  EXPECT_TRUE(located->parts.disassembler_path.empty());
}

// One environment with a wheel of CUDA 13 and the CUDA 12 files of another program; `libraries` has NVRTC.
void put_both_into(const test::TempFolder& folder, const std::filesystem::path& libraries, const char* where) {
  for (const char* file :
       {"cu13/include/cuda_fp16.h", "cu13/include/cccl/nv/target", "cuda_runtime/include/cuda_fp16.h",
        "cuda_cccl/include/nv/target", "cu13/lib/readme", "cuda_nvrtc/lib/readme"})
    test::write_file(folder / "nvidia" / file, "");
  for (const auto& entry : std::filesystem::directory_iterator(libraries))
    if (entry.path().filename().string().starts_with("libnvrtc"))
      std::filesystem::create_symlink(entry.path(), folder / "nvidia" / where / entry.path().filename());
}

TEST(Toolchain, HeadersOfWheelsAreThoseOfTheirNvrtc) {
  NEEDS_NVRTC();
  const std::filesystem::path library = find_toolchain()->nvrtc_path;
  if (!library.filename().string().starts_with("libnvrtc.so.13")) GTEST_SKIP() << "the NVRTC here is not of CUDA 13";
  const test::TempFolder folder;
  put_both_into(folder, library.parent_path(), "cu13/lib");
  test::write_file(folder / "nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "");
  const auto located = locate_toolchain({{folder.path().string()}, false});
  ASSERT_TRUE(located.ok()) << format(located.errors().front());
  EXPECT_EQ(located->nvrtc->major, 13);
  const auto headers = folder / "nvidia/cu13/include";
  EXPECT_THAT(located->parts.include_paths, testing::ElementsAre(headers.string(), (headers / "cccl").string()));
}

TEST(Toolchain, HeadersOfOlderWheelsAreThoseOfTheirNvrtc) {
  const auto library = locate_toolchain_for("sm_70");
  if (!library.ok() || library->nvrtc->major != 12) GTEST_SKIP() << "no NVRTC 12: third_party/fetch cuda12";
  const auto libraries = std::filesystem::path(library->parts.nvrtc_path).parent_path();
  const test::TempFolder folder;
  put_both_into(folder, libraries, "cuda_nvrtc/lib");
  const auto located = locate_toolchain({{folder.path().string()}, false});
  ASSERT_TRUE(located.ok()) << format(located.errors().front());
  EXPECT_EQ(located->nvrtc->major, 12);
  EXPECT_THAT(located->parts.include_paths, testing::ElementsAre((folder / "nvidia/cuda_runtime/include").string(),
                                                                 (folder / "nvidia/cuda_cccl/include").string()));
}

TEST(Toolchain, TheCureIsOfHowItWasInstalled) {
  const test::TempFolder folder;
  const auto site = folder / "lib/python3.11/site-packages";
  test::write_file(folder / "bin/lanescope", "");
  test::write_file(folder / "pyvenv.cfg", "home = /usr/bin\n");
  test::write_file(site / "lanescope-1.0.dist-info/METADATA", "");
  const Wording built = how_to_get(Installation{}, {"nvidia-nvjitlink"}, "Build it.");
  EXPECT_EQ(built, "Build it.");
  const Wording wheel = how_to_get(installation_of(folder / "bin/lanescope", "1.0"),
                                   {"nvidia-nvjitlink", "nvidia-cuda-nvdisasm"}, "Build it.");
  EXPECT_THAT(wheel, testing::MatchesRegex("Run `.*/bin/python -m pip install --force-reinstall --no-deps "
                                           "nvidia-nvjitlink==[0-9.]+ nvidia-cuda-nvdisasm==[0-9.]+ .*`\\."));
}

TEST(Toolchain, ReadsTheVersionFromPtx) {
  EXPECT_EQ(version_in_ptx("//\n// Cuda compilation tools, release 13.0, V13.0.88\n//\n.version 9.0\n"), "13.0.88");
  EXPECT_EQ(version_in_ptx(".version 9.0\n"), "");
}

}  // namespace
}  // namespace lanescope::compile
