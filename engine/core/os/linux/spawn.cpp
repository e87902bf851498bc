#include "core/os/spawn.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <mutex>
#include <thread>

#include "core/os/linux/wait_for.h"

extern char** environ;

namespace lanescope {
namespace {

std::vector<char*> words_of(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  return words;
}

ProcessEnd end_of(int status) {
  return WIFSIGNALED(status) ? ProcessEnd{0, WTERMSIG(status)} : ProcessEnd{WEXITSTATUS(status), 0};
}

// Runs in the child, which gets the signal when the thread that forked it ends. posix_spawn cannot call prctl.
[[noreturn]] void become(char* const* words, const ChildSetting& setting, int at_our_end, pid_t parent, int tell) {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  int failed = ::prctl(PR_SET_PDEATHSIG, at_our_end) != 0 ? errno : 0;
  if (failed == 0 && ::getppid() != parent) ::_exit(1);  // the parent ended before prctl
  if (failed == 0 && setting.group == ProcessGroup::own && ::setpgid(0, 0) != 0) failed = errno;
  if (failed == 0 && !setting.folder.empty() && ::chdir(setting.folder.c_str()) != 0) failed = errno;
  for (const PassedDescriptor& one : setting.descriptors)
    if (failed == 0 && ::dup2(one.ours, one.in_child) < 0) failed = errno;
  if (failed == 0) {
    ::execve(words[0], words, environ);
    failed = errno;
  }
  [[maybe_unused]] const ssize_t told = ::write(tell, &failed, sizeof failed);
  ::_exit(127);
}

int start_with_signal(const std::vector<std::string>& command, const ChildSetting& setting, int at_our_end, int& pid) {
  Descriptor hear, tell;
  if (const int reason = open_pipe(hear, tell)) return reason;
  const std::vector<char*> words = words_of(command);
  const pid_t parent = ::getpid(), started = ::fork();
  if (started < 0) return errno;
  if (started == 0) become(words.data(), setting, at_our_end, parent, tell.get());
  tell.close();
  int failed = 0;
  ssize_t got = 0;
  while ((got = ::read(hear.get(), &failed, sizeof failed)) < 0 && errno == EINTR) {
  }
  if (got == 0) {  // execve closed it
    pid = started;
    return 0;
  }
  ::waitpid(started, nullptr, 0);
  return failed;
}

// A thread that lasts as long as the process: what it starts gets its signal at the process's end, and not before.
class LastingThread {
 public:
  // A forked process has none of its parent's threads.
  static LastingThread& only() {
    static std::mutex guard;
    static LastingThread* it = nullptr;
    static pid_t of = -1;
    const std::lock_guard lock(guard);
    if (of != ::getpid()) it = new LastingThread;
    of = ::getpid();
    return *it;
  }
  int run(const std::function<int()>& work) {
    std::unique_lock lock(guard_);
    changed_.wait(lock, [&] { return work_ == nullptr; });
    work_ = &work;
    changed_.notify_all();
    changed_.wait(lock, [&] { return work_ == &work && done_; });
    const int result = result_;
    work_ = nullptr;
    done_ = false;
    changed_.notify_all();
    return result;
  }

 private:
  LastingThread() { std::thread(&LastingThread::go_on, this).detach(); }
  [[noreturn]] void go_on() {
    std::unique_lock lock(guard_);
    for (;;) {
      changed_.wait(lock, [&] { return work_ != nullptr && !done_; });
      result_ = (*work_)();
      done_ = true;
      changed_.notify_all();
    }
  }

  std::mutex guard_;
  std::condition_variable changed_;
  const std::function<int()>* work_ = nullptr;
  bool done_ = false;
  int result_ = 0;
};

}  // namespace

int spawn(const std::vector<std::string>& command, std::initializer_list<PassedDescriptor> descriptors, int& pid,
          ProcessGroup group) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const PassedDescriptor& one : descriptors) posix_spawn_file_actions_adddup2(&actions, one.ours, one.in_child);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;  // the starting thread may have blocked signals
  ::sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  const int grouped = group == ProcessGroup::own ? POSIX_SPAWN_SETPGROUP : 0;  // group 0: a group of its own
  posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | grouped));
  const std::vector<char*> words = words_of(command);
  pid_t started = -1;
  const int failed = ::posix_spawn(&started, words[0], &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed == 0) pid = started;
  return failed;
}

int spawn_not_to_outlive_us(const std::vector<std::string>& command, int& pid) {
  return spawn_not_to_outlive_us(command, {}, pid);
}

int spawn_not_to_outlive_us(const std::vector<std::string>& command, const ChildSetting& setting, int& pid) {
  return start_with_signal(command, setting, SIGKILL, pid);
}

int spawn_to_end_with_us(const std::vector<std::string>& command, const ChildSetting& setting, int& pid) {
  return LastingThread::only().run([&] { return start_with_signal(command, setting, SIGTERM, pid); });
}

ProcessEnd wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return end_of(status);
}

void kill_process(int pid) {
  ::kill(pid, SIGKILL);
}

void kill_group(int pid) {
  ::kill(-pid, SIGKILL);
}

void ask_to_end(int pid) {
  ::kill(pid, SIGTERM);
}

Life life_of(int pid, ProcessEnd& end) {
  int status = 0;
  const pid_t got = ::waitpid(pid, &status, WNOHANG);
  if (got == 0 || (got < 0 && errno == EINTR)) return Life::goes_on;
  if (got < 0) return Life::gone;
  end = end_of(status);
  return Life::ended;
}

int open_pipe(Descriptor& read_end, Descriptor& write_end) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
  read_end.reset(ends[0]);
  write_end.reset(ends[1]);
  return 0;
}

}  // namespace lanescope
