#include <cstdint>

#include "instrument/witness_references.h"

namespace lanescope::test {

void add_textures(WitnessReferences& all) {
  all["image"] = [](HostArguments& with) {
    for (int i = 0; i < 256; ++i) with.of<float>(1)[i] = 2 * with.of<float>(0)[i];
  };
  all["bytes_as_floats"] = [](HostArguments& with) {
    for (int i = 0; i < 256; ++i) with.of<float>(1)[i] = static_cast<float>(with.of<std::uint8_t>(0)[i]) / 255;
  };
  all["layers"] = [](HostArguments& with) {
    for (int i = 0; i < 96; ++i) with.of<std::uint16_t>(1)[i] = with.of<std::uint16_t>(0)[i];
  };
  all["volume_that_wraps"] = [](HostArguments& with) {
    for (int i = 0; i < 64; ++i) with.of<float>(1)[i] = with.of<float>(0)[i];
  };
  all["fetches_from_linear_memory"] = [](HostArguments& with) {
    for (int i = 0; i < 96; ++i) with.of<int>(1)[i] = with.of<int>(0)[95 - i];
  };
  all["halfway"] = [](HostArguments& with) {
    const float* in = with.of<float>(0);
    for (int i = 0; i < 32; ++i) with.of<float>(1)[i] = (in[i] + (i < 31 ? in[i + 1] : 0)) / 2;
  };
  all["surface_that_changes"] = [](HostArguments& with) {
    int* const texels = with.of<int>(0);
    for (int i = 0; i < 128; ++i) {
      with.of<int>(1)[i] = texels[i];
      if (i % 2 == 0) texels[i] += 1000;
    }
  };
}

}  // namespace lanescope::test
