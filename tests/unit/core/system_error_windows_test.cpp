// Windows' errors, of which errno has few.

#include <windows.h>

#include <cerrno>

#include <gtest/gtest.h>

#include "core/os/system_error.h"
#include "core/os/windows/system_text.h"

namespace lanescope {
namespace {

int reason_after(DWORD error) {
  ::SetLastError(error);
  return reason_of_last_error();
}

TEST(SystemErrorOfWindows, IsAnErrnoOrSaysItself) {
  EXPECT_EQ(reason_after(ERROR_SHARING_VIOLATION), EACCES);
  EXPECT_EQ(reason_after(ERROR_IO_DEVICE), EIO);
  EXPECT_EQ(std::string(system_error(reason_after(ERROR_NO_SYSTEM_RESOURCES))),
            std::system_category().message(ERROR_NO_SYSTEM_RESOURCES));
}

TEST(SystemErrorOfWindows, OfTheStandardLibraryIsNotReadAsAnErrno) {
  // 5 is EIO as an errno.
  EXPECT_EQ(reason_of(std::error_code(ERROR_ACCESS_DENIED, std::system_category())), EACCES);
}

}  // namespace
}  // namespace lanescope
