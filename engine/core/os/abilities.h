#pragma once
// What this program does on one system and not on another.

namespace lanescope {

// It knows the NVIDIA driver of this system, and measures on a GPU.
bool can_use_a_gpu();
// It reaches GPUs elsewhere, by ssh and Slurm.
bool can_reach_elsewhere();
// It starts programs with libraries of its own in the place of CUDA's.
bool can_stand_in_for_cuda();
// Its desktop has menus as freedesktop.org has them.
bool has_desktop_entries();

// For the beginning of main(): bytes pass the standard streams and files as they are, and texts are UTF-8.
void make_streams_plain();

}  // namespace lanescope
