#pragma once
// Opens what SavedRunWriter wrote. The file may come from anywhere: whatever its bytes are, it opens or is refused, and
// nothing is read past its end. Its launches are listed at once; the memory of one is put together when it is asked
// for.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/os/descriptor.h"
#include "core/result.h"
#include "device/kept_launch.h"
#include "device/saved_records.h"

namespace lanescope::device {

// It begins as one does, of whatever version.
bool is_saved_run(const std::string& path);

class SavedRun {
 public:
  // Codes: io.cannot_read, saved_run.not_one, saved_run.newer, saved_run.damaged. A file that is cut off has its
  // launches up to there; remarks() says so (saved_run.cut).
  static Result<std::shared_ptr<const SavedRun>> open(const std::string& path);

  const std::string& path() const { return path_; }
  const std::vector<LaunchEntry>& launches() const { return entries_; }
  const Diagnostics& remarks() const { return remarks_; }
  // Where the launch with this number stands in launches(); nothing: it was not saved.
  std::optional<std::size_t> find(std::uint64_t number) const;

  // The first of each kernel and shape, by their places in launches().
  std::vector<std::size_t> first_of_each_shape() const;

  // The launch at this place. Codes: io.cannot_read, saved_run.damaged, saved_run.too_large, and those of ptx::parse()
  // and sim::prepare(). From any thread.
  Result<std::shared_ptr<const KeptLaunch>> launch(std::size_t index) const;
  // The text of a source as it was when the program ran; empty where it could not be read then.
  Result<std::string> source(const std::string& file) const;

 private:
  explicit SavedRun(std::string path) : path_(std::move(path)) {}
  struct Place {
    std::uint64_t offset = 0;  // of the payload
    RecordHead head;
  };
  Diagnostics read_all();
  bool take(const RecordHead& head, std::uint64_t offset, std::string payload);
  bool take_launch(SavedLaunch launch);
  bool are_contents(const std::vector<std::uint64_t>& numbers) const;
  Diagnostic damaged(std::uint64_t offset) const;
  Diagnostic inconsistent(std::size_t index) const;
  Result<std::string> payload_of(const Place& place) const;
  Result<std::string> content(std::uint64_t number, std::uint64_t most_bytes) const;
  Result<std::string> text_of(const std::vector<std::uint64_t>& contents) const;
  Diagnostics make_memory(std::size_t index, KeptLaunch& to) const;
  Diagnostics fill(const std::map<std::uint64_t, std::uint64_t>& pieces, std::byte* to, std::uint64_t bytes) const;
  void add_textures(const SavedLaunch& launch, KeptLaunch& to) const;

  std::string path_;
  Descriptor file_;
  std::uint64_t bytes_ = 0;
  std::vector<Place> contents_;  // the first has number 1
  std::vector<SavedModule> modules_;
  std::map<std::string, SavedSource> sources_;
  std::vector<SavedLaunch> launches_;
  std::vector<LaunchEntry> entries_;
  Diagnostics remarks_;
};

}  // namespace lanescope::device
