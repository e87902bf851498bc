// Pictures of the window: which are saved, and which are refused.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "driver.h"
#include "gui/parts/tabs.h"
#include "kernel_folder.h"
#include "test_paths.h"
#include "unit/device/saved_program.h"

namespace lanescope::test {
namespace {

std::string bytes_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

gui::ShotOptions shot_into(const std::string& file) {
  gui::ShotOptions options;
  options.lessons_folder = LANESCOPE_SOURCE_DIR "/lessons";
  options.keep_state = false;
  options.output = (std::filesystem::temp_directory_path() / file).string();
  return options;
}

TEST(Shot, SavesAPngOfTheAskedSize) {
  gui::ShotOptions options = shot_into("lanescope-shot.png");
  options.width = 1024, options.height = 640, options.scale = 1.5f;
  options.theme = "light", options.page = "read";
  EXPECT_TRUE(gui::take_shot(options).ok());
  const std::string png = bytes_of_file(options.output);
  ASSERT_GT(png.size(), 10'000u);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(png[i]); };
  EXPECT_EQ(at(18) << 8 | at(19), 1536);
  EXPECT_EQ(at(22) << 8 | at(23), 960);
  std::filesystem::remove(options.output);
}

TEST(Shot, SaysWhatIsWrong) {
  const gui::ShotOptions good = shot_into("lanescope-refused.png");
  std::filesystem::remove(good.output);
  const auto refused = [&](auto change) {
    gui::ShotOptions options = good;
    change(options);
    const auto taken = gui::take_shot(options);
    return taken ? "nothing" : taken.errors().front().code;
  };
  EXPECT_EQ(refused([](gui::ShotOptions& o) { o.lesson = "nothing"; }), "lesson.no_such");
  EXPECT_EQ(refused([](gui::ShotOptions& o) { o.variant = "nothing"; }), "lesson.no_such_variant");
  EXPECT_EQ(refused([](gui::ShotOptions& o) { o.controls["stride"] = 99999; }), "control.out_of_range");
  EXPECT_EQ(refused([](gui::ShotOptions& o) { o.page = "nothing"; }), "shot.unknown_name");
  EXPECT_EQ(refused([](gui::ShotOptions& o) { o.source = "/nowhere/k.cu"; }), "shot.unknown_name");
  EXPECT_EQ(refused([](gui::ShotOptions& o) { o.source = "/tmp"; }), "shot.unknown_name") << "a folder";
  EXPECT_EQ(refused([](gui::ShotOptions& o) { o.output = "/nowhere/x.png"; }), "shot.io");
  // Another place or picture than the wanted one would be taken for it.
  EXPECT_EQ(refused([](gui::ShotOptions& o) { o.step = 999; }), "shot.unknown_name");
  EXPECT_EQ(refused([](gui::ShotOptions& o) { o.block = 999; }), "shot.unknown_name");
  EXPECT_EQ(refused([](gui::ShotOptions& o) { o.warp = 99; }), "shot.unknown_name");
  EXPECT_EQ(refused([](gui::ShotOptions& o) { o.launch = 7; }), "shot.unknown_name");
  EXPECT_EQ(refused([](gui::ShotOptions& o) { o.tab = "shuffle"; }), "shot.unknown_name");
  const std::string display = std::getenv("DISPLAY") != nullptr ? std::getenv("DISPLAY") : "";
  ::unsetenv("DISPLAY");
  EXPECT_FALSE(gui::display_available());
  EXPECT_EQ(refused([](gui::ShotOptions&) {}), "window.no_display");
  ::setenv("DISPLAY", display.c_str(), 1);
  EXPECT_TRUE(gui::display_available());
  EXPECT_FALSE(std::filesystem::exists(good.output));
}

// The help is written by hand, in both languages; the cure is made from the same enumerators.
TEST(Shot, HelpAndCureNameEveryTab) {
  const std::string table = bytes_of_file(LANESCOPE_SOURCE_DIR "/engine/words/help_messages.def");
  const std::size_t row = table.find("MESSAGE(\"sectors, banks"), end = table.find("MESSAGE(", row + 1);
  ASSERT_NE(row, std::string::npos);
  const std::string help = table.substr(row, end - row);
  gui::ShotOptions options = shot_into("lanescope-refused.png");
  options.tab = "nothing";
  const auto taken = gui::take_shot(options);
  ASSERT_FALSE(taken.ok());
  const std::string cure = taken.errors().front().cure;
  std::stringstream codes(gui::codes_of<gui::WarpTab>() + " " + gui::codes_of<gui::StepsTab>());
  for (std::string code; codes >> code;) {
    EXPECT_NE(help.find(code), std::string::npos) << code << ": " << help;
    EXPECT_NE(cure.find(" " + code), std::string::npos) << code << ": " << cure;
  }
}

// Of a file's kernel and its edit, and of a program that makes two launches.
TEST(Shot, ShowsAKernelBesideWhatItWasAndALaunchOfAProgram) {
  const KernelFolder folder;
  gui::ShotOptions options = shot_into("lanescope-versions.png");
  options.run = folder.write("copy.cu",
                             "__global__ void copy(const float* in, float* out, int n) {\n"
                             "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "  if (i < n) out[i] = in[i];\n}\n");
  const auto alone = gui::take_shot(options);
  EXPECT_TRUE(alone.ok());
  const std::string of_file = bytes_of_file(options.output);
  options.compare_before = true;
  const auto nothing_before = gui::take_shot(options);
  ASSERT_FALSE(nothing_before.ok());
  EXPECT_EQ(nothing_before.errors().front().message, "Nothing ran before what is on screen.");
  options.source = folder.write("now.cu",
                                "__global__ void copy(const float* in, float* out, int n) {\n"
                                "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                "  if (i < n) out[i] = in[i ^ 8];\n}\n");
  EXPECT_TRUE(gui::take_shot(options).ok());
  EXPECT_NE(bytes_of_file(options.output), of_file);

  gui::ShotOptions program = shot_into("lanescope-versions.png");
  const std::string saved = device_test::save_launches(folder.path(), {1000, 2});
  const std::string script = "#!/bin/sh\ncp '" + saved + "' \"$6\"; echo '{\"said\":[]}' > \"$4\"\n";
  program.own_program = folder.write("exec", script);
  program.run = folder.write("learners", script);
  for (const std::string& file : {program.own_program, program.run})
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  program.run_launch = 2;
  EXPECT_TRUE(gui::take_shot(program).ok());
  EXPECT_NE(bytes_of_file(options.output), of_file);
  folder.write("exec", "#!/bin/sh\nexit 3\n");
  const auto failed = gui::take_shot(program);
  EXPECT_FALSE(failed.ok()) << "no launch, no picture of a lesson in its place";
  std::filesystem::remove(options.output);
}

// The editor, which takes the text, is not drawn in present mode: the picture was that of the lesson's own kernel.
TEST(Shot, PresentModeShowsTheTextThatWasGiven) {
  const KernelFolder folder;
  gui::ShotOptions options = shot_into("lanescope-presented.png");
  options.present = true;
  EXPECT_TRUE(gui::take_shot(options).ok());
  const std::string of_lesson = bytes_of_file(options.output);
  const std::string begin =
      "__global__ void stride_copy(const float* in, float* out, int n, int stride) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
  options.source = folder.write("shifted.cu", begin + "  out[i] = in[i * stride + 1];\n}\n");
  EXPECT_TRUE(gui::take_shot(options).ok());
  EXPECT_NE(bytes_of_file(options.output), of_lesson);
  options.source = folder.write("wrong.cu", begin + "  out[i] = in[i * stride]\n}\n");
  EXPECT_FALSE(gui::take_shot(options).ok()) << "it does not compile";
  std::filesystem::remove(options.output);
}

TEST(Shot, AFullDiskLeavesTheOldPicture) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const std::string path = shot_into("lanescope-old.png").output,
                    beside = path + "." + std::to_string(::getpid()) + ".part";
  std::ofstream(path) << "old";
  std::filesystem::create_symlink("/dev/full", beside);
  const auto saved = gui::save_png(path, 64, 64, std::vector<std::uint8_t>(64 * 64 * 4, 7));
  ASSERT_FALSE(saved.ok());
  EXPECT_EQ(saved.errors().front().code, "shot.io");
  EXPECT_EQ(bytes_of_file(path), "old");
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::symlink_status(beside)));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace lanescope::test
