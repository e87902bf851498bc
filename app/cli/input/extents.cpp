#include "cli/input/extents.h"

#include <algorithm>
#include <charconv>

#include "core/text.h"
#include "core/worded.h"

namespace lanescope::cli {

namespace {

// Blocks; a longer list would use memory for itself rather than for events.
constexpr std::size_t most_listed = 1 << 24;

bool parse_number(std::string_view text, std::uint32_t& value) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc{} && end == text.data() + text.size();
}

}  // namespace

Result<sim::Record> parse_blocks(const std::string& text, std::uint64_t blocks) {
  sim::Record record;
  record.events = text != "none";
  if (text == "all" || text == "none") return record;
  const auto wrong = [&](const Wording& why) {
    return Diagnostic{Severity::error,
                      "command.bad_blocks",
                      {},
                      worded("`--blocks {}`: {}.", text, why),
                      worded("Write all, none, or blocks from 0 to {}, for example 0,5,9-12.", blocks - 1)};
  };
  for (const std::string_view part : split(text, ',')) {
    const std::size_t dash = part.find('-');
    std::uint32_t first = 0, last = 0;
    if (!parse_number(part.substr(0, dash), first)) return wrong(worded("`{}` is not a block", part));
    last = first;
    if (dash != std::string_view::npos && !parse_number(part.substr(dash + 1), last))
      return wrong(worded("`{}` is not a range of blocks", part));
    if (last < first) return wrong(worded("`{}` ends before it begins", part));
    if (last >= blocks) return wrong(worded("the grid has {} block{}", blocks, blocks == 1 ? "" : "s"));
    if (record.blocks.size() + (last - first) >= most_listed)
      return wrong(worded("this is more than {} blocks", most_listed));
    for (std::uint64_t block = first; block <= last; ++block)
      record.blocks.push_back(static_cast<std::uint32_t>(block));
  }
  std::sort(record.blocks.begin(), record.blocks.end());
  record.blocks.erase(std::unique(record.blocks.begin(), record.blocks.end()), record.blocks.end());
  return record;
}

}  // namespace lanescope::cli
