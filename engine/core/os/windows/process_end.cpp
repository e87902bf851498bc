#include "core/os/process_end.h"

#include <windows.h>

#include <cstdint>

#include <fmt/format.h>

#include "core/worded.h"

namespace lanescope {
namespace {

struct ExceptionName {
  DWORD number;
  const char* name;
};
constexpr ExceptionName exception_names[] = {
    {STATUS_ACCESS_VIOLATION, "access violation"},
    {STATUS_STACK_OVERFLOW, "stack overflow"},
    {STATUS_ILLEGAL_INSTRUCTION, "illegal instruction"},
    {STATUS_INTEGER_DIVIDE_BY_ZERO, "division by zero"},
    {STATUS_CONTROL_C_EXIT, "Ctrl+C"},
};

}  // namespace

Wording name_of_signal(int signal) {
  return worded("exception {}", fmt::format("{:#010x}", static_cast<std::uint32_t>(signal)));
}

std::string described_signal(int signal) {
  for (const ExceptionName& one : exception_names)
    if (one.number == static_cast<DWORD>(signal)) return one.name;
  return "exception";
}

bool is_asked_for(int signal) {
  return static_cast<DWORD>(signal) == STATUS_CONTROL_C_EXIT;
}

bool comes_from_outside(int) {
  return false;
}

}  // namespace lanescope
