#include "cli/output/cures.h"

#include <algorithm>

namespace lanescope::cli {

namespace {

std::vector<std::string> offered;

struct Row {
  const char* option;
  OwnCure cure;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all{
      {"--max-steps",
       {"Check that the loop at this line ends.",
        "Check that the loop at this line ends. If the kernel is just long, raise the limit with --max-steps."}},
      {"--cooperative", {"Launch it as a cooperative kernel.", "Launch it as a cooperative kernel: --cooperative."}},
      {"--shared",
       {"Check the index against the size of the shared array. An extern array has only the bytes that the launch "
        "passes.",
        "Check the index against the size of the shared array. An extern array has only the bytes that the launch "
        "passes "
        "(--shared)."}},
      {"--heap",
       {"Free what is no longer needed, or make the heap larger (cudaDeviceSetLimit with cudaLimitMallocHeapSize).",
        "Free what is no longer needed, or make the heap larger: --heap MIB, as the host's cudaDeviceSetLimit with "
        "cudaLimitMallocHeapSize would."}},
      {"--blocks",
       {"Use smaller buffers, or keep the events of fewer blocks.",
        "Use smaller buffers, or keep the events of fewer blocks (--blocks)."}},
      {"--event-budget",
       {"Choose all blocks, a smaller size, or a larger event budget.",
        "Choose a smaller size or a larger --event-budget, and do not use --blocks."}},
      {"--symbol",
       {"Give `{}` an initialiser, or set it before the launch.",
        "Give `{0}` an initialiser, or set it as the host's cudaMemcpyToSymbol() would: --symbol {0}=f32[64]=iota, or "
        "{0}=f32[64]=@FILE, with its own type and size."}},
      {"--kernel", {"Say which kernel to run.", "Say which kernel to run: --kernel NAME."}},
      {"--grid", {"Specify the grid of the launch.", "Specify it: --grid 64, or --grid 8,8."}},
      {"--block", {"Specify the block of the launch.", "Specify it: --block 256, or --block 16,16."}},
      {"--shared", {"Specify the bytes of shared memory of the launch.", "Specify its bytes: --shared 1024."}},
      {"--arg", {"Specify the arguments yourself.", "Specify the arguments yourself, one --arg per parameter."}},
      {"--races",
       {"Turn on the race check to look for them; the run then takes longer.",
        "Add --races to check; the run then takes longer."}},
      {"--device",
       {"Install the NVIDIA driver for your GPU; without one, kernels run in the CPU interpreter.",
        "Install the NVIDIA driver for your GPU, or use the CPU interpreter: --device cpu."}},
      {"--device",
       {"Check with nvidia-smi that the driver sees the GPU; without one, kernels run in the CPU interpreter.",
        "Check with nvidia-smi that the driver sees the GPU; without one use --device cpu."}},
      {"--device",
       {"Check CUDA_VISIBLE_DEVICES and nvidia-smi; without a GPU, kernels run in the CPU interpreter.",
        "Check CUDA_VISIBLE_DEVICES and nvidia-smi; without a GPU use --device cpu."}},
      {"--device",
       {"Install Lanescope there.",
        "Install Lanescope there, or let `doctor --device ssh:HOST --install` copy this program to it."}},
      {"--device",
       {"Install the same version there.",
        "Install the same version there, or let `doctor --device ssh:HOST --install` copy this program to it."}},
      {"--device",
       {"Run again: a new worker is started there. If it happens again, install the same version there.",
        "Run again: a new worker is started there. If it happens again, let `doctor --device ssh:HOST --install` copy "
        "this "
        "program to it."}},
  };
  return all;
}

}  // namespace

void offer(std::vector<std::string> options) {
  offered = std::move(options);
}

Diagnostics with_options(Diagnostics diagnostics) {
  std::vector<OwnCure> cures;
  for (const Row& row : rows())
    if (std::ranges::find(offered, row.option) != offered.end()) cures.push_back(row.cure);
  put_own_cures(diagnostics, cures);
  return diagnostics;
}

}  // namespace lanescope::cli
