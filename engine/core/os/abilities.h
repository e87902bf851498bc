#pragma once
// What this program does on some systems only.

namespace lanescope {

// Lanescope knows this system's NVIDIA driver, and measures on a GPU.
bool can_use_a_gpu();
// Lanescope reaches GPUs on other machines, by ssh and Slurm.
bool can_reach_elsewhere();
// Lanescope starts programs with its own libraries instead of CUDA's.
bool can_stand_in_for_cuda();
// The system's desktop has menus as defined by freedesktop.org.
bool has_desktop_entries();

// Call at the beginning of main(): bytes pass the standard streams and files unchanged, and texts are UTF-8.
void make_streams_plain();

}  // namespace lanescope
