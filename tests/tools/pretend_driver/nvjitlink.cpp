// An nvJitLink that links nothing. Like NVIDIA's on a machine with a driver, it gives a report only if CUDA's cache of
// compiled code is off. Built as libnvJitLink.so.13.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

// The empty text without CUDA_CACHE_DISABLE=1.
std::string report() {
  const char* off = std::getenv("CUDA_CACHE_DISABLE");
  return off != nullptr && std::string(off) == "1" ? "ptxas info    : Compiling entry function" : "";
}

}  // namespace

extern "C" {

int nvJitLinkCreate(void** handle, std::uint32_t, const char**) {
  *handle = &*handle;
  return 0;
}
int nvJitLinkDestroy(void**) {
  return 0;
}
int nvJitLinkAddData(void*, int, const void*, std::size_t, const char*) {
  return 0;
}
int nvJitLinkComplete(void*) {
  return 0;
}
int nvJitLinkGetLinkedCubinSize(void*, std::size_t* size) {
  *size = 0;
  return 0;
}
int nvJitLinkGetLinkedCubin(void*, void*) {
  return 0;
}
int nvJitLinkGetErrorLogSize(void*, std::size_t* size) {
  *size = 0;
  return 0;
}
int nvJitLinkGetErrorLog(void*, char*) {
  return 0;
}
int nvJitLinkGetInfoLogSize(void*, std::size_t* size) {
  *size = report().size() + 1;
  return 0;
}
int nvJitLinkGetInfoLog(void*, char* log) {
  std::strcpy(log, report().c_str());
  return 0;
}

}  // extern "C"
