#include "cli/output/pictures.h"

#include <filesystem>
#include <future>
#include <set>

#include <fmt/format.h>

#include "cli/output/output.h"
#include "core/os/replace_file.h"
#include "core/os/system_error.h"
#include "core/worded.h"
#include "diagram/views.h"
#include "job/report/pictures.h"
#include "job/report/shuffle_values.h"
#include "job/run/machine.h"
#include "metrics/recompute.h"

namespace lanescope::cli {

namespace {

namespace fs = std::filesystem;

class PictureWriter {
 public:
  PictureWriter(const trace::Trace& trace, const job::Outcome* outcome, fs::path folder, diagram::Language language)
      : trace_(trace), outcome_(outcome), folder_(std::move(folder)), language_(language) {}

  // The disassembler takes longer than all pictures, so it runs at the same time.
  void add_sass(const job::Outcome& of) {
    sass_of_ = &of;
    sass_ = std::async(std::launch::async, [&of] {
      std::vector<Result<compile::Sass>> all;
      for (int launch = 1; launch <= of.launch_count(); ++launch)
        all.push_back(launch > 1 && same_kernel(of, launch) ? all.front() : machine_code_of(of, launch));
      return all;
    });
  }

  Result<std::vector<std::string>> write() {
    std::error_code failed;
    fs::create_directories(folder_, failed);
    if (failed)
      return Diagnostic{Severity::error,
                        "io.cannot_write",
                        {folder_.generic_string()},
                        worded("The folder cannot be created: {}.", system_error(reason_of(failed))),
                        "Choose another folder."};
    const trace::WarpEvent& first = trace_.events.front();
    const std::span<const trace::WarpEvent> events = trace_.warp(first.block, first.warp);
    save("film", diagram::film(trace_, first.block, first.warp, first_picture(events), {1200, 0, language_}));
    const diagram::PhaseWork work =
        outcome_ ? job::phase_work(trace_, outcome_->request) : diagram::grid_phases(trace_);
    if (!work.blocks.empty()) save("phases", diagram::phases(work, {720, 420, language_}));
    if (const diagram::RunningSum sum = outcome_ ? job::running_sum(*outcome_) : diagram::RunningSum{};
        !sum.values.empty())
      save("running", diagram::running_sum(sum, {720, 0, language_}));
    std::set<std::uint32_t> seen;
    for (std::size_t i = 0; i < events.size(); ++i) {
      const bool further = i > 0 && metrics::same_execution(events[i - 1], events[i]);
      request_ = further && request_ > 0 ? request_ + 1 : 0;
      if (!events[i].executed.empty() && seen.insert(events[i].site).second) request_ = 1;
      if (request_ > 0) draw(events[i]);
    }
    if (sass_of_ != nullptr) draw_sass();
    if (!problems_.empty()) return std::move(problems_);
    return std::move(names_);
  }

 private:
  static bool has_sectors(const trace::WarpEvent& event) {
    return event.space == trace::MemorySpace::global || event.space == trace::MemorySpace::local;
  }
  // The film marks the first memory access that has a picture.
  std::size_t first_picture(std::span<const trace::WarpEvent> events) const {
    for (std::size_t i = 0; i < events.size(); ++i)
      if (events[i].kind == trace::EventKind::memory && !events[i].executed.empty() &&
          (has_sectors(events[i]) || diagram::is_subject("banks", trace_.sites[events[i].site], events[i])))
        return i;
    return 0;
  }

  void draw(const trace::WarpEvent& event) {
    const diagram::Options options{720, 0, language_};
    if (event.kind == trace::EventKind::shuffle) shuffle(event, options);
    // The lanes that coalesced_threads() groups.
    if (event.kind == trace::EventKind::vote && trace_.sites[event.site].opcode.starts_with("activemask"))
      save("groups", event, diagram::groups(diagram::group_rows(trace_, event, 0), options));
    if (diagram::is_subject("matrices", trace_.sites[event.site], event))
      save("matrices", event, diagram::matrices(job::held_matrices(trace_.sites[event.site].opcode), options));
    if (event.kind != trace::EventKind::memory) return;
    const trace::Operation operation = trace_.sites[event.site].operation;
    if (has_sectors(event))
      save("sectors", event, diagram::sectors(trace_, event, options));
    else if (diagram::is_subject("banks", trace_.sites[event.site], event))
      save("banks", event, diagram::banks(trace_, event, options));
    else
      return;
    save("lanes", event, diagram::lanes(trace_, event, options));
    if (operation == trace::Operation::atomic || operation == trace::Operation::reduction)
      save("atomics", event, diagram::atomics(trace_, event, options));
  }

  static bool same_kernel(const job::Outcome& of, int launch) {  // as in the first launch
    const job::LaunchOutcome &first = of.first(), &later = *of.launch(launch);
    return later.mangled_kernel == first.mangled_kernel && later.ptx == first.ptx;
  }
  static Result<compile::Sass> machine_code_of(const job::Outcome& of, int launch) {
    const job::LaunchOutcome& one = *of.launch(launch);
    return job::machine_code(of.request, one.trace.kernel, one.ptx, one.mangled_kernel);
  }

  // "sass"; for several launches "sass_launch1", "sass_launch2", …
  void draw_sass() {
    const std::vector<Result<compile::Sass>> all = sass_.get();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i]) {
        if (problems_.empty()) problems_ = all[i].errors();  // a part that is missing for one launch is missing for all
        continue;
      }
      const trace::Trace& trace = *sass_of_->trace_of(static_cast<int>(i) + 1);
      const diagram::MachineCode code = job::picture_of(*all[i], sass_of_->request.source, trace.launch);
      save(all.size() == 1 ? "sass" : fmt::format("sass_launch{}", i + 1),
           diagram::machine_code(code, {900, 0, language_}));
    }
  }

  // Includes values and the tile if the run can be replayed.
  void shuffle(const trace::WarpEvent& event, const diagram::Options& options) {
    std::vector<std::string> before, after;
    diagram::Moved what = diagram::Moved::number;
    if (outcome_ != nullptr)
      if (const auto values = job::shuffle_values(*outcome_, event); values.ok()) {
        before.assign(values->before.begin(), values->before.end()),
            after.assign(values->after.begin(), values->after.end());
        what = values->what;
        if (values->width < MemoryModel::lanes)
          save("groups", event, diagram::groups(diagram::group_rows(trace_, event, values->tile()), options));
      }
    save("shuffle", event, diagram::shuffle(trace_, event, before, after, options, what));
  }

  // "line7_site4_ld.global.f32_sectors": the site's number distinguishes sites with the same line and opcode. For a
  // further request of the same execution "…_sectors_request2".
  void save(const char* kind, const trace::WarpEvent& event, const diagram::Scene& scene) {
    const trace::Site& site = trace_.sites[event.site];
    const std::string further = request_ > 1 ? fmt::format("_request{}", request_) : "";
    save(fmt::format("line{}_site{}_{}_{}{}", site.line, site.id, site.opcode, kind, further), scene);
  }

  void save(const std::string& name, const diagram::Scene& scene) {
    if (!problems_.empty()) return;  // one message about a full disk is enough
    const std::string file = name + ".svg";
    const std::string path = (folder_ / file).generic_string();
    if (const int reason = replace_file(path, diagram::to_svg(scene, diagram::Theme::light)))
      problems_ = {cannot_write(path, reason)};
    else
      names_.push_back(file);
  }

  const trace::Trace& trace_;
  const job::Outcome* outcome_;
  const job::Outcome* sass_of_ = nullptr;
  std::future<std::vector<Result<compile::Sass>>> sass_;  // per launch
  fs::path folder_;
  diagram::Language language_;
  int request_ = 0;  // of the first execution of its instruction, from 1; 0: of a later one
  std::vector<std::string> names_;
  Diagnostics problems_;
};

}  // namespace

Result<std::vector<std::string>> write_pictures(const trace::Trace& trace, const job::Outcome* outcome,
                                                const std::string& folder, diagram::Language language,
                                                const job::Outcome* sass_of) {
  if (trace.events.empty())
    return Diagnostic{Severity::error,
                      "picture.no_events",
                      {},
                      "There are no pictures: no block's events were kept.",
                      "Choose blocks with --blocks."};
  PictureWriter writer(trace, outcome, folder, language);
  if (sass_of != nullptr) writer.add_sass(*sass_of);
  return writer.write();
}

std::string pictures_line(const trace::Trace& trace, std::size_t files, const std::string& folder) {
  const trace::WarpEvent& first = trace.events.front();
  return fmt::format(
      "pictures: {} SVG files in {}, of block {}, warp {}: each instruction where the warp first executes it\n", files,
      folder, first.block, first.warp);
}

}  // namespace lanescope::cli
