// Memory as a grid: its contents at the step on screen, who wrote an element, who reads it next; and pins.

#include "driver.h"

#include <gmock/gmock.h>

#include "kernel_folder.h"

namespace lanescope {
namespace {

using gui::Session;
using test::Learner;

// The first step of a warp that makes such an access.
bool go_to_access(Session& s, std::uint32_t warp, trace::Operation operation, trace::MemorySpace space) {
  s.place.set_block(0);
  s.place.set_warp(warp);
  for (std::size_t step = 0; step < s.place.step_count(); ++step) {
    s.place.set_step(step);
    if (s.place.event()->kind == trace::EventKind::memory && s.place.site()->operation == operation &&
        s.place.event()->space == space)
      return true;
  }
  return false;
}

const job::MemoryWindow* shown(Session& s) {
  const Result<job::MemoryWindow>* window = s.memory.window();
  return window != nullptr && window->ok() ? &window->value() : nullptr;
}

// The tab of the memory asks for no values, and shows the trail as well.
TEST(MemoryGrid, TheTrailOfAnotherRunIsForgotten) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().uncovered = true;
    s.replays.go_to_writer_of("out[0]");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.replays.trail.size() == 1; }));
    ui.ItemClick("**/memory");
    ui.Yield(3);
    EXPECT_TRUE(learner.says(ui, "wrote out[0] last"));
    EXPECT_EQ(s.replays.trail.size(), 1u);
    s.choose_variant(1);
    learner.wait(ui);
    ui.Yield(3);
    EXPECT_FALSE(learner.says(ui, "wrote out[0] last"));
    EXPECT_TRUE(s.replays.trail.empty());
  });
}

// tile[3][1] is element 97: thread 97 stored in[3 * 128 + 1] there; thread 35 reads it by columns.
TEST(MemoryGrid, OfSharedMemoryLeadsToTheWriterAndTheNextReader) {
  gui::Options options;
  options.lesson = "transpose";
  options.variant = "tiled";
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().uncovered = true;
    ASSERT_TRUE(go_to_access(s, 0, trace::Operation::load, trace::MemorySpace::shared));
    ui.Yield(2);
    ui.ItemClick("**/memory");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return shown(s) != nullptr; }));
    const job::MemoryWindow& window = *shown(s);
    EXPECT_EQ(window.memory().name, "tile");
    EXPECT_EQ(window.memory().row, 32u);
    ASSERT_TRUE(window.has(97));
    EXPECT_EQ(job::value_text(window.bits(97, true), window.memory().type), "385");
    EXPECT_EQ(window.element(96).read.bits, 1u << 3);  // by lane 3 in this step
    EXPECT_EQ(window.element(97).read.bits, 0u);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return ui.ItemExists("**/cell-97"); }));
    learner.saves(ui, "memory");
    ui.ItemClick("**/cell-97");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.memory.told() != nullptr; }));
    const auto& told = *s.memory.told();
    ASSERT_TRUE(told) << format(told.errors()[0]);
    ASSERT_TRUE(told->writer);
    EXPECT_EQ(told->writer->thread, 97u);
    ASSERT_EQ(told->next.readers.size(), 1u);
    EXPECT_EQ(told->next.readers[0].thread, 35u);
    EXPECT_FALSE(told->next.overwrite);
    ui.Yield(3);
    EXPECT_TRUE(learner.says(ui, "tile[3][1] = 385"));
    learner.saves(ui, "memory element");
    ui.ItemClick("**/reader-0");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.place.position().warp == 1 && shown(s) != nullptr; }));
    EXPECT_EQ(s.replays.lane, 3);
    EXPECT_EQ(shown(s)->element(97).read.bits, 1u << 3);
    EXPECT_EQ(s.memory.element, 97);
    ui.KeyPress(ImGuiKey_Escape);
    EXPECT_EQ(s.memory.element, -1);
    // A buffer shown with the matrix's own rows.
    s.memory.choose("out");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return shown(s) != nullptr && shown(s)->memory().name == "out"; }));
    EXPECT_EQ(shown(s)->memory().row, 128u);
    ui.Yield(3);
    learner.saves(ui, "memory out");
  });
}

// Stored as floats, read as integers: the elements have no type, so decimal is not offered.
TEST(MemoryGrid, OfSeveralTypesNamesTheHexadecimalThatItShows) {
  const test::KernelFolder folder;
  gui::Options options;
  options.run = folder.write("mixed.cu",
                             "// run: --grid 1 --block 32 --arg i32[32]=0\n"
                             "__global__ void mixed(int* out) {\n"
                             "  __shared__ float tile[32];\n"
                             "  tile[threadIdx.x] = threadIdx.x + 0.5f;\n"
                             "  __syncthreads();\n"
                             "  out[threadIdx.x] = reinterpret_cast<volatile int*>(tile)[31 - threadIdx.x];\n"
                             "}\n");
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(go_to_access(s, 0, trace::Operation::load, trace::MemorySpace::shared));
    ui.Yield(2);
    ui.ItemClick("**/memory");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return shown(s) != nullptr; }));
    const job::MemoryWindow& window = *shown(s);
    EXPECT_FALSE(job::has_decimal(window.memory().type));
    EXPECT_EQ(job::value_text(window.bits(1, true), window.memory().type), "0x3fc00000");
    ui.Yield(3);
    EXPECT_TRUE(learner.says(ui, "Hex"));
    EXPECT_FALSE(learner.says(ui, "Decimal"));
    learner.saves(ui, "memory of several types");
    s.memory.choose("out");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return shown(s) != nullptr && shown(s)->memory().name == "out"; }));
    ui.Yield(3);
    EXPECT_TRUE(learner.says(ui, "Decimal"));
  });
}

// What was typed for one element, variant or language says nothing of the next.
TEST(MemoryGrid, TheFieldForAnElementIsEmptyAfterAnotherChoice) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().uncovered = true;
    s.replays.open = s.memory.open = true;
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.memory.window() != nullptr; }));
    ui.Yield(3);
    const auto type_nonsense = [&] {
      ui.ItemInput("**/##element");
      ui.KeyCharsReplaceEnter("foo[9999]");
      ui.Yield(3);
    };
    const auto field = [&] {
      ui.ItemInput("**/##element");
      ui.Yield(2);
      const ImGuiInputTextState& text = ui.UiContext->InputTextState;
      const std::string there(text.TextA.Data, static_cast<std::size_t>(text.TextLen));
      ui.KeyPress(ImGuiKey_Escape);
      return there;
    };
    type_nonsense();
    EXPECT_EQ(field(), "foo[9999]") << "to be corrected";
    s.memory.element = 3;
    ui.Yield(3);
    EXPECT_EQ(field(), "");
    type_nonsense();
    learner.state().settings.language = gui::Language::chinese;
    ui.Yield(3);
    EXPECT_EQ(field(), "");
    type_nonsense();
    s.choose_variant(1);
    learner.wait(ui);
    EXPECT_EQ(field(), "");
  });
}

TEST(MemoryGrid, MarksWhatIsWrong) {
  gui::Options options;
  options.variant = "stride";
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().uncovered = true;
    ASSERT_TRUE(learner.runs_changed(ui, "out[i] = value;", "if (i != 37) out[i] = value;"));
    s.replays.open = s.memory.open = true;
    s.memory.choose("out");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.memory.wrong() != nullptr; }));
    const job::WrongElements& wrong = *s.memory.wrong();
    ASSERT_EQ(wrong.first.size(), 1u);
    EXPECT_EQ(wrong.at(36), nullptr);
    ASSERT_NE(wrong.at(37), nullptr);
    const std::string expected = std::to_string(37 * s.selection.control("stride"));
    EXPECT_EQ(wrong.at(37)->expected, expected);
    s.memory.element = 37;
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.memory.told() != nullptr; }));
    ASSERT_TRUE(*s.memory.told());
    EXPECT_FALSE((*s.memory.told())->writer);
    ui.Yield(3);
    EXPECT_TRUE(learner.says(ui, "expected " + expected));
    EXPECT_TRUE(learner.says(ui, "No thread wrote it before this step."));
    learner.saves(ui, "memory wrong");
    s.selection.set_source(s.selection.original_source());
    s.runs.run();
    learner.wait(ui);
  });
}

TEST(Pins, ALaneStaysLitAndIsNamedUntilEscape) {
  gui::Options options;
  options.variant = "stride";
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().uncovered = true;
    ASSERT_TRUE(go_to_access(s, 1, trace::Operation::load, trace::MemorySpace::global));
    ui.Yield(3);
    const ImGuiTestItemInfo lanes = ui.ItemInfo("**/lanes");
    ASSERT_NE(lanes.ID, 0u);
    ui.MouseMoveToPos({lanes.RectFull.Min.x + lanes.RectFull.GetWidth() * 0.3f, lanes.RectFull.GetCenter().y});
    ui.MouseClick();
    ui.Yield(2);
    ASSERT_NE(s.replays.pinned(), nullptr);
    const int lane = s.replays.pinned()->lane;
    ASSERT_GE(lane, 0);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.replays.values() != nullptr; }));
    ui.MouseMoveToPos({2, 2});
    ui.Yield(3);
    const std::string element = "in[" + std::to_string((32 + lane) * s.selection.control("stride")) + "]";
    EXPECT_TRUE(learner.says(ui, element));
    EXPECT_EQ(learner.app().window().warp().hover().shown.lane, lane);
    learner.saves(ui, "pinned");
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(2);
    EXPECT_EQ(s.replays.pinned(), nullptr);
    // A pin belongs to its step.
    s.replays.pin(3, 0, 0, "lane 3");
    s.place.step_by(1);
    EXPECT_EQ(s.replays.pinned(), nullptr);
  });
}

TEST(Pins, ALineLeadsToItsStepsAndANumberToItsSite) {
  gui::Options options;
  options.variant = "stride";
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().uncovered = true;
    ASSERT_TRUE(go_to_access(s, 0, trace::Operation::store, trace::MemorySpace::global));
    const int store_line = s.place.site()->line;
    s.place.set_step(0);
    EXPECT_TRUE(s.place.go_to_line(store_line));
    EXPECT_EQ(s.place.site()->line, store_line);
    EXPECT_FALSE(s.place.go_to_line(9999));
    EXPECT_TRUE(s.place.go_to_most("global_load.sectors_per_request"));
    EXPECT_EQ(s.place.site()->operation, trace::Operation::load);
    EXPECT_TRUE(s.place.go_to_most("global_store.sectors"));
    EXPECT_EQ(s.place.site()->operation, trace::Operation::store);
    EXPECT_FALSE(s.place.go_to_most("shuffles"));
    // By a click on the first number, which is about loads.
    ui.ItemClick("**/number");
    ui.Yield(2);
    EXPECT_EQ(s.place.site()->operation, trace::Operation::load);
  });
}

}  // namespace
}  // namespace lanescope
