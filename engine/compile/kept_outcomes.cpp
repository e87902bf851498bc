#include "compile/kept_outcomes.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/os/environment.h"
#include "core/os/read_file.h"
#include "core/os/replace_file.h"
#include "core/text.h"

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

// The file format: this heading, then parts that each begin with their length: code, error, log, PTX, machine code, and
// pairs of names.
constexpr std::string_view heading = "lanescope-kept-1:";

// Takes parts from the front; `whole` becomes false if one is missing.
struct Parts {
  std::string_view left;
  bool whole = true;

  std::string_view next() {
    std::size_t size = 0;
    const char* end = left.data() + left.size();
    const auto [at, error] = std::from_chars(left.data(), end, size);
    whole = whole && error == std::errc{} && at != end && *at == ':' && size < static_cast<std::size_t>(end - at);
    if (!whole) return {};
    const std::string_view part(at + 1, size);
    left.remove_prefix(static_cast<std::size_t>(at + 1 - left.data()) + size);
    return part;
  }
};

struct KeptFolder {
  std::string path;      // empty: nothing is stored
  bool is_ours = false;  // the program created the folder and limits its size
};

KeptFolder kept_folder() {
  if (const auto folder = value_of_variable("LANESCOPE_COMPILED")) return {*folder, false};
  const std::string cache = cache_folder();
  return cache.empty() ? KeptFolder() : KeptFolder{cache + "/compiled", true};
}

// Another build of the same version may compile differently.
std::string identity(const NvrtcLibrary& nvrtc) {
  std::error_code error;
  const auto size = fs::file_size(nvrtc.path, error);
  const auto date = fs::last_write_time(nvrtc.path, error).time_since_epoch().count();
  return fmt::format("{} {}.{} {} {}", nvrtc.path, nvrtc.major, nvrtc.minor, size, date);
}

}  // namespace

std::string kept_name(const std::string& request, const NvrtcJob& job, const NvrtcLibrary& nvrtc) {
  const std::string folder = request.empty() ? "" : kept_folder().path;
  if (folder.empty()) return "";
  std::string all;
  add_part(all, request);
  add_part(all, identity(nvrtc));
  add_part(all, job.name);
  add_part(all, job.text);
  add_parts(all, job.options);
  add_parts(all, job.name_expressions);
  add_parts(all, job.empty_headers);
  for (const auto& [name, text] : job.headers) {
    add_part(all, name);
    add_part(all, text);
  }
  add_part(all, "stand-ins");
  for (const HostHeader& header : host_headers(job.library)) {
    add_part(all, header.name);
    add_part(all, header.text);
  }
  const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
  return fmt::format("{}/{:016x}{:016x}", folder, hash.high64, hash.low64);
}

std::optional<NvrtcOutcome> kept_outcome(const std::string& name) {
  if (name.empty()) return std::nullopt;
  std::string text;
  if (read_file(name, text, std::size_t{1} << 32) != 0 || !text.starts_with(heading)) return std::nullopt;
  Parts parts{std::string_view(text).substr(heading.size())};
  NvrtcOutcome outcome;
  outcome.code = parts.next() == "0" ? NvrtcOutcome::success : NvrtcOutcome::compilation_failed;
  outcome.error = Wording(std::string(parts.next()));
  outcome.log = parts.next();
  outcome.ptx = parts.next();
  const std::string_view cubin = parts.next();
  outcome.cubin.assign(cubin.begin(), cubin.end());
  while (parts.whole && parts.left != "\n") {
    const std::string_view expression = parts.next();
    outcome.mangled[std::string(expression)] = parts.next();
  }
  if (!parts.whole) return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(name, fs::file_time_type::clock::now(), ignored);
  return outcome;
}

void keep_outcome(const std::string& name, const NvrtcOutcome& outcome) {
  if (name.empty() || (outcome.code != NvrtcOutcome::success && outcome.code != NvrtcOutcome::compilation_failed))
    return;
  std::string text(heading);
  add_part(text, std::to_string(outcome.code));
  add_part(text, outcome.error);
  add_part(text, outcome.log);
  add_part(text, outcome.ptx);
  add_part(text, {reinterpret_cast<const char*>(outcome.cubin.data()), outcome.cubin.size()});
  for (const auto& [expression, mangled] : outcome.mangled) {
    add_part(text, expression);
    add_part(text, mangled);
  }
  text += '\n';
  const KeptFolder folder = kept_folder();
  if (folder.is_ours) {
    std::error_code failed;
    if (fs::create_directories(folder.path, failed)) fs::permissions(folder.path, fs::perms::owner_all, failed);
  }
  if (replace_file(name, text) == 0 && folder.is_ours) bound_kept(folder.path, most_kept_bytes);
}

void bound_kept(const std::string& folder, std::uint64_t most) {
  struct Kept {
    fs::path path;
    fs::file_time_type used;
    std::uint64_t bytes = 0;
  };
  std::vector<Kept> all;
  std::uint64_t bytes = 0;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    std::error_code gone;
    Kept one{entry->path(), entry->last_write_time(gone), gone ? 0 : entry->file_size(gone)};
    if (gone) continue;
    bytes += one.bytes;
    all.push_back(std::move(one));
  }
  if (bytes <= most) return;
  std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
  for (const Kept& one : all) {
    if (bytes <= most / 4 * 3) return;
    fs::remove(one.path, failed);
    bytes -= one.bytes;
  }
}

}  // namespace lanescope::compile
