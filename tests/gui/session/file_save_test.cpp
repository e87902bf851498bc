// Ctrl + S in a file of the learner's: what is written, and when not.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "driver.h"
#include "test_paths.h"
#include "unit/golden.h"

namespace lanescope::test {
namespace {

namespace fs = std::filesystem;

const std::string scale_kernel =
    "__global__ void scale(float* out, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) out[i] = 2 * out[i];\n"
    "}\n";

void put(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class FileSaved : public testing::Test {
 protected:
  FileSaved() {
    put(file_, scale_kernel);
    options_.run = file_.string();
  }
  // The code of what Ctrl + S says.
  std::string saves(Learner& learner, ImGuiTestContext& ui) {
    learner.session().dismiss_notices();
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    EXPECT_TRUE(learner.wait_for(ui, [&] { return !learner.session().notices().empty(); }));
    const Diagnostics& said = learner.session().notices();
    return said.empty() ? "" : said.front().code;
  }
  const TempFolder folder_;
  const fs::path file_ = folder_ / "scale.cu";
  gui::Options options_;
};

TEST_F(FileSaved, WritesTheTextOnScreenAndDropsTheEdit) {
  fs::permissions(file_, fs::perms::owner_read | fs::perms::owner_write | fs::perms::others_exec);
  const fs::perms before = fs::status(file_).permissions();
  Learner learner(options_);
  gui::Session& s = learner.session();
  const std::string mine = scale_kernel + "// mine\n", more = scale_kernel + "// more\n";
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(saves(learner, ui), "file.nothing_to_save");
    EXPECT_FALSE(learner.says(ui, "scale.cu •"));
    learner.types_over_everything(ui, mine);
    learner.wait(ui);
    EXPECT_EQ(contents(file_), scale_kernel) << "only Ctrl + S writes it";
    EXPECT_TRUE(learner.says(ui, "scale.cu •"));
    learner.saves(ui, "file_differs");
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_EQ(saves(learner, ui), "file.saved");
    learner.saves(ui, "file_saved");
    EXPECT_EQ(contents(file_), mine);
    EXPECT_EQ(fs::status(file_).permissions(), before);
    EXPECT_FALSE(s.selection.edited());
    EXPECT_FALSE(s.selection.edited(s.selection.variant())) << "nothing is kept beside it";
    EXPECT_FALSE(s.runs.stale()) << "it is the text that ran";
    EXPECT_FALSE(learner.says(ui, "scale.cu •"));
    EXPECT_TRUE(learner.wait_for(ui, [&] { return s.notices().empty(); })) << "goes away by itself";
    const std::size_t files = static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), {}));
    EXPECT_EQ(files, 1u) << "nothing is left beside it";

    learner.types_over_everything(ui, more);
    learner.wait(ui);
    EXPECT_EQ(saves(learner, ui), "file.saved") << "while typing";
    EXPECT_EQ(contents(file_), more);
  });
  learner.restarts();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(learner.session().selection.source(), more);
    EXPECT_FALSE(learner.session().selection.edited()) << "no edit was kept";
  });
}

TEST_F(FileSaved, WritesOverAChangedFileOnlyWhenAskedTwice) {
  Learner learner(options_);
  gui::Session& s = learner.session();
  const std::string mine = scale_kernel + "// mine\n", theirs = scale_kernel + "// theirs\n";
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.types_over_everything(ui, mine);
    learner.wait(ui);
    put(file_, theirs);
    EXPECT_EQ(saves(learner, ui), "file.changed");
    EXPECT_TRUE(learner.wait_for(ui, [&] { return s.selection.edit_outdated(); })) << "the buttons above the code";
    learner.saves(ui, "file_not_saved");
    EXPECT_EQ(contents(file_), theirs);
    EXPECT_EQ(s.selection.source(), mine);
    put(file_, theirs + "// again\n");
    EXPECT_EQ(saves(learner, ui), "file.changed") << "it is not what was refused";
    EXPECT_EQ(saves(learner, ui), "file.saved");
    EXPECT_EQ(contents(file_), mine);
    EXPECT_FALSE(s.selection.edit_outdated());
  });
}

TEST_F(FileSaved, AFileThatIsGoneIsWrittenAnewWhenAskedTwice) {
  Learner learner(options_);
  const std::string mine = scale_kernel + "// mine\n";
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.types_over_everything(ui, mine);
    learner.wait(ui);
    fs::remove(file_);
    EXPECT_EQ(saves(learner, ui), "file.gone");
    EXPECT_FALSE(fs::exists(file_));
    EXPECT_EQ(saves(learner, ui), "file.saved");
    EXPECT_EQ(contents(file_), mine);
  });
}

TEST_F(FileSaved, AReadOnlyFileAndAFullDiskKeepTheFileAndTheEdit) {
  Learner learner(options_);
  gui::Session& s = learner.session();
  const std::string mine = scale_kernel + "// mine\n";
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.types_over_everything(ui, mine);
    learner.wait(ui);
    fs::permissions(file_, fs::perms::owner_read);
    EXPECT_EQ(saves(learner, ui), "file.read_only");
    EXPECT_EQ(saves(learner, ui), "file.read_only") << "twice is no reason";
    fs::permissions(file_, fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(contents(file_), scale_kernel);
    // A write beside it fails: there is a folder of the name that the new contents would get first.
    const fs::path beside = file_.string() + "." + std::to_string(::getpid()) + ".part";
    fs::create_directory(beside);
    EXPECT_EQ(saves(learner, ui), "file.not_saved");
    EXPECT_EQ(contents(file_), scale_kernel);
    EXPECT_EQ(s.selection.source(), mine);
    fs::remove(beside);
    EXPECT_EQ(saves(learner, ui), "file.saved");
  });
}

TEST_F(FileSaved, KeepsTheLineEndsOfTheFile) {
  put(file_, "__global__ void two(float* out) {\r\n  out[threadIdx.x] = 2;\r\n}\r\n");
  Learner learner(options_);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_FALSE(learner.session().selection.edited());
    learner.clicks_into_line(ui, 1);
    ui.KeyChars("// mine ");
    learner.wait(ui);
    EXPECT_EQ(saves(learner, ui), "file.saved");
    EXPECT_EQ(contents(file_), "// mine __global__ void two(float* out) {\r\n  out[threadIdx.x] = 2;\r\n}\r\n");
    EXPECT_FALSE(learner.session().selection.edited());
  });
}

TEST_F(FileSaved, BytesThatAreNotUtf8AreNotChanged) {
  put(file_, scale_kernel + "// \xe9\n");
  Learner learner(options_);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.clicks_into_line(ui, 1);
    ui.KeyChars("// mine ");
    learner.wait(ui);
    EXPECT_EQ(saves(learner, ui), "file.not_utf8");
    EXPECT_EQ(contents(file_), scale_kernel + "// \xe9\n");
  });
}

TEST_F(FileSaved, AnotherTextTypedMeanwhileStaysAnEdit) {
  Learner learner(options_);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const std::string mine = scale_kernel + "// mine\n", later = scale_kernel + "// later\n";
    learner.types_over_everything(ui, later);
    learner.wait(ui);
    s.selection.take_saved(s.selection.edit_on_screen(), mine);
    EXPECT_TRUE(s.selection.edited());
    EXPECT_EQ(s.selection.source(), later);
    EXPECT_EQ(s.selection.base_of_edit(), mine);
    EXPECT_FALSE(s.selection.edit_outdated());
  });
}

}  // namespace
}  // namespace lanescope::test
