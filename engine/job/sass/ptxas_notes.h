#pragma once
// What the compilers made of a kernel's PTX and arrays, as sentences that stand at a line. Pure.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "core/wording.h"

namespace lanescope::job {

struct PtxasNote {
  enum class Kind : std::uint8_t {
    branch_removed,      // instructions with a predicate, or a choice between two values, took its place
    loop_unrolled,       // each access of its body stands in the machine code several times
    accesses_joined,     // one wider access stands for several
    access_removed,      // no instruction is left of it
    load_moved,          // out of the loop that repeats it
    lanes_joined,        // the lanes' values are joined before an atomic goes to memory
    retried,             // an atomic that became a loop around a compare-and-swap
    array_in_registers,  // an array of the thread's own that has no memory
    spilled              // registers are kept in local memory
  };
  Kind kind{};
  int line = 0;                           // of the source, from 1; 0: unknown
  int ptx_line = 0;                       // of the PTX text; 0: of none
  std::vector<std::size_t> instructions;  // of the machine code that show it: indices, in order; may be empty
  Wording said;
};

// In order of line. Each follows from the PTX line that a SASS instruction names; where accesses name none, nothing is
// said about accesses, and where the PTX cannot be read, nothing at all. `mangled_kernel` is a kernel of `ptx`; `sass`
// was made of it.
std::vector<PtxasNote> ptxas_notes(const compile::Source& source, const std::string& ptx,
                                   const std::string& mangled_kernel, const compile::Sass& sass);

// Arrays that a function of the source declares for each thread, with the line: no shared, constant or external ones,
// and none of a size that is not written down.
struct OwnArray {
  std::string name;
  int line = 0;
};
std::vector<OwnArray> own_arrays(const std::string& source);

}  // namespace lanescope::job
