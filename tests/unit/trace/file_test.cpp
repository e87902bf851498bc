// Saved traces: writing and reading, and everything that can be wrong with a file.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "core/os/machine.h"
#include "random_trace.h"
#include "trace/checksum.h"
#include "trace/codec.h"
#include "trace_builder.h"

namespace lanescope::trace {
namespace {

namespace fs = std::filesystem;

void expect_equal(const Trace& a, const Trace& b) {
  EXPECT_EQ(a.origin, b.origin);
  EXPECT_EQ(a.kernel, b.kernel);
  EXPECT_EQ(a.compiler_name, b.compiler_name);
  EXPECT_EQ(a.compiler_version, b.compiler_version);
  EXPECT_EQ(a.arch, b.arch);
  EXPECT_EQ(a.device, b.device);
  EXPECT_EQ(a.launch.grid, b.launch.grid);
  EXPECT_EQ(a.launch.block, b.launch.block);
  EXPECT_EQ(a.launch.dynamic_shared_bytes, b.launch.dynamic_shared_bytes);
  EXPECT_EQ(a.launch.static_shared_bytes, b.launch.static_shared_bytes);
  EXPECT_EQ(a.launch.cooperative, b.launch.cooperative);
  EXPECT_EQ(a.launch.cluster, b.launch.cluster);
  EXPECT_EQ(a.ended, b.ended);
  EXPECT_EQ(a.functions, b.functions);
  ASSERT_EQ(a.sites.size(), b.sites.size());
  for (std::size_t i = 0; i < a.sites.size(); ++i) {
    const Site &x = a.sites[i], &y = b.sites[i];
    EXPECT_EQ(std::tie(x.id, x.kind, x.operation, x.space, x.width, x.element_width, x.volatile_access, x.turns, x.file,
                       x.line, x.column, x.ptx_line, x.instruction, x.basic_block, x.function, x.instruction_count,
                       x.opcode, x.inlined_from),
              std::tie(y.id, y.kind, y.operation, y.space, y.width, y.element_width, y.volatile_access, y.turns, y.file,
                       y.line, y.column, y.ptx_line, y.instruction, y.basic_block, y.function, y.instruction_count,
                       y.opcode, y.inlined_from));
  }
  ASSERT_EQ(a.buffers.size(), b.buffers.size());
  for (std::size_t i = 0; i < a.buffers.size(); ++i) {
    EXPECT_EQ(a.buffers[i].name, b.buffers[i].name);
    EXPECT_EQ(a.buffers[i].argument, b.buffers[i].argument);
    EXPECT_EQ(a.buffers[i].address, b.buffers[i].address);
    EXPECT_EQ(a.buffers[i].bytes, b.buffers[i].bytes);
  }
  EXPECT_EQ(a.totals, b.totals);
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i)
    EXPECT_EQ(std::memcmp(&a.events[i], &b.events[i], sizeof(WarpEvent)), 0) << "event " << i;
  EXPECT_EQ(a.addresses, b.addresses);
  EXPECT_EQ(a.source_lanes, b.source_lanes);
  EXPECT_EQ(a.events_dropped, b.events_dropped);
  EXPECT_EQ(a.blocks_not_chosen, b.blocks_not_chosen);
}

class TraceFile : public testing::Test {
 protected:
  TraceFile() : folder(fs::path(testing::TempDir()) / ("lanescope_trace_" + std::to_string(own_process()))) {
    fs::create_directories(folder);
  }
  ~TraceFile() override { fs::remove_all(folder); }
  std::string path(const char* name = "a.trace") const { return (folder / name).string(); }
  static std::string bytes_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const std::string& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  // The code of the only diagnostic when these bytes are opened; "" if they open.
  std::string code_for(const std::string& bytes) {
    write(path("probe"), bytes);
    return code_of_probe();
  }
  std::string code_of_probe() {
    const Result<Trace> result = open(path("probe"));
    if (result) return "";
    EXPECT_EQ(result.errors().size(), 1u);
    EXPECT_EQ(result.errors()[0].place.file, path("probe"));
    EXPECT_FALSE(result.errors()[0].message.empty());
    EXPECT_FALSE(result.errors()[0].cure.empty());
    return result.errors()[0].code;
  }
  std::size_t files_in_folder() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  fs::path folder;
};

TEST_F(TraceFile, ThereAndBack) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Trace trace = test::random_trace(seed, static_cast<int>(seed % 7), static_cast<int>(seed % 50));
    ASSERT_TRUE(save(trace, path()));
    const Result<Trace> back = open(path());
    ASSERT_TRUE(back) << format(back.errors()[0]);
    expect_equal(trace, *back);
  }
  ASSERT_TRUE(save(Trace{}, path()));
  expect_equal(Trace{}, *open(path()));
  EXPECT_EQ(files_in_folder(), 1u);
}

// Version 2 is only for launches with clusters, so a program that knows only version 1 opens all other traces.
TEST_F(TraceFile, ClustersNeedVersionTwo) {
  const auto version_of = [&](const Trace& trace) {
    EXPECT_TRUE(save(trace, path()));
    return static_cast<int>(bytes_of(path())[8]);
  };
  test::TraceBuilder builder({4, 1, 1}, {32, 1, 1});
  const std::uint32_t load =
      builder.access_site(MemorySpace::distributed, Operation::load, 4, "ld.shared::cluster.u32", 1);
  builder.warp(0, 0).scattered(load, LaneMask::first(2), LaneMask::first(2), {(1u << 24) + 4, (1u << 24) + 64});
  Trace trace = builder.finish();
  trace.launch.cluster = {2, 1, 1};
  ASSERT_EQ(trace.totals.of(MemoryClass::distributed_load).requests, 1u);
  for (const bool cooperative : {false, true}) {
    trace.launch.cooperative = cooperative;
    EXPECT_EQ(version_of(trace), 2);
    const Result<Trace> back = open(path());
    ASSERT_TRUE(back) << format(back.errors()[0]);
    expect_equal(trace, *back);
  }
  EXPECT_EQ(version_of(Trace{}), 1);
  trace.launch.cluster = {2000, 1, 1};
  EXPECT_FALSE(decode(encode(trace)));
}

// What a launch did before a fault must not look like all that it does.
TEST_F(TraceFile, ALaunchThatDidNotEndSaysSo) {
  Trace trace = test::random_trace(3, 2, 6);
  trace.turns_known = false;
  for (const Dim3 cluster : {Dim3{1, 1, 1}, trace.launch.cluster}) {
    trace.launch.cluster = cluster;
    trace.ended = false;
    ASSERT_TRUE(save(trace, path()));
    EXPECT_EQ(bytes_of(path())[8], 3);
    const Result<Trace> back = open(path());
    ASSERT_TRUE(back) << format(back.errors()[0]);
    EXPECT_FALSE(back->ended);
    if (cluster.count() > 1) expect_equal(trace, *back);
  }
}

// Versions before 4 counted atomics on shared memory in another way, so a file of theirs that has any is told apart.
TEST_F(TraceFile, TurnsOfAtomicsNeedTheirVersion) {
  const auto trace_of = [](MemorySpace space, Operation operation) {
    test::TraceBuilder builder({1, 1, 1}, {32, 1, 1});
    builder.access_site(space, operation, 4, "", 1);
    return builder.finish();
  };
  for (const MemorySpace space : {MemorySpace::shared, MemorySpace::none, MemorySpace::global})
    for (const Operation operation : {Operation::atomic, Operation::reduction, Operation::load})
      for (const bool known : {true, false}) {
        Trace trace = trace_of(space, operation);
        const bool concerned = space != MemorySpace::global && operation != Operation::load;
        trace.turns_known = known;
        trace.sites[0].turns = Turns::lanes_of_part;
        ASSERT_TRUE(save(trace, path()));
        EXPECT_EQ(bytes_of(path())[8], concerned && known ? 4 : 1);
        const Result<Trace> back = open(path());
        ASSERT_TRUE(back) << format(back.errors()[0]);
        EXPECT_EQ(back->turns_known, known || !concerned);
        EXPECT_EQ(back->sites[0].turns, Turns::lanes_of_part);
      }
  Trace trace = trace_of(MemorySpace::shared, Operation::atomic);
  trace.sites[0].turns = static_cast<Turns>(3);
  EXPECT_FALSE(decode(encode(trace)));
}

TEST_F(TraceFile, TruncatedAnywhere) {
  ASSERT_TRUE(save(test::random_trace(3, 2, 6), path()));
  const std::string whole = bytes_of(path());
  EXPECT_EQ(code_for(whole + "x"), "trace.corrupt");
  EXPECT_EQ(code_for(whole), "");
  for (std::size_t length = whole.size(); length-- > 0;) {
    fs::resize_file(path("probe"), length);
    ASSERT_EQ(code_of_probe(), "trace.truncated") << length << " of " << whole.size();
  }
}

TEST_F(TraceFile, AnyFlippedByteIsFound) {
  ASSERT_TRUE(save(test::random_trace(4, 2, 6), path()));
  const std::string bytes = bytes_of(path());
  write(path("probe"), bytes);
  std::fstream file(path("probe"), std::ios::in | std::ios::out | std::ios::binary);
  const auto put_byte = [&](std::size_t at, char byte) {
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte).flush();
  };
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    put_byte(at, static_cast<char>(bytes[at] ^ (at % 2 ? 0x01 : 0x80)));
    ASSERT_EQ(code_of_probe(), "trace.corrupt") << "byte " << at;
    put_byte(at, bytes[at]);
  }
  EXPECT_EQ(code_of_probe(), "");
  EXPECT_EQ(code_for(std::string(200, 'x')), "trace.corrupt");
}

// Header fields in the layout of file.cpp.
std::span<const std::byte> as_bytes(const std::string& text, std::size_t from, std::size_t count) {
  return {reinterpret_cast<const std::byte*>(text.data()) + from, count};
}
void put(std::string& bytes, std::size_t at, std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
}
void seal(std::string& bytes) {
  put(bytes, 12, checksum(as_bytes(bytes, 0, 12)), 4);
  put(bytes, 32, checksum(as_bytes(bytes, 0, 32)), 8);
}

TEST_F(TraceFile, NewerVersionSaysSo) {
  ASSERT_TRUE(save(test::random_trace(5), path()));
  std::string bytes = bytes_of(path());
  put(bytes, 8, format_version + 1, 4);
  seal(bytes);
  EXPECT_EQ(code_for(bytes), "trace.newer");
  EXPECT_EQ(code_for(bytes.substr(0, 16)), "trace.newer");  // whatever a newer header holds
  put(bytes, 8, 0, 4);
  seal(bytes);
  EXPECT_EQ(code_for(bytes), "trace.corrupt");
}

TEST_F(TraceFile, AnAbsurdSizeIsNotAllocated) {
  ASSERT_TRUE(save(test::random_trace(6), path()));
  std::string bytes = bytes_of(path());
  put(bytes, 16, ~std::uint64_t{0} >> 1, 8);
  seal(bytes);
  EXPECT_EQ(code_for(bytes), "trace.truncated");
}

TEST_F(TraceFile, DecodingNeverTrustsItsInput) {
  const std::vector<std::byte> good = encode(test::random_trace(8, 4, 12));
  ASSERT_TRUE(decode(good));
  std::mt19937_64 random(9);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> bytes = good;
    const int flips = 1 + static_cast<int>(random() % 4);
    for (int i = 0; i < flips; ++i) {
      const std::uint64_t value = random() % 3 ? random() : 0xff;
      bytes[random() % bytes.size()] = static_cast<std::byte>(value);
    }
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    const Result<Trace> result = decode(bytes);
    refused += !result;
    if (!result) {
      ASSERT_EQ(result.errors()[0].code, "trace.corrupt");
    }
    if (result) {  // then it must be safe to use
      for (const WarpEvent& event : result->events)
        if (event.kind == EventKind::memory) (void)result->lane_addresses(event);
    }
  }
  EXPECT_GT(refused, 1000);
}

// Complete files with impossible contents that a trace's reader relies on. Each is just past the limit.
TEST(TraceCodec, WhatContradictsItselfIsRefused) {
  test::TraceBuilder builder({1, 1, 1}, {64, 1, 1});
  const std::uint32_t load = builder.access_site(MemorySpace::global, Operation::load, 4, "ld.global.u32", 1);
  const std::uint32_t shuffle = builder.site(EventKind::shuffle, "shfl.sync.down.b32", 2);
  builder.warp(0, 1).scattered(load, LaneMask::first(2), LaneMask::first(2), {4096, 8192});
  builder.shuffle(shuffle, LaneMask::first(2), LaneMask::first(2), {0, 1});
  const Trace good = builder.finish();
  ASSERT_TRUE(decode(encode(good)));
  const std::pair<const char*, std::function<void(Trace&)>> contradictions[] = {
      {"a warp that the block does not have",
       [](Trace& t) {
         for (WarpEvent& e : t.events) e.warp = 2;
       }},
      {"an address less than lanes", [](Trace& t) { t.addresses.pop_back(); }},
      {"a source lane less than lanes", [](Trace& t) { t.source_lanes.pop_back(); }},
      {"a lane that executes and is not active", [](Trace& t) { t.events[0].active = LaneMask::first(1); }},
      {"an access that moves nothing", [](Trace& t) { t.sites[0].width = 0; }},
      {"an access to shared memory that is wider than an instruction's",
       [](Trace& t) {
         t.sites[0].width = 17;
         t.events[0].space = MemorySpace::shared;
       }},
      {"an access in no space", [](Trace& t) { t.events[0].space = MemorySpace::none; }},
      {"steps out of order", [](Trace& t) { t.events[1].sequence = t.events[0].sequence; }},
      {"a site with another's number", [](Trace& t) { t.sites[1].id = 0; }},
      {"a block of too many threads",
       [](Trace& t) {
         t.launch.block = {1025, 1, 1};
       }},
  };
  for (const auto& [what, spoil] : contradictions) {
    Trace bad = good;
    spoil(bad);
    EXPECT_FALSE(decode(encode(bad))) << what;
  }
}

TEST_F(TraceFile, WhatIsNotThereCannotBeRead) {
  EXPECT_EQ(open(path("missing")).errors()[0].code, "trace.cannot_read");
  EXPECT_EQ(open(folder.string()).errors()[0].code, "trace.cannot_read");
}

TEST_F(TraceFile, WhereOneCannotWrite) {
  EXPECT_EQ(save(Trace{}, path("no/such/folder/a.trace")).errors()[0].code, "trace.io");
  EXPECT_EQ(save(Trace{}, folder.string()).errors()[0].code, "trace.io");
  EXPECT_EQ(files_in_folder(), 0u);
}

TEST(TraceCodec, IsCompact) {
  // A copy kernel's warp: entry, load, store, repeated.
  Trace trace;
  trace.sites.resize(3);
  for (std::uint32_t i = 0; i < 3; ++i) trace.sites[i].id = i;
  trace.sites[1].kind = trace.sites[2].kind = EventKind::memory;
  trace.sites[1].width = trace.sites[2].width = 4;
  trace.sites[1].space = trace.sites[2].space = MemorySpace::global;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    WarpEvent event;
    event.site = i % 3;
    event.sequence = i;
    event.kind = trace.sites[event.site].kind;
    event.space = trace.sites[event.site].space;
    event.active = event.executed = LaneMask::all();
    if (event.site != 0) {
      event.stride = 4;
      event.first_address = 0x7f0000000000 + 0x100000 * event.site + 128 * i;
    }
    trace.events.push_back(event);
  }
  EXPECT_LE(encode(trace).size(), 5u * trace.events.size());
}

TEST(TraceCodec, ChecksumSeesEveryBit) {
  std::vector<std::byte> bytes(37);
  const std::uint64_t before = checksum(bytes);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    EXPECT_NE(checksum(bytes), before);
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
  }
  bytes.push_back({});
  EXPECT_NE(checksum(bytes), before);
}

}  // namespace
}  // namespace lanescope::trace
