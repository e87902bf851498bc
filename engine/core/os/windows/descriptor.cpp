#include "core/os/descriptor.h"

#include <io.h>

#include <cerrno>

namespace lanescope {

int close_descriptor(int number) {
  return ::_close(number) == 0 ? 0 : errno;
}

}  // namespace lanescope
