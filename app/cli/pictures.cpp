#include "cli/pictures.h"

#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "cli/replace_file.h"
#include "diagram/views.h"

namespace lanescope::cli {

namespace {

namespace fs = std::filesystem;

class PictureWriter {
 public:
  PictureWriter(const trace::Trace& trace, fs::path folder) : trace_(trace), folder_(std::move(folder)) {}

  Result<std::vector<std::string>> write() {
    std::error_code failed;
    fs::create_directories(folder_, failed);
    if (failed)
      return Diagnostic{Severity::error, "io.cannot_write", {folder_.string()},
                        fmt::format("The folder cannot be made: {}.", failed.message()), "Choose another folder."};
    const trace::WarpEvent& first = trace_.events.front();
    const std::span<const trace::WarpEvent> events = trace_.warp(first.block, first.warp);
    save("film", diagram::film(trace_, first.block, first.warp, first_picture(events), {1200, 0}));
    if (const diagram::PhaseWork work = diagram::grid_phases(trace_); !work.blocks.empty())
      save("phases", diagram::phases(work, {720, 420}));
    std::set<std::uint32_t> seen;
    for (const trace::WarpEvent& event : events)
      if (!event.executed.empty() && seen.insert(event.site).second) draw(event);
    if (!problems_.empty()) return std::move(problems_);
    return std::move(names_);
  }

 private:
  // The film marks the first access: what the other pictures are about.
  static std::size_t first_picture(std::span<const trace::WarpEvent> events) {
    for (std::size_t i = 0; i < events.size(); ++i)
      if (events[i].kind == trace::EventKind::memory) return i;
    return 0;
  }

  void draw(const trace::WarpEvent& event) {
    const diagram::Options options{720, 0};
    if (event.kind == trace::EventKind::shuffle) save("shuffle", event, diagram::shuffle(trace_, event, {}, {}, options));
    // What coalesced_threads() makes a group of.
    if (event.kind == trace::EventKind::vote && trace_.sites[event.site].opcode.starts_with("activemask"))
      save("groups", event, diagram::groups({{"active together", {event.executed}, true}}, options));
    if (event.kind != trace::EventKind::memory) return;
    const trace::Operation operation = trace_.sites[event.site].operation;
    const bool global = event.space == trace::MemorySpace::global || event.space == trace::MemorySpace::local;
    if (global) save("sectors", event, diagram::sectors(trace_, event, options));
    else if (event.space == trace::MemorySpace::shared) save("banks", event, diagram::banks(trace_, event, options));
    else return;
    save("lanes", event, diagram::lanes(trace_, event, options));
    if (operation == trace::Operation::atomic || operation == trace::Operation::reduction)
      save("atomics", event, diagram::atomics(trace_, event, options));
  }

  // "line7_ld.global.f32_sectors": the site's number tells two of one line and opcode apart.
  void save(const char* kind, const trace::WarpEvent& event, const diagram::Scene& scene) {
    const trace::Site& site = trace_.sites[event.site];
    save(fmt::format("line{}_site{}_{}_{}", site.line, site.id, site.opcode, kind), scene);
  }

  void save(const std::string& name, const diagram::Scene& scene) {
    if (!problems_.empty()) return;  // one complaint about a full disk is enough
    const std::string file = name + ".svg";
    Result<std::monostate> written =
        replace_file((folder_ / file).string(), diagram::to_svg(scene, diagram::Theme::light));
    if (written) names_.push_back(file);
    else problems_ = written.take_errors();
  }

  const trace::Trace& trace_;
  fs::path folder_;
  std::vector<std::string> names_;
  Diagnostics problems_;
};

}  // namespace

Result<std::vector<std::string>> write_pictures(const trace::Trace& trace, const std::string& folder) {
  if (trace.events.empty())
    return Diagnostic{Severity::error, "picture.no_events", {}, "There are no pictures: no block's events were kept.",
                      "Choose blocks with --blocks."};
  return PictureWriter(trace, folder).write();
}

}  // namespace lanescope::cli
