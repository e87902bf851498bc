#include "gui/session/file_watch.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/os/clock.h"
#include "core/os/read_file.h"
#include "core/os/system_error.h"
#include "core/worded.h"

namespace lanescope::gui {
namespace {

namespace fs = std::filesystem;

constexpr double look_again = 1;                            // seconds
constexpr double note_stays = 3;                            // seconds
constexpr std::size_t most_watched = std::size_t{1} << 20;  // bytes; as the editor takes

}  // namespace

FileWatch::FileWatch(Selection& selection, Changes& changes, const std::function<void()>& wake)
    : selection_(selection), changes_(changes), worker_(wake) {}

void FileWatch::update() {
  if (worker_.drain()) looked_ = true;
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

double FileWatch::seconds_to_next_look() const {
  if (file_.empty() || !worker_.idle()) return -1;
  return std::max(0.0, looked_at_ + look_again - seconds_now());
}

void FileWatch::found(const std::string& file, const Stamp& stamp, std::string text) {
  if (file != selection_.file_on_screen()) return;
  stamp_ = stamp;
  if (text.empty() || text == selection_.original_source()) return;
  selection_.take_original(std::move(text));
  changes_.mark();
}

FileSave::FileSave(Selection& selection, Changes& changes, const std::function<void()>& wake)
    : selection_(selection), changes_(changes), worker_(wake) {}

void FileSave::drain() {
  worker_.drain();
  if (told_at_ < 0 || seconds_of_note() > 0) return;
  told_at_ = -1;
  std::erase_if(changes_.notices,
                [](const Diagnostic& one) { return one.severity == Severity::note && one.code.starts_with("file."); });
  changes_.mark();
}

double FileSave::seconds_of_note() const {
  return told_at_ < 0 ? -1 : std::max(0.0, told_at_ + note_stays - seconds_now());
}

void FileSave::tell(const std::string& file, const char* code, Severity severity, Wording message, Wording cure) {
  changes_.notices = {{severity, code, {file, 0, 0}, std::move(message), std::move(cure)}};
  changes_.mark();
  told_at_ = severity == Severity::note ? seconds_now() : -1;
}

void FileSave::save() {
  const std::string file = selection_.file_on_screen();
  if (file.empty() || !worker_.idle()) return;
  if (!selection_.edited())
    return tell(file, "file.nothing_to_save", Severity::note,
                "There is nothing to save: the file has the text on screen.", {});
  const VariantId edit = selection_.edit_on_screen();
  const std::string base = selection_.base_of_edit();
  const std::optional<OnDisk> over = refused_ == file ? std::optional(std::exchange(found_, {})) : std::nullopt;
  refused_.clear();
  worker_.post("save",
               [this, file, edit, base, over,
                text = with_line_ends_of(base, selection_.source())](sim::Progress&) -> Worker::Completion {
                 return [this, file, edit, text, made = write_own_file(file, base, text, over)] {
                   done(file, edit, text, made);
                 };
               });
}

void FileSave::done(const std::string& file, const VariantId& edit, const std::string& text, OwnFileWritten made) {
  using End = OwnFileWritten::End;
  switch (made.end) {
    case End::saved:
      selection_.take_saved(edit, text);
      return tell(file, "file.saved", Severity::note, "The file is saved.", {});
    case End::changed:
      refused_ = file, found_ = std::move(made.found);
      return tell(file, "file.changed", Severity::warning,
                  "The file was not saved: it has changed on the disk since you began to edit it.",
                  "Press Ctrl + S again to write over it, or take the file's text above the code.");
    case End::gone:
      refused_ = file, found_ = std::move(made.found);
      return tell(file, "file.gone", Severity::warning, "The file was not saved: it is no longer on the disk.",
                  "Press Ctrl + S again to write it anew.");
    case End::read_only:
      return tell(file, "file.read_only", Severity::error, "The file was not saved: it is read-only.",
                  "Allow writing to it, then press Ctrl + S again. Your edit is kept.");
    case End::not_text:
      return tell(file, "file.not_utf8", Severity::error,
                  "The file was not saved: it has bytes that are not UTF-8, and the editor would change them.",
                  "Convert the file to UTF-8 first. Your edit is kept.");
    case End::failed:
      return tell(file, "file.not_saved", Severity::error,
                  worded("The file could not be saved: {}.", system_error(made.reason)),
                  is_about_room(made.reason)
                      ? "Free some space. The file is as it was, and your edit is kept."
                      : "Make the file and its folder writable. The file is as it was, and your edit is kept.");
  }
}

}  // namespace lanescope::gui
