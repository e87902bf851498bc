#pragma once
// Which kernel parameter an address was computed from, as far as the text of the function shows.

#include <cstddef>
#include <cstdint>
#include <set>

#include "ptx/module.h"

namespace lanescope::cfg {

// Offsets into the parameter block of the 64-bit values that the addresses of this instruction may begin at: what
// indices are added to. Follows copies, conversions between address spaces, sums, selections and where paths meet; not
// products, loads and calls. Empty: none that the text shows.
std::set<std::uint64_t> parameters_of_address(const ptx::Function& kernel, std::size_t instruction);

}  // namespace lanescope::cfg
