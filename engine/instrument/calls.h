#pragma once
// How a recorded function is called with Places::registers: the caller hands the lane's place in the buffer to it, as arguments, and gets
// it back behind the function's own result. Internal to instrument/.

#include <set>
#include <string>
#include <vector>

#include "ptx/module.h"

namespace lanescope::instrument {

// Whether all calls of these functions can hand the places on: they are called by name and without a guard, their addresses are not
// taken (who calls through a pointer knows only the plain signature), and each has one result at most.
bool can_hand_places_on(const ptx::Module& module, const ptx::Function& kernel, const std::set<std::string>& recorded);

// The signature of the recorded copy.
void add_places(ptx::Function& function);
// The copy's first instructions, and those before it returns; `plain` is the function as it was.
std::string take_places();
std::string give_places_back(const ptx::Function& plain);

// One call in a recorded body.
struct HandingCall {
  std::vector<ptx::Variable> variables;  // .param, to declare in the calling function
  std::string before, after;             // instructions around the call
  std::string plain_result, result;      // the result's variable, which has another name and type now; empty: there was none
  ptx::Instruction call;                 // of the plain name still
};
// `index` tells the calls of a function apart.
HandingCall handing_call(const ptx::Function& callee, const ptx::Instruction& call, int index);

}  // namespace lanescope::instrument
