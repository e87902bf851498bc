#pragma once
// What this program does on one system and not on another.

#include <string>
#include <vector>

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
// main()'s arguments as UTF-8.
std::vector<std::string> arguments_of_program(int argc, char** argv);

// For a program that opens a window: closes the console that the system opened for this process alone, as Windows does
// for a double click. True if nobody can read standard error now.
bool leave_own_console();
// Shows a text in a window of the system and waits until it is closed; on standard error where the system has none.
void show_message(const std::string& text);

}  // namespace lanescope
