#pragma once
// What the compilers did to a kernel's PTX and arrays, as sentences about source lines. Pure.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "core/wording.h"

namespace lanescope::job {

struct PtxasNote {
  enum class Kind : std::uint8_t {
    branch_removed,      // replaced by predicated instructions or by a choice between two values
    loop_unrolled,       // the machine code has each access of its body several times
    accesses_joined,     // one wider access replaces several
    access_removed,      // no instruction of it remains
    load_moved,          // moved out of the loop that repeats it
    lanes_joined,        // the lanes' values are combined before the atomic accesses memory
    retried,             // an atomic that became a compare-and-swap loop
    products_fused,      // a product and a sum became one instruction, which rounds once
    array_in_registers,  // an array of a thread that has no memory
    spilled              // registers are saved in local memory
  };
  Kind kind{};
  int line = 0;                           // of the source, from 1; 0: unknown
  int ptx_line = 0;                       // of the PTX text; 0: none
  std::vector<std::size_t> instructions;  // machine instructions that show it: ascending indices; may be empty
  Wording said;
};

// In order of line. Each note follows from the PTX line that a SASS instruction names. Without such lines there are no
// notes about accesses, and if the PTX cannot be parsed there are no notes at all. `mangled_kernel` is a kernel of
// `ptx`; `sass` was compiled from it.
std::vector<PtxasNote> ptxas_notes(const compile::Source& source, const std::string& ptx,
                                   const std::string& mangled_kernel, const compile::Sass& sass);

// If ptxas fused sums with products: that it did, with their source lines. Results then differ from the interpreter's
// in their last bits, because PTX without a rounding modifier allows both. Empty if it did not.
Wording fused_sums(const std::vector<PtxasNote>& notes);

// Arrays that a function of the source declares per thread, with their lines. Leaves out shared, constant and external
// arrays, and arrays without an explicit size.
struct OwnArray {
  std::string name;
  int line = 0;
};
std::vector<OwnArray> own_arrays(const std::string& source);

}  // namespace lanescope::job
