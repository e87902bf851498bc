// Replays files, or every file of a folder, with any compiler:   fuzz_replay TARGET PATH…   fuzz_replay --list

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/targets.h"

namespace fs = std::filesystem;

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == "--list") {
    for (const auto& one : lanescope::fuzz::targets()) std::printf("%s\n", one.name);
    return 0;
  }
  const lanescope::fuzz::Target* target = lanescope::fuzz::find_target(name);
  if (target == nullptr || argc < 3) {
    std::fprintf(stderr, "fuzz_replay TARGET PATH…   fuzz_replay --list\n");
    return 2;
  }
  std::vector<fs::path> files;
  for (int i = 2; i < argc; ++i) {
    if (!fs::is_directory(argv[i]))
      files.emplace_back(argv[i]);
    else
      for (const auto& entry : fs::directory_iterator(argv[i])) files.push_back(entry.path());
  }
  for (const fs::path& file : files) {
    std::printf("%s\n", file.filename().c_str());
    std::fflush(stdout);  // the last name printed is the input that crashed
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    target->run({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  }
  std::printf("%zu inputs of %s\n", files.size(), target->name);
  return files.empty() ? 1 : 0;
}
