#pragma once
// A folder for files that a test of the window opens.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace lanescope::test {

// Removed at the end, with the files in it.
class KernelFolder {
 public:
  KernelFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lanescope-file-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~KernelFolder() { std::filesystem::remove_all(folder_); }
  KernelFolder(const KernelFolder&) = delete;
  KernelFolder& operator=(const KernelFolder&) = delete;
  std::string write(const std::string& name, const std::string& text) const {
    const std::string file = (folder_ / name).string();
    std::ofstream(file) << text;
    return file;
  }
  const std::filesystem::path& path() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace lanescope::test
