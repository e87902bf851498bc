#include "compile/kept_outcomes.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/os/read_file.h"
#include "core/os/replace_file.h"

namespace lanescope::compile {
namespace {

// A file: this, then parts, each with its length before it: code, error, log, PTX, machine code, and the names in
// pairs.
constexpr std::string_view heading = "lanescope-kept-1:";

void add(std::string& to, std::string_view part) {
  to += fmt::format("{}:{}", part.size(), part);
}

// Takes the parts from the front; `whole` turns false where there is none.
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

}  // namespace

std::string kept_name(const std::string& request, const NvrtcJob& job, const NvrtcLibrary& nvrtc) {
  const char* folder = std::getenv("LANESCOPE_COMPILED");
  if (folder == nullptr || *folder == '\0' || request.empty()) return "";
  std::string all;
  add(all, request);
  add(all, fmt::format("{}.{}", nvrtc.major, nvrtc.minor));
  add(all, job.name);
  add(all, job.text);
  const auto add_all = [&all](const std::vector<std::string>& parts) {
    add(all, std::to_string(parts.size()));
    for (const std::string& part : parts) add(all, part);
  };
  add_all(job.options);
  add_all(job.name_expressions);
  add_all(job.empty_headers);
  for (const auto& [name, text] : job.headers) {
    add(all, name);
    add(all, text);
  }
  add(all, "stand-ins");
  for (const HostHeader& header : host_headers(job.library)) {
    add(all, header.name);
    add(all, header.text);
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
  return outcome;
}

void keep_outcome(const std::string& name, const NvrtcOutcome& outcome) {
  if (name.empty() || (outcome.code != NvrtcOutcome::success && outcome.code != NvrtcOutcome::compilation_failed))
    return;
  std::string text(heading);
  add(text, std::to_string(outcome.code));
  add(text, outcome.error);
  add(text, outcome.log);
  add(text, outcome.ptx);
  add(text, {reinterpret_cast<const char*>(outcome.cubin.data()), outcome.cubin.size()});
  for (const auto& [expression, mangled] : outcome.mangled) {
    add(text, expression);
    add(text, mangled);
  }
  text += '\n';
  replace_file(name, text);
}

}  // namespace lanescope::compile
