// lanescope install-desktop: reads the entry back by the rules of the Desktop Entry Specification.

#include <gmock/gmock.h>

#include <filesystem>

#include "cli/program.h"
#include "golden.h"

namespace lanescope::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string value_of(const std::string& entry, const std::string& key) {
  const std::size_t at = entry.find("\n" + key + "=");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + key.size() + 2;
  return entry.substr(begin, entry.find('\n', begin) - begin);
}

TEST(InstallDesktop, TheEntryStartsThisProgram) {
  const TempFolder home;
  const Ran ran = lanescope({"install-desktop"}, {"XDG_DATA_HOME= HOME=" + quoted(home.path().string()), "", "", ""});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const fs::path entry = home / ".local/share/applications/lanescope.desktop";
  EXPECT_THAT(ran.out, HasSubstr(entry.string()));
  const std::string text = read_file(entry.string());
  EXPECT_TRUE(text.starts_with("[Desktop Entry]\n"));
  EXPECT_EQ(value_of(text, "Type"), "Application");
  EXPECT_EQ(value_of(text, "StartupWMClass"), "lanescope") << "as the window calls itself";
  EXPECT_EQ(value_of(text, "Exec"), "\"" + fs::canonical(LANESCOPE_BINARY).string() + "\"");
  EXPECT_THAT(read_file((home / ".local/share/icons/hicolor/scalable/apps/lanescope.svg").string()), HasSubstr("<svg"));
  EXPECT_EQ(
      lanescope({"install-desktop", "--remove"}, {"XDG_DATA_HOME= HOME=" + quoted(home.path().string()), "", "", ""})
          .code,
      0);
  EXPECT_FALSE(fs::exists(entry));
}

TEST(InstallDesktop, AFolderThatCannotBeWrittenIsNamed) {
  const TempFolder home;
  write_file(home / "file", "");
  const Ran ran = lanescope({"install-desktop"}, {"XDG_DATA_HOME=" + quoted((home / "file").string()), "", "", ""});
  EXPECT_NE(ran.code, 0);
  EXPECT_THAT(ran.err, HasSubstr("It cannot be written"));
  const Ran homeless = lanescope({"install-desktop"}, {"HOME= XDG_DATA_HOME=", "", "", ""});
  EXPECT_NE(homeless.code, 0);
  EXPECT_THAT(homeless.err, HasSubstr("There is no home folder to install into."));
}

}  // namespace
}  // namespace lanescope::test
