#include "core/os/deep_thread.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace lanescope {

struct DeepThread::Body {
  std::function<void()> work;
  int done = -1;  // readable when it is
  pthread_t thread{};
  bool started = false;

  static void* run(void* self) {
    const auto& body = *static_cast<Body*>(self);
    body.work();
    const std::uint64_t one = 1;
    (void)!::write(body.done, &one, sizeof one);
    return nullptr;
  }
};

DeepThread::DeepThread(std::function<void()> work) : body_(std::make_unique<Body>()) {
  body_->work = std::move(work);
  body_->done = ::eventfd(0, EFD_CLOEXEC);
  for (std::size_t mebibytes = 1024; !body_->started && mebibytes >= 16; mebibytes /= 4) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, mebibytes << 20);
    body_->started = pthread_create(&body_->thread, &attributes, Body::run, body_.get()) == 0;
    pthread_attr_destroy(&attributes);
  }
  if (!body_->started) Body::run(body_.get());
}

DeepThread::~DeepThread() {
  if (body_->started) pthread_join(body_->thread, nullptr);
  ::close(body_->done);
}

bool DeepThread::done_before_readable(int input) const {
  pollfd waiting[] = {{input, POLLIN, 0}, {body_->done, POLLIN, 0}};
  while (::poll(waiting, 2, -1) < 0 || (waiting[0].revents == 0 && waiting[1].revents == 0)) {
  }
  return waiting[1].revents != 0;
}

}  // namespace lanescope
