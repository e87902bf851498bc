#include "device/api/library.h"

#include <pthread.h>

#include <csignal>
#include <cstdlib>
#include <memory>

#include "core/worded.h"
#include "device/api/contexts.h"
#include "device/exec_options.h"
#include "device/log_observer.h"

namespace lanescope::device::api {

namespace {

std::atomic<bool> forked_child{false};
std::atomic<Counted*> first_missing{nullptr};

int count(Counted& counted) {
  const std::uint64_t before = counted.calls++;
  if (before == 0) {
    counted.next = first_missing.load();
    for (Counted* head = counted.next; !first_missing.compare_exchange_weak(head, &counted);) counted.next = head;
    Call call;
    device().observer().missing(counted.name, 1);
  }
  return static_cast<int>(Status::not_supported);
}

// Reports the repeated calls of missing functions when the program ends.
void tell_the_rest() {
  for (Counted* one = first_missing; one != nullptr; one = one->next)
    if (one->calls > 1) device().observer().missing(one->name, one->calls);
}

// The call that frees such memory, of the API that gave it.
const char* call_to_free(const Allocation& of) {
  const std::string name = of.name;
  const bool is_runtime = !name.starts_with("cuMem"), is_async = name.find("Async") != std::string::npos;
  if (is_async) return is_runtime ? "cudaFreeAsync" : "cuMemFreeAsync";
  if (of.kind == MemoryKind::pinned) return is_runtime ? "cudaFreeHost" : "cuMemFreeHost";
  return is_runtime ? "cudaFree" : "cuMemFree";
}

// Reports memory that the program did not free, except modules' variables, which programs are not expected to free.
void tell_of_leaks() {
  const auto lock = device().try_lock();
  if (!lock.owns_lock()) return device().note_cut_off();
  std::uint64_t count = 0, bytes = 0;
  const Allocation* first = nullptr;
  for (const sim::DeviceAllocation* one : device().memory().all()) {
    const auto& allocation = static_cast<const Allocation&>(*one);
    const bool given = allocation.kind == MemoryKind::device || allocation.kind == MemoryKind::managed ||
                       allocation.kind == MemoryKind::pinned;
    if (!given || allocation.of_module) continue;
    if (++count == 1) first = &allocation;
    bytes += allocation.bytes;
  }
  if (first == nullptr) return;
  device().observer().said(
      {Severity::note,
       "device.not_freed",
       {},
       worded("not freed: {} allocation{}, {} bytes in all, the first of them {}", count, count == 1 ? "" : "s", bytes,
              first->name),
       worded("Call {} after the last use; what is left goes when the program ends.", call_to_free(*first))});
}

// Host code accessed an address of the device that is not mapped on the host. Reports it, then lets the program die of
// the signal.
void tell_of_a_touch(int signal, siginfo_t* info, void*) {
  static std::atomic<bool> told{false};
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // delivered when this returns; a signal that was sent does not come again by itself
  if (told.exchange(true) || forked_child) return;
  const auto lock = device().try_lock();
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  const Allocation* touched = lock.owns_lock() ? device().memory().find(address) : nullptr;
  if (touched == nullptr || touched->on_host()) return;
  device().say("device.touched_by_host",
               worded("the host's code reads or writes address 0x{:x}, byte {} of {}, which is memory of the device",
                      address, address - touched->address, touched->name),
               "Copy it to the host with cudaMemcpy first, or allocate it with cudaMallocManaged.");
}

// Installs the handler, unless the program has its own.
void hear_of_touches() {
  struct sigaction now {};
  if (::sigaction(SIGSEGV, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL) return;
  now = {};
  now.sa_sigaction = tell_of_a_touch;
  now.sa_flags = SA_SIGINFO;
  ::sigaction(SIGSEGV, &now, nullptr);
}

}  // namespace

Device& device() {
  static Device* const only = [] {
    // A child of a program that has not called CUDA yet, only registered its code, is a program like any other.
    // It reports that it is refused, so another thread must not hold the report's file while it is made.
    pthread_atfork([] { device().observer().forking(); }, [] { device().observer().forked(); },
                   [] {
                     device().observer().forked();
                     forked_child = driver_is_initialised();
                   });
    std::atexit([] {
      if (forked_child) return;
      tell_the_rest();
      tell_of_leaks();
    });
    hear_of_touches();
    const ExecOptions options = exec_options_from_environment();
    DeviceSettings settings;
    settings.arch = options.arch;
    settings.max_steps = options.max_steps;
    settings.threads = options.threads;
    settings.totals = options.totals;
    settings.races = options.races;
    settings.races_at_first = true;
    settings.ptxas = options.ptxas;
    auto* const made = new Device(settings, std::make_unique<LogObserver>(options));
    made->know_host_variables(host_variable_at);
    return made;
  }();
  return *only;
}

bool is_forked_child() {
  return forked_child;
}

bool refuse_forked_child() {
  static std::atomic<bool> told{false};
  if (!forked_child) return false;
  if (!told.exchange(true))
    device().observer().said(
        {Severity::warning,
         "device.forked_child",
         {},
         "A child process calls CUDA, and was forked after its parent's first call: it has no device, and its calls "
         "return errors",
         "Fork before the first call of CUDA, or start the child as a program of its own (exec; in Python's "
         "multiprocessing: \"spawn\")."});
  return true;
}

void say_not_initialised() {
  static std::atomic<bool> told{false};
  if (told.exchange(true)) return;
  device().observer().said({Severity::warning,
                            "device.not_initialised",
                            {},
                            "The program calls the driver API before cuInit: such calls return "
                            "CUDA_ERROR_NOT_INITIALIZED",
                            "Call cuInit(0) before the others, and check what it returns."});
}

Status no_such_texture(const char* call, const Wording& what) {
  device().say("device.texture_not_there", worded("{}: the device does not have {}", std::string(call), what),
               "Use an array of one to three dimensions, or one with layers.");
  return Status::not_supported;
}

int missing_in_driver(Counted& counted) {
  return count(counted);
}

void say_unknown(std::uint64_t handle, const char* what) {
  device().observer().said(
      {Severity::warning,
       "device.bad_handle",
       {},
       worded("{}: 0x{:x} was never made, or is destroyed already. NVIDIA's driver may crash at this",
              std::string(what), handle),
       "Destroy streams, events, arrays, textures and surfaces once, after their last use."});
}

bool are_context_flags(unsigned flags) {
  constexpr unsigned how_to_wait = 7, others = 0xf8;
  const unsigned wait = flags & how_to_wait;
  return (flags & ~(how_to_wait | others)) == 0 && (wait & (wait - 1)) == 0;
}

}  // namespace lanescope::device::api
