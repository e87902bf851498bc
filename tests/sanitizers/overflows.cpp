// For the sanitizers' preset: does what they must end the program for, so that a test which passes there has no such
// error. `overflows sum`: a signed sum in a loop over lanes, compiled as those of engine/sim/alu.

#include <climits>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

std::int32_t in[32], out[32];

__attribute__((noinline)) void add_to_lanes(std::int32_t value) {
#pragma GCC ivdep
  for (int lane = 0; lane < 32; ++lane) out[lane] = in[lane] + value;
}

}  // namespace

int main(int count, char** arguments) {
  const auto asked = [&](const char* what) { return count == 2 && std::strcmp(arguments[1], what) == 0; };
  in[17] = INT_MAX;
  if (asked("sum")) add_to_lanes(1);
  if (asked("shift")) out[0] = in[17] << count * 16;
  if (asked("beyond")) {
    std::vector<std::int32_t> lanes(32);
    volatile std::int32_t* const first = lanes.data();
    out[0] = first[32];
  }
  return 0;
}
