// Measures how soon the window responds with real painting, on this display or a virtual one.
//   window_bench LESSONS_FOLDER           prints medians and minima, in milliseconds
//   window_bench LESSONS_FOLDER --film    frame times while scrubbing through the steps of a warp, few and ten million

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
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
    app.display().begin_frame();
    const double start = now();
    app.window().frame();
    const double took = now() - start;
    app.display().end_frame({});
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
  for (int turn = 0; turn < 2000000; ++turn) {
    int at = threadIdx.x % 32;
    if (turn % 61 == 0) at *= 8;
    if (threadIdx.x % 64 < 8 + turn / 65536) sum += *(volatile const float*)(in + at);
    else sum += *(volatile const float*)(in + 2 * at) * 3;
  }
  out[i] = sum;
}
)";

double resident_mib() {
  return static_cast<double>(resident_bytes(own_process())) / (1 << 20);
}

// CPU time of this thread per frame while scrubbing through the whole film: median and 99th percentile.
void scrub(Application& app, const std::string& what) {
  Session& session = app.session();
  constexpr int frames = 600;
  std::vector<double> took;
  const std::size_t steps = session.place.step_count();
  for (int i = 0; i < frames; ++i) {
    session.place.set_step(static_cast<std::size_t>(static_cast<double>(i) / frames * static_cast<double>(steps)));
    timespec before{}, after{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    session.update();
    app.display().begin_frame();
    app.window().frame();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    app.display().end_frame({});
    took.push_back(static_cast<double>(after.tv_sec - before.tv_sec) * 1e3 +
                   static_cast<double>(after.tv_nsec - before.tv_nsec) * 1e-6);
  }
  std::sort(took.begin(), took.end());
  fmt::print("{:<58} {:>8.2f} {:>8.2f}\n", what, took[frames / 2], took[frames * 99 / 100]);
  std::fflush(stdout);
}

// Needs LANESCOPE_EVENTS_MIB=640 or more for all of its steps.
void measure_film(Application& app) {
  Session& session = app.session();
  fmt::print("{:<58} {:>8} {:>8}\n", "MILLISECONDS OF THE PROCESSOR FOR A FRAME, OURS", "MEDIAN", "99 %");
  session.choose_lesson(0);
  settle(app);
  scrub(app, fmt::format("scrubbing {} steps", session.place.step_count()));
  session.selection.set_source(long_kernel);
  session.runs.run();
  const double before = resident_mib(), start = now();
  settle(app);
  if (!session.runs.problems().empty()) {
    fmt::print(stderr, "the long kernel: {}\n", session.runs.problems().front().message);
    return;
  }
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

int run(const std::string& lessons, bool film) {
  Options options;
  options.lessons_folder = lessons;
  options.keep_state = false;
  options.language = "en";
  if (film) options.width = 1920, options.height = 1080;
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
  settle(*app);
  if (film) {
    measure_film(*app);
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
  const bool film = argc == 3 && std::string_view(argv[2]) == "--film";
  if (argc != 2 && !film) {
    fmt::print(stderr, "usage: window_bench LESSONS_FOLDER [--film]\n");
    return 2;
  }
  return lanescope::gui::run(argv[1], film);
}
