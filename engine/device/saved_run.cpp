#include "device/saved_run.h"

#include <algorithm>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include "core/os/read_file.h"
#include "core/os/system_error.h"
#include "core/worded.h"
#include "sim/memory/device_memory.h"

namespace lanescope::device {
namespace {

constexpr std::size_t most_buffered = std::size_t{4} << 20;
constexpr int fast = 1;  // a compression level of zstd

bool all_zero(std::span<const std::byte> bytes) {
  return bytes.empty() ||
         (bytes[0] == std::byte{0} && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

std::array<std::uint64_t, 2> hash_of(std::span<const std::byte> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

Diagnostic warning(const char* code, const std::string& file, Wording message, Wording cure) {
  return {Severity::warning, code, {file}, std::move(message), std::move(cure)};
}

Diagnostic another_has_it(const std::string& file) {
  return warning("program.saved_by_another", file,
                 "Launches of this process are not saved: another process of the program has the file already.",
                 "Start the process that you want to look at by itself.");
}

}  // namespace

Diagnostics SavedRunWriter::add(std::uint64_t number, Kernel& kernel, const sim::LaunchRequest& request) {
  if (!saves()) return {};
  if (request.heap != nullptr) {
    end();
    return {warning("program.not_saved_heap", file_,
                    worded("Launches from number {} on are not saved: an earlier kernel called malloc(), and what "
                           "that gave is not kept in the file.",
                           number),
                    "Choose launches before it, or allocate with cudaMalloc().")};
  }
  if (!out_.is_open())
    if (const std::optional<Diagnostic> refused = take_file()) {
      ended_ = true;
      return {*refused};
    }
  add_launch(number, kernel, request);
  flush();
  if (failed_ == 0 && bytes_ <= most_bytes_) {
    whole_bytes_ = bytes_;
    return {};
  }
  end();
  if (failed_ != 0)
    return {warning("io.cannot_write", file_,
                    worded("Launches from number {} on are not saved: {}.", number, system_error(failed_)),
                    "Check that the disk has room.")};
  return {warning("program.saved_enough", file_,
                  worded("Launches from number {} on are not saved: the file would take more than {} MiB.", number,
                         most_bytes_ >> 20),
                  "Choose fewer launches, or let the file be larger.")};
}

std::optional<Diagnostic> SavedRunWriter::take_file() {
  if (const int reason = out_.open(file_, Readers::all))
    return warning("io.cannot_write", file_, worded("The file cannot be written: {}.", system_error(reason)),
                   "Check its name, and that you may write to its folder.");
  std::uint64_t there = 0;
  if (out_.lock() != Lock::taken || out_.size(there) != 0 || there != 0) {
    out_.close();
    return another_has_it(file_);
  }
  std::array<std::byte, saved_magic_bytes> magic{};
  std::memcpy(magic.data(), saved_magic.data(), saved_magic.size());
  std::memcpy(magic.data() + saved_magic.size(), &saved_version, sizeof saved_version);
  write(magic);
  return std::nullopt;
}

// Cuts the file after its last complete launch.
void SavedRunWriter::end() {
  ended_ = true;
  if (out_.is_open() && out_.cut(whole_bytes_) != 0) return;  // a reader detects the incomplete end
  out_.close();
}

void SavedRunWriter::add_launch(std::uint64_t number, Kernel& kernel, const sim::LaunchRequest& request) {
  SavedLaunch launch;
  launch.number = number;
  launch.module = module_number(*kernel.module);
  launch.kernel = kernel.name;
  launch.mangled = kernel.function->name;
  launch.source_file = kernel.source_file;
  launch.line = kernel.line;
  launch.grid = request.launch.grid;
  launch.block = request.launch.block;
  launch.dynamic_shared_bytes = request.launch.dynamic_shared_bytes;
  launch.cooperative = request.launch.cooperative;
  if (const Dim3 cluster = request.launch.cluster; cluster != Dim3{})
    launch.cluster = {cluster.x, cluster.y, cluster.z};
  launch.arch = request.arch;
  launch.max_steps = request.max_steps;
  if (event_budget_ != 0) launch.event_budget = {event_budget_};
  launch.limits = {request.heap_bytes, request.printf_bytes};
  for (const std::byte byte : *request.parameters) launch.parameters.push_back(static_cast<std::uint8_t>(byte));
  add_source(kernel.source_file);
  add_memory(launch, request);
  add_textures(launch, request);
  add_record(RecordKind::launch, written(launch));
}

std::uint64_t SavedRunWriter::module_number(const Module& module) {
  if (const auto known = modules_.find(module.serial()); known != modules_.end()) return known->second;
  SavedModule saved;
  saved.name = module.text().name;
  saved.text = add_text(module.ptx());
  saved.variables = {module.places().begin(), module.places().end()};
  add_record(RecordKind::module, written(saved));
  return modules_[module.serial()] = modules_.size() + 1;
}

void SavedRunWriter::add_source(const std::string& file) {
  std::string text;
  if (file.empty() || !sources_.insert(file).second || read_file(file, text, most_source_bytes) != 0) return;
  const SavedSource source{file, add_text(text)};
  add_record(RecordKind::source, written(source));
}

std::vector<std::uint64_t> SavedRunWriter::add_text(std::string_view text) {
  std::vector<std::uint64_t> contents;
  for (std::size_t at = 0; at < text.size(); at += text_piece) {
    const auto piece = std::as_bytes(std::span(text.substr(at, text_piece)));
    contents.push_back(add_content(piece, hash_of(piece)));
  }
  return contents;
}

void SavedRunWriter::add_memory(SavedLaunch& launch, const sim::LaunchRequest& request) {
  std::set<std::uint64_t> there;
  for (const sim::DeviceAllocation* one : request.device_memory) {
    there.insert(one->address);
    SavedAllocation changes = changes_of(*one);
    const bool any = changes.made || !changes.bytes.empty() || !changes.written.empty() ||
                     changes.all_written != memory_[one->address].all_written;
    memory_[one->address].all_written = changes.all_written;
    if (any) launch.memory.push_back(std::move(changes));
  }
  for (auto known = memory_.begin(); known != memory_.end();) {
    if (there.contains(known->first)) {
      ++known;
    } else {
      launch.gone.push_back(known->first);
      known = memory_.erase(known);
    }
  }
}

SavedAllocation SavedRunWriter::changes_of(const sim::DeviceAllocation& allocation) {
  SavedAllocation changes;
  changes.address = allocation.address;
  changes.all_written = allocation.written.complete();
  Known& known = memory_[allocation.address];
  const bool is_new = known.pieces.empty() || known.bytes != allocation.bytes || known.name != allocation.name;
  // The map of written bytes is dropped once all bytes were written.
  const bool begins_again = !is_new && known.all_written && !changes.all_written;
  if (is_new || begins_again) {
    known = {};
    known.bytes = allocation.bytes;
    known.name = allocation.name;
    known.pieces.resize((allocation.bytes + memory_piece - 1) / memory_piece);
    known.written.resize(known.pieces.size());
    changes.made = {allocation.bytes, allocation.variable, allocation.constant, allocation.name};
  }
  add_pieces({allocation.data, allocation.bytes}, known.pieces, changes.bytes);
  if (!changes.all_written)
    add_pieces(std::as_bytes(std::span(allocation.written.words())), known.written, changes.written);
  return changes;
}

void SavedRunWriter::add_pieces(std::span<const std::byte> bytes, std::vector<Hash>& known,
                                std::vector<SavedPiece>& to) {
  for (std::size_t piece = 0; piece * memory_piece < bytes.size(); ++piece) {
    const std::size_t at = piece * memory_piece;
    const auto part = bytes.subspan(at, std::min<std::size_t>(memory_piece, bytes.size() - at));
    const Hash hash = all_zero(part) ? Hash{} : hash_of(part);
    if (hash == known[piece]) continue;
    known[piece] = hash;
    to.push_back({piece, hash == Hash{} ? 0 : add_content(part, hash)});
  }
}

void SavedRunWriter::add_textures(SavedLaunch& launch, const sim::LaunchRequest& request) {
  if (request.textures == nullptr) return;
  for (const sim::TextureObject& object : *request.textures)
    for (const sim::DeviceAllocation* one : request.device_memory) {
      if (object.data < one->data || object.data >= one->data + one->bytes) continue;
      const auto address = one->address + static_cast<std::uint64_t>(object.data - one->data);
      launch.textures.push_back({object.handle, address, object.in_global_memory, object.name, object.description});
      break;
    }
}

std::uint64_t SavedRunWriter::add_content(std::span<const std::byte> bytes, const Hash& hash) {
  const auto [known, is_new] = known_contents_.try_emplace(hash, contents_ + 1);
  if (!is_new) return known->second;
  ++contents_;
  const std::uint64_t whole = bytes.size();
  std::vector<std::byte> payload(sizeof whole + ZSTD_compressBound(bytes.size()));
  std::memcpy(payload.data(), &whole, sizeof whole);
  payload.resize(sizeof whole + ZSTD_compress(payload.data() + sizeof whole, payload.size() - sizeof whole,
                                              bytes.data(), bytes.size(), fast));
  add_record(RecordKind::content, payload);
  return contents_;
}

void SavedRunWriter::add_record(RecordKind kind, const std::string& text) {
  add_record(kind, std::as_bytes(std::span(text)));
}

void SavedRunWriter::add_record(RecordKind kind, std::span<const std::byte> payload) {
  write(RecordHead{kind, payload.size(), payload_hash(payload)}.packed());
  write(payload);
}

// Writes nothing more once the file has its maximum length. end() cuts off the incomplete launch.
void SavedRunWriter::write(std::span<const std::byte> bytes) {
  bytes_ += bytes.size();
  if (bytes_ > most_bytes_) return;
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  if (buffer_.size() >= most_buffered) flush();
}

void SavedRunWriter::flush() {
  if (failed_ == 0 && !buffer_.empty()) failed_ = out_.append(buffer_.data(), buffer_.size());
  buffer_.clear();
}

}  // namespace lanescope::device
