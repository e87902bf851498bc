#pragma once
// A number that verify compares: a quantity of a class of accesses. Internal to job/.

#include <cstdint>

#include "job/sass/sass_code.h"
#include "trace/trace.h"

namespace lanescope::job {

enum class Quantity : std::uint8_t { requests, sectors, conflicts };

// {global_load, sectors}: "global_load.sectors" of metrics.def.
struct Number {
  trace::MemoryClass memory_class{};
  Quantity quantity{};
  bool operator==(const Number&) const = default;
};
std::uint64_t value_of(Number number, const trace::Totals& totals);

// The instructions that a number counts, such as loads of global memory.
struct AccessClass {
  trace::MemorySpace space{};
  SassAccess::Kind kind{};
};
AccessClass class_of(Number number);
SassAccess::Kind kind_of(trace::Operation operation);
// Whether an access of this kind and space (none: generic) may belong to the class. An asynchronous copy loads from
// global memory; a compare-and-swap is an atomic.
bool is_of_class(AccessClass wanted, SassAccess::Kind kind, trace::MemorySpace space);

}  // namespace lanescope::job
