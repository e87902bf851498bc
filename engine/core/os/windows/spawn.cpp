#include "core/os/spawn.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <array>
#include <cerrno>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "core/os/windows/system_text.h"

namespace lanescope {
namespace {

// Quotes an argument so that the C library of the started program restores it: a quotation mark needs a backslash, and
// so does each backslash before one.
std::wstring one_argument(const std::wstring& word) {
  if (!word.empty() && word.find_first_of(L" \t\n\v\"") == std::wstring::npos) return word;
  std::wstring quoted = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t c : word) {
    if (c == L'\\') {
      ++backslashes;
      continue;
    }
    quoted.append(c == L'"' ? 2 * backslashes + 1 : backslashes, L'\\');
    backslashes = 0;
    quoted += c;
  }
  return quoted.append(2 * backslashes, L'\\') + L'"';
}

std::wstring command_line_of(const std::vector<std::string>& command) {
  std::wstring line = one_argument(native_path(command.front()));
  for (std::size_t i = 1; i < command.size(); ++i) line += L" " + one_argument(wide(command[i]));
  return line;
}

// The system ends the processes in this job when this process ends, for whatever reason.
HANDLE job_of_this_process() {
  static const HANDLE job = [] {
    const HANDLE made = ::CreateJobObjectW(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if (made != nullptr) ::SetInformationJobObject(made, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return made;
  }();
  return job;
}

// Started processes whose end has not been queried yet.
class Started {
 public:
  void add(int pid, HANDLE process) {
    const std::lock_guard lock(guard_);
    processes_[pid] = process;
  }
  HANDLE find(int pid) {
    const std::lock_guard lock(guard_);
    const auto found = processes_.find(pid);
    return found != processes_.end() ? found->second : nullptr;
  }
  void forget(int pid) {
    const std::lock_guard lock(guard_);
    const auto found = processes_.find(pid);
    if (found == processes_.end()) return;
    ::CloseHandle(found->second);
    processes_.erase(found);
  }

 private:
  std::mutex guard_;
  std::map<int, HANDLE> processes_;
};

Started& started() {
  static Started& only = *new Started;
  return only;
}

// A copy that a child inherits; nullptr if the descriptor is invalid.
HANDLE inheritable(int descriptor) {
  const auto handle = reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor));
  HANDLE copy = nullptr;
  if (handle == INVALID_HANDLE_VALUE || handle == nullptr) return nullptr;
  const HANDLE self = ::GetCurrentProcess();
  return ::DuplicateHandle(self, handle, self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS) != 0 ? copy : nullptr;
}

// The three standard streams of the program to be started: the listed ones, and this process's own for the others.
class Streams {
 public:
  explicit Streams(std::span<const PassedDescriptor> descriptors) {
    std::array<int, 3> from{0, 1, 2};
    for (const PassedDescriptor& one : descriptors)
      if (one.in_child >= 0 && one.in_child < 3) from[static_cast<std::size_t>(one.in_child)] = one.ours;
    for (std::size_t i = 0; i < 3; ++i)
      if ((handles_[i] = inheritable(from[i])) != nullptr) list_.push_back(handles_[i]);
  }
  ~Streams() {
    for (const HANDLE one : list_) ::CloseHandle(one);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  HANDLE at(std::size_t i) const { return handles_[i]; }
  std::vector<HANDLE>& list() { return list_; }

 private:
  std::array<HANDLE, 3> handles_{};
  std::vector<HANDLE> list_;
};

int start_program(const std::vector<std::string>& command, std::span<const PassedDescriptor> descriptors,
                  const std::string& folder, int& pid) {
  Streams streams(descriptors);
  SIZE_T bytes = 0;
  ::InitializeProcThreadAttributeList(nullptr, 1, 0, &bytes);
  std::vector<std::byte> room(bytes);
  auto* const attributes = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(room.data());
  if (::InitializeProcThreadAttributeList(attributes, 1, 0, &bytes) == 0) return reason_of_last_error();
  if (!streams.list().empty())
    ::UpdateProcThreadAttribute(attributes, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, streams.list().data(),
                                streams.list().size() * sizeof(HANDLE), nullptr, nullptr);
  STARTUPINFOEXW begin{};
  begin.StartupInfo.cb = sizeof begin;
  begin.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  begin.StartupInfo.hStdInput = streams.at(0);
  begin.StartupInfo.hStdOutput = streams.at(1);
  begin.StartupInfo.hStdError = streams.at(2);
  begin.lpAttributeList = attributes;
  std::wstring line = command_line_of(command);
  const std::wstring program = native_path(command.front()), current = native_path(folder);
  PROCESS_INFORMATION made{};
  const bool done = ::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, !streams.list().empty(),
                                     EXTENDED_STARTUPINFO_PRESENT | CREATE_NO_WINDOW | CREATE_SUSPENDED, nullptr,
                                     folder.empty() ? nullptr : current.c_str(), &begin.StartupInfo, &made) != 0;
  const int reason = done ? 0 : reason_of_last_error();
  ::DeleteProcThreadAttributeList(attributes);
  if (!done) return reason;
  ::AssignProcessToJobObject(job_of_this_process(), made.hProcess);
  ::ResumeThread(made.hThread);
  ::CloseHandle(made.hThread);
  pid = static_cast<int>(made.dwProcessId);
  started().add(pid, made.hProcess);
  return 0;
}

}  // namespace

int spawn(const std::vector<std::string>& command, std::initializer_list<PassedDescriptor> descriptors, int& pid,
          ProcessGroup) {
  return start_program(command, {descriptors.begin(), descriptors.size()}, {}, pid);
}

int spawn_not_to_outlive_us(const std::vector<std::string>& command, int& pid) {
  return start_program(command, {}, {}, pid);
}

int spawn_not_to_outlive_us(const std::vector<std::string>& command, const ChildSetting& setting, int& pid) {
  return start_program(command, setting.descriptors, setting.folder, pid);
}

int spawn_to_end_with_us(const std::vector<std::string>& command, const ChildSetting& setting, int& pid) {
  return spawn_not_to_outlive_us(command, setting, pid);
}

void kill_process(int pid) {
  constexpr UINT killed = 1;
  if (const HANDLE process = started().find(pid)) ::TerminateProcess(process, killed);
}

void kill_group(int pid) {
  kill_process(pid);
}

void ask_to_end(int pid) {
  kill_process(pid);
}

Life life_of(int pid, ProcessEnd& end) {
  const HANDLE process = started().find(pid);
  if (process == nullptr) return Life::gone;
  if (::WaitForSingleObject(process, 0) != WAIT_OBJECT_0) return Life::goes_on;
  DWORD code = 0;
  ::GetExitCodeProcess(process, &code);
  started().forget(pid);
  constexpr DWORD first_exception = 0xC0000000;
  end = code >= first_exception ? ProcessEnd{0, static_cast<int>(code)} : ProcessEnd{static_cast<int>(code), 0};
  return Life::ended;
}

int open_pipe(Descriptor& read_end, Descriptor& write_end) {
  std::array<int, 2> ends{};
  constexpr unsigned roomy = 1u << 20;
  if (::_pipe(ends.data(), roomy, _O_BINARY | _O_NOINHERIT) != 0) return errno;
  read_end.reset(ends[0]);
  write_end.reset(ends[1]);
  return 0;
}

}  // namespace lanescope
