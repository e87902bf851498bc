#pragma once
// Files by descriptor, for cases that read_file.h and replace_file.h do not cover. Started programs do not inherit
// these descriptors. An int that is a status is 0 or errno.

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/os/descriptor.h"

namespace lanescope {

// Never waits for the other end of a named pipe.
int open_to_read(const std::string& path, Descriptor& file);
// Empties the file or creates it.
int open_to_write(const std::string& path, Descriptor& file);
// Creates the file; EEXIST if there is one.
int create_new(const std::string& path, Descriptor& file);
enum class Readers : std::uint8_t { all, this_user };  // who may read a created file
// Each write appends to the file, also after writes of other processes. The file can be read, too.
int open_to_append(const std::string& path, Readers readers, Descriptor& file);

struct FileFacts {
  bool regular = false, folder = false;
  std::uint64_t bytes = 0;
};
int facts_of(int file, FileFacts& facts);
int facts_of(const std::string& path, FileFacts& facts);

// What tells an open file from every other one that exists. All zero if the system has no such thing, or the descriptor
// is closed.
struct FileIdentity {
  std::uint64_t device = 0, number = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};
FileIdentity identity_of(int file);

// Reads until `bytes` bytes are read or the file ends. Returns their number, or -1 with errno set.
std::ptrdiff_t read_some(int file, void* to, std::size_t bytes);
// The same, starting at `offset`, independent of earlier reads.
std::ptrdiff_t read_some_at(int file, std::uint64_t offset, void* to, std::size_t bytes);
// Where the last read or write ended, of all that share the descriptor with this process; -1 if that is not known.
std::int64_t position_in(int file);
// Cuts off everything after the first `bytes`.
int cut_file(int file, std::uint64_t bytes);

// Locks the whole file against other processes that lock it, until it is closed. Never waits.
enum class Lock : std::uint8_t { taken, held_by_another, impossible };
Lock lock_file(int file);

// A file without a name that is deleted when it is closed; in memory if the system can. The result is empty if there is
// none. Writes append to it.
void make_nameless_file(Descriptor& file);
// A path with which this process can open it while it is open.
std::string path_of_nameless_file(int file);

// A new folder in the system's folder for temporary files; empty if there is none.
std::string make_scratch_folder(const std::string& name);

}  // namespace lanescope
