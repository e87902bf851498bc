#include "gui/session/file_watch.h"

#include <filesystem>
#include <utility>

#include "core/os/clock.h"
#include "core/os/read_file.h"

namespace lanescope::gui {
namespace {

namespace fs = std::filesystem;

constexpr double look_again = 1;                            // seconds
constexpr std::size_t most_watched = std::size_t{1} << 20;  // bytes; as the editor takes

}  // namespace

FileWatch::FileWatch(Selection& selection, Changes& changes, const std::function<void()>& wake)
    : selection_(selection), changes_(changes), worker_(wake) {}

void FileWatch::update() {
  worker_.drain();
  const std::string file = selection_.file_on_screen();
  if (file != file_) file_ = file, stamp_ = {}, looked_at_ = 0;
  if (file.empty() || !worker_.idle() || seconds_now() < looked_at_ + look_again) return;
  looked_at_ = seconds_now();
  worker_.post("look", [this, file, before = stamp_](sim::Progress&) -> Worker::Completion {
    std::error_code failed;
    Stamp now;
    now.time = fs::last_write_time(file, failed).time_since_epoch().count();
    if (!failed) now.bytes = fs::file_size(file, failed);
    std::string text;
    // A file that is gone may be about to be replaced.
    if (failed || now == before || now.bytes > most_watched || read_file(file, text, most_watched) != 0) return [] {};
    return [this, file, now, text = std::move(text)]() mutable { found(file, now, std::move(text)); };
  });
}

void FileWatch::found(const std::string& file, const Stamp& stamp, std::string text) {
  if (file != selection_.file_on_screen()) return;
  stamp_ = stamp;
  if (text.empty() || text == selection_.original_source()) return;
  selection_.take_original(std::move(text));
  changes_.mark();
}

}  // namespace lanescope::gui
