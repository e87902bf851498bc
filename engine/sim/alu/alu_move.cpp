// mov with a vector operand: packs registers into a wider one, or unpacks a wide one.
#include <algorithm>
#include <array>
#include <type_traits>

#include "sim/alu/alu_scalar.h"

namespace lanescope::sim {

namespace {

using ptx::Type;
using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

// The slot type of an element of E bits: 8-bit elements use a 16-bit slot.
template <class E>
using SlotOf = std::conditional_t<sizeof(E) == 1, U16, E>;

constexpr bool in(U32 mask, int lane) {
  return (mask >> lane & 1) != 0;
}

template <class W, class E, bool masked>
void pack(std::byte* r, const Operation& o, U32 mask) {
  constexpr int count = sizeof(W) / sizeof(E);
  const U32 sources[4] = {o.a, o.b, o.c, o.d};
  for (int i = 0; i < 32; ++i) {
    W word = 0;
    for (int k = 0; k < count; ++k)
      word |=
          static_cast<W>(static_cast<W>(static_cast<E>(load_lane<SlotOf<E>>(r, sources[k], i))) << (8 * sizeof(E) * k));
    if (masked) word = in(mask, i) ? word : load_lane<W>(r, o.dst, i);
    store_lane(r, o.dst, i, word);
  }
}
template <class W, class E, bool masked>
void unpack(std::byte* r, const Operation& o, U32 mask) {
  constexpr int count = sizeof(W) / sizeof(E);
  const U32 destinations[4] = {o.dst, o.dst2, o.c, o.d};
  // All words are read first: with 8-bit elements of .b16 a destination may also be the source.
  std::array<W, 32> words;
  for (int i = 0; i < 32; ++i) words[static_cast<std::size_t>(i)] = load_lane<W>(r, o.a, i);
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < 32; ++i) {
      auto element = static_cast<SlotOf<E>>(static_cast<E>(words[static_cast<std::size_t>(i)] >> (8 * sizeof(E) * k)));
      if (masked) element = in(mask, i) ? element : load_lane<SlotOf<E>>(r, destinations[k], i);
      store_lane(r, destinations[k], i, element);
    }
}

// Layout of b128: 32 low halves, then 32 high halves.
constexpr U32 high_half = 32 * sizeof(U64);

template <class E, bool masked>
void pack128(std::byte* r, const Operation& o, U32 mask) {
  Operation low = o, high = o;
  high.dst = o.dst + high_half;
  if constexpr (sizeof(E) == 8) {
    high.a = o.b;
    pack<U64, U64, masked>(r, low, mask);
    pack<U64, U64, masked>(r, high, mask);
  } else {
    high.a = o.c;
    high.b = o.d;
    pack<U64, U32, masked>(r, low, mask);
    pack<U64, U32, masked>(r, high, mask);
  }
}
template <class E, bool masked>
void unpack128(std::byte* r, const Operation& o, U32 mask) {
  Operation low = o, high = o;
  high.a = o.a + high_half;
  high.dst = sizeof(E) == 8 ? o.dst2 : o.c;
  high.dst2 = o.d;
  unpack<U64, E, masked>(r, low, mask);
  unpack<U64, E, masked>(r, high, mask);
}
template <bool masked>
void copy128(std::byte* r, const Operation& o, U32 mask) {
  Operation high = o;
  high.dst += high_half;
  high.a += high_half;
  pack<U64, U64, masked>(r, o, mask);
  pack<U64, U64, masked>(r, high, mask);
}

struct Shape {
  int word_bytes, elements;
  Handler pack, pack_masked, unpack, unpack_masked;
};
constexpr Shape shapes[] = {
    {2, 2, pack<U16, U8, false>, pack<U16, U8, true>, unpack<U16, U8, false>, unpack<U16, U8, true>},
    {4, 4, pack<U32, U8, false>, pack<U32, U8, true>, unpack<U32, U8, false>, unpack<U32, U8, true>},
    {4, 2, pack<U32, U16, false>, pack<U32, U16, true>, unpack<U32, U16, false>, unpack<U32, U16, true>},
    {8, 4, pack<U64, U16, false>, pack<U64, U16, true>, unpack<U64, U16, false>, unpack<U64, U16, true>},
    {8, 2, pack<U64, U32, false>, pack<U64, U32, true>, unpack<U64, U32, false>, unpack<U64, U32, true>},
    {16, 4, pack128<U32, false>, pack128<U32, true>, unpack128<U32, false>, unpack128<U32, true>},
    {16, 2, pack128<U64, false>, pack128<U64, true>, unpack128<U64, false>, unpack128<U64, true>},
};

}  // namespace

bool select_vector_move(const ptx::Instruction& instruction, OperandSlots& slots, Operation& operation) {
  if (instruction.operands.size() != 2) return false;
  const ptx::Operand &d = instruction.operands[0], &a = instruction.operands[1];
  const bool unpacks = d.kind == ptx::Operand::Kind::vector;
  const auto& elements = unpacks ? d.elements : a.elements;
  const int bytes = ptx::bytes_of(instruction.type);
  const auto* shape = std::find_if(std::begin(shapes), std::end(shapes), [&](const Shape& s) {
    return s.word_bytes == bytes && s.elements == static_cast<int>(elements.size());
  });
  if (shape == std::end(shapes)) return false;
  const int element_bytes = bytes / shape->elements;
  const Type element = element_bytes == 1   ? Type::b8
                       : element_bytes == 2 ? Type::b16
                       : element_bytes == 4 ? Type::b32
                                            : Type::b64;
  const int slot_bytes = element_bytes == 1 ? 2 : element_bytes;
  for (const ptx::Operand& e : elements)
    if (e.kind != ptx::Operand::Kind::sink && slots.register_bytes(e, element) != slot_bytes) return false;
  const ptx::Operand& word = unpacks ? a : d;
  if (slots.register_bytes(word, instruction.type) != bytes) return false;

  if (unpacks) {
    operation.a = slots.read(a, instruction.type);
    std::uint32_t* destinations[] = {&operation.dst, &operation.dst2, &operation.c, &operation.d};
    for (std::size_t k = 0; k < elements.size(); ++k) *destinations[k] = slots.write(elements[k]);
    operation.full = shape->unpack;
    operation.masked = shape->unpack_masked;
  } else {
    operation.dst = slots.write(d);
    std::uint32_t* sources[] = {&operation.a, &operation.b, &operation.c, &operation.d};
    for (std::size_t k = 0; k < elements.size(); ++k) *sources[k] = slots.read(elements[k], element);
    operation.full = shape->pack;
    operation.masked = shape->pack_masked;
  }
  return true;
}

void add_move_rows(AluTable& t) {
  t.add(form("mov", Type::b128), copy128<false>, copy128<true>);
}

}  // namespace lanescope::sim
