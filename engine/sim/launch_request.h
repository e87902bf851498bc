#pragma once
// What a launch is to do: its arguments, what to record, its limits.

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/architecture.h"
#include "core/diagnostic.h"
#include "core/memory_model.h"
#include "trace/trace.h"

namespace lanescope::sim {

struct DeviceAllocation;    // sim/memory/device_memory.h
class DeviceHeap;           // sim/memory/device_heap.h
struct TextureDescription;  // sim/memory/texture.h
struct TextureObject;

enum class ElementType : std::uint8_t { u8, i8, u16, i16, f16, i32, u32, f32, i64, u64, f64, bf16 };
int bytes_of(ElementType type);
bool is_floating(ElementType type);
const char* name_of(ElementType type);  // "f32"

// A kernel argument. Scalars are passed as bits; buffers live in the interpreter's global memory.
struct Argument {
  ElementType type = ElementType::i32;
  bool is_buffer = false;
  std::uint64_t scalar_bits = 0;                         // a scalar's value, low bytes
  std::vector<std::byte> contents;                       // a buffer's bytes before the launch; afterwards the result
  std::uint64_t uninitialised_from = ~std::uint64_t{0};  // bytes from here on count as never written
  // For a buffer with bytes that were never written: one bit per byte, starting with the lowest bit of the first word.
  // A launch fills it in, and the next launch on the same buffer uses it. Empty = only uninitialised_from applies.
  std::vector<std::uint64_t> written;
  std::uint64_t base_offset = 0;  // pass the pointer this many bytes into the buffer (odd bases, alignment lessons)
  std::uint64_t count() const { return contents.size() / static_cast<std::uint64_t>(bytes_of(type)); }
  // For a buffer: the kernel gets a texture or surface object of these bytes instead of a pointer.
  std::shared_ptr<const TextureDescription> texture;
  bool stored_to = false;                // some launch may have changed the contents
  std::vector<std::byte> raw_parameter;  // a struct by value; if not empty, it is the whole argument
  // For a buffer: its number among those of all launches on the same memory, if `pointers` of another buffer name it.
  std::int32_t number = -1;
  // The pointers in raw_parameter: the 8 bytes at `at` receive what another argument, a buffer, passes, plus `offset`;
  // `argument` is its index. In a buffer's contents: the address of the buffer whose `number` is `argument`, plus
  // `offset`; between launches they are 0 there (sim/pointer_tables.h).
  struct Pointer {
    std::uint64_t at = 0;
    std::uint32_t argument = 0;
    std::uint64_t offset = 0;
    friend bool operator==(const Pointer&, const Pointer&) = default;
  };
  std::vector<Pointer> pointers;
  // If not negative, this argument is not a buffer: it is the pointer of the argument with this index, which is a
  // buffer, plus scalar_bits.
  std::int32_t same_as = -1;
  // For a buffer: where it begins, as in earlier launches on the same memory, so that pointers which these stored stay
  // right. 0 = the launch chooses.
  std::uint64_t address = 0;
};
// A second name for a buffer: the pointer of argument `as`, plus `offset` bytes.
inline Argument same_buffer(std::size_t as, std::uint64_t offset) {
  Argument same;
  same.type = ElementType::u64;
  same.same_as = static_cast<std::int32_t>(as);
  same.scalar_bits = offset;
  return same;
}

// Contents of module variables, by their names in the PTX.
using VariableContents = std::map<std::string, std::vector<std::byte>>;

struct Record {
  bool totals = true;  // false: execute only, without any numbers (only for bench)
  bool events = false;
  std::vector<std::uint32_t> blocks;  // linear block indices to keep events of; empty = all
  std::uint64_t event_budget_bytes = 256ull << 20;
};

// Shared between the running thread and the waiting one. Any thread may read and set it.
struct Progress {
  std::atomic<std::uint64_t> blocks_done{0};
  std::atomic<std::uint64_t> blocks_total{0};
  std::atomic<bool> cancel{false};  // set it to end the launch soon, with the diagnostic run.cancelled
};

struct LaunchRequest {
  trace::Launch launch;  // static_shared_bytes is filled in by run()
  // launch.cluster was asked for. Needed for a cluster of one block only, which looks like none.
  bool cluster_given = false;
  // One for each kernel parameter, in order, and then the buffers to which only Argument::pointers, `variables` or what
  // earlier launches stored point.
  std::vector<Argument> arguments;
  // Used instead of the initialisers. If the contents are shorter than a variable, its rest is initialised as usual.
  VariableContents variables;
  // For a launch on memory that exists before and after it, instead of `arguments` and `variables`: the allocations,
  // sorted by address, and the bytes of the kernel's parameters. The program must have been prepared with the places of
  // the module's variables, which must be among the allocations.
  std::span<DeviceAllocation* const> device_memory;
  std::optional<std::vector<std::byte>> parameters;
  // Says what is at an address that a thread used and that is in none of the allocations, if the caller knows.
  std::function<std::optional<Wording>(std::uint64_t address)> explain_address;
  Record record;
  std::uint64_t max_steps = 0;  // warp instructions for the whole launch; 0 = default_max_steps
  int threads = 0;              // 0 = usable_cores()
  std::string arch = imitated_gpu::arch;
  std::uint32_t multiprocessors =
      imitated_gpu::multiprocessors;  // what %nsmid and a cooperative launch's residency limit assume
  std::uint32_t schedule_seed =
      0;               // 0 = the standard order; else a legal order of blocks, warps and lanes (sim/warp/schedule.h)
  bool races = false;  // look for data races (sim/races/races.h); slower, and on one thread
  std::uint64_t races_up_to = 0;  // stop watching at this RaceReport::effort(); 0 = watch all
  // Stop watching after this many blocks, and run the others on all threads; 0 = watch all. A cooperative launch and
  // one in clusters are then not watched: their blocks run side by side.
  std::uint32_t races_in_first_blocks = 0;
  // The value of each byte of local and shared memory that was never written. If not set, reading such a byte is the
  // fault memory.uninitialised_local or memory.uninitialised.
  std::optional<std::byte> unwritten;
  // Reading memory that was never written is only a warning, once per line, and gives what is there, as on a GPU.
  bool unwritten_is_a_warning = false;
  // For a launch whose buffers are moved in: writes the bytes that this argument, a buffer, had before the launch into
  // `contents`. Blocks that turn out to depend on each other are run again, one after the other; with this function
  // nothing needs to be saved for that. Empty = overwritten bytes are saved. Its errors end the launch. Called only
  // from the thread of run().
  std::function<Diagnostics(std::size_t argument, std::span<std::byte> contents)> make_again;
  // The heap that earlier launches left (LaunchResult::heap), with its size. nullptr: an empty one of `heap_bytes`.
  std::shared_ptr<const DeviceHeap> heap;
  std::uint64_t heap_bytes = default_heap_bytes;     // cudaLimitMallocHeapSize
  std::uint64_t printf_bytes = printf_buffer_bytes;  // cudaLimitPrintfFifoSize: text beyond it is dropped
  // Texture and surface objects in addition to the arguments. Their handles are below sim::texture_handles. Their bytes
  // belong to the caller.
  std::shared_ptr<const std::vector<TextureObject>> textures;
  Progress* progress = nullptr;
  std::string kernel_source_name;  // for messages
  std::string user_file;           // sites prefer `.loc` places in this file
};
inline constexpr std::uint64_t default_max_steps = 20'000'000'000ull;

}  // namespace lanescope::sim
