#include "core/os/descriptor.h"

#include <unistd.h>

#include <cerrno>

namespace lanescope {

int close_descriptor(int number) {
  return ::close(number) == 0 ? 0 : errno;
}

}  // namespace lanescope
