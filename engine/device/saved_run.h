#pragma once
// Writes the launches of a program into one file (saved_records.h). Each is written before it runs, with all its
// inputs: code, parameters, and the memory that has changed since the previous saved launch. saved_run_reader.h opens
// the file.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/diagnostic.h"
#include "device/appended_file.h"
#include "device/module.h"
#include "device/saved_records.h"
#include "sim/launch_request.h"

namespace lanescope::device {

class SavedRunWriter {
 public:
  // With an empty name, saves nothing. The file must exist and be empty; it is opened at the first launch.
  // `event_budget`: ExecOptions'.
  explicit SavedRunWriter(std::string file, std::uint64_t most_bytes, std::uint64_t event_budget = 0)
      : file_(std::move(file)), most_bytes_(most_bytes), event_budget_(event_budget) {}

  bool saves() const { return !file_.empty() && !ended_; }
  // Saves a launch that is about to run. `number` counts the program's launches. Saving ends at the first launch that
  // cannot be written, or would make the file too long, or has a device heap from earlier launches. The file then ends
  // with the launch before, and one diagnostic reports it. Codes: io.cannot_write, program.saved_enough,
  // program.not_saved_heap, program.saved_by_another.
  Diagnostics add(std::uint64_t number, Kernel& kernel, const sim::LaunchRequest& request);

 private:
  using Hash = std::array<std::uint64_t, 2>;
  // The state of an allocation in the file so far: the contents of its pieces.
  struct Known {
    std::uint64_t bytes = 0;
    std::string name;
    bool all_written = false;
    std::vector<Hash> pieces, written;
  };

  std::optional<Diagnostic> take_file();
  void add_launch(std::uint64_t number, Kernel& kernel, const sim::LaunchRequest& request);
  std::uint64_t module_number(const Module& module);
  void add_source(const std::string& file);
  void add_memory(SavedLaunch& launch, const sim::LaunchRequest& request);
  void add_textures(SavedLaunch& launch, const sim::LaunchRequest& request);
  SavedAllocation changes_of(const sim::DeviceAllocation& allocation);
  void add_pieces(std::span<const std::byte> bytes, std::vector<Hash>& known, std::vector<SavedPiece>& to);
  std::vector<std::uint64_t> add_text(std::string_view text);
  std::uint64_t add_content(std::span<const std::byte> bytes, const Hash& hash);
  void add_record(RecordKind kind, const std::string& text);
  void add_record(RecordKind kind, std::span<const std::byte> payload);
  void write(std::span<const std::byte> bytes);
  void flush();
  void end();

  std::string file_;
  std::uint64_t most_bytes_, event_budget_;
  bool ended_ = false;
  AppendedFile out_;
  std::vector<std::byte> buffer_;
  std::uint64_t bytes_ = 0, whole_bytes_ = 0;  // of the file; up to the end of its last complete launch
  int failed_ = 0;                             // errno
  std::uint64_t contents_ = 0;
  std::map<Hash, std::uint64_t> known_contents_;
  std::map<std::uint64_t, std::uint64_t> modules_;  // numbers in the file, by Module::serial()
  std::set<std::string> sources_;
  std::map<std::uint64_t, Known> memory_;  // by address
};

}  // namespace lanescope::device
