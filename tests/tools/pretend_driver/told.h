#pragma once
// What a test tells the stand-in libraries: LANESCOPE_PRETEND="cuMemAlloc_v2=2 cuStreamQuery=700:3 version=12040" makes
// the first call return 2 each time, and the second 700 from its third call on; 700:3-5 ends with its fifth. A name
// that is not a call is a property of the machine.

#include <climits>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace lanescope::pretend {

struct Told {
  int value = 0, from = 1, to = INT_MAX;
  bool present = false;
};

inline Told told(const std::string& name) {
  const char* text = std::getenv("LANESCOPE_PRETEND");
  const std::string all = " " + std::string(text ? text : "") + " ", key = " " + name + "=";
  const std::size_t at = all.find(key);
  if (at == std::string::npos) return {};
  Told found{.present = true};
  char* end = nullptr;
  found.value = static_cast<int>(std::strtol(all.c_str() + at + key.size(), &end, 10));
  if (*end == ':') found.from = static_cast<int>(std::strtol(end + 1, &end, 10));
  if (*end == '-') found.to = std::atoi(end + 1);
  return found;
}

// The result of this call; 0 is success in the driver and in CUPTI.
inline int result_of(const char* call) {
  static std::mutex guard;
  static std::map<std::string, int> times;
  const Told answer = told(call);
  const std::lock_guard lock(guard);
  const int time = ++times[call];
  return time >= answer.from && time <= answer.to ? answer.value : 0;
}

inline int machine(const char* name, int otherwise) {
  const Told answer = told(name);
  return answer.present ? answer.value : otherwise;
}

}  // namespace lanescope::pretend
