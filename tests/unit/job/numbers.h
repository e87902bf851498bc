#pragma once
// The numbers that verify compares, by access class.

#include "job/sass/number.h"

namespace lanescope::job {

constexpr Number requests_of(trace::MemoryClass memory_class) {
  return {memory_class, Quantity::requests};
}
constexpr Number sectors_of(trace::MemoryClass memory_class) {
  return {memory_class, Quantity::sectors};
}
constexpr Number conflicts_of(trace::MemoryClass memory_class) {
  return {memory_class, Quantity::conflicts};
}

}  // namespace lanescope::job
