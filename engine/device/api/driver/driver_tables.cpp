// NVIDIA's runtime asks the driver for undocumented tables, which Lanescope does not have. inside/redirect.cpp replaces
// the functions of that runtime, except in a program or package whose symbols were stripped.

#include <dlfcn.h>
#include <link.h>

#include <map>
#include <string>
#include <string_view>

#include "core/worded.h"
#include "device/api/driver/driver.h"

namespace lanescope::device::api {

namespace {

struct Search {
  std::uint64_t of;
  std::string_view text;
  bool found = false;
};

// Looks for the text in the read-only memory of the file that has the address.
int look_through(dl_phdr_info* file, std::size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  bool is_the_file = false;
  for (int i = 0; i < file->dlpi_phnum; ++i) {
    const auto& part = file->dlpi_phdr[i];
    is_the_file |= part.p_type == PT_LOAD && search.of - file->dlpi_addr - part.p_vaddr < part.p_memsz;
  }
  for (int i = 0; is_the_file && i < file->dlpi_phnum; ++i) {
    const auto& part = file->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & (PF_R | PF_W)) != PF_R) continue;
    const auto* const begin = reinterpret_cast<const char*>(file->dlpi_addr + part.p_vaddr);
    search.found |= std::string_view(begin, part.p_filesz).find(search.text) != std::string_view::npos;
  }
  return is_the_file ? 1 : 0;
}

// A name that is in the runtime's own messages.
bool contains_runtime(const void* address) {
  Search search{reinterpret_cast<std::uint64_t>(address), "cudaErrorCudartUnloading"};
  dl_iterate_phdr(look_through, &search);
  return search.found;
}

// Calls are counted for each file that calls, because some can do without the tables: NVRTC compiles the same.
struct AskingFile {
  std::string counted_as;
  Counted counted{};
};

AskingFile& asking_file(const char* path) {
  static auto& files = *new std::map<std::string, AskingFile>;  // counted at the end of the process
  AskingFile& file = files[path];
  if (file.counted_as.empty()) {
    const std::string_view name(path);
    const std::size_t slash = name.find_last_of('/');
    file.counted_as = "cuGetExportTable (" + std::string(name.substr(slash + 1)) + ")";
    file.counted.name = file.counted_as.c_str();
  }
  return file;
}

void tell_of_runtime(const void* caller, const char* path) {
  if (!contains_runtime(caller)) return;
  device().observer().said(
      {Severity::warning,
       "program.runtime_inside",
       {},
       worded(
           "NVIDIA's runtime is linked into {}, whose symbols were stripped: it needs NVIDIA's driver, and its calls "
           "return errors here",
           std::string(path)),
       "Build that file with `nvcc -cudart shared`, or do not strip it."});
}

}  // namespace

extern "C" {

CUresult cuGetExportTable(const void**, const CUuuid*) {
  const void* const caller = __builtin_return_address(0);
  Dl_info info;
  const bool known = dladdr(caller, &info) != 0 && info.dli_fname != nullptr;
  Call call;
  Counted& counted = asking_file(known ? info.dli_fname : "?").counted;
  if (known && counted.calls == 0) tell_of_runtime(caller, info.dli_fname);
  return static_cast<CUresult>(missing_in_driver(counted));
}

}  // extern "C"

}  // namespace lanescope::device::api
