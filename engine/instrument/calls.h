#pragma once
// The functions that a recorded kernel calls. The caller passes the lane's place in the buffer to a recorded function
// as arguments, and gets it back after the function's own result. Internal to instrument/.

#include <set>
#include <string>
#include <vector>

#include "core/result.h"
#include "ptx/module.h"

namespace lanescope::instrument {

// Which functions are recorded with a kernel: those that it reaches by name or through a pointer, however deep.
class Calls {
 public:
  Calls(const ptx::Module& module, const ptx::Function& kernel);
  const std::set<std::string>& recorded() const { return recorded_; }
  // Of all that is recorded with the kernel, itself included.
  bool any_through_pointer() const { return any_through_pointer_; }
  // Where this instruction may lead, of the functions that have a body; several only through a pointer: all whose
  // address is taken anywhere in the module, by code or in a table, and that take and give as many bytes.
  std::vector<const ptx::Function*> callees(const ptx::Function& caller, const ptx::Instruction& instruction) const;
  // instrument.unsupported: a call that no compiler writes, through which the places cannot be handed on.
  Diagnostics refusals() const;

 private:
  Diagnostics refusals_in(const ptx::Function& function) const;

  const ptx::Module& module_;
  const ptx::Function& kernel_;
  std::vector<const ptx::Function*> address_taken_;
  std::set<std::string> recorded_;
  bool any_through_pointer_ = false;
};

// 90 of "sm_90a".
int architecture_of(const std::string& target);
// The name of a function's recorded copy.
std::string recorded_name(const std::string& function);
// Makes a function's head that of its recorded copy.
void add_places(ptx::Function& function, const ptx::Module& module);
// The copy's first instructions, and those before it returns; `plain` is the function as it was.
std::string take_places();
std::string give_places_back(const ptx::Function& plain);

// One call in a recorded body.
struct HandingCall {
  std::vector<ptx::Variable> variables;        // .param, to declare in the calling function
  std::vector<ptx::CallPrototype> prototypes;  // likewise
  std::string before, after;                   // instructions around the call
  std::string plain_result,
      result;  // the result's variable, which has another name and type now; empty: there was none
  ptx::Instruction call;
};
// `callees`: Calls::callees(), not empty. `index` tells the calls of a function apart.
// A pointer's value stays the plain function's wherever it is kept; only here it is exchanged for the recorded one's,
// without a branch: what memory holds is the same with and without recording, and blocks that are not chosen call plain
// functions.
HandingCall handing_call(const std::vector<const ptx::Function*>& callees, const ptx::Module& module,
                         const ptx::Function& caller, const ptx::Instruction& call, int index);

}  // namespace lanescope::instrument
