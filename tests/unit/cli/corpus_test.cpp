// Runs ordinary CUDA programs as their first lines say and checks their results against the host's.

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

#include "cli/program.h"
#include "job/run/job.h"

namespace lanescope {
namespace {

// A launch from a `// run: …` line of a file in tests/cases/corpus.
struct Launch {
  std::string file, arguments, kernel;
  std::vector<std::string> argument_texts;
};

// Splits as a shell does, without escapes.
std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '\'')
      quoted = !quoted;
    else if (c == ' ' && !quoted)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

std::vector<Launch> launches() {
  std::vector<Launch> found;
  for (const test::Case& source : test::cases("corpus", ".cu")) {
    std::istringstream lines(source.text());
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("// run: ")) continue;
      Launch launch{source.path.filename().string(), line.substr(8), {}, {}};
      const std::vector<std::string> parts = words(launch.arguments);
      for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        if (parts[i] == "--kernel") launch.kernel = parts[i + 1];
        if (parts[i] == "--arg") launch.argument_texts.push_back(parts[i + 1]);
      }
      found.push_back(std::move(launch));
    }
  }
  return found;
}

// The buffers before and after the run.
class Buffers {
 public:
  Buffers(std::vector<sim::Argument> before, std::vector<std::string> after)
      : before_(std::move(before)), after_(std::move(after)) {}
  template <typename T>
  std::vector<T> before(std::size_t argument) const {
    std::vector<T> values(before_[argument].contents.size() / sizeof(T));
    std::memcpy(values.data(), before_[argument].contents.data(), values.size() * sizeof(T));
    return values;
  }
  template <typename T>
  std::vector<T> after(std::size_t argument) const {
    std::vector<T> values(after_[argument].size() / sizeof(T));
    std::memcpy(values.data(), after_[argument].data(), values.size() * sizeof(T));
    return values;
  }

 private:
  std::vector<sim::Argument> before_;
  std::vector<std::string> after_;
};

void expect_near(const std::vector<float>& got, const std::vector<double>& wanted, double tolerance) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(static_cast<double>(got[i]), wanted[i], tolerance * std::max(1.0, std::fabs(wanted[i]))) << "at " << i;
}

template <typename Key>
void sorted_in_segments(const Buffers& buffers, std::size_t count) {
  std::vector<Key> wanted = buffers.before<Key>(0);
  for (std::size_t first = 0; first < wanted.size(); first += count)
    std::sort(wanted.begin() + static_cast<long>(first), wanted.begin() + static_cast<long>(first + count));
  EXPECT_EQ(buffers.after<Key>(0), wanted);
}

void bitonic_step(const Buffers& buffers) {
  std::vector<int> keys = buffers.before<int>(0);
  for (unsigned i = 0; i < keys.size(); ++i) {
    const unsigned partner = i ^ 4;
    if (partner > i && (keys[i] > keys[partner]) == ((i & 8) == 0)) std::swap(keys[i], keys[partner]);
  }
  EXPECT_EQ(buffers.after<int>(0), keys);
}

void histogram(const Buffers& buffers) {
  std::vector<unsigned> bins(256);
  for (const std::uint8_t value : buffers.before<std::uint8_t>(1)) ++bins[value];
  EXPECT_EQ(buffers.after<unsigned>(0), bins);
}

std::vector<std::uint8_t> next_generation(const std::vector<std::uint8_t>& cells, int width, int height) {
  std::vector<std::uint8_t> next(cells.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int alive = 0;
      for (int k = 0; k < 9; ++k)
        if (k != 4)
          alive += cells[static_cast<std::size_t>((y + k / 3 - 1 + height) % height * width +
                                                  (x + k % 3 - 1 + width) % width)] &
                   1;
      const std::size_t at = static_cast<std::size_t>(y * width + x);
      next[at] = alive == 3 || ((cells[at] & 1) && alive == 2);
    }
  return next;
}

void generation(const Buffers& buffers) {
  std::vector<std::uint8_t> wanted = next_generation(buffers.before<std::uint8_t>(1), 60, 33);
  EXPECT_EQ(buffers.after<std::uint8_t>(0), wanted);
}

void generations(const Buffers& buffers) {
  std::vector<std::uint8_t> cells = buffers.before<std::uint8_t>(0);
  for (int step = 0; step < 6; ++step) cells = next_generation(cells, 32, 32);
  EXPECT_EQ(buffers.after<std::uint8_t>(0), cells);
}

void mandelbrot(const Buffers& buffers) {
  const std::vector<std::uint16_t> times = buffers.after<std::uint16_t>(0);
  const std::vector<std::uint32_t> colours = buffers.after<std::uint32_t>(1);
  constexpr std::uint32_t palette[] = {0xff202040, 0xff2a4b8d, 0xff3f7fbf, 0xff7fb2e5,
                                       0xffffffff, 0xffe5c07b, 0xffbf7f3f, 0xff8d4b2a};
  for (int row = 0; row < 40; ++row)
    for (int column = 0; column < 90; ++column) {
      const float cx = std::fmaf(static_cast<float>(column), 0.0625f, -2.25f),
                  cy = std::fmaf(static_cast<float>(row), 0.0625f, -1.25f);
      float x = 0, y = 0;
      int time = 0;
      for (; time < 200; ++time) {
        const float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f) break;
        const float xy = x * y, difference = xx - yy;
        x = difference + cx;
        y = std::fmaf(2.0f, xy, cy);
      }
      const auto at = static_cast<std::size_t>(row * 90 + column);
      ASSERT_EQ(times[at], time) << row << ", " << column;
      ASSERT_EQ(colours[at], time == 200 ? 0xff000000 : palette[time % 8]) << row << ", " << column;
    }
}

template <typename T>
void matmul(const Buffers& buffers, std::size_t m, std::size_t n, std::size_t k, double alpha, double beta,
            double tolerance) {
  const std::vector<T> a = buffers.before<T>(0), b = buffers.before<T>(1), old = buffers.before<T>(2),
                       c = buffers.after<T>(2);
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t column = 0; column < n; ++column) {
      double sum = 0;
      for (std::size_t i = 0; i < k; ++i)
        sum += static_cast<double>(a[row * k + i]) * static_cast<double>(b[i * n + column]);
      const double wanted = alpha * sum + beta * static_cast<double>(old[row * n + column]);
      ASSERT_NEAR(static_cast<double>(c[row * n + column]), wanted, tolerance * std::max(1.0, std::fabs(wanted)));
    }
}

void nbody(const Buffers& buffers) {
  const std::vector<float> bodies = buffers.before<float>(0);
  std::vector<double> velocities(bodies.size()), next(bodies.begin(), bodies.end());
  for (std::size_t i = 0; i < bodies.size(); i += 4)
    for (std::size_t j = 0; j < bodies.size(); j += 4) {
      double away[3], square = 0.01;
      for (std::size_t d = 0; d < 3; ++d) {
        away[d] = static_cast<double>(bodies[j + d]) - static_cast<double>(bodies[i + d]);
        square += away[d] * away[d];
      }
      for (std::size_t d = 0; d < 3; ++d)
        velocities[i + d] += 0.01 * static_cast<double>(bodies[j + 3]) * away[d] / std::pow(square, 1.5);
    }
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (i % 4 != 3) next[i] += 0.01 * velocities[i];
  expect_near(buffers.after<float>(1), velocities, 1e-4);
  expect_near(buffers.after<float>(2), next, 1e-5);
}

template <typename T>
std::vector<T> prefix_sums(const std::vector<T>& in, std::size_t segment) {
  std::vector<T> out = in;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (i % segment) out[i] += out[i - 1];
  return out;
}

void scan(const Buffers& buffers) {
  const std::vector<int> wanted = prefix_sums(buffers.before<int>(2), 256);
  EXPECT_EQ(buffers.after<int>(0), wanted);
  EXPECT_EQ(buffers.after<int>(1), (std::vector<int>{wanted[255], wanted[511], wanted[767], wanted[999]}));
}

void scan_ladder(const Buffers& buffers) {
  EXPECT_EQ(buffers.after<std::uint64_t>(0), prefix_sums(buffers.before<std::uint64_t>(1), 128));
}

void softmax(const Buffers& buffers, std::size_t columns) {
  const std::vector<float> in = buffers.before<float>(1);
  std::vector<double> wanted(in.size());
  for (std::size_t first = 0; first < in.size(); first += columns) {
    double sum = 0;
    for (std::size_t i = first; i < first + columns; ++i) sum += std::exp(static_cast<double>(in[i]));
    for (std::size_t i = first; i < first + columns; ++i) wanted[i] = std::exp(static_cast<double>(in[i])) / sum;
  }
  expect_near(buffers.after<float>(0), wanted, 1e-7);
}

void heat(const Buffers& buffers) {
  const std::vector<float> in = buffers.before<float>(1);
  std::vector<double> wanted(in.begin(), in.end());
  for (std::size_t z = 1; z + 1 < 7; ++z)
    for (std::size_t y = 1; y + 1 < 15; ++y)
      for (std::size_t x = 1; x + 1 < 22; ++x) {
        const std::size_t at = x + 22 * (y + 15 * z);
        double sum = 0;
        for (const std::size_t step : {std::size_t{1}, std::size_t{22}, std::size_t{22 * 15}})
          sum += static_cast<double>(in[at - step]) + static_cast<double>(in[at + step]);
        wanted[at] = 0.5 * static_cast<double>(in[at]) + static_cast<double>(0.08333333f) * sum;
      }
  expect_near(buffers.after<float>(0), wanted, 1e-6);
}

void smooth(const Buffers& buffers) {
  std::vector<double> wanted;
  for (int i = 0; i < 250; ++i) {
    double sum = 0;
    for (int offset = -3; offset <= 3; ++offset) sum += std::clamp(i + offset, 0, 249);
    wanted.push_back(sum / 7);
  }
  expect_near(buffers.after<float>(0), wanted, 1e-6);
}

template <typename T>
void transposed(const Buffers& buffers, std::size_t width, std::size_t height) {
  const std::vector<T> in = buffers.before<T>(1), out = buffers.after<T>(0);
  for (std::size_t row = 0; row < height; ++row)
    for (std::size_t column = 0; column < width; ++column)
      ASSERT_EQ(out[column * height + row], in[row * width + column]);
}

__extension__ typedef unsigned __int128 Wide;

void wide_division(const Buffers& buffers) {
  const auto a = buffers.before<std::uint64_t>(0), b = buffers.before<std::uint64_t>(1);
  const auto quotients = buffers.after<std::uint64_t>(2), remainders = buffers.after<std::uint64_t>(3);
  const auto number = [](const std::vector<std::uint64_t>& words, std::size_t i) {
    return Wide{words[2 * i]} << 64 | words[2 * i + 1];
  };
  for (std::size_t i = 0; i < a.size() / 2; ++i) {
    const Wide x = number(a, i), y = number(b, i) >> i % 128 | 1;
    EXPECT_TRUE(number(quotients, i) == x / y) << "at " << i;
    EXPECT_TRUE(number(remainders, i) == x % y) << "at " << i;
  }
}

const std::map<std::string, std::function<void(const Buffers&)>>& references() {
  static const std::map<std::string, std::function<void(const Buffers&)>> made{
      {"bitonic_sort<unsigned>", [](const Buffers& b) { sorted_in_segments<unsigned>(b, 512); }},
      {"bitonic_sort<float>", [](const Buffers& b) { sorted_in_segments<float>(b, 64); }},
      {"bitonic_step", bitonic_step},
      {"histogram", histogram},
      {"histogram_matched", histogram},
      {"generation", generation},
      {"generations", generations},
      {"mandelbrot", mandelbrot},
      {"matmul<float>", [](const Buffers& b) { matmul<float>(b, 50, 45, 37, 1, 0.5, 1e-5); }},
      {"matmul<double>", [](const Buffers& b) { matmul<double>(b, 32, 32, 20, 2, 0, 1e-13); }},
      {"nbody", nbody},
      {"scan", scan},
      {"scan_ladder", scan_ladder},
      {"softmax", [](const Buffers& b) { softmax(b, 300); }},
      {"softmax_tiles", [](const Buffers& b) { softmax(b, 71); }},
      {"heat", heat},
      {"smooth<3>", smooth},
      {"transpose<float, 32>", [](const Buffers& b) { transposed<float>(b, 100, 70); }},
      {"transpose<short, 16>", [](const Buffers& b) { transposed<short>(b, 40, 25); }},
      {"wide_division", wide_division},
  };
  return made;
}

class CliCorpus : public testing::TestWithParam<Launch> {};

std::string name_of_launch(const testing::TestParamInfo<Launch>& tested) {
  std::string name;
  for (const char c : tested.param.kernel) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

void PrintTo(const Launch& launch, std::ostream* out) {
  *out << launch.file << " " << launch.arguments;
}

TEST_P(CliCorpus, GivesWhatTheHostGives) {
  const Launch& launch = GetParam();
  const auto reference = references().find(launch.kernel);
  ASSERT_NE(reference, references().end()) << launch.kernel << " has no reference here";
  test::TempFolder folder;
  std::vector<std::string> arguments{"trace", test::case_path("corpus/" + launch.file).string()};
  for (const std::string& word : words(launch.arguments)) arguments.push_back(word);
  std::vector<sim::Argument> before;
  for (std::size_t i = 0; i < launch.argument_texts.size(); ++i) {
    before.push_back(job::make_argument({launch.argument_texts[i], ""}).value());
    if (!before.back().is_buffer) continue;
    arguments.emplace_back("--write");
    arguments.push_back(std::to_string(i) + "=" + (folder / std::to_string(i)).string());
  }
  arguments.emplace_back("--json");
  const test::Ran ran = test::lanescope(arguments);
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::vector<std::string> after(before.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i].is_buffer) after[i] = test::read_file(folder / std::to_string(i));
  reference->second(Buffers(std::move(before), std::move(after)));
  EXPECT_GT(ran.json()["totals"]["global_store"]["requests"].get<int>() +
                ran.json()["totals"]["global_reduction"]["requests"].get<int>(),
            0);
}

INSTANTIATE_TEST_SUITE_P(Files, CliCorpus, testing::ValuesIn(launches()), name_of_launch);

}  // namespace
}  // namespace lanescope
