#pragma once
// A file descriptor that closes itself.

namespace lanescope {

// 0 or errno: some file systems report a full disk only here.
int close_descriptor(int number);

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
  // Releases ownership: the caller must close it.
  int release() {
    const int number = number_;
    number_ = -1;
    return number;
  }
  // As close_descriptor(); 0 if there is none.
  int close() {
    if (number_ < 0) return 0;
    const int number = number_;
    number_ = -1;
    return close_descriptor(number);
  }

 private:
  int number_;
};

}  // namespace lanescope
