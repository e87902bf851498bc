#pragma once
// Guesses from the PTX text which addresses of a function keep the same distance in all lanes and share their upper 32
// bits. The guess only decides which accesses share a record. A record is correct for any address: it states whether
// the guess was right. Internal to instrument/.

#include <string>
#include <vector>

#include "ptx/module.h"

namespace lanescope::instrument {

struct AddressOrigin {
  // Where the address starts: a parameter, variable or loaded pointer, named by its register or symbol.
  std::string root;
  std::string offset;  // the register that was added last; empty if there is none
  // The address is computed only by sums and products of thread indices, parameters and constants (loops included).
  bool linear = false;
  // True if the distance between the two addresses is probably the same in all lanes: both start from the same pointer,
  // or both add the same register to different pointers.
  bool runs_beside(const AddressOrigin& other) const {
    return linear && other.linear && (root == other.root || (!offset.empty() && offset == other.offset));
  }
};

class AddressOrigins {
 public:
  explicit AddressOrigins(const ptx::Function& function);
  // The origin of an address operand, whose base is a register or a symbol.
  AddressOrigin of(const ptx::Operand& address) const;

 private:
  const ptx::Instruction* first_definition(ptx::RegisterId reg) const;
  void find_linear();
  void find_pointers();
  void follow(ptx::RegisterId reg, AddressOrigin& origin, int depth = 0) const;

  const ptx::Function& function_;
  std::vector<std::vector<const ptx::Instruction*>> definitions_;  // indexed by register, like the two vectors below
  std::vector<bool> linear_, pointer_;
};

}  // namespace lanescope::instrument
