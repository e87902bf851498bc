// Edits and settings outlive the program, and a failing disk harms neither.

#include "gui/state/state_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "unit/full_disk_linux.h"

namespace lanescope::gui {
namespace {

namespace fs = std::filesystem;

class StateStoreTest : public testing::Test {
 protected:
  StateStoreTest() {
    std::string pattern = (fs::temp_directory_path() / "lanescope-state-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~StateStoreTest() override { fs::remove_all(folder_); }
  std::string folder_;
};

TEST_F(StateStoreTest, EditsComeBack) {
  const StateStore store(folder_);
  EXPECT_FALSE(store.edit("coalescing", "stride"));
  ASSERT_TRUE(store.save_edit("coalescing", "stride", "int a;\n"));
  ASSERT_TRUE(store.save_edit("coalescing", "offset", "int b;\n"));
  EXPECT_EQ(StateStore(folder_).edit("coalescing", "stride"), "int a;\n");
  EXPECT_EQ(StateStore(folder_).edit("coalescing", "offset"), "int b;\n");
  store.remove_edit("coalescing", "stride");
  EXPECT_FALSE(StateStore(folder_).edit("coalescing", "stride"));
}

TEST_F(StateStoreTest, SettingsComeBack) {
  SavedSettings saved;
  saved.theme = "light";
  saved.language = "zh-CN";
  saved.lesson = "coalescing";
  saved.variant_of["coalescing"] = "offset";
  saved.zoom = 1.25f;
  saved.reduce_motion = true;
  saved.width = 1024;
  saved.recent_runs = {"/runs/a.lsrun", "/code/b.cu"};
  saved.programs["/code/b.cu"] = {"one 'two words'", "/elsewhere", {"../include"}, {"TILE=32"}};
  ASSERT_TRUE(StateStore(folder_).save(saved));
  EXPECT_EQ(StateStore(folder_).settings(), saved);
}

// Older settings kept one answer for each question, with its values.
TEST_F(StateStoreTest, OlderAnswersAreKeptByTheirValues) {
  std::ofstream(folder_ + "/settings.json")
      << R"({"answers": {"coalescing/stride_sectors": "32@block=256,stride=17"}})";
  SavedSettings kept = StateStore(folder_).settings();
  const std::map<std::string, std::string> expected{{"coalescing/stride_sectors@block=256,stride=17", "32"}};
  EXPECT_EQ(kept.answers, expected);
  ASSERT_TRUE(StateStore(folder_).save(kept));
  EXPECT_EQ(StateStore(folder_).settings().answers, expected);
}

// A FIFO in place of an edit does not block, and a huge file is not read into the editor.
TEST_F(StateStoreTest, OnlyOrdinaryFilesAreEdits) {
  fs::create_directories(folder_ + "/edits/coalescing");
  ASSERT_EQ(::mkfifo((folder_ + "/edits/coalescing/stride.cu").c_str(), 0600), 0);
  EXPECT_FALSE(StateStore(folder_).edit("coalescing", "stride"));
  std::ofstream(folder_ + "/edits/coalescing/offset.cu") << "x";
  fs::resize_file(folder_ + "/edits/coalescing/offset.cu", 60u << 20);
  EXPECT_FALSE(StateStore(folder_).edit("coalescing", "offset"));
}

TEST_F(StateStoreTest, ASecondWindowIsTold) {
  {
    const StateLock first(folder_), second(folder_);
    EXPECT_FALSE(first.taken_by_another());
    EXPECT_TRUE(second.taken_by_another());
  }
  EXPECT_FALSE(StateLock(folder_).taken_by_another()) << "the first one is gone";
}

TEST_F(StateStoreTest, DamagedSettingsAreDefaults) {
  for (const char* text : {"", "{", "[1]", R"({"zoom": "big", "variants": 3, "theme": 1})", R"({"zoom": 1e300})",
                           R"({"programs": [2]})", R"({"programs": {"a": 3, "b": {"folder": 1, "defines": "x"}}})"}) {
    std::ofstream(folder_ + "/settings.json") << text;
    const SavedSettings back = StateStore(folder_).settings();
    EXPECT_FLOAT_EQ(back.zoom, 1) << text;
    EXPECT_EQ(back.theme, "") << text;
  }
}

TEST_F(StateStoreTest, AFullDiskIsSaidAndLeavesTheOldFile) {
  const StateStore store(folder_);
  ASSERT_TRUE(store.save_edit("l", "v", "old"));
  const auto saved = [&] {
    const test::FullDisk full(2);
    return store.save_edit("l", "v", "new");
  }();
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.errors()[0].code, "state.io");
  EXPECT_NE(saved.errors()[0].message.find("File too large"), std::string::npos);
  EXPECT_EQ(store.edit("l", "v"), "old");
}

TEST_F(StateStoreTest, AFolderThatCannotBeMadeIsSaid) {
  const StateStore store("/dev/null/lanescope");
  const auto saved = store.save_edit("l", "v", "text");
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.errors()[0].code, "state.io");
}

TEST(StateStore, WithoutAFolderKeepsNothing) {
  const StateStore store("");
  EXPECT_TRUE(store.save_edit("l", "v", "text"));
  EXPECT_FALSE(store.edit("l", "v"));
  EXPECT_TRUE(store.save({}));
}

}  // namespace
}  // namespace lanescope::gui
