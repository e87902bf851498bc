#include "core/os/abilities.h"

#include <cstdio>

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

std::vector<std::string> arguments_of_program(int argc, char** argv) {
  return {argv, argv + argc};
}

bool leave_own_console() {
  return false;
}

void show_message(const std::string& text) {
  std::fprintf(stderr, "%s\n", text.c_str());
}

}  // namespace lanescope
