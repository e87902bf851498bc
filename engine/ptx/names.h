#pragma once
// Looks up special registers by name, including numbered ones (%envreg3).

#include <cstdint>
#include <string>
#include <string_view>

#include "ptx/instruction.h"

namespace lanescope::ptx {

struct NumberedSpecial {
  SpecialRegister special{};
  std::int64_t number = 0;  // of envreg, pm, pm_64; reserved_smem_offset: begin, end, cap, 0, 1
};

// nullptr if the name is not a special register.
const NumberedSpecial* special_named(std::string_view name);

std::string name_of(SpecialRegister special, std::int64_t number);

}  // namespace lanescope::ptx
