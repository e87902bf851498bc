// Host code that names what only a host has.
#pragma once
#include <pthread.h>
#include <sys/time.h>
#include <exception>
#include <string>
typedef pthread_t Worker;
typedef void (*DrawCall)(GLenum mode, GLclampf red);
typedef void(PENCIL DrawTwice)(GLenum, GLenum);
Worker start(DrawCall call);
template <class Base>
class Failure : public Base {
 public:
  static void raise(const char* file, const std::string& detail);
  explicit Failure(const std::string& text);
};
template <class Base>
void Failure<Base>::raise(const char* file, const std::string& detail) {
  throw Failure(detail);
}
class Clock {
 public:
  virtual ~Clock() {}
  virtual float elapsed() = 0;
};
#if defined(WIN32) || defined(_WIN32) || defined(WIN64)
class SystemClock : public Clock {
  LARGE_INTEGER begun;
};
#else
class SystemClock : public Clock {
 public:
  SystemClock() : begun() { gettimeofday(&begun, 0); }
  float elapsed() { return seconds_since(begun); }

 private:
  struct timeval begun;
  float seconds_since(const struct timeval& from);
};
inline float SystemClock::seconds_since(const struct timeval& from) {
  return from.tv_sec;
}
#endif
inline int ids(int i) {
  return i;
}
