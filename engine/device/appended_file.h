#pragma once
// A file that a library writes inside somebody else's program. The program may close every descriptor (a daemon does,
// and so does closefrom()) and then open its own file under the same number. So each use checks that the descriptor is
// still this file, and opens it again if it is not.

#include <cstddef>
#include <mutex>
#include <string>

#include "core/os/files.h"
#include "core/os/pages.h"

namespace lanescope::device {

// An int that is a status is 0 or errno. Thread-safe.
class AppendedFile {
 public:
  AppendedFile() = default;
  ~AppendedFile();
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;

  // Creates the file if it does not exist.
  int open(const std::string& path, Readers readers);
  bool is_open() const { return !path_.empty(); }
  // Holds it against other processes that lock it, until it is closed.
  Lock lock();
  int size(std::uint64_t& bytes);
  // Between the two no other thread uses the file.
  void hold() { mutex_.lock(); }
  void let_go() { mutex_.unlock(); }
  // By one write(2), if the system writes all of it at once.
  int append(const void* data, std::size_t bytes);
  // Where the bytes lie that were appended last; after a fork, possibly others of the same length. Empty if the system
  // cannot map them.
  pages::MappedPart map_last(std::size_t bytes);
  // Cuts off everything after the first `bytes`.
  int cut(std::uint64_t bytes);
  int close();

 private:
  int check();  // EBADF: another file has its name now

  std::mutex mutex_;
  std::string path_;  // empty: not open
  Readers readers_{};
  Descriptor file_;
  FileIdentity identity_;
  bool locked_ = false;
};

}  // namespace lanescope::device
