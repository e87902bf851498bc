// How soon the window answers. Bounds are those of the specification; they hold on two cores with
// software rendering.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "driver.h"

namespace lanescope::test {
namespace {

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// Seconds of the fastest of a few tries: the machine may be doing something else beside.
template <typename Try>
double best(Try&& once) {
  double least = 1e9;
  for (int i = 0; i < 5; ++i) least = std::min(least, once());
  return least;
}

bool machine_is_busy() {
  double load[1] = {0};
  return getloadavg(load, 1) == 1 && load[0] > 1.5 * std::thread::hardware_concurrency();
}

TEST(Speed, TheFirstFrameIsThereInHalfASecond) {
  gui::Options options;
  options.lessons_folder = LANESCOPE_SOURCE_DIR "/lessons";
  options.keep_state = false;
  options.language = "en";
  const double seconds = best([&] {
    auto app = gui::Application::start(options, /*visible=*/true);
    if (!app) return 1e9;
    (*app)->frame();
    return (*app)->first_frame_seconds();
  });
  RecordProperty("seconds", std::to_string(seconds));
  if (machine_is_busy()) GTEST_SKIP() << "other programs have the cores: " << seconds << " s";
  EXPECT_LT(seconds, 0.5);
}

// From the key to the frame that shows the new result, for the first variant of every lesson.
TEST(Speed, FromRunToPictureInThreeTenthsOfASecond) {
  Learner learner;
  gui::Session& s = learner.session();
  for (std::size_t lesson = 0; lesson < s.lessons().size(); ++lesson) {
    s.choose_lesson(lesson);
    learner.does([&](ImGuiTestContext& ui) { learner.wait(ui); });
    if (s.shown() == nullptr) continue;  // needs a GPU
    int changes = 0;
    const double seconds = best([&] {
      s.set_source(s.original_source() + "\n// change " + std::to_string(++changes));
      const std::uint64_t before = s.shown()->serial;
      const double pressed = now();
      s.run();
      while (s.shown()->serial == before && now() - pressed < 20) learner.app().frame();
      const double took = now() - pressed;
      learner.does([&](ImGuiTestContext& ui) { learner.wait(ui); });
      return took;
    });
    RecordProperty(s.lesson().id, std::to_string(seconds));
    if (!machine_is_busy()) {
      EXPECT_LT(seconds, 0.3) << s.lesson().id;
    }
  }
}

}  // namespace
}  // namespace lanescope::test
