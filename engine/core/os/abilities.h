#pragma once
// What this program does on some systems only.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"

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
// main()'s arguments as UTF-8.
std::vector<std::string> arguments_of_program(int argc, char** argv);

// For a program that opens a window: closes the console that the system opened for this process alone, as Windows does
// for a double click. True if nobody can read standard error now.
bool leave_own_console();
// Shows a text in a window of the system and waits until it is closed; on standard error where the system has none.
void show_message(const std::string& text);

// A picture for the clipboard. Text goes there through Dear ImGui.
struct ClipboardPicture {
  int width = 0, height = 0;
  std::span<const std::uint8_t> rgba;  // top row first
  std::span<const std::uint8_t> png;   // the same picture
};

// Whether this session's clipboard takes pictures. On Linux a program does it that need not be installed: wl-copy under
// Wayland, xclip under X11.
bool clipboard_takes_pictures();
// What is missing, in a few words, and a cure; empty if nothing is.
Wording what_the_clipboard_lacks();
Wording how_to_copy_pictures();

// Replaces the clipboard's contents. Call on the thread of the window. The picture stays there after this process has
// ended. Diagnostic: clipboard.picture.
Result<std::monostate> copy_picture(const ClipboardPicture& picture);

}  // namespace lanescope
