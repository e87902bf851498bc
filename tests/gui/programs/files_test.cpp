// What a file is to the window, the completion of its path, and the words of a program's arguments.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "gui/programs/path_entries.h"
#include "gui/programs/printed_lines.h"
#include "gui/programs/program_words.h"
#include "unit/device/saved_program.h"
#include "unit/golden.h"

namespace lanescope::test {
namespace {

using gui::FileKind;
using gui::kind_of_file;
using gui::words_of;
using Words = std::vector<std::string>;

std::string file_with(const TempFolder& folder, const std::string& name, const std::string& text,
                      bool executable = false) {
  const std::filesystem::path path = folder / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
  if (executable) std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path.string();
}

TEST(ProgramFiles, AreToldApartByTheirContents) {
  const TempFolder folder;
  const std::string kernel = "__global__ void k() {}\n";
  EXPECT_EQ(kind_of_file(file_with(folder, "a.cu", kernel + "int main ( ) {}\n")), FileKind::cuda_program);
  EXPECT_EQ(kind_of_file(file_with(folder, "b.cu", kernel + "// int main() {}\n")), FileKind::cuda_code);
  EXPECT_EQ(kind_of_file(file_with(folder, "c.cu", kernel + "#if 0\nint main() {}\n#endif\n")), FileKind::cuda_code);
  EXPECT_EQ(kind_of_file(file_with(folder, "d.cu", kernel + "int domain(); int main_loop(); int main;\n")),
            FileKind::cuda_code);
  EXPECT_EQ(kind_of_file(file_with(folder, "e.cuh", "int main() {}\n")), FileKind::cuda_code);
  EXPECT_EQ(kind_of_file(file_with(folder, "f.py", "print(1)\n")), FileKind::python);
  EXPECT_EQ(kind_of_file(file_with(folder, "g", "#!/bin/sh\n", true)), FileKind::program);
  EXPECT_EQ(kind_of_file("/bin/true"), FileKind::program);
  EXPECT_EQ(kind_of_file(file_with(folder, "notes.txt", "notes\n")), FileKind::other);
  EXPECT_EQ(kind_of_file(folder.path().string()), FileKind::other);
  EXPECT_EQ(kind_of_file(device_test::save_three_launches(folder.path())), FileKind::saved_run);
}

TEST(ProgramFiles, WordsAreSeparatedAsAShellDoes) {
  EXPECT_EQ(words_of("  512  --name x "), (Words{"512", "--name", "x"}));
  EXPECT_EQ(words_of(R"('a b' "c d" e\ f g"h i"j)"), (Words{"a b", "c d", "e f", "gh ij"}));
  EXPECT_EQ(words_of(R"('' "" '\' "\"")"), (Words{"", "", "\\", "\""}));
  EXPECT_EQ(words_of("'open"), (Words{"open"}));
  EXPECT_EQ(words_of("*.cu $HOME"), (Words{"*.cu", "$HOME"})) << "nothing else has a meaning";
  EXPECT_EQ(words_of(" "), Words{});
}

TEST(ProgramFiles, OfAFolderAreCompleted) {
  const TempFolder folder;
  file_with(folder, "matmul.cu", "int main() {}\n");
  file_with(folder, "Matrix.py", "");
  file_with(folder, "matter.txt", "not to be opened");
  file_with(folder, "material/x.cu", "");
  file_with(folder, ".hidden.cu", "");
  const std::string at = folder.path().string() + "/";
  const auto names = [&](const std::string& typed) {
    Words all;
    for (const gui::PathEntry& one : gui::path_entries(at + typed)) all.push_back(one.name);
    return all;
  };
  EXPECT_EQ(names(""), (Words{"material", "Matrix.py", "matmul.cu"}));
  EXPECT_EQ(names("mat"), (Words{"material", "matmul.cu", "Matrix.py"})) << "those in this case come first";
  EXPECT_EQ(names("MATR"), Words{"Matrix.py"});
  EXPECT_EQ(names(".h"), Words{".hidden.cu"});
  EXPECT_EQ(names("material/"), Words{"x.cu"});
  EXPECT_EQ(names("nothing/"), Words{});
  const auto tab = [&](const std::string& typed) {
    return gui::completed(at + typed, gui::path_entries(at + typed)).substr(at.size());
  };
  EXPECT_EQ(tab("m"), "mat");
  EXPECT_EQ(tab("mate"), "material/");
  EXPECT_EQ(tab("matri"), "Matrix.py");
  EXPECT_EQ(tab("z"), "z");
  EXPECT_EQ(tab("material/x.cu"), "material/x.cu");
  std::filesystem::rename(device_test::save_three_launches(folder.path()), folder / "saved.run");
  EXPECT_EQ(names("saved"), Words{"saved.run"}) << "whatever its name";
}

TEST(ProgramFiles, ATildeIsTheHomeFolder) {
  const TempFolder home;
  file_with(home, "k.cu", "");
  const char* before = std::getenv("HOME");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("HOME", home.path().c_str(), 1);
  const auto entries = gui::path_entries("~/k");
  EXPECT_EQ(gui::without_tilde("~/k.cu"), (home / "k.cu").string());
  EXPECT_EQ(gui::without_tilde("/a/~/b"), "/a/~/b");
  if (before != nullptr) ::setenv("HOME", kept.c_str(), 1);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].path, "~/k.cu");
}

// The field begins with a folder; an absolute path that is pasted there replaces it.
TEST(ProgramFiles, APathBehindAPathReplacesIt) {
  const std::pair<const char*, const char*> cases[] = {{"/home/a/", "/home/a/"},     {"/home/a//tmp/b", "/tmp/b"},
                                                       {"/home/a//", "/"},           {"//tmp", "/tmp"},
                                                       {"/home/a/~/b", "~/b"},       {"/home/a/~", "/home/a/~"},
                                                       {"/home/a~/b", "/home/a~/b"}, {"~/a//b", "/b"},
                                                       {"/a//b//c/d.cu", "/c/d.cu"}, {"", ""}};
  for (const auto& [typed, counts] : cases) EXPECT_EQ(gui::from_last_root(typed), counts) << typed;
}

// A program's lines arrive in pieces, with those of its launches in between.
TEST(ProgramFiles, WhatAProgramPrintsIsApartFromItsLaunches) {
  gui::PrintedLines lines;
  for (const char* piece :
       {"one\ntw", "lanescope: launch 1: k<<<1, 1>>>\no\n", "lanescope: launch 2: k\n", "\n", "end"})
    lines.add(piece);
  EXPECT_EQ(lines.launches(), 2u);
  EXPECT_EQ(lines.last(), "two");
  lines.end();
  EXPECT_EQ(lines.last(), "end");
  EXPECT_EQ(lines.text(), "one\ntwo\n\nend\n");
}

}  // namespace
}  // namespace lanescope::test
