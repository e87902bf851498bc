#include "core/os/deep_thread.h"

#include <process.h>
#include <windows.h>

#include "core/os/pipes.h"

namespace lanescope {

struct DeepThread::Body {
  std::function<void()> work;
  HANDLE thread = nullptr;

  static unsigned __stdcall run(void* self) {
    static_cast<Body*>(self)->work();
    return 0;
  }
};

DeepThread::DeepThread(std::function<void()> work) : body_(std::make_unique<Body>()) {
  body_->work = std::move(work);
  for (unsigned mebibytes = 1024; body_->thread == nullptr && mebibytes >= 16; mebibytes /= 4)
    body_->thread = reinterpret_cast<HANDLE>(
        ::_beginthreadex(nullptr, mebibytes << 20, Body::run, body_.get(), STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr));
  if (body_->thread == nullptr) Body::run(body_.get());
}

DeepThread::~DeepThread() {
  if (body_->thread == nullptr) return;
  ::WaitForSingleObject(body_->thread, INFINITE);
  ::CloseHandle(body_->thread);
}

bool DeepThread::done_before_readable(int input) const {
  constexpr DWORD between_looks_ms = 5;
  for (;;) {
    if (body_->thread == nullptr || ::WaitForSingleObject(body_->thread, between_looks_ms) == WAIT_OBJECT_0)
      return true;
    if (readable(input, 0)) return false;
  }
}

}  // namespace lanescope
