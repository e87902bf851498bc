#include "device/saved_run_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <set>

#include <zstd.h>

#include "core/os/files.h"
#include "core/os/system_error.h"
#include "core/worded.h"
#include "ptx/whole_module.h"
#include "sim/memory/address_space.h"

namespace lanescope::device {
namespace {

constexpr std::uint64_t most_memory = std::uint64_t{256} << 30;   // all allocations of a launch together
constexpr std::uint64_t most_payload = std::uint64_t{256} << 20;  // of one record

namespace space = sim::address_space;

// Whether an allocation can be there: either at an address that Memory assigns, or at an address of the host.
bool is_place_for_memory(std::uint64_t address, std::uint64_t bytes) {
  if (address < space::null_bytes || address >= space::heap || bytes > space::heap - address) return false;
  return address >= space::variables || address + bytes <= space::shared_window;
}

// Whether the description is one that the device can make, so that its size does not overflow.
bool is_sound(const sim::TextureDescription& of) {
  const auto is_one_of = [](int value, std::initializer_list<int> all) { return std::ranges::count(all, value) != 0; };
  constexpr std::uint64_t most_texels = std::uint64_t{1} << 28, most_row = std::uint64_t{1} << 36;
  if (!is_one_of(of.channels, {1, 2, 4}) || !is_one_of(of.channel_bytes, {1, 2, 4})) return false;
  if (of.kind > sim::ChannelKind::floating || (of.kind == sim::ChannelKind::floating && of.channel_bytes == 1))
    return false;
  for (const sim::AddressMode mode : of.address)
    if (mode > sim::AddressMode::border) return false;
  if (of.levels == 0 || of.levels > 32) return false;
  const std::uint64_t width = of.extent[0], rows = of.rows(), slices = of.slices();
  if (width == 0 || width > most_texels || rows > most_texels || slices > most_texels / rows) return false;
  return of.row_bytes <= most_row && (of.row_bytes == 0 || of.row_bytes >= width * of.texel_bytes());
}

// Whether the module's variables are where the file says, and fit there.
bool has_its_variables(const ptx::Module& module, const KeptLaunch& launch, const sim::VariablePlaces& places) {
  for (const ptx::Variable& variable : module.variables) {
    const auto place = places.find(variable.name);
    if (place == places.end()) continue;
    const auto there = std::ranges::lower_bound(launch.memory, place->second, {}, &sim::DeviceAllocation::address);
    if (there == launch.memory.end() || (*there)->address != place->second || (*there)->bytes < variable.bytes())
      return false;
  }
  return true;
}

Diagnostic refused(std::string code, const std::string& path, Wording message, Wording cure) {
  return {Severity::error, std::move(code), {path}, std::move(message), std::move(cure)};
}

// Returns 0 or errno; EIO if the file has become shorter.
int read_at(int file, std::uint64_t offset, void* to, std::uint64_t bytes) {
  const std::ptrdiff_t got = read_some_at(file, offset, to, bytes);
  if (got < 0) return errno;
  return static_cast<std::uint64_t>(got) == bytes ? 0 : EIO;
}

}  // namespace

bool is_saved_run(const std::string& path) {
  Descriptor file;
  std::array<char, saved_magic.size()> magic{};
  return open_to_read(path, file) == 0 && read_at(file.get(), 0, magic.data(), magic.size()) == 0 &&
         magic == saved_magic;
}

Result<std::shared_ptr<const SavedRun>> SavedRun::open(const std::string& path) {
  std::shared_ptr<SavedRun> run(new SavedRun(path));
  FileFacts about;
  int failed = open_to_read(path, run->file_);
  if (failed == 0) failed = facts_of(run->file_.get(), about);
  if (failed == 0 && !about.regular) failed = about.folder ? EISDIR : ESPIPE;
  if (failed != 0) return unreadable(path, failed);
  run->bytes_ = about.bytes;
  try {
    if (Diagnostics wrong = run->read_all(); !wrong.empty()) return wrong;
  } catch (const std::bad_alloc&) {
    return refused("saved_run.too_large", path, "There is not enough memory to open the saved run.",
                   "Open it on a machine with more memory.");
  }
  return std::shared_ptr<const SavedRun>(std::move(run));
}

Diagnostic SavedRun::damaged(std::uint64_t offset) const {
  return refused("saved_run.damaged", path_, worded("The saved run is damaged at byte {}.", offset),
                 "Fetch the file again, or save the program's run again.");
}

Diagnostic SavedRun::inconsistent(std::size_t index) const {
  return refused("saved_run.damaged", path_,
                 worded("What the saved run says of launch {} does not fit together.", entries_[index].number),
                 "Fetch the file again, or save the program's run again.");
}

Diagnostics SavedRun::read_all() {
  std::array<char, saved_magic_bytes> magic{};
  std::uint16_t version = 0;
  const std::uint64_t there = std::min<std::uint64_t>(bytes_, saved_magic_bytes);
  if (there != 0 && read_at(file_.get(), 0, magic.data(), there) != 0) return {damaged(0)};
  if (there != saved_magic_bytes || !std::equal(saved_magic.begin(), saved_magic.end(), magic.begin()))
    return {refused("saved_run.not_one", path_, "The file is not a saved run.",
                    "Name a file that `exec` saved; `show` opens a saved trace.")};
  std::memcpy(&version, magic.data() + saved_magic.size(), sizeof version);
  if (version != saved_version)
    return {refused(
        "saved_run.newer", path_,
        worded("The saved run has version {} of the format; this program reads version {}.", version, saved_version),
        "Open it with the version of Lanescope that saved it.")};
  std::uint64_t at = saved_magic_bytes;
  while (at != bytes_) {
    std::array<std::byte, RecordHead::size> packed{};
    if (bytes_ - at < RecordHead::size) break;
    if (read_at(file_.get(), at, packed.data(), packed.size()) != 0) return {damaged(at)};
    const std::optional<RecordHead> head = RecordHead::unpacked(packed);
    if (!head) return {damaged(at)};
    const std::uint64_t payload = at + RecordHead::size;
    if (head->bytes > bytes_ - payload) break;
    std::string text;
    // Contents are checked when they are used, because they are most of the file.
    if (head->kind != RecordKind::content) {
      Result<std::string> read = payload_of({payload, *head});
      if (!read) return read.take_errors();
      text = std::move(*read);
    }
    if (!take(*head, payload, std::move(text))) return {damaged(at)};
    at = payload + head->bytes;
  }
  if (at != bytes_)
    remarks_.push_back({Severity::warning,
                        "saved_run.cut",
                        {path_},
                        worded("The file is cut off; the launches before that are there: {}.", launches_.size()),
                        "Save the program's run again if you need the later launches."});
  return {};
}

bool SavedRun::take(const RecordHead& head, std::uint64_t offset, std::string payload) {
  switch (head.kind) {
    case RecordKind::content:
      contents_.push_back({offset, head});
      return true;
    case RecordKind::module: {
      std::optional<SavedModule> module = read_record<SavedModule>(payload);
      if (!module || !are_contents(module->text)) return false;
      modules_.push_back(std::move(*module));
      return true;
    }
    case RecordKind::source: {
      std::optional<SavedSource> source = read_record<SavedSource>(payload);
      if (!source || !are_contents(source->text)) return false;
      sources_[source->file] = std::move(*source);
      return true;
    }
    case RecordKind::launch: {
      std::optional<SavedLaunch> launch = read_record<SavedLaunch>(payload);
      return launch && take_launch(std::move(*launch));
    }
  }
  return false;
}

bool SavedRun::are_contents(const std::vector<std::uint64_t>& numbers) const {
  return std::ranges::all_of(numbers, [&](std::uint64_t one) { return one >= 1 && one <= contents_.size(); });
}

bool SavedRun::take_launch(SavedLaunch launch) {
  if (launch.module < 1 || launch.module > modules_.size()) return false;
  if (!entries_.empty() && launch.number <= entries_.back().number) return false;
  if (launch.line < 0 || launch.line > std::numeric_limits<int>::max()) return false;
  const auto known = [&](const SavedPiece& one) { return one.content <= contents_.size(); };
  for (const SavedAllocation& one : launch.memory)
    if (!std::ranges::all_of(one.bytes, known) || !std::ranges::all_of(one.written, known)) return false;
  const auto too_large = [](std::uint64_t extent) { return extent > 0xffffffffu; };
  if (!launch.cluster.empty() && (launch.cluster.size() != 3 || std::ranges::any_of(launch.cluster, too_large)))
    return false;
  LaunchEntry entry;
  entry.number = launch.number;
  entry.kernel = launch.kernel;
  entry.mangled = launch.mangled;
  entry.source_file = launch.source_file;
  entry.line = static_cast<int>(launch.line);
  entry.in_ptx = entry.source_file == modules_[launch.module - 1].name;
  entry.launch = {launch.grid, launch.block, launch.dynamic_shared_bytes, 0, launch.cooperative};
  if (!launch.cluster.empty())
    entry.launch.cluster = {static_cast<std::uint32_t>(launch.cluster[0]),
                            static_cast<std::uint32_t>(launch.cluster[1]),
                            static_cast<std::uint32_t>(launch.cluster[2])};
  entry.arch = launch.arch;
  entries_.push_back(std::move(entry));
  launches_.push_back(std::move(launch));
  return true;
}

std::optional<std::size_t> SavedRun::find(std::uint64_t number) const {
  const auto found = std::ranges::lower_bound(entries_, number, {}, &LaunchEntry::number);
  if (found == entries_.end() || found->number != number) return std::nullopt;
  return static_cast<std::size_t>(found - entries_.begin());
}

Result<std::string> SavedRun::payload_of(const Place& place) const {
  if (place.head.bytes > most_payload) return damaged(place.offset);
  std::string payload(place.head.bytes, '\0');
  if (const int failed = read_at(file_.get(), place.offset, payload.data(), payload.size()); failed != 0)
    return unreadable(path_, failed);
  if (payload_hash(std::as_bytes(std::span(payload))) != place.head.hash) return damaged(place.offset);
  return payload;
}

Result<std::string> SavedRun::content(std::uint64_t number, std::uint64_t most_bytes) const {
  const Place& place = contents_[number - 1];
  Result<std::string> payload = payload_of(place);
  if (!payload) return payload;
  std::uint64_t whole = 0;
  if (payload->size() < sizeof whole) return damaged(place.offset);
  std::memcpy(&whole, payload->data(), sizeof whole);
  if (whole > most_bytes) return damaged(place.offset);
  std::string bytes(whole, '\0');
  const std::size_t got =
      ZSTD_decompress(bytes.data(), bytes.size(), payload->data() + sizeof whole, payload->size() - sizeof whole);
  if (ZSTD_isError(got) != 0 || got != whole) return damaged(place.offset);
  return bytes;
}

Result<std::string> SavedRun::text_of(const std::vector<std::uint64_t>& contents) const {
  std::string text;
  for (const std::uint64_t number : contents) {
    Result<std::string> piece = content(number, text_piece);
    if (!piece) return piece;
    if (text.size() + piece->size() > most_payload) return damaged(contents_[number - 1].offset);
    text += *piece;
  }
  return text;
}

Result<std::string> SavedRun::source(const std::string& file) const {
  const auto found = sources_.find(file);
  return found == sources_.end() ? Result<std::string>(std::string()) : text_of(found->second.text);
}

std::vector<std::size_t> SavedRun::first_of_each_shape() const {
  std::vector<std::size_t> first;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (seen.insert(shape_key(entries_[i].mangled, entries_[i].launch)).second) first.push_back(i);
  return first;
}

Result<std::shared_ptr<const KeptLaunch>> SavedRun::launch(std::size_t index) const {
  const SavedLaunch& saved = launches_[index];
  const SavedModule& module = modules_[saved.module - 1];
  auto made = std::make_shared<KeptLaunch>();
  made->about = entries_[index];
  made->max_steps = saved.max_steps;
  if (!saved.event_budget.empty()) made->event_budget = std::min(saved.event_budget.front(), most_event_budget);
  if (saved.limits.size() == 2) made->limits = {saved.limits[0], saved.limits[1]};
  for (const std::uint8_t byte : saved.parameters) made->parameters.push_back(static_cast<std::byte>(byte));
  Result<std::string> ptx = text_of(module.text);
  if (!ptx) return ptx.take_errors();
  made->ptx = std::move(*ptx);
  Result<std::string> text = source(saved.source_file);
  if (!text) return text.take_errors();
  made->source = std::move(*text);
  made->module_name = module.name;
  try {
    if (Diagnostics wrong = make_memory(index, *made); !wrong.empty()) return wrong;
  } catch (const std::bad_alloc&) {
    return refused("saved_run.too_large", path_,
                   worded("There is not enough memory for launch {} and what it works on.", saved.number),
                   "Open it on a machine with more memory.");
  }
  Result<ptx::Module> parsed = ptx::parse_whole(made->ptx, module.name);
  if (!parsed) return parsed.take_errors();
  made->places = {module.variables.begin(), module.variables.end()};
  if (!has_its_variables(*parsed, *made, made->places)) return inconsistent(index);
  auto program = sim::prepare(*parsed, saved.mangled, made->places);
  if (!program) return program.take_errors();
  made->program = std::move(*program);
  return std::shared_ptr<const KeptLaunch>(std::move(made));
}

// Applies what the launches up to this one say about each allocation; later changes win.
Diagnostics SavedRun::make_memory(std::size_t index, KeptLaunch& to) const {
  struct State {
    MadeAllocation made;
    bool all_written = false;
    std::map<std::uint64_t, std::uint64_t> bytes, written;
  };
  std::map<std::uint64_t, State> states;
  for (std::size_t i = 0; i <= index; ++i) {
    for (const std::uint64_t address : launches_[i].gone) states.erase(address);
    for (const SavedAllocation& change : launches_[i].memory) {
      if (change.made) states[change.address] = {*change.made, false, {}, {}};
      const auto state = states.find(change.address);
      if (state == states.end()) return {inconsistent(i)};
      state->second.all_written = change.all_written;
      for (const SavedPiece& piece : change.bytes) state->second.bytes[piece.piece] = piece.content;
      for (const SavedPiece& piece : change.written) state->second.written[piece.piece] = piece.content;
    }
  }
  std::uint64_t all = 0, next = 0;
  for (const auto& [address, state] : states) {
    const bool fits =
        address >= next && is_place_for_memory(address, state.made.bytes) && state.made.bytes < most_memory - all;
    if (!fits) return {inconsistent(index)};
    all += state.made.bytes;
    next = address + state.made.bytes;
    auto& made = *to.owned_allocations.emplace_back(std::make_unique<sim::DeviceAllocation>());
    made.address = address;
    made.bytes = state.made.bytes;
    made.variable = state.made.variable, made.constant = state.made.constant;
    made.name = state.made.name;
    to.owned_bytes.push_back(sim::zeroed_bytes(made.bytes));
    made.data = to.owned_bytes.back().get();
    if (Diagnostics wrong = fill(state.bytes, made.data, made.bytes); !wrong.empty()) return wrong;
    if (!state.all_written) {
      std::vector<std::uint64_t> words((made.bytes + 63) / 64);
      if (Diagnostics wrong = fill(state.written, reinterpret_cast<std::byte*>(words.data()), words.size() * 8);
          !wrong.empty())
        return wrong;
      if (made.bytes % 64 != 0) words.back() &= (std::uint64_t{1} << made.bytes % 64) - 1;
      made.written.reset(made.bytes, 0);
      made.written.merge(words);
    }
    to.memory.push_back(&made);
  }
  add_textures(launches_[index], to);
  return {};
}

Diagnostics SavedRun::fill(const std::map<std::uint64_t, std::uint64_t>& pieces, std::byte* to,
                           std::uint64_t bytes) const {
  for (const auto& [piece, number] : pieces) {
    if (piece >= (bytes + memory_piece - 1) / memory_piece) return {damaged(saved_magic_bytes)};
    if (number == 0) continue;
    const std::uint64_t at = piece * memory_piece, here = std::min(memory_piece, bytes - at);
    Result<std::string> held = content(number, memory_piece);
    if (!held) return held.take_errors();
    if (held->size() != here) return {damaged(contents_[number - 1].offset)};
    std::memcpy(to + at, held->data(), here);
  }
  return {};
}

// Leaves out objects whose texels are in no allocation; a kernel that uses one gets a fault.
void SavedRun::add_textures(const SavedLaunch& launch, KeptLaunch& to) const {
  auto objects = std::make_shared<std::vector<sim::TextureObject>>();
  for (const SavedTexture& saved : launch.textures)
    for (sim::DeviceAllocation* one : to.memory) {
      if (saved.address < one->address || saved.address >= one->end()) continue;
      if (!is_sound(saved.description) || saved.description.bytes() > one->end() - saved.address) continue;
      sim::TextureObject& made = objects->emplace_back();
      made.handle = saved.handle;
      made.description = saved.description;
      made.written_from = saved.address - one->address;
      made.data = one->data + made.written_from;
      if (!one->written.complete()) made.written = &one->written;
      made.in_global_memory = saved.in_global_memory;
      made.name = saved.name;
    }
  if (!objects->empty()) to.textures = std::move(objects);
}

}  // namespace lanescope::device
