#pragma once
// The file of a library that a request names. Internal to gpu/.

#include <string>
#include <utility>
#include <vector>

#include "core/os/descriptor.h"
#include "core/os/files.h"
#include "core/os/wire.h"
#include "core/os/write_all.h"

namespace lanescope::gpu {

// A shared library given by its path or, if the parent is on another machine, by its bytes.
class LibraryFile {
 public:
  LibraryFile(std::string path, const std::vector<Bytes>& sent) : path_(std::move(path)) {
    if (!path_.empty() || sent.empty()) return;
    make_nameless_file(file_);
    if (file_ && write_all(file_.get(), sent[0].data(), sent[0].size()) == 0)
      path_ = path_of_nameless_file(file_.get());
  }
  LibraryFile(const LibraryFile&) = delete;
  LibraryFile& operator=(const LibraryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Descriptor file_;
};

}  // namespace lanescope::gpu
