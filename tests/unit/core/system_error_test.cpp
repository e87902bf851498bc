// The system's reasons as numbers and as text.

#include "core/os/system_error.h"

#include <cerrno>
#include <filesystem>

#include <gtest/gtest.h>

#include "golden.h"

namespace lanescope {
namespace {

TEST(SystemError, OfTheStandardLibraryIsAnErrno) {
  EXPECT_EQ(reason_of(std::make_error_code(std::errc::no_space_on_device)), ENOSPC);
  test::TempFolder folder;
  std::error_code error;
  std::filesystem::directory_iterator(folder / "none", error);
  EXPECT_EQ(reason_of(error), ENOENT);
}

TEST(SystemError, BeyondErrnoHasTheSystemsOwnWords) {
  constexpr int number = 13;  // a different error in Windows' numbering and in errno's
  const Wording words = system_error(beyond_errno + number);
  EXPECT_EQ(std::string(words), std::system_category().message(number));
  EXPECT_EQ(std::string(words.values().at(0)), "系统的原话是“" + std::system_category().message(number) + "”");
}

}  // namespace
}  // namespace lanescope
