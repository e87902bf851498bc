#pragma once
// Opcodes without their enumerators: by name, and to compare with: `instruction.opcode == opcodes::mov`. They are
// variables, whose values are known when the program is linked, so that a new row of opcodes.def does not recompile the
// files that include this. A file that needs them in `switch` includes ptx/opcode.h.
//
// LANESCOPE_NAMED_OPCODES is not the list of all opcodes. Add one where the first file asks for it.

#include <optional>
#include <string_view>

#include "ptx/instruction.h"

// clang-format off
#define LANESCOPE_NAMED_OPCODES(NAME) \
  NAME(activemask) NAME(atom) NAME(bar_warp_sync) NAME(barrier_cluster_wait) NAME(bra) NAME(call) NAME(cp_async) NAME(cp_async_bulk) \
  NAME(cp_async_wait_all) NAME(cp_reduce_async_bulk) NAME(cvt) NAME(cvta) NAME(div) NAME(ld) NAME(ldmatrix) NAME(mapa) \
  NAME(mbarrier_init) NAME(mma) NAME(mov) NAME(movmatrix) NAME(rcp) NAME(red) NAME(red_async) NAME(redux) NAME(rem) NAME(ret) NAME(shfl) \
  NAME(shfl_sync) NAME(sqrt) NAME(st) NAME(st_async) NAME(stackrestore) NAME(stacksave) NAME(stmatrix) NAME(suld) NAME(suq) \
  NAME(sust) NAME(tensormap) NAME(tex) NAME(tld4) NAME(trap) NAME(txq) NAME(vote_sync) NAME(wgmma) NAME(wmma_load) \
  NAME(wmma_mma) NAME(wmma_store)
// clang-format on

namespace lanescope::ptx {

// The opcode of exactly this mnemonic ("bar.sync").
std::optional<Opcode> opcode_named(std::string_view mnemonic);

namespace opcodes {

#define LANESCOPE_DECLARED(name) extern const Opcode name;
LANESCOPE_NAMED_OPCODES(LANESCOPE_DECLARED)
#undef LANESCOPE_DECLARED

}  // namespace opcodes
}  // namespace lanescope::ptx
