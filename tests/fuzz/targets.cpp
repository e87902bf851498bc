#include "fuzz/targets.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace lanescope::fuzz {

void ptx(Input);
void ptx_run(Input);
void sass(Input);
void cuda(Input);
void trace_file(Input);
void recording(Input);
void lesson_folder(Input);
void formula(Input);
void settings(Input);
void wire(Input);
void argument(Input);
void fat_binary(Input);
void run_log(Input);

namespace {

constexpr std::array all{Target{"ptx", ptx},
                         Target{"ptx_run", ptx_run},
                         Target{"sass", sass},
                         Target{"cuda", cuda},
                         Target{"trace_file", trace_file},
                         Target{"recording", recording},
                         Target{"lesson_folder", lesson_folder},
                         Target{"formula", formula},
                         Target{"settings", settings},
                         Target{"wire", wire},
                         Target{"argument", argument},
                         Target{"fat_binary", fat_binary},
                         Target{"run_log", run_log}};

// In memory if the system has a folder for that.
struct Folder {
  std::filesystem::path path;
  Folder() {
    const bool in_memory = ::access("/dev/shm", W_OK) == 0;
    std::string name = (in_memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) /
                       "lanescope-fuzz-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

}  // namespace

void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

std::string as_file(std::string_view name, std::string_view contents) {
  static const Folder folder;
  const std::filesystem::path path = folder.path / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << contents;
  return path.string();
}

std::span<const Target> targets() {
  return all;
}

const Target* find_target(std::string_view name) {
  for (const Target& target : all)
    if (name == target.name) return &target;
  return nullptr;
}

}  // namespace lanescope::fuzz
