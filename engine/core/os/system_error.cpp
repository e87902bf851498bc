#include "core/os/system_error.h"

#include <cerrno>
#include <cstring>

#include "core/worded.h"

namespace lanescope {

int reason_of(const std::error_code& error) {
  const std::error_condition same = error.default_error_condition();
  return same.category() == std::generic_category() ? same.value() : beyond_errno + error.value();
}

Wording system_error(int number) {
  struct Row {
    int number;
    const char* chinese;
  };
  static constexpr Row rows[] = {
      {ENOENT, "没有这个文件或文件夹"},
      {EACCES, "没有权限"},
      {EPERM, "系统不允许这样做"},
      {ENOSPC, "磁盘已满"},
#ifdef EDQUOT
      {EDQUOT, "磁盘配额已用完"},
#endif
      {EFBIG, "文件太大"},
      {EISDIR, "这是文件夹"},
      {ENOTDIR, "路径里有一段不是文件夹"},
      {EROFS, "文件系统是只读的"},
      {EEXIST, "已经存在"},
      {ENAMETOOLONG, "名字太长"},
      {ELOOP, "符号链接转了圈"},
      {EMFILE, "这个程序打开的文件太多"},
      {ENFILE, "整个系统打开的文件太多"},
      {EIO, "读写设备出错"},
      {EBUSY, "正被占用"},
      {ETXTBSY, "正在运行的程序不能改写"},
      {EPIPE, "接收的一方已经关闭"},
      {ENOMEM, "内存不足"},
      {EINVAL, "系统不接受这样的请求"},
      {ENXIO, "没有这个设备"},
      {ENODEV, "没有这个设备"},
      {EXDEV, "不在同一个文件系统里"},
      {ENOTEMPTY, "文件夹不是空的"},
      {EAGAIN, "暂时做不到"},
      {EBADF, "文件没有为此打开"},
  };
  const std::string english =
      number > beyond_errno ? std::system_category().message(number - beyond_errno) : std::strerror(number);
  for (const Row& row : rows)
    if (row.number == number) return Wording::bilingual(english, row.chinese);
  return Wording::bilingual(english, "系统的原话是“" + english + "”");
}

Diagnostic unreadable(const std::string& file, int number) {
  return {Severity::error,
          "io.cannot_read",
          {file},
          number == ESPIPE ? Wording("This is a pipe or a device, not a file.")
                           : worded("The file cannot be read: {}.", system_error(number)),
          "Check its name, and that you may read it."};
}

bool is_about_room(int number) {
#ifdef EDQUOT
  if (number == EDQUOT) return true;
#endif
  return number == ENOSPC || number == EFBIG;
}

}  // namespace lanescope
