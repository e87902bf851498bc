#pragma once
// Guesses from the PTX which addresses of a function have the same distance in all lanes and the same upper word. The
// guess only decides which accesses are recorded together. The record is correct for any address: it notes whether the
// guess was right. Internal to instrument/.

#include <string>
#include <vector>

#include "ptx/module.h"

namespace lanescope::instrument {

struct AddressOrigin {
  std::string root;     // the parameter, variable or loaded pointer that it is added to; a register or a symbol
  std::string offset;   // the register added last; empty: none
  bool linear = false;  // worked out from the thread's place, parameters and constants by sums and products alone, also
                        // around a loop
  // As far apart in all lanes, as far as a text can tell: from one pointer, or the same distance from two.
  bool runs_beside(const AddressOrigin& other) const {
    return linear && other.linear && (root == other.root || (!offset.empty() && offset == other.offset));
  }
};

class AddressOrigins {
 public:
  explicit AddressOrigins(const ptx::Function& function);
  // Of an address operand: its base, a register or a symbol.
  AddressOrigin of(const ptx::Operand& address) const;

 private:
  const ptx::Instruction* first_definition(ptx::RegisterId reg) const;
  void find_linear();
  void find_pointers();
  void follow(ptx::RegisterId reg, AddressOrigin& origin, int depth = 0) const;

  const ptx::Function& function_;
  std::vector<std::vector<const ptx::Instruction*>> definitions_;  // by register, as the two below
  std::vector<bool> linear_, pointer_;
};

}  // namespace lanescope::instrument
