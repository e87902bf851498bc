#include "gui/session/worker.h"

#include <algorithm>

#include "core/os/clock.h"

namespace lanescope::gui {

Worker::Worker(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { loop(); }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
    if (running_) running_->progress->cancel = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Worker::post(const std::string& slot, Work work) {
  post_in_parts(slot, [work = std::move(work)](sim::Progress& progress, const Send&) { return work(progress); });
}

void Worker::post_in_parts(const std::string& slot, WorkInParts work) {
  auto item = std::make_shared<Item>(Item{slot, std::move(work), seconds_now(), std::make_shared<sim::Progress>()});
  cancel(slot);
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(item));
  }
  changed_.notify_one();
}

void Worker::cancel(const std::string& slot) {
  const std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [&](const auto& item) { return item->slot == slot; });
  std::erase_if(finished_, [&](const auto& done) { return done.first->slot == slot; });
  if (running_ && running_->slot == slot) {
    running_->dropped = true;
    running_->progress->cancel = true;
  }
}

void Worker::stop(const std::string& slot) {
  const std::lock_guard lock(mutex_);
  for (const auto& item : waiting_)
    if (item->slot == slot) item->progress->cancel = true;
  if (running_ && running_->slot == slot) running_->progress->cancel = true;
}

bool Worker::drain() {
  std::vector<std::pair<std::shared_ptr<Item>, Completion>> arrived;
  {
    const std::lock_guard lock(mutex_);
    arrived.swap(finished_);
  }
  for (auto& [item, completion] : arrived)
    if (completion) completion();
  return !arrived.empty();
}

Worker::Status Worker::status(const std::string& slot) const {
  const std::lock_guard lock(mutex_);
  const auto describe = [](const Item& item) {
    return Status{true, seconds_now() - item.asked_at, item.progress->blocks_done, item.progress->blocks_total};
  };
  for (const auto& item : waiting_)
    if (item->slot == slot) return describe(*item);
  if (running_ && running_->slot == slot && !running_->dropped) return describe(*running_);
  return {};
}

bool Worker::idle() const {
  const std::lock_guard lock(mutex_);
  return waiting_.empty() && !running_ && finished_.empty();
}

void Worker::loop() {
  for (;;) {
    std::shared_ptr<Item> item;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return quit_ || !waiting_.empty(); });
      if (quit_) return;
      item = waiting_.front();
      waiting_.pop_front();
      running_ = item;
    }
    const Send send = [&](Completion early) {
      {
        const std::lock_guard lock(mutex_);
        if (quit_ || item->dropped) return;
        finished_.emplace_back(item, std::move(early));
      }
      wake_();
    };
    Completion completion = item->work(*item->progress, send);
    {
      const std::lock_guard lock(mutex_);
      running_.reset();
      if (quit_) return;
      if (!item->dropped) finished_.emplace_back(item, std::move(completion));
    }
    wake_();
  }
}

}  // namespace lanescope::gui
