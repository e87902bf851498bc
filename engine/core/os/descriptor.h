#pragma once
// An owning file descriptor: closes itself.

#include <unistd.h>

#include <cerrno>

namespace lanescope {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  void reset(int number) {
    close();
    number_ = number;
  }
  // 0 or the reason: some file systems report a full disk only here.
  int close() {
    if (number_ < 0) return 0;
    const int number = number_;
    number_ = -1;
    return ::close(number) == 0 ? 0 : errno;
  }

 private:
  int number_;
};

}  // namespace lanescope
