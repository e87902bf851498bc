#pragma once
// Functions that a recorded kernel calls. The caller passes each lane's write position (its "place") to the recorded
// function as arguments. The function returns the place after its own result. Internal to instrument/.

#include <set>
#include <string>
#include <vector>

#include "core/result.h"
#include "ptx/module.h"

namespace lanescope::instrument {

// The functions that are recorded together with a kernel: all that it reaches by name or through a pointer, directly or
// indirectly.
class Calls {
 public:
  Calls(const ptx::Module& module, const ptx::Function& kernel);
  const std::set<std::string>& recorded() const { return recorded_; }
  // True if the kernel or any recorded function calls through a pointer.
  bool any_through_pointer() const { return any_through_pointer_; }
  // The functions with a body that this instruction can call. A call by name has one. A call through a pointer can
  // reach every function whose address the module takes, in code or in a table, and whose parameters and results have
  // the same sizes.
  std::vector<const ptx::Function*> callees(const ptx::Function& caller, const ptx::Instruction& instruction) const;
  // Returns instrument.unsupported for each call through which places cannot be passed. No compiler emits such calls.
  Diagnostics refusals() const;

 private:
  Diagnostics refusals_in(const ptx::Function& function) const;

  const ptx::Module& module_;
  const ptx::Function& kernel_;
  std::vector<const ptx::Function*> address_taken_;
  std::set<std::string> recorded_;
  bool any_through_pointer_ = false;
};

// "sm_90a" → 90.
int architecture_of(const std::string& target);
// The name of a function's recorded copy.
std::string recorded_name(const std::string& function);
// Changes a function's signature to that of its recorded copy.
void add_places(ptx::Function& function, const ptx::Module& module);
// The instructions at the start of the copy, and those before each return. `plain` is the original function.
std::string take_places();
std::string give_places_back(const ptx::Function& plain);

// One call in a recorded body.
struct HandingCall {
  std::vector<ptx::Variable> variables;        // .param, to declare in the calling function
  std::vector<ptx::CallPrototype> prototypes;  // also to be declared there
  std::string before, after;                   // instructions around the call
  // The result variable of the plain call, and the one that replaces it under another name and type. Empty if the call
  // has no result.
  std::string plain_result, result;
  ptx::Instruction call;
};
// `callees`: the result of Calls::callees(), not empty. `index` distinguishes the calls of one function.
// Wherever a function pointer is stored, it keeps the address of the plain function. The recorded function's address
// replaces it only at the call, without a branch. So memory holds the same values with and without recording, and
// blocks that are not chosen call plain functions.
HandingCall handing_call(const std::vector<const ptx::Function*>& callees, const ptx::Module& module,
                         const ptx::Function& caller, const ptx::Instruction& call, int index);

}  // namespace lanescope::instrument
