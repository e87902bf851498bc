#include "core/os/spawn.h"

#include <spawn.h>

#include <csignal>

extern char** environ;

namespace lanescope {

int spawn(const std::vector<std::string>& command, std::initializer_list<PassedDescriptor> descriptors, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const PassedDescriptor& one : descriptors) posix_spawn_file_actions_adddup2(&actions, one.ours, one.in_child);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;  // the thread that starts it may have blocked some
  ::sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t started = -1;
  const int failed = ::posix_spawn(&started, words[0], &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed == 0) pid = started;
  return failed;
}

}  // namespace lanescope
