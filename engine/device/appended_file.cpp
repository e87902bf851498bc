#include "device/appended_file.h"

#include <cerrno>

#include "core/os/write_all.h"

namespace lanescope::device {

AppendedFile::~AppendedFile() {
  close();
}

int AppendedFile::open(const std::string& path, Readers readers) {
  const std::scoped_lock guard(mutex_);
  if (const int reason = open_to_append(path, readers, file_)) return reason;
  path_ = path;
  readers_ = readers;
  identity_ = identity_of(file_.get());
  return 0;
}

int AppendedFile::check() {
  if (file_ && identity_of(file_.get()) == identity_) return 0;
  file_.release();  // the number is closed, or the program's
  if (const int reason = open_to_append(path_, readers_, file_)) return reason;
  const bool same = identity_of(file_.get()) == identity_;
  if (same && (!locked_ || lock_file(file_.get()) == Lock::taken)) return 0;
  file_.close();
  return EBADF;
}

Lock AppendedFile::lock() {
  const std::scoped_lock guard(mutex_);
  if (check() != 0) return Lock::impossible;
  const Lock outcome = lock_file(file_.get());
  locked_ = outcome == Lock::taken;
  return outcome;
}

int AppendedFile::size(std::uint64_t& bytes) {
  const std::scoped_lock guard(mutex_);
  if (const int reason = check()) return reason;
  FileFacts facts;
  const int reason = facts_of(file_.get(), facts);
  bytes = facts.bytes;
  return reason;
}

int AppendedFile::append(const void* data, std::size_t bytes) {
  const std::scoped_lock guard(mutex_);
  if (const int reason = check()) return reason;
  return write_all(file_.get(), data, bytes);
}

pages::MappedPart AppendedFile::map_last(std::size_t bytes) {
  const std::scoped_lock guard(mutex_);
  if (check() != 0) return {};
  const std::int64_t end = position_in(file_.get());
  if (end < static_cast<std::int64_t>(bytes)) return {};
  return {file_.get(), static_cast<std::uint64_t>(end) - bytes, bytes};
}

int AppendedFile::cut(std::uint64_t bytes) {
  const std::scoped_lock guard(mutex_);
  if (const int reason = check()) return reason;
  return cut_file(file_.get(), bytes);
}

int AppendedFile::close() {
  const std::scoped_lock guard(mutex_);
  if (path_.empty()) return 0;
  path_.clear();
  locked_ = false;
  if (identity_of(file_.get()) == identity_) return file_.close();
  file_.release();
  return 0;
}

}  // namespace lanescope::device
