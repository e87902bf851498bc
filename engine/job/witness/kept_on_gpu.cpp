#include "job/witness/kept_on_gpu.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <span>

#include "core/worded.h"
#include "device/kept_launch.h"
#include "job/run/kept.h"
#include "job/run/parameters.h"
#include "ptx/module.h"
#include "sim/memory/address_space.h"
#include "sim/memory/device_memory_copy.h"
#include "sim/memory/tensor_map.h"

namespace lanescope::job {
namespace {

using device::KeptLaunch;
using sim::DeviceAllocation;

constexpr std::uint64_t word_bytes = sizeof(std::uint64_t);

std::uint64_t word_of(const std::byte* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, word_bytes);
  return word;
}

Diagnostic function_in(const Wording& where) {
  return {.code = "gpu.stored_address",
          .message = worded("{} holds the address of a function, which lies elsewhere on a GPU.", where),
          .cure = "Run this launch in the interpreter alone."};
}

class Layout {
 public:
  Layout(const KeptLaunch& launch)
      : launch_(launch), kernel_(sim::kernel_of(*launch.program)), places_(launch.memory.size()) {}

  Diagnostics make() {
    std::vector<std::string> types = parameter_types(kernel_.name);
    types.resize(kernel_.parameters.size());
    made_.parameters = kernel_.parameters.size();
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
      made_.before.emplace_back();
      made_.given.emplace_back().bytes = bytes_of(kernel_.parameters[i]);
    }
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
      if (Diagnostics wrong = add_addresses(i, types[i]); !wrong.empty()) return wrong;
    add_variables();
    // Memory found in this loop may contain further pointers.
    for (std::size_t next = 0; next < made_.ranges.size(); ++next)
      if (Diagnostics wrong = look_through(made_.ranges[next]); !wrong.empty()) return wrong;
    return {};
  }
  KeptOnGpu take() { return std::move(made_); }

 private:
  std::vector<std::byte> bytes_of(const ptx::Parameter& parameter) const {
    std::vector<std::byte> bytes(parameter.bytes());
    const std::size_t there = std::min<std::size_t>(launch_.parameters.size(), parameter.offset);
    const std::size_t count = std::min<std::size_t>(launch_.parameters.size() - there, bytes.size());
    std::copy_n(launch_.parameters.begin() + static_cast<std::ptrdiff_t>(there), count, bytes.begin());
    return bytes;
  }

  std::optional<std::size_t> allocation_at(std::uint64_t address) const {
    const auto after = std::ranges::upper_bound(launch_.memory, address, {}, &DeviceAllocation::address);
    if (after == launch_.memory.begin() || address >= (*(after - 1))->end()) return std::nullopt;
    return static_cast<std::size_t>(after - launch_.memory.begin()) - 1;
  }
  static bool is_function(std::uint64_t word) {
    return sim::address_space::in_window(word, sim::address_space::functions);
  }
  std::optional<std::size_t> allocation_of(std::uint64_t word) const {
    if (launch_.memory.empty()) return std::nullopt;
    const std::uint64_t first = launch_.memory.front()->address, last = launch_.memory.back()->end();
    return word - first < last - first ? allocation_at(word) : std::nullopt;
  }

  // The index of the memory among the arguments.
  std::int32_t argument_of(std::size_t allocation) {
    std::optional<std::int32_t>& place = places_[allocation];
    if (place) return *place;
    place = static_cast<std::int32_t>(made_.given.size());
    const DeviceAllocation& one = *launch_.memory[allocation];
    sim::Argument& before = made_.before.emplace_back();
    before.type = sim::ElementType::u8;
    before.is_buffer = true;
    before.contents.assign(one.data, one.data + one.bytes);
    gpu::Argument& given = made_.given.emplace_back();
    given.is_buffer = true;
    given.bytes = before.contents;
    made_.ranges.push_back({*place, one.address, one.bytes});
    return *place;
  }

  static bool is_tensor_map(const ptx::Parameter& parameter, const std::vector<std::byte>& bytes) {
    if (bytes.size() != sim::TensorMap::bytes || parameter.offset % sim::TensorMap::alignment != 0) return false;
    sim::TensorMapBytes words;
    std::memcpy(words.data(), bytes.data(), sizeof words);
    return sim::decode_tensor_map(words).has_value();
  }

  // Adds the word at byte `at` of this argument. `where`: its name, for messages.
  template <typename Where>
  Diagnostics add_word(std::size_t argument, std::uint64_t at, std::uint64_t word, Where&& where) {
    if (is_function(word)) return {function_in(where())};
    const auto allocation = allocation_of(word);
    if (!allocation) return {};
    if (++addresses_ > most_addresses)
      return {{.code = "gpu.stored_address",
               .message = worded("The launch's memory holds more than {} addresses.", most_addresses),
               .cure = "Run this launch in the interpreter alone, or save one that works on less."}};
    const std::int32_t to = argument_of(*allocation);  // reallocates the list
    made_.given[argument].addresses.push_back({at, to, word - launch_.memory[*allocation]->address});
    return {};
  }

  // An eight-byte number that is not a pointer stays unchanged.
  Diagnostics add_addresses(std::size_t index, const std::string& type) {
    const ptx::Parameter& parameter = kernel_.parameters[index];
    if (parameter.bytes() == word_bytes && !parameter.is_array && !type.empty() && !type.ends_with('*')) return {};
    const std::vector<std::byte> bytes = made_.given[index].bytes;
    // In a tensor map only the first word is an address.
    if (is_tensor_map(parameter, bytes))
      return add_word(index, 0, word_of(bytes.data()), [&] { return worded("Parameter {}", index); });
    const std::uint64_t misaligned = (word_bytes - parameter.offset % word_bytes) % word_bytes;
    for (std::uint64_t at = misaligned; at + word_bytes <= bytes.size(); at += word_bytes)
      if (Diagnostics wrong =
              add_word(index, at, word_of(bytes.data() + at), [&] { return worded("Parameter {}", index); });
          !wrong.empty())
        return wrong;
    return {};
  }

  Diagnostics look_through(const DeviceRange range) {
    const DeviceAllocation& one = *launch_.memory[*allocation_at(range.address)];
    for (std::uint64_t at = 0; at + word_bytes <= one.bytes; at += word_bytes)
      if (Diagnostics wrong = add_word(static_cast<std::size_t>(range.argument), at, word_of(one.data + at),
                                       [&] { return worded("{}, byte {},", one.name, at); });
          !wrong.empty())
        return wrong;
    return {};
  }

  // Adds the module's variables. A variable that is initialised with addresses gets the GPU's from its module unless it
  // was written: some may be addresses of functions.
  void add_variables() {
    const ptx::Module& module = sim::module_of(*launch_.program);
    for (const ptx::Variable& variable : module.variables) {
      const auto place = launch_.places.find(variable.name);
      const auto allocation = place == launch_.places.end() ? std::nullopt : allocation_at(place->second);
      if (!allocation || launch_.memory[*allocation]->address != place->second) continue;
      const DeviceAllocation& there = *launch_.memory[*allocation];
      if (!variable.references.empty()) {
        const std::vector<std::byte> first = sim::initial_contents(module, variable, launch_.places);
        if (std::equal(first.begin(), first.end(), there.data, there.data + there.bytes)) continue;
      }
      const auto argument = static_cast<std::size_t>(argument_of(*allocation));
      made_.given[argument].variable = variable.name;
    }
  }

  const KeptLaunch& launch_;
  const ptx::Function& kernel_;
  std::vector<std::optional<std::int32_t>> places_;  // index of each allocation among the arguments
  std::size_t addresses_ = 0;
  KeptOnGpu made_;
};

bool uses_textures(const trace::Trace& trace) {
  return std::ranges::any_of(trace.sites, [](const trace::Site& site) {
    return site.opcode.starts_with("tex") || site.opcode.starts_with("tld4") || site.opcode.starts_with("su");
  });
}

const DeviceAllocation* memory_after(const Outcome& interpreted, const DeviceRange& range) {
  if (interpreted.memory_after == nullptr) return nullptr;
  for (const DeviceAllocation* one : interpreted.memory_after->memory())
    if (one->address == range.address) return one;
  return nullptr;
}

}  // namespace

Result<KeptOnGpu> kept_on_gpu(const Outcome& interpreted) {
  const KeptLaunch& launch = *interpreted.request.kept;
  if (uses_textures(interpreted.first().trace))
    return Diagnostic{
        .code = "gpu.texture_argument",
        .message = "The kernel reads textures or surfaces of a program: Lanescope makes none of these on a GPU.",
        .cure = "Run it in the interpreter alone."};
  Layout layout(launch);
  if (Diagnostics wrong = layout.make(); !wrong.empty()) return wrong;
  return layout.take();
}

void put_back_addresses(const std::vector<DeviceRange>& ranges, std::vector<gpu::Argument>& after) {
  std::map<std::uint64_t, DeviceRange> there;  // by GPU address
  for (const DeviceRange& range : ranges) there[after.at(static_cast<std::size_t>(range.argument)).address] = range;
  if (there.empty()) return;
  const std::uint64_t first = there.begin()->first, last = there.rbegin()->first + there.rbegin()->second.bytes;
  for (const DeviceRange& range : ranges) {
    std::vector<std::byte>& bytes = after[static_cast<std::size_t>(range.argument)].bytes;
    for (std::uint64_t at = 0; at + word_bytes <= bytes.size(); at += word_bytes) {
      const std::uint64_t word = word_of(bytes.data() + at);
      if (word - first >= last - first) continue;
      const auto behind = there.upper_bound(word);
      if (behind == there.begin()) continue;
      const auto& [address, to] = *std::prev(behind);
      if (word - address >= to.bytes) continue;
      const std::uint64_t here = word - address + to.address;
      std::memcpy(bytes.data() + at, &here, word_bytes);
    }
  }
}

std::vector<std::span<const std::byte>> expected_of_kept(const Outcome& interpreted,
                                                         const std::vector<DeviceRange>& ranges, std::size_t count) {
  std::vector<std::span<const std::byte>> expected(count);
  for (const DeviceRange& range : ranges)
    if (const DeviceAllocation* here = memory_after(interpreted, range))
      expected.at(static_cast<std::size_t>(range.argument)) = {here->data, here->bytes};
  return expected;
}

Wording first_difference_of_kept(const Outcome& interpreted, const std::vector<DeviceRange>& ranges,
                                 const std::vector<sim::Argument>& after) {
  for (const DeviceRange& range : ranges) {
    const std::vector<std::byte>& there = after.at(static_cast<std::size_t>(range.argument)).contents;
    const DeviceAllocation* here = memory_after(interpreted, range);
    if (here == nullptr) return "The interpreter's memory was not kept.";
    const auto [at, ignored] = std::mismatch(there.begin(), there.end(), here->data, here->data + here->bytes);
    if (at != there.end()) return worded("{}, byte {}", here->name, at - there.begin());
  }
  return {};
}

std::vector<sim::Argument> arguments_of_kept(const Outcome& interpreted, const std::vector<DeviceRange>& ranges,
                                             const std::vector<sim::Argument>& after) {
  std::vector<sim::Argument> arguments = interpreted.arguments;
  for (const trace::Buffer& buffer : interpreted.first().trace.buffers) {
    const auto range = std::ranges::find(ranges, buffer.address, &DeviceRange::address);
    if (buffer.argument < 0 || range == ranges.end()) continue;
    sim::Argument& argument = arguments.at(static_cast<std::size_t>(buffer.argument));
    if (argument.is_buffer) argument.contents = after.at(static_cast<std::size_t>(range->argument)).contents;
  }
  return arguments;
}

}  // namespace lanescope::job
