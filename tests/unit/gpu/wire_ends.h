#pragma once
// Both ends of a connection in one process, for tests.

#include <unistd.h>

#include <random>

#include <gtest/gtest.h>

#include "core/os/wire.h"

namespace lanescope::test {

// Messages in flight must fit into a pipe.
struct WireEnds {
  WireEnds() {
    EXPECT_EQ(::pipe(down), 0);
    EXPECT_EQ(::pipe(up), 0);
    here = Wire(up[0], down[1]);
    there = Wire(down[0], up[1]);
  }
  ~WireEnds() {
    for (const int end : {down[0], down[1], up[0], up[1]}) ::close(end);
  }
  WireEnds(const WireEnds&) = delete;
  WireEnds& operator=(const WireEnds&) = delete;
  int down[2], up[2];
  Wire here, there;
};

// Contents that follow no rule.
inline Bytes noise(std::size_t bytes, unsigned seed) {
  std::minstd_rand random(seed + 1);
  Bytes made(bytes);
  for (std::byte& one : made) one = std::byte(random() >> 8);
  return made;
}

}  // namespace lanescope::test
