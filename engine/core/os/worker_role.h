#pragma once
// What a worker process does to itself when it begins.

namespace lanescope {

// Writing to a pipe that nobody reads is an error from now on and not the end of this process.
void ignore_broken_pipes();

// For a process that runs what may crash, on behalf of its parent: Ctrl+C is for the parent, and so is what there is to
// say. A crash ends it at once and leaves nothing behind, and where memory runs out, it goes before others. It has
// nothing open but its standard input, output and error.
void become_a_worker();

}  // namespace lanescope
