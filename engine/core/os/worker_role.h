#pragma once
// How a worker process configures itself at its start.

namespace lanescope {

// From now on, writing to a pipe without a reader is an error and does not end this process.
void ignore_broken_pipes();

// For a process that runs code that may crash, on behalf of its parent. The parent handles Ctrl+C and prints all
// messages. A crash ends the process immediately and leaves no core file. If memory runs out, the system kills this
// process first. Only its standard input, output and error stay open.
void become_a_worker();

}  // namespace lanescope
