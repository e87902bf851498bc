// A file whose text is on screen is changed by another program.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "TextEditor.h"
#include "core/os/message_codec.h"
#include "driver.h"
#include "test_paths.h"
#include "unit/device/saved_program.h"
#include "unit/golden.h"

namespace lanescope::test {
namespace {

namespace fs = std::filesystem;

const std::string copy_kernel =
    "__global__ void copy(const float* in, float* out, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) out[i] = in[i];\n"
    "}\n";

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream(file) << text;
}

std::string read_back(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

class FileWatched : public testing::Test {
 protected:
  FileWatched() {
    write_text(file_, copy_kernel);
    options_.run = file_.string();
  }
  std::string in_editor(Learner& learner) const {
    return learner.app().window().code().editor(learner.session()).GetText();
  }
  const TempFolder folder_;
  const fs::path file_ = folder_ / "copy.cu";
  gui::Options options_;
};

TEST_F(FileWatched, AnEditStaysUntilTheLearnerChooses) {
  Learner learner(options_);
  gui::Session& s = learner.session();
  const std::string mine = copy_kernel + "// mine\n", theirs = copy_kernel + "// theirs\n";
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.types_over_everything(ui, mine);
    learner.wait(ui);
    EXPECT_FALSE(s.selection.edit_outdated());
    write_text(file_, theirs);
    EXPECT_TRUE(learner.wait_for(ui, [&] { return s.selection.edit_outdated(); }));
    EXPECT_EQ(s.selection.source(), mine);
    EXPECT_TRUE(learner.says(ui, "The file changed on the disk after you edited it here."));
    learner.saves(ui, "file_changed");
    ui.ItemClick("**/keep edit");
    ui.Yield(2);
    EXPECT_FALSE(s.selection.edit_outdated());
    EXPECT_EQ(s.selection.source(), mine);
    EXPECT_TRUE(s.selection.edited());

    write_text(file_, theirs + "// more\n");
    EXPECT_TRUE(learner.wait_for(ui, [&] { return s.selection.edit_outdated(); })) << "it changed again";
    ui.ItemClick("**/take file");
    learner.wait(ui);
    EXPECT_EQ(s.selection.source(), theirs + "// more\n");
    EXPECT_FALSE(s.selection.edited());
    EXPECT_EQ(s.runs.shown()->key.source, theirs + "// more\n") << "and it ran";
    ASSERT_EQ(s.notices().size(), 1u);
    const std::string said = s.notices().front().message;
    const std::string copy = said.substr(said.find('/'), said.rfind(".cu") + 3 - said.find('/'));
    EXPECT_EQ(read_back(copy), mine);
    learner.saves(ui, "file_taken");
    learner.clicks_into_line(ui, 1);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ui.Yield(2);
    EXPECT_EQ(s.selection.source(), mine);
    EXPECT_FALSE(s.selection.edit_outdated()) << "it is an edit of the file as it is";
    EXPECT_EQ(read_back(file_), theirs + "// more\n");
  });
}

TEST_F(FileWatched, AnEditOfAnEarlierSessionKnowsItsFile) {
  Learner learner(options_);
  const std::string mine = copy_kernel + "// mine\n";
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.types_over_everything(ui, mine);
    learner.wait(ui);
  });
  learner.restarts();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(learner.session().selection.source(), mine);
    EXPECT_FALSE(learner.session().selection.edit_outdated());
  });
  write_text(file_, copy_kernel + "// theirs\n");
  learner.restarts();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(learner.session().selection.source(), mine);
    EXPECT_TRUE(learner.session().selection.edit_outdated());
    EXPECT_TRUE(ui.ItemExists("**/keep edit"));
  });
}

TEST_F(FileWatched, ATextWithoutAnEditFollowsItsFile) {
  Learner learner(options_);
  gui::Session& s = learner.session();
  const std::string theirs = copy_kernel + "__global__ void two(float* out) { out[threadIdx.x] = 2; }\n";
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    write_text(file_, theirs);
    EXPECT_TRUE(learner.wait_for(ui, [&] { return s.selection.source() == theirs; }));
    learner.wait(ui);
    EXPECT_FALSE(s.selection.edited());
    EXPECT_NE(in_editor(learner).find("void two"), std::string::npos);
    EXPECT_EQ(s.selection.kernel_file()->kernels.size(), 2u);
    EXPECT_TRUE(s.runs.stale()) << "what is shown is of the text before";
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_FALSE(s.runs.stale());
  });
}

// An edit of an earlier session that does not compile: it is in the editor, where it can be mended, and not only told.
TEST(EditOfAProgram, ThatIsWrongIsShownBesideTheRunOfItsFile) {
  const TempFolder folder;
  const std::string saved = device_test::save_launches(folder.path(), {});
  const std::string program = (folder / "add.cu").string(), original = read_back(program) + "int main() {}\n";
  write_text(program, original);
  const Diagnostic wrong{
      Severity::error, "compile.error", {"WHERE", 2, 1}, "The file is empty.", "Drop a CUDA source file."};
  write_text(folder / "wrong", Message{{"said", Message::array({as_message(wrong)})}}.dump());
  // The last word is `--`, the one before it the file.
  const fs::path exec = folder / "exec";
  write_text(exec, "#!/bin/sh\nsaid=$4; save=$6\nfor w; do case $w in */text/add.cu) sed \"s|WHERE|$w|\" '" +
                       (folder / "wrong").string() + "' > \"$said\"; exit 1;; esac; done\ncp '" + saved +
                       "' \"$save\"; echo '{\"said\":[]}' > \"$said\"\n");
  fs::permissions(exec, fs::perms::owner_all);
  gui::Options options;
  options.own_program = exec.string();
  options.run = program;
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(learner.session().selection.run(), nullptr);
    learner.types_over_everything(ui, original + "mistake\n");
    learner.wait(ui);
  });
  learner.restarts();
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(s.selection.run(), nullptr) << "the file's own text ran";
    EXPECT_EQ(s.selection.source(), original + "mistake\n") << "the edit is in the editor";
    ASSERT_FALSE(s.runs.problems().empty());
    EXPECT_EQ(s.runs.problems().front().place.line, 2);
    EXPECT_TRUE(s.notices().empty());
    learner.saves(ui, "edit_that_is_wrong");
  });
}

}  // namespace
}  // namespace lanescope::test
