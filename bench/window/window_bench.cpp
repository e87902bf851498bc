// Measures how soon the window responds with real painting, on this display or a virtual one.
//   window_bench LESSONS_FOLDER           prints medians and minima, in milliseconds
//   window_bench LESSONS_FOLDER --film    frame times while scrubbing through the steps of a warp, few and ten million
//   window_bench LESSONS_FOLDER --compare frame times while scrubbing through a comparison of two long warps
// A third argument of --film and --compare is the turns of the long kernel's loop: fewer of them for a profiler.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "compile/worker.h"
#include "core/os/machine.h"
#include "gui/application.h"

namespace lanescope::gui {
namespace {

constexpr int tries = 9;
constexpr double patience = 60;
constexpr int idle_seconds = 10;

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void report(const std::string& what, const std::function<double()>& once) {
  std::vector<double> seconds;
  for (int i = 0; i < tries; ++i) seconds.push_back(once());
  std::sort(seconds.begin(), seconds.end());
  fmt::print("{:<58} {:>8.1f} {:>8.1f}\n", what, seconds[tries / 2] * 1e3, seconds.front() * 1e3);
  std::fflush(stdout);
}

void settle(Application& app) {
  const double start = now();
  do app.frame();
  while (!app.settled() && now() - start < patience);
}

// Time from the request to the end of the first frame that shows the new result.
double until_shown(Application& app, const std::function<void()>& ask) {
  const std::uint64_t before = app.session().runs.shown()->serial;
  const double asked = now();
  ask();
  while (app.session().runs.shown()->serial == before && now() - asked < patience) app.frame();
  const double took = now() - asked;
  settle(app);
  return took;
}

void measure_lesson(Application& app, std::size_t index) {
  Session& session = app.session();
  session.choose_lesson(index);
  settle(app);
  if (session.runs.shown() == nullptr) return;  // needs a GPU
  int changes = 0;
  report(session.selection.lesson().id + ": Run to picture, text changed", [&] {
    session.selection.set_source(session.selection.original_source() + "\n// change " + std::to_string(++changes));
    return until_shown(app, [&] { session.runs.run(); });
  });
  session.selection.set_source(session.selection.original_source());
  report(session.selection.lesson().id + ": Run to picture, nothing changed",
         [&] { return until_shown(app, [&] { session.runs.run(); }); });
  const auto step = [&] {
    session.place.step_by(session.place.position().step + 1 < session.place.step_count() ? 1 : -1);
  };
  report(session.selection.lesson().id + ": a frame while stepping, ours", [&] {
    step();
    session.update();
    app.display().begin_frame({0, 0});
    const double start = now();
    app.window().frame();
    const double took = now() - start;
    app.display().end_frame(app.look());
    return took;
  });
  report(session.selection.lesson().id + ": a frame while stepping, OpenGL included", [&] {
    step();
    const double start = now();
    app.frame();
    return now() - start;
  });
}

// A kernel with ten million steps: a warp of block 0 runs a loop with two accesses and a branch on which it
// occasionally diverges.
constexpr const char* long_kernel = R"(
__global__ void stride_copy(const float* in, float* out, int n, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 32) return;
  float sum = 0;
  for (int turn = 0; turn < TURNS; ++turn) {
    int at = threadIdx.x % 32;
    if (turn % 61 == 0) at *= 8;
    if (threadIdx.x % 64 < 8 + turn / 65536) sum += *(volatile const float*)(in + at);
    else sum += *(volatile const float*)(in + 2 * at) * 3;
  }
  out[i] = sum;
}
)";

std::string long_kernel_of(std::size_t turns) {
  std::string text = long_kernel;
  text.replace(text.find("TURNS"), 5, std::to_string(turns));
  return text;
}

double resident_mib() {
  return static_cast<double>(resident_bytes(own_process())) / (1 << 20);
}

// CPU time of this thread for a frame, in milliseconds, without OpenGL.
double frame_milliseconds(Application& app) {
  timespec before{}, after{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
  app.session().update();
  app.display().begin_frame({0, 0});
  app.window().frame();
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
  app.display().end_frame(app.look());
  return static_cast<double>(after.tv_sec - before.tv_sec) * 1e3 +
         static_cast<double>(after.tv_nsec - before.tv_nsec) * 1e-6;
}

// Median and 99th percentile of frames while `go_to` is called with places from 0 to `count`.
void scrub(Application& app, const std::string& what, std::size_t count,
           const std::function<void(std::size_t)>& go_to) {
  constexpr int frames = 600;
  std::vector<double> took;
  for (int i = 0; i < frames; ++i) {
    go_to(static_cast<std::size_t>(static_cast<double>(i) / frames * static_cast<double>(count)));
    took.push_back(frame_milliseconds(app));
  }
  std::sort(took.begin(), took.end());
  fmt::print("{:<58} {:>8.2f} {:>8.2f}\n", what, took[frames / 2], took[frames * 99 / 100]);
  std::fflush(stdout);
}

// A hand that scrubs through the whole film.
void scrub(Application& app, const std::string& what) {
  Session& session = app.session();
  scrub(app, what, session.place.step_count(), [&](std::size_t step) { session.place.set_step(step); });
}

// Runs `text` in place of the first lesson's code; false, and a message, if it does not run.
bool run_text(Application& app, const std::string& text) {
  app.session().selection.set_source(text);
  app.session().runs.run();
  settle(app);
  const Diagnostics& problems = app.session().runs.problems();
  if (!problems.empty()) fmt::print(stderr, "the long kernel: {}\n", problems.front().message);
  return problems.empty();
}

// Two runs of a kernel whose loop is a phase: a pass for each of its turns. They differ in the last ones.
void measure_compare(Application& app, std::size_t turns) {
  Session& session = app.session();
  session.choose_lesson(0);
  settle(app);
  std::string text = long_kernel_of(turns);
  const auto replaced = [&](std::string_view what, std::string_view with) {
    text.replace(text.find(what), what.size(), with);
  };
  replaced("    int at =", "    // @phase turn\n    int at =");
  replaced("  out[i] = sum;", "  // @phase store\n  out[i] = sum;");
  replaced("at *= 8;", fmt::format("at *= turn > {} ? stride : 8;", turns - turns / 100));
  if (!run_text(app, text)) return;
  const double asked = now();
  session.compare_with({session.selection.variant_index(), {{"stride", 4}}, false});
  std::vector<double> took;  // of frames until both are there
  const CompareView& view = app.window().comparison();
  while ((view.result(false) == nullptr || view.steps().empty()) && now() - asked < patience)
    took.push_back(frame_milliseconds(app));
  std::sort(took.begin(), took.end());
  fmt::print("{} joint steps after {:.1f} s; the longest frame until then {:.2f} ms\n", view.steps().size(),
             now() - asked, took.back());
  settle(app);
  fmt::print("settled after {:.1f} s; resident {:.0f} MiB\n", now() - asked, resident_mib());
  const auto go_to = [&](std::size_t step) { app.window().comparison().go_to(step); };
  scrub(app, "comparing, scrubbing all joint steps", view.steps().size(), go_to);
  scrub(app, "comparing, one joint step after the other", 600, go_to);
}

// Needs LANESCOPE_EVENTS_MIB=640 or more for all of its steps.
void measure_film(Application& app, std::size_t turns) {
  Session& session = app.session();
  session.choose_lesson(0);
  settle(app);
  scrub(app, fmt::format("scrubbing {} steps", session.place.step_count()));
  const double before = resident_mib(), start = now();
  if (!run_text(app, long_kernel_of(turns))) return;
  session.place.set_block(0);
  session.place.set_warp(0);
  settle(app);
  fmt::print("{} steps after {:.1f} s; resident {:.0f} MiB, before {:.0f}\n", session.place.step_count(), now() - start,
             resident_mib(), before);
  scrub(app, "scrubbing all of them, steps one by one");
  app.state().film.whole = true;
  settle(app);
  scrub(app, "scrubbing all of them, whole film in sight");
  app.state().present = true;
  settle(app);
  scrub(app, "the same in present mode");
}

void measure_idle(Application& app) {
  settle(app);
  double used = 0;
  std::thread closer([&] {
    std::this_thread::sleep_for(std::chrono::seconds(2));  // tooltips and motion end
    const double before = processor_seconds();
    std::this_thread::sleep_for(std::chrono::seconds(idle_seconds));
    used = processor_seconds() - before;
    app.state().quit = true;
    Display::wake();
  });
  app.loop();
  closer.join();
  fmt::print("{:<58} {:>8.2f} % of one core\n", "processor while nothing happens", used / idle_seconds * 100);
}

// `turns` 0: the usual number.
int run(const std::string& lessons, std::string_view what, std::size_t turns) {
  Options options;
  options.lessons_folder = lessons;
  options.keep_state = false;
  options.language = "en";
  const bool frames = what == "--film" || what == "--compare";
  if (frames) options.width = 1920, options.height = 1080;
  std::unique_ptr<Application> app;
  fmt::print("{:<58} {:>8} {:>8}\n", "MILLISECONDS", "MEDIAN", "FASTEST");
  bool failed = false;
  report("start to first frame", [&] {
    app.reset();
    auto started = Application::start(options, /*visible=*/true);
    if (!started) {
      failed = true;
      return 0.0;
    }
    app = std::move(*started);
    app->frame();
    return app->first_frame_seconds();
  });
  if (failed) return 3;
  if (frames) {  // only our own part counts, and nothing that paints beside it takes the processor's caches
    app.reset();
    auto unseen = Application::start(options, /*visible=*/false);
    if (!unseen) return 3;
    app = std::move(*unseen);
  }
  settle(*app);
  if (frames) {
    fmt::print("{:<58} {:>8} {:>8}\n", "MILLISECONDS OF THE PROCESSOR FOR A FRAME, OURS", "MEDIAN", "99 %");
    what == "--film" ? measure_film(*app, turns != 0 ? turns : 2'000'000)
                     : measure_compare(*app, turns != 0 ? turns : 100'000);
    return 0;
  }
  for (std::size_t i = 0; i < app->session().selection.lessons().size(); ++i) measure_lesson(*app, i);
  measure_idle(*app);
  return 0;
}

}  // namespace
}  // namespace lanescope::gui

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "compile-worker") return lanescope::compile::serve(0, 1);
  lanescope::compile::set_worker_command(lanescope::compile::own_worker_command());
  const std::string_view what = argc >= 3 ? argv[2] : "";
  if (argc < 2 || argc > 4 || (argc >= 3 && what != "--film" && what != "--compare")) {
    fmt::print(stderr, "usage: window_bench LESSONS_FOLDER [--film [TURNS] | --compare [TURNS]]\n");
    return 2;
  }
  return lanescope::gui::run(argv[1], what, argc == 4 ? std::strtoull(argv[3], nullptr, 10) : 0);
}
