#include "core/os/abilities.h"

namespace lanescope {

bool can_use_a_gpu() {
  return true;
}
bool can_reach_elsewhere() {
  return true;
}
bool can_stand_in_for_cuda() {
  return true;
}
bool has_desktop_entries() {
  return true;
}

void make_streams_plain() {}

}  // namespace lanescope
