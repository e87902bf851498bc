// Saved runs with correct checksums and false contents: forged, not damaged.

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>

#include <zstd.h>

#include "device/saved_records.h"
#include "device/saved_run_reader.h"
#include "golden.h"

namespace lanescope::device {
namespace {

constexpr const char* store_text = R"(.version 8.0
.target sm_75
.address_size 64
.global .align 8 .u64 kept[4];
.visible .entry store(.param .u64 p)
{
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [p];
  st.global.u64 [%rd1], %rd1;
  st.global.u64 [kept], %rd1;
  ret;
}
)";
constexpr std::uint64_t place = 0x2000'0000'0000, variable_place = 0x2000'1000'0000;

// A file with one launch. Tests change its contents before it is written.
struct Forged {
  std::string pieces;                  // the only memory content; the rest is PTX
  std::uint64_t whole = memory_piece;  // the size that the file claims
  SavedModule module{"forged", {1}, {{"kept", variable_place}}};
  SavedLaunch launch;
  std::string extra;  // JSON that replaces the launch's

  Forged() {
    pieces.assign(memory_piece, 'x');
    launch.number = launch.module = 1;
    launch.kernel = launch.mangled = "store";
    launch.arch = "sm_90";
    launch.parameters.assign(8, 0);
    std::memcpy(launch.parameters.data(), &place, 8);
    SavedAllocation buffer, variable;
    buffer.address = place;
    buffer.made = {memory_piece, false, false, "buffer"};
    buffer.bytes = {{0, 2}};
    buffer.all_written = true;
    variable.address = variable_place;
    variable.made = {32, true, false, "variable"};
    variable.all_written = true;
    launch.memory = {buffer, variable};
  }

  std::string bytes() const {
    std::string out(saved_magic.begin(), saved_magic.end());
    out.append(reinterpret_cast<const char*>(&saved_version), sizeof saved_version);
    add_content(out, store_text, std::strlen(store_text));
    add_content(out, pieces, whole);
    add(out, RecordKind::module, written(module));
    add(out, RecordKind::launch, extra.empty() ? written(launch) : extra);
    return out;
  }

 private:
  static void add(std::string& out, RecordKind kind, const std::string& payload) {
    const auto head = RecordHead{kind, payload.size(), payload_hash(std::as_bytes(std::span(payload)))}.packed();
    out.append(reinterpret_cast<const char*>(head.data()), head.size());
    out += payload;
  }
  static void add_content(std::string& out, const std::string& raw, std::uint64_t whole) {
    std::string packed(ZSTD_compressBound(raw.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), 1));
    add(out, RecordKind::content, std::string(reinterpret_cast<const char*>(&whole), sizeof whole) + packed);
  }
};

// The diagnostic of opening the file and its launch; empty if there is none.
std::string said_of(const Forged& forged, std::shared_ptr<const KeptLaunch>* launch = nullptr) {
  const test::TempFolder folder;
  const std::string file = (folder / "forged").string();
  const std::string bytes = forged.bytes();
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const auto run = SavedRun::open(file);
  if (!run) return run.errors().front().code;
  auto made = (*run)->launch(0);
  if (!made) return made.errors().front().code;
  if (launch != nullptr) *launch = *made;
  return "";
}

TEST(ForgedRun, OneThatSaysNothingWrongOpens) {
  std::shared_ptr<const KeptLaunch> launch;
  EXPECT_EQ(said_of(Forged(), &launch), "");
  ASSERT_EQ(launch->memory.size(), 2u);
  EXPECT_EQ(launch->memory[0]->data[5], std::byte{'x'});
}

TEST(ForgedRun, WhatDoesNotFitTogetherIsRefused) {
  const std::pair<const char*, std::function<void(Forged&)>> cases[] = {
      {"a module that is not there", [](Forged& f) { f.launch.module = 2; }},
      {"module zero", [](Forged& f) { f.launch.module = 0; }},
      {"a text that is not there", [](Forged& f) { f.module.text = {3}; }},
      {"a text of zeros", [](Forged& f) { f.module.text = {0}; }},
      {"a content that is not there",
       [](Forged& f) {
         f.launch.memory[0].bytes = {{0, 9}};
       }},
      {"a piece behind the end",
       [](Forged& f) {
         f.launch.memory[0].bytes = {{1, 2}};
       }},
      {"a piece far behind the end",
       [](Forged& f) {
         f.launch.memory[0].bytes = {{UINT64_MAX / 2, 2}};
       }},
      {"a piece that is too long", [](Forged& f) { f.launch.memory[0].made->bytes = 100; }},
      {"a content that says it is larger", [](Forged& f) { f.whole = std::uint64_t{1} << 40; }},
      {"a content that says it is smaller", [](Forged& f) { f.whole = 8; }},
      {"a change to what was never made", [](Forged& f) { f.launch.memory[0].made.reset(); }},
      {"memory at null", [](Forged& f) { f.launch.memory[0].address = 0; }},
      {"memory in the interpreter's windows", [](Forged& f) { f.launch.memory[0].address = 0x7f00'0000'0000; }},
      {"memory at the end of all addresses", [](Forged& f) { f.launch.memory[0].address = UINT64_MAX - 10; }},
      {"memory on top of other memory", [](Forged& f) { f.launch.memory[0].address = variable_place - 64; }},
      {"more memory than any GPU has", [](Forged& f) { f.launch.memory[0].made->bytes = std::uint64_t{1} << 60; }},
      {"a variable that is nowhere", [](Forged& f) { f.module.variables["kept"] = place + 8; }},
      {"a variable that is too small", [](Forged& f) { f.launch.memory[1].made->bytes = 16; }},
      {"a line that is no line", [](Forged& f) { f.launch.line = -1; }},
      {"a launch that is none", [](Forged& f) { f.extra = "[1, 2"; }},
      {"numbers that are none", [](Forged& f) { f.extra = R"({"number": "1"})"; }},
      {"a launch without end", [](Forged& f) { f.extra = std::string(1 << 20, '['); }},
  };
  for (const auto& [what, change] : cases) {
    Forged forged;
    change(forged);
    EXPECT_EQ(said_of(forged), "saved_run.damaged") << what;
  }
}

TEST(ForgedRun, AKernelThatIsNotThereIsNamed) {
  Forged forged;
  forged.launch.mangled = "other";
  EXPECT_NE(said_of(forged), "");
}

TEST(ForgedRun, TexturesOutsideOfTheMemoryAreLeftOut) {
  const auto textures_of = [](const std::function<void(SavedTexture&)>& change) {
    Forged forged;
    SavedTexture texture;
    texture.handle = 1;
    texture.address = place;
    texture.description.extent = {64, 4, 0};
    change(texture);
    forged.launch.textures = {texture};
    std::shared_ptr<const KeptLaunch> launch;
    EXPECT_EQ(said_of(forged, &launch), "");
    return launch->textures == nullptr ? 0u : launch->textures->size();
  };
  EXPECT_EQ(textures_of([](SavedTexture&) {}), 1u);
  EXPECT_EQ(textures_of([](SavedTexture& t) { t.address = place + memory_piece - 4; }), 0u);
  EXPECT_EQ(textures_of([](SavedTexture& t) { t.address = 12; }), 0u);
  EXPECT_EQ(textures_of([](SavedTexture& t) { t.description.extent = {1u << 31, 1u << 31, 1u << 31}; }), 0u);
  EXPECT_EQ(textures_of([](SavedTexture& t) { t.description.row_bytes = 3; }), 0u);
  EXPECT_EQ(textures_of([](SavedTexture& t) { t.description.channels = 0; }), 0u);
  EXPECT_EQ(textures_of([](SavedTexture& t) { t.description.channel_bytes = 8; }), 0u);
}

}  // namespace
}  // namespace lanescope::device
