#pragma once
// Handlers that work lane by lane, for instructions that are rare in loops.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sim/alu/alu_rows.h"

namespace lanescope::sim {

template <class T>
T load_lane(const std::byte* registers, std::uint32_t offset, int lane) {
  T value;
  std::memcpy(&value, registers + offset + static_cast<std::size_t>(lane) * sizeof(T), sizeof(T));
  return value;
}
template <class T>
void store_lane(std::byte* registers, std::uint32_t offset, int lane, T value) {
  std::memcpy(registers + offset + static_cast<std::size_t>(lane) * sizeof(T), &value, sizeof(T));
}
inline std::uint32_t load_mask(const std::byte* registers, std::uint32_t offset) {
  return load_lane<std::uint32_t>(registers, offset, 0);
}
inline void store_mask(std::byte* registers, std::uint32_t offset, std::uint32_t bits, std::uint32_t mask) {
  store_lane(registers, offset, 0, (load_mask(registers, offset) & ~mask) | (bits & mask));
}

// Calls visit(lane) for the lanes of the mask.
template <class Visit>
void each_lane(std::uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(std::countr_zero(mask));
}

// Adds a row for a handler that writes the lanes in its mask.
template <Handler handler>
void add_scalar(AluTable& table, const AluForm& form) {
  table.add(
      form, [](std::byte* registers, const Operation& o, std::uint32_t) { handler(registers, o, 0xffffffffu); },
      handler);
}

// The same for a stateless function object.
template <class F>
void add_scalar(AluTable& table, const AluForm& form, F) {
  table.add(
      form,
      [](std::byte* registers, const Operation& o, std::uint32_t) {
        F()
        (registers, o, 0xffffffffu);
      },
      [](std::byte* registers, const Operation& o, std::uint32_t mask) {
        F()
        (registers, o, mask);
      });
}

// d = f(operation, a), f(operation, a, b) or f(operation, a, b, c). D, A, … are the types of the slots.
template <class D, class A, class F>
void row_of_one(AluTable& table, const AluForm& form, F) {
  add_scalar(table, form, [](std::byte* r, const Operation& o, std::uint32_t mask) {
    each_lane(mask, [&](int i) { store_lane<D>(r, o.dst, i, F()(o, load_lane<A>(r, o.a, i))); });
  });
}
template <class D, class A, class B, class F>
void row_of_two(AluTable& table, const AluForm& form, F) {
  add_scalar(table, form, [](std::byte* r, const Operation& o, std::uint32_t mask) {
    each_lane(mask,
              [&](int i) { store_lane<D>(r, o.dst, i, F()(o, load_lane<A>(r, o.a, i), load_lane<B>(r, o.b, i))); });
  });
}
template <class D, class A, class B, class C, class F>
void row_of_three(AluTable& table, const AluForm& form, F) {
  add_scalar(table, form, [](std::byte* r, const Operation& o, std::uint32_t mask) {
    each_lane(mask, [&](int i) {
      store_lane<D>(r, o.dst, i, F()(o, load_lane<A>(r, o.a, i), load_lane<B>(r, o.b, i), load_lane<C>(r, o.c, i)));
    });
  });
}

inline AluForm form(Mnemonic mnemonic, ptx::Type type, std::uint32_t flags = 0) {
  return {.opcode = row_opcode(mnemonic), .type = type, .source = type, .flags = flags};
}

}  // namespace lanescope::sim
