#pragma once
// Files by descriptor, for what read_file.h and replace_file.h are too coarse. What is opened here is not handed to
// programs that are started. A number that says how it went is 0, or the system's reason (errno).

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/os/descriptor.h"

namespace lanescope {

// Never waits for the other end of a named pipe.
int open_to_read(const std::string& path, Descriptor& file);
// The file becomes empty, or is made.
int open_to_write(const std::string& path, Descriptor& file);
enum class Readers : std::uint8_t { all, this_user };  // of a file that is made
// Each piece is written behind what others wrote.
int open_to_append(const std::string& path, Readers readers, Descriptor& file);

struct FileFacts {
  bool regular = false, folder = false;
  std::uint64_t bytes = 0;
};
int facts_of(int file, FileFacts& facts);
int facts_of(const std::string& path, FileFacts& facts);

// Reads until `bytes` are there or the file ends; how many were read, or -1 with errno set.
std::ptrdiff_t read_some(int file, void* to, std::size_t bytes);
// The same from `offset` on, whatever was read before.
std::ptrdiff_t read_some_at(int file, std::uint64_t offset, void* to, std::size_t bytes);
// Cuts off what is behind the first `bytes`.
int cut_file(int file, std::uint64_t bytes);

// Locks the whole file against other processes that lock it, until it is closed; never waits.
enum class Lock : std::uint8_t { taken, held_by_another, impossible };
Lock lock_file(int file);

// A file without a name that goes when it is closed, in memory where the system has that; empty when there is none.
// What is written lands behind what it holds.
void make_nameless_file(Descriptor& file);
// A path by which this process opens it, for as long as it is open.
std::string path_of_nameless_file(int file);

// A folder of its own below the system's for temporary files; empty when there is none.
std::string make_scratch_folder(const std::string& name);

}  // namespace lanescope
