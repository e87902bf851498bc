#pragma once
// What the bits of a register mean, as far as the surrounding PTX tells: PTX moves all values as .b32.

#include "ptx/module.h"

namespace lanescope::job {

struct Meaning {
  enum class Kind : std::uint8_t {
    unknown,  // no instruction tells, or instructions contradict each other
    moved,    // only moved between memory locations: it has the type of the memory
    number,   // a number of `type`: f32, s32 or u32
    halves,   // two halves of `type`: f16 or bf16
    word      // one word of the 64-bit register `whole`, of `type`: f64, s64 or u64; none: unknown; b64: moved
  };
  Kind kind = Kind::unknown;
  ptx::Type type = ptx::Type::none;
  // For an integer that no instruction reads as signed, or that some read as signed and others as unsigned: its value
  // is only known if its top bit is clear.
  bool sign_unclear = false;
  bool twice = false;                        // both halves come from the same register
  bool high = false;                         // the upper word
  ptx::RegisterId whole = ptx::no_register;  // the 64-bit register that the word was taken from
};

// For a 32-bit register. Follows copies, including shuffles, in both directions.
Meaning meaning_of(const ptx::Function& function, ptx::RegisterId reg);

}  // namespace lanescope::job
