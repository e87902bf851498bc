#include "core/os/abilities.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <windows.h>

namespace lanescope {

bool can_use_a_gpu() {
  return false;
}
bool can_reach_elsewhere() {
  return false;
}
bool can_stand_in_for_cuda() {
  return false;
}
bool has_desktop_entries() {
  return false;
}

void make_streams_plain() {
  _fmode = _O_BINARY;
  for (int stream = 0; stream < 3; ++stream) ::_setmode(stream, _O_BINARY);
  ::SetConsoleOutputCP(CP_UTF8);
}

}  // namespace lanescope
