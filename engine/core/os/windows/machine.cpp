#include "core/os/machine.h"

#include <windows.h>
// These need windows.h first:
#include <psapi.h>
#include <shlobj.h>

namespace lanescope {

std::uint64_t memory_of_the_machine() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  return ::GlobalMemoryStatusEx(&status) != 0 ? status.ullTotalPhys : 0;
}

std::uint64_t resident_bytes(int process) {
  const HANDLE handle = ::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, static_cast<DWORD>(process));
  if (handle == nullptr) return 0;
  PROCESS_MEMORY_COUNTERS counters{};
  const bool told = ::K32GetProcessMemoryInfo(handle, &counters, sizeof counters) != 0;
  ::CloseHandle(handle);
  return told ? counters.WorkingSetSize : 0;
}

int own_process() {
  return static_cast<int>(::GetCurrentProcessId());
}

bool is_administrator() {
  return ::IsUserAnAdmin() != 0;
}

std::optional<bool> counters_are_restricted() {
  return std::nullopt;
}

}  // namespace lanescope
