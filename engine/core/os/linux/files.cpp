#include "core/os/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace lanescope {
namespace {

int open_as(const std::string& path, int how, ::mode_t mode, Descriptor& file) {
  file.reset(::open(path.c_str(), how | O_CLOEXEC, mode));
  return file ? 0 : errno;
}

FileFacts as_facts(const struct stat& found) {
  return {S_ISREG(found.st_mode), S_ISDIR(found.st_mode), static_cast<std::uint64_t>(found.st_size)};
}

// Reads until all bytes are read, the file ends or read_piece fails.
template <typename ReadPiece>
std::ptrdiff_t read_pieces(std::size_t bytes, ReadPiece read_piece) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = read_piece(done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return static_cast<std::ptrdiff_t>(done);
}

}  // namespace

int open_to_read(const std::string& path, Descriptor& file) {
  return open_as(path, O_RDONLY | O_NONBLOCK, 0, file);
}

int open_to_write(const std::string& path, Descriptor& file) {
  return open_as(path, O_WRONLY | O_CREAT | O_TRUNC, 0644, file);
}

int create_new(const std::string& path, Descriptor& file) {
  return open_as(path, O_WRONLY | O_CREAT | O_EXCL, 0644, file);
}

int open_to_append(const std::string& path, Readers readers, Descriptor& file) {
  return open_as(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, readers == Readers::all ? 0644 : 0600, file);
}

int facts_of(int file, FileFacts& facts) {
  struct stat found {};
  if (::fstat(file, &found) != 0) return errno;
  facts = as_facts(found);
  return 0;
}

int facts_of(const std::string& path, FileFacts& facts) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return errno;
  facts = as_facts(found);
  return 0;
}

FileIdentity identity_of(int file) {
  struct stat found {};
  if (::fstat(file, &found) != 0) return {};
  return {static_cast<std::uint64_t>(found.st_dev), static_cast<std::uint64_t>(found.st_ino)};
}

std::ptrdiff_t read_some(int file, void* to, std::size_t bytes) {
  return read_pieces(bytes,
                     [&](std::size_t done) { return ::read(file, static_cast<char*>(to) + done, bytes - done); });
}

std::ptrdiff_t read_some_at(int file, std::uint64_t offset, void* to, std::size_t bytes) {
  return read_pieces(bytes, [&](std::size_t done) {
    return ::pread(file, static_cast<char*>(to) + done, bytes - done, static_cast<off_t>(offset + done));
  });
}

std::int64_t position_in(int file) {
  return ::lseek(file, 0, SEEK_CUR);
}

int cut_file(int file, std::uint64_t bytes) {
  return ::ftruncate(file, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
}

Lock lock_file(int file) {
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return Lock::taken;
  return errno == EWOULDBLOCK ? Lock::held_by_another : Lock::impossible;
}

void make_nameless_file(Descriptor& file) {
  file.reset(::memfd_create("lanescope", MFD_CLOEXEC));
  if (file) ::fcntl(file.get(), F_SETFL, O_APPEND);
}

std::string path_of_nameless_file(int file) {
  return "/proc/self/fd/" + std::to_string(file);
}

std::string make_scratch_folder(const std::string& name) {
  std::error_code failed;
  std::string path = (std::filesystem::temp_directory_path(failed) / (name + "-XXXXXX")).string();
  return !failed && ::mkdtemp(path.data()) != nullptr ? path : std::string();
}

}  // namespace lanescope
