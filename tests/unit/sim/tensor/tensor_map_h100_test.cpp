// Tensor maps and copies with them against an H100: tests/cases/tensor_map. Each line is one case with all parameters
// and what the GPU gave; memory contents are given as one number (FNV-1a).

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "sim/launcher.h"
#include "sim/memory/address_space.h"
#include "sim/memory/tensor_map.h"
#include "test_paths.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using U8 = std::uint8_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

// "key=value" pairs of one line; lists have commas.
class GpuCase {
 public:
  explicit GpuCase(const std::string& line) : line_(line) {
    std::istringstream words(line);
    for (std::string word; words >> word;)
      if (const std::size_t equals = word.find('='); equals != std::string::npos)
        values_[word.substr(0, equals)] = word.substr(equals + 1);
  }
  const std::string& line() const { return line_; }
  const std::string& text(const std::string& key) const { return values_.at(key); }
  bool has(const std::string& key) const { return values_.contains(key); }
  long long number(const std::string& key) const { return std::strtoll(text(key).c_str(), nullptr, 10); }
  std::vector<long long> list(const std::string& key) const {
    std::vector<long long> numbers;
    std::istringstream parts(text(key));
    for (std::string part; std::getline(parts, part, ',');) numbers.push_back(std::strtoll(part.c_str(), nullptr, 10));
    return numbers;
  }

  // `address`: what the driver was given.
  TensorMap map(U64 address) const {
    TensorMap made;
    made.type = static_cast<TensorType>(number("type"));
    made.rank = static_cast<U32>(number("rank"));
    made.im2col = text("kind") == "im2col";
    made.interleave = static_cast<U8>(number("il"));
    made.swizzle = static_cast<U8>(number("sw"));
    made.l2_promotion = static_cast<U8>(number("l2"));
    made.fills_nan = number("fill") != 0;
    made.address = address;
    copy("dim", made.dim, 0);
    copy("str", made.stride, 1);
    copy("es", made.step, 0);
    if (made.im2col) {
      copy("low", made.lower, 0);
      copy("up", made.upper, 0);
      made.channels = static_cast<U32>(number("cpp"));
      made.pixels = static_cast<U32>(number("ppc"));
    } else {
      copy("box", made.box, 0);
    }
    return made;
  }

 private:
  template <typename T, std::size_t n>
  void copy(const std::string& key, std::array<T, n>& to, std::size_t at) const {
    for (const long long one : list(key))
      if (at < n) to[at++] = static_cast<T>(one);
  }
  std::string line_;
  std::map<std::string, std::string> values_;
};

std::vector<GpuCase> cases_of(const std::string& file) {
  std::ifstream in(LANESCOPE_SOURCE_DIR "/tests/cases/tensor_map/" + file);
  std::vector<GpuCase> cases;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') cases.emplace_back(line);
  EXPECT_FALSE(cases.empty()) << file;
  return cases;
}

TensorMapBytes bytes_in(const std::string& text) {
  TensorMapBytes bytes{};
  std::istringstream words(text);
  std::string word;
  for (std::size_t i = 0; i < bytes.size() && std::getline(words, word, ':'); ++i)
    bytes[i] = std::strtoull(word.c_str(), nullptr, 16);
  return bytes;
}

// Every bit of the maps that the driver makes, and which maps it refuses.
TEST(TensorMapH100, BytesAreTheDrivers) {
  for (const GpuCase& one : cases_of("maps.txt")) {
    const TensorMap map = one.map(std::strtoull(one.text("addr").c_str(), nullptr, 16));
    EXPECT_EQ(is_allowed(map), one.number("enc") == 0) << one.line();
    if (!one.has("raw")) continue;  // for those, the H100 was only asked whether they are made
    const TensorMapBytes bytes = bytes_in(one.text("raw"));
    EXPECT_EQ(encode(map), bytes) << one.line();
    const auto read = decode_tensor_map(bytes);
    ASSERT_TRUE(read.has_value()) << one.line();
    EXPECT_EQ(encode(*read), bytes) << one.line();
  }
}

TEST(TensorMapH100, FieldsAreReplacedAsByTheGpu) {
  struct Range {
    long first;
    TensorField field;
    bool ordinal;  // otherwise the number is the value
  };
  using F = TensorField;
  const Range ranges[] = {{80, F::fill, false}, {75, F::swizzle, false}, {70, F::interleave, false},
                          {50, F::type, false}, {40, F::step, true},     {30, F::dim, true},
                          {20, F::box, true},   {10, F::stride, true},   {1, F::rank, true},
                          {0, F::address, true}};
  TensorMapBytes before{};
  for (const GpuCase& one : cases_of("replaced.txt")) {
    const long which = one.number("which");
    TensorMapBytes bytes = before;
    if (which < 0) {
      bytes = before = bytes_in(one.text("raw"));
    } else {
      const Range& range = *std::ranges::find_if(ranges, [&](const Range& some) { return which >= some.first; });
      const auto beyond = static_cast<U32>(which - range.first);
      const U64 value = std::strtoull(one.text("value").c_str(), nullptr, 16);
      replace_field(bytes, range.field, range.ordinal ? beyond : 0, range.ordinal ? value : beyond);
    }
    EXPECT_EQ(bytes, bytes_in(one.text("raw"))) << one.line();
  }
}

// ---- copies -----------------------------------------------------------------------------------------

constexpr U64 before = 16384, tensor_room = 1u << 18;  // bytes; the tensor is in the middle of its buffer
constexpr U32 shared_bytes = 65536, object_at = 60000;

U32 mixed(U32 k) {
  U32 h = k * 0x9E3779B1u;
  h ^= h >> 15;
  h *= 0x85EBCA77u;
  h ^= h >> 13;
  if (k % 8 == 0) return h & 0x807fffffu;
  if (k % 8 == 1) return h | 0x7f800000u;
  return h;
}

// In the order of the probe's modes.
enum ProbeMode : long { mode_load, mode_load_pixels, mode_store, mode_store_pixels, mode_reduce, mode_end = 12 };
constexpr const char* reductions[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
bool stores(long mode) {
  return mode >= mode_store && mode < mode_end;
}

void put_half(std::vector<U8>& to, U64 at, U32 value) {
  to[at] = static_cast<U8>(value);
  to[at + 1] = static_cast<U8>(value >> 8);
}

std::vector<U8> tensor_of(const GpuCase& one) {
  const long way = one.number("mode"), floats = one.number("floats");
  if (stores(way) && floats == 0) return std::vector<U8>(tensor_room, 0xee);
  std::vector<U8> bytes(tensor_room, 0xdd);
  const U64 first = before + static_cast<U64>(one.number("base"));
  for (U32 k = 0; first + 2 * k + 1 < tensor_room; ++k) {
    U32 word = mixed(k / 2);
    if (floats == 2) word = (word & ~0x1fffu) | 0x1000u;
    put_half(bytes, first + 2 * k, floats != 0 ? word >> 16 * (k & 1) : k + 1);
  }
  return bytes;
}

std::vector<U8> shared_of(const GpuCase& one) {
  std::vector<U8> bytes(object_at, 0xee);
  const auto seed = static_cast<U32>(one.number("seed"));
  if (stores(one.number("mode")))
    for (U32 i = 0; i < object_at / 2; ++i)
      put_half(bytes, 2 * i, seed == 0 ? i + 1 : mixed(i / 2 + seed) >> 16 * (i & 1));
  return bytes;
}

std::string list_of(const std::vector<long long>& numbers, std::size_t count) {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
  return text + "}";
}

std::string instruction_of(const GpuCase& one) {
  const long way = one.number("mode");
  const auto rank = static_cast<std::size_t>(one.number("rank"));
  const std::string dimensions = "tensor." + std::to_string(rank) + "d.";
  const std::string in_tensor = "[%rd1, " + list_of(one.list("at"), rank) + "]";
  std::string offsets, moves;
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    moves += "mov.u16 %h" + std::to_string(i) + ", " + std::to_string(one.list("off")[i]) + ";\n";
    offsets += (i == 0 ? "%h" : ", %h") + std::to_string(i);
  }
  switch (way) {
    case mode_load:
    case mode_load_pixels:
      return moves + "mbarrier.arrive.expect_tx.shared.b64 _, [%r4], " + one.text("expect") + ";\ncp.async.bulk." +
             dimensions + "shared::cluster.global." + (way == mode_load ? "tile" : "im2col") +
             ".mbarrier::complete_tx::bytes [%r2], " + in_tensor + ", [%r4]" +
             (way == mode_load ? "" : ", {" + offsets + "}") + ";\n";
    case mode_store:
    case mode_store_pixels:
      return "cp.async.bulk." + dimensions + "global.shared::cta." + (way == mode_store ? "tile" : "im2col_no_offs") +
             ".bulk_group " + in_tensor + ", [%r2];\n";
    default:
      return "cp.reduce.async.bulk." + dimensions + "global.shared::cta." + reductions[way - mode_reduce] +
             ".tile.bulk_group " + in_tensor + ", [%r2];\n";
  }
}

std::string kernel_of_case(const GpuCase& one) {
  return kernel(
      ".param .align 64 .b8 map[128], .param .u64 tensor, .param .u64 image, .param .u64 dump, .param .u64 done",
      R"(
    mov.b64 %rd1, map;
    cvta.param.u64 %rd1, %rd1;
    ld.param.u64 %rd3, [image];
    ld.param.u64 %rd4, [dump];
    ld.param.u64 %rd5, [done];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, room;
    add.u32 %r4, %r2, 60000;
    shl.b32 %r5, %r1, 2;
    cvt.u64.u32 %rd6, %r5;
    add.u64 %rd3, %rd3, %rd6;
    add.u64 %rd4, %rd4, %rd6;
    add.u32 %r6, %r2, %r5;
  FILL:
    ld.global.u32 %r7, [%rd3];
    st.shared.u32 [%r6], %r7;
    add.u64 %rd3, %rd3, 4096;
    add.u32 %r6, %r6, 4096;
    add.u32 %r5, %r5, 4096;
    setp.lt.u32 %p1, %r5, 60000;
    @%p1 bra FILL;
    bar.sync 0;
    setp.ne.u32 %p2, %r1, 0;
    @%p2 bra GIVE;
    mbarrier.init.shared.b64 [%r4], 1;
    add.u32 %r2, %r2, )" +
          one.text("dst") + ";\n" + instruction_of(one) + R"(
    mbarrier.test_wait.parity.shared.b64 %p3, [%r4], 0;
    selp.u32 %r8, 1, 0, %p3;
    st.global.u32 [%rd5], %r8;
  GIVE:
    bar.sync 0;
    shl.b32 %r5, %r1, 2;
    mov.u32 %r2, room;
    add.u32 %r6, %r2, %r5;
  MORE:
    ld.shared.u32 %r7, [%r6];
    st.global.u32 [%rd4], %r7;
    add.u64 %rd4, %rd4, 4096;
    add.u32 %r6, %r6, 4096;
    add.u32 %r5, %r5, 4096;
    setp.lt.u32 %p1, %r5, 60000;
    @%p1 bra MORE;
    ret;
)",
      ".extern .shared .align 1024 .b8 room[];");
}

U64 fnv(const U8* bytes, std::size_t count) {
  U64 h = 1469598103934665603ull;
  for (std::size_t i = 0; i < count; ++i) h = (h ^ bytes[i]) * 1099511628211ull;
  return h;
}

// The interpreter's codes for what an H100 refuses: misaligned address (716), illegal instruction (715).
bool is_refused_alike(long error, const std::string& code) {
  if (error == 716) return code == "tensor_map.misaligned";
  return error == 715 && code.starts_with("tensor_map.");
}

void run_as_on_gpu(const GpuCase& one) {
  Launcher k(kernel_of_case(one));
  k.block = {1024, 1, 1};
  k.shared_bytes = shared_bytes;
  const TensorMapBytes words = encode(one.map(address_space::buffers + before + static_cast<U64>(one.number("base"))));
  Argument map;
  map.raw_parameter.resize(sizeof words);
  std::memcpy(map.raw_parameter.data(), words.data(), sizeof words);
  k.request.arguments.push_back(map);
  const int tensor = k.add_buffer(tensor_of(one));
  std::vector<U8> image = shared_of(one);
  image.resize(61440);
  k.add_buffer(image);
  const int dump = k.add_buffer(std::vector<U8>(61440)), done = k.add_buffer(std::vector<U32>(1));
  const LaunchResult result = k.run_anyway();
  const long error = one.number("err");
  if (error != 0) {
    ASSERT_FALSE(result.completed) << one.line();
    EXPECT_TRUE(is_refused_alike(error, result.diagnostics[0].code)) << one.line() << format(result.diagnostics[0]);
    return;
  }
  ASSERT_TRUE(result.completed) << one.line() << format(result.diagnostics[0]);
  const auto count = static_cast<std::size_t>(one.number("n"));
  const long way = one.number("mode");
  if (!stores(way)) {
    EXPECT_EQ(Launcher::values<U32>(result, done)[0], one.number("done")) << one.line();
  }
  const std::vector<U8> bytes = Launcher::values<U8>(result, stores(way) ? tensor : dump);
  const U8* from = bytes.data() + (stores(way) ? before - 1024 : 0);
  EXPECT_EQ(fnv(from, count), std::strtoull(one.text("hash").c_str(), nullptr, 16)) << one.line();
}

TEST(TensorMapH100, CopiesBringWhatAGpuBrings) {
  for (const GpuCase& one : cases_of("copies.txt")) run_as_on_gpu(one);
}

// A line of interleaved.txt as one of copies.txt. The answers do not tell what the copy counted on its mbarrier: that
// it is the bytes that came is from "PTX ISA".
GpuCase interleaved_case(const std::string& line) {
  std::istringstream columns(line);
  std::string il, sw, dim, box, step, at, hash;
  std::size_t pieces = 0;
  columns >> il >> sw >> dim >> box >> step >> at >> pieces >> hash;
  const auto rank = static_cast<std::size_t>(1 + std::ranges::count(dim, ','));
  const GpuCase sizes("dim=" + dim);
  long long stride = 8 << std::stoi(il);
  std::string strides;
  for (std::size_t d = 1; d < rank; ++d) {
    strides += (d == 1 ? "" : ",") + std::to_string(stride);
    stride *= sizes.list("dim")[d];
  }
  return GpuCase("mode=0 kind=tile type=1 rank=" + std::to_string(rank) + " il=" + il + " sw=" + sw +
                 " l2=0 fill=0 base=0 dim=" + dim + " str=" + strides + " box=" + box + " es=" + step + " at=" + at +
                 " off=0,0,0 dst=0 floats=0 seed=0 expect=" + std::to_string(16 * pieces) +
                 " err=0 done=1 n=16384 hash=" + hash);
}

TEST(TensorMapH100, InterleavedCopiesBringWhatAGpuBrings) {
  std::ifstream in(LANESCOPE_SOURCE_DIR "/tests/cases/tensor_map/interleaved.txt");
  int cases = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    run_as_on_gpu(interleaved_case(line));
    ++cases;
  }
  EXPECT_EQ(cases, 504);
}

// A store and a reduction (of f16, the larger of a negative number and a small positive one) go to the bytes that a
// load takes. Not asked of a GPU yet.
TEST(TensorMapH100, InterleavedStoresGoWhereLoadsComeFrom) {
  for (const U32 swizzle : {0u, 1u, 2u}) {
    std::vector<U8> tensor(tensor_room, 0xee);
    // The box: 2 rows of 8 pixels, 32 bytes each; the last 4 pixels of a row are outside.
    for (U32 row = 0; row < 2; ++row)
      for (U32 pixel = 0; pixel < 4; ++pixel)
        for (U32 half = 0; half < 16; ++half) {
          U32 from = (row * 8 + pixel) * 32 + half * 2;
          from ^= (from >> 7 & ((1u << swizzle) - 1)) << 4;
          const U64 to = before + (7 + pixel) * 32 + (1 + row) * 352 + 2 * 1408 + 1 * 4224 + half * 2;
          put_half(tensor, to, from / 2 + 1);
        }
    const std::string hash = std::to_string(fnv(tensor.data() + before - 1024, 16384));
    for (const char* mode : {"2", "6"}) {
      std::ostringstream line;
      line << "mode=" << mode << " kind=tile type=6 rank=4 il=2 sw=" << swizzle
           << " l2=0 fill=0 base=0 dim=11,4,3,2 str=352,1408,4224 box=8,2,2,1 es=1,1,1,1 at=7,1,2,1 off=0,0,0 dst=0"
              " floats=0 seed=0 expect=0 err=0 done=0 n=16384 hash=";
      char hexadecimal[17];
      std::snprintf(hexadecimal, sizeof hexadecimal, "%016llx", std::stoull(hash));
      run_as_on_gpu(GpuCase(line.str() + hexadecimal));
    }
  }
}

// What the answers do not decide is refused by name.
TEST(TensorMapH100, OtherInterleavedCopiesAreRefused) {
  const std::pair<const char*, const char*> unknown[] = {
      {"type=1 rank=3 il=2 sw=0 es=1,2,1", "with an element stride along the slices"}};
  for (const auto& [parts, why] : unknown) {
    Launcher k(
        kernel_of_case(GpuCase("mode=2 kind=tile l2=0 fill=0 base=0 dim=16,16,2 str=512,8192 box=16,2,1 at=0,0,0 "
                               "off=0,0,0 dst=0 floats=0 seed=0 " +
                               std::string(parts))));
    const GpuCase one("kind=tile l2=0 fill=0 base=0 dim=16,16,2 str=512,8192 box=16,2,1 " + std::string(parts));
    const TensorMapBytes words = encode(one.map(address_space::buffers + before));
    Argument map;
    map.raw_parameter.resize(sizeof words);
    std::memcpy(map.raw_parameter.data(), words.data(), sizeof words);
    k.block = {1024, 1, 1};
    k.shared_bytes = shared_bytes;
    k.request.arguments.push_back(map);
    for (int buffer = 0; buffer < 3; ++buffer) k.add_buffer(std::vector<U8>(tensor_room));
    k.add_buffer(std::vector<U32>(1));
    const LaunchResult result = k.run_anyway();
    ASSERT_FALSE(result.completed) << parts;
    EXPECT_EQ(result.diagnostics[0].code, "tensor_map.interleaved") << format(result.diagnostics[0]);
    EXPECT_NE(std::string(result.diagnostics[0].message).find(why), std::string::npos) << format(result.diagnostics[0]);
  }
}

}  // namespace
}  // namespace lanescope::sim
