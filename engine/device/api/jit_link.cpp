// nvJitLink, NVIDIA's linker library. The original links machine code for a real GPU, so Python packages get this one
// instead. It links PTX to PTX, which the driver API loads like any image.

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/os/read_file.h"
#include "device/api/image.h"
#include "device/api/library.h"
#include "device/machine_code.h"

namespace lanescope::device::api {

namespace {

// Constants of nvJitLink.h.
constexpr int success = 0, invalid_input = 3, unrecognised_input = 8;
constexpr int input_cubin = 1, input_ptx = 2, input_fat_binary = 4, input_any = 10;

struct Linker {
  std::vector<std::string> texts;
  std::string output, errors;
  std::string most_registers;  // a number, if the program sets it
};

std::map<const void*, std::unique_ptr<Linker>>& linkers() {
  static auto* const all = new std::map<const void*, std::unique_ptr<Linker>>;
  return *all;
}

Linker* linker_at(const void* handle) {
  const auto found = linkers().find(handle);
  return found == linkers().end() ? nullptr : found->second.get();
}

int add(Linker* linker, int type, std::string data) {
  if (linker == nullptr) return invalid_input;
  std::string ptx;
  if (stands_for_library(data, ptx)) {
    linker->texts.push_back(std::move(ptx));
    return success;
  }
  // NVRTC's machine code is PTX here (inside/redirect.cpp).
  const bool readable = type == input_cubin || type == input_ptx || type == input_fat_binary || type == input_any;
  if (!readable || ptx_of_image(device(), data, ptx) != Status::success) {
    linker->errors = "Lanescope links PTX only: no machine code, no LTO-IR";
    return unrecognised_input;
  }
  linker->texts.push_back(std::move(ptx));
  return success;
}

template <typename Act>
int with(const void* handle, Act&& act) {
  Call call;
  Linker* linker = linker_at(handle);
  if (linker == nullptr) return invalid_input;
  act(*linker);
  return success;
}
int bytes_of(const std::string& text, std::size_t* bytes) {
  *bytes = text.size() + 1;
  return success;
}
int put(const std::string& text, void* to) {
  std::memcpy(to, text.c_str(), text.size() + 1);
  return success;
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device::api;

extern "C" {

// A version before 12.3, because from 12.3 on callers assume that LTO-IR can be linked. For older versions they pass
// PTX.
int lanescope_nvJitLinkVersion(unsigned* major, unsigned* minor) {
  *major = 12;
  *minor = 0;
  return success;
}
int lanescope_nvJitLinkCreate(void** to, std::uint32_t count, const char** options) {
  Call call;
  auto linker = std::make_unique<Linker>();
  constexpr std::string_view most = "-maxrregcount=";
  for (std::uint32_t i = 0; i < count; ++i)
    if (const std::string_view one = options[i]; one.starts_with(most))
      linker->most_registers = one.substr(most.size());
  *to = linker.get();
  linkers()[*to] = std::move(linker);
  return success;
}
int lanescope_nvJitLinkDestroy(void** handle) {
  Call call;
  linkers().erase(*handle);
  *handle = nullptr;
  return success;
}
int lanescope_nvJitLinkAddData(void* handle, int type, const void* data, std::size_t bytes, const char*) {
  Call call;
  return add(linker_at(handle), type, std::string(static_cast<const char*>(data), bytes));
}
int lanescope_nvJitLinkAddFile(void* handle, int type, const char* path) {
  Call call;
  std::string contents;
  return path == nullptr || lanescope::read_file(path, contents) != 0
             ? invalid_input
             : add(linker_at(handle), type, std::move(contents));
}
int lanescope_nvJitLinkComplete(void* handle) {
  return with(handle, [](Linker& linker) {
    linker.output = linked(linker.texts);
    if (!linker.most_registers.empty())
      linker.output.insert(0, lanescope::device::most_registers_line + linker.most_registers + "\n");
  });
}
int lanescope_nvJitLinkGetLinkedCubinSize(void* handle, std::size_t* bytes) {
  return with(handle, [&](Linker& linker) { bytes_of(linker.output, bytes); });
}
int lanescope_nvJitLinkGetLinkedCubin(void* handle, void* to) {
  return with(handle, [&](Linker& linker) { put(linker.output, to); });
}
int lanescope_nvJitLinkGetLinkedPtxSize(void* handle, std::size_t* bytes) {
  return lanescope_nvJitLinkGetLinkedCubinSize(handle, bytes);
}
int lanescope_nvJitLinkGetLinkedPtx(void* handle, char* to) {
  return lanescope_nvJitLinkGetLinkedCubin(handle, to);
}
int lanescope_nvJitLinkGetErrorLogSize(void* handle, std::size_t* bytes) {
  return with(handle, [&](Linker& linker) { bytes_of(linker.errors, bytes); });
}
int lanescope_nvJitLinkGetErrorLog(void* handle, char* to) {
  return with(handle, [&](Linker& linker) { put(linker.errors, to); });
}
int lanescope_nvJitLinkGetInfoLogSize(void* handle, std::size_t* bytes) {
  return with(handle, [&](Linker&) { bytes_of("", bytes); });
}
int lanescope_nvJitLinkGetInfoLog(void* handle, char* to) {
  return with(handle, [&](Linker&) { put("", to); });
}

}  // extern "C"
