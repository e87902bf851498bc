#include "driver.h"

#include <cctype>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "TextEditor.h"
#include "imgui_internal.h"
#include "imgui_te_engine.h"
#include "test_paths.h"

namespace lanescope::test {

namespace fs = std::filesystem;

Learner::Learner(gui::Options options) : options_(std::move(options)) {
  std::string pattern = (fs::temp_directory_path() / "lanescope-gui-XXXXXX").string();
  folder_ = ::mkdtemp(pattern.data());
  const char* root = std::getenv("LANESCOPE_ROOT");
  if (options_.lessons_folder.empty())
    options_.lessons_folder = std::string(root != nullptr ? root : LANESCOPE_SOURCE_DIR) + "/lessons";
  if (options_.lesson.empty()) options_.lesson = "coalescing";
  if (options_.language.empty()) options_.language = "en";
  open();
}

Learner::~Learner() {
  closes();
  fs::remove_all(folder_);
}

void Learner::open() {
  ::setenv("XDG_STATE_HOME", folder_.c_str(), 1);
  auto started = gui::Application::start(options_, /*visible=*/false);
  if (!started) {
    for (const Diagnostic& d : started.errors()) ADD_FAILURE() << format(d);
    throw std::runtime_error("the window did not open");
  }
  app_ = std::move(*started);
  engine_ = ImGuiTestEngine_CreateContext();
  ImGuiTestEngineIO& io = ImGuiTestEngine_GetIO(engine_);
  io.ConfigVerboseLevel = ImGuiTestVerboseLevel_Warning;
  io.ConfigLogToTTY = true;
  io.ConfigSavedSettings = false;
  io.ConfigMouseDrawCursor = false;
  io.ConfigCaptureEnabled = false;
  io.ConfigWatchdogWarning = 1e9f;
  io.ConfigWatchdogKillTest = 120;
  ImGuiTestEngine_Start(engine_, ImGui::GetCurrentContext());
  ImGui::GetCurrentContext()->ErrorCallback = [](ImGuiContext*, void*, const char* message) {
    ADD_FAILURE() << "Dear ImGui is used wrongly: " << message;
  };
}

void Learner::close() {
  ImGuiTestEngine_Stop(engine_);
  app_.reset();  // Dear ImGui's context first: the engine must outlive what it watches
  ImGuiTestEngine_DestroyContext(engine_);
  engine_ = nullptr;
}

void Learner::plots_over(ImGuiTestContext& ui, const std::string& control) {
  const gui::Language language = state().settings.language;
  const lesson::Control* of = session().selection.lesson().find_control(control);
  const std::string name = of->label.empty() ? of->name : of->label.in(code_of(language));
  std::string row = gui::label_text(gui::Label::over_control, language);
  row.replace(row.find("{}"), 2, name);
  ui.ItemClick("**/look size");
  ui.ItemClick("**/over");
  ui.ItemClick(("**/" + row).c_str());
  wait(ui);
}

void Learner::closes() {
  if (app_ != nullptr) close();
}

void Learner::restarts() {
  close();
  open();
}

void Learner::does(const std::function<void(ImGuiTestContext&)>& script) {
  ImGuiTestEngine_UnregisterAllTests(engine_);
  ImGuiTest* test = IM_REGISTER_TEST(engine_, "window", testing::UnitTest::GetInstance()->current_test_info()->name());
  test->UserData = const_cast<std::function<void(ImGuiTestContext&)>*>(&script);
  test->TestFunc = [](ImGuiTestContext* context) {
    context->SetRef("Lanescope");
    (*static_cast<const std::function<void(ImGuiTestContext&)>*>(context->Test->UserData))(*context);
  };
  ImGuiTestEngine_QueueTest(engine_, test);
  while (!ImGuiTestEngine_IsTestQueueEmpty(engine_)) {
    app_->frame();
    save_picture();
    ImGuiTestEngine_PostSwap(engine_);
  }
  EXPECT_EQ(test->Output.Status, ImGuiTestStatus_Success) << "an item was not there: see the log above";
}

void Learner::wait(ImGuiTestContext& ui) {
  int quiet = 0;
  EXPECT_TRUE(wait_for(
      ui, [&] { return (quiet = app_->settled() ? quiet + 1 : 0) > 3; }, 60))
      << "the window does not settle";
}

bool Learner::wait_for(ImGuiTestContext& ui, const std::function<bool()>& condition, double seconds) {
  using namespace std::chrono_literals;
  const auto start = std::chrono::steady_clock::now();
  while (!condition()) {
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
    if (waited.count() > seconds) return false;
    ui.Yield();
    // While something moves, only frames are needed. Otherwise the next frame shows nothing new until something
    // arrives, and painting frames would take the processor from it.
    bool waits = app_->session().busy() || !app_->state().moving;
    while (waits) {
      std::this_thread::sleep_for(2ms);
      waits = app_->session().busy() && !app_->state().moving && !app_->session().update() && !condition() &&
              std::chrono::steady_clock::now() - start < std::chrono::duration<double>(seconds);
    }
  }
  return true;
}

void Learner::clicks_into_line(ImGuiTestContext& ui, int line) {
  TextEditor& editor = app_->window().code().editor(session());
  const TextEditor::DocPos start{static_cast<std::size_t>(line) - 1, 0};
  editor.ScrollToLine(start.line);
  ui.Yield(3);
  const ImVec2 at = editor.DocPos2ScreenPos(start);
  ui.MouseMoveToPos({at.x + 1, at.y + editor.GetLineHeight() / 2});
  ui.MouseClick();
  ui.Yield(2);
}

void Learner::types_over_everything(ImGuiTestContext& ui, const std::string& text) {
  clicks_into_line(ui, 1);
  ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
  ui.KeyPress(ImGuiKey_Delete);
  // Pasted: the editor would indent typed lines by itself.
  ImGui::SetClipboardText(text.c_str());
  ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
  ui.Yield(2);
}

// Scrolls the lesson's page until a card's item is visible: an item outside the view takes no clicks.
bool bring(ImGuiTestContext& ui, const std::string& item) {
  ImGuiWindow* page = nullptr;
  for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    const char* last = std::strrchr(window->Name, '/');  // not the tables and cards in it
    if (window->WasActive && last != nullptr && std::strncmp(last, "/page_", 6) == 0) page = window;
  }
  if (page == nullptr) return false;
  const auto in_the_middle = [&] {
    const ImRect at = ui.ItemInfo(item.c_str()).RectFull;
    if (at.Min.y >= page->InnerRect.Min.y && at.Max.y <= page->InnerRect.Max.y) return true;
    ImGui::SetScrollY(page, page->Scroll.y + at.GetCenter().y - page->InnerRect.GetCenter().y);
    ui.Yield(3);
    return true;
  };
  if (ui.ItemExists(item.c_str())) return in_the_middle();
  for (float y = 0; y <= page->ScrollMax.y + page->Size.y / 2; y += page->Size.y / 2) {
    ImGui::SetScrollY(page, y);
    ui.Yield(3);
    if (ui.ItemExists(item.c_str())) return in_the_middle();
  }
  return false;
}

bool Learner::says(ImGuiTestContext& ui, const std::string& text) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  g.LogEnabled = true, g.LogFlags = ImGuiLogFlags_OutputBuffer, g.LogWindow = nullptr;  // all windows
  ui.Yield();
  std::string shown = g.LogBuffer.c_str(), wanted = text;
  g.LogEnabled = false;
  g.LogBuffer.clear();
  for (std::string* one : {&shown, &wanted})
    std::erase_if(*one, [](unsigned char c) { return std::isspace(c) != 0 || c == '`'; });
  return shown.find(wanted) != std::string::npos;
}

bool Learner::runs_changed(ImGuiTestContext& ui, const std::string& right, const std::string& changed) {
  std::string text = session().selection.original_source();
  const std::size_t at = text.find(right);
  if (at == std::string::npos) return false;
  session().selection.set_source(text.replace(at, right.size(), changed));
  session().runs.run();
  wait(ui);
  return true;
}

void Learner::saves(ImGuiTestContext& ui, const std::string& name) {
  const char* folder = std::getenv("LANESCOPE_SHOTS");
  if (folder == nullptr) return;
  picture_ = std::string(folder) + "/" + name + ".png";
  ui.Yield(2);
}

void Learner::save_picture() {
  if (picture_.empty()) return;
  const ImVec2 size = app_->display().room();
  const auto saved =
      gui::save_png(picture_, static_cast<int>(size.x), static_cast<int>(size.y), app_->display().pixels());
  EXPECT_TRUE(saved.ok()) << picture_;
  picture_.clear();
}

}  // namespace lanescope::test
