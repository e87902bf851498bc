#pragma once
// Opcodes without their enumerators: by name, and to compare with: `instruction.opcode == opcodes::mov`. They are
// variables, whose values are known when the program is linked, so that a new row of opcodes.def does not recompile the
// files that include this. A file that needs them in `switch` includes ptx/opcode.h.
//
// This is not the list of all opcodes. Add one where the first file asks for it, here and in opcode_table.cpp.

#include <optional>
#include <string_view>

#include "ptx/instruction.h"

namespace lanescope::ptx {

// The opcode of exactly this mnemonic ("bar.sync").
std::optional<Opcode> opcode_named(std::string_view mnemonic);

namespace opcodes {

extern const Opcode atom, bar_warp_sync, barrier_cluster_wait, bra, call, cp_async, cp_async_bulk, cp_async_wait_all,
    cp_reduce_async_bulk, cvta, ld, ldmatrix, mapa, mbarrier_init, mma, mov, movmatrix, red, red_async, ret, shfl,
    shfl_sync, st, st_async, stackrestore, stacksave, stmatrix, suld, suq, sust, tensormap, tex, tld4, trap, txq,
    vote_sync, wgmma, wmma_load, wmma_mma, wmma_store;

}  // namespace opcodes
}  // namespace lanescope::ptx
