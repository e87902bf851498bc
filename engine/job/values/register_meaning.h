#pragma once
// What the bits of a register stand for, as far as the PTX around it tells: PTX moves everything as .b32.

#include "ptx/module.h"

namespace lanescope::job {

struct Meaning {
  enum class Kind : std::uint8_t {
    unknown,  // nothing tells, or one instruction says this and another that
    moved,    // from and to memory, and nothing else: what the memory holds is what it is
    number,   // of `type`: f32, s32 or u32
    halves,   // two of `type`: f16 or bf16
    word      // one of the two of `whole`, which is of `type`: f64, s64 or u64; none: unknown; b64: moved
  };
  Kind kind = Kind::unknown;
  ptx::Type type = ptx::Type::none;
  // Of an integer that no instruction reads with a sign, or some do and some do not: it is known where its top bit is
  // clear.
  bool sign_unclear = false;
  bool twice = false;                        // of halves: both are the same register's
  bool high = false;                         // of a word
  ptx::RegisterId whole = ptx::no_register;  // the 64 bits that the word was taken from
};

// Of a 32-bit register. Follows copies, shuffles among them, in both directions.
Meaning meaning_of(const ptx::Function& function, ptx::RegisterId reg);

}  // namespace lanescope::job
