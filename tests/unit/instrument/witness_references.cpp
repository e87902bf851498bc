#include "instrument/witness_references.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>

#include "core/half.h"

namespace lanescope::test {
namespace {

using Reference = WitnessReference;
using References = WitnessReferences;

// out[i] = value(in, i) for so many threads: argument 0 is read, argument 1 written.
template <typename In, typename Out, typename Value>
Reference each(int threads, Value value) {
  return [=](HostArguments& with) {
    for (int i = 0; i < threads; ++i) with.of<Out>(1)[i] = static_cast<Out>(value(with.of<const In>(0), i));
  };
}
template <typename Value>
Reference each_int(int threads, Value value) {
  return each<int, int>(threads, value);
}
template <typename Value>
Reference each_float(int threads, Value value) {
  return each<float, float>(threads, value);
}

void add_accesses(References& all) {
  all["grid_stride"] = [](HostArguments& with) {
    for (int i = 0; i < with.number(2); ++i) with.of<float>(1)[i] += 2 * with.of<float>(0)[i];
  };
  all["float4_with_a_tail"] = each_float(
      1203, [](const float* in, int i) { return i < 1200 ? in[i] + static_cast<float>(i % 4 + 1) : in[i] - 1; });
  all["half2_scaled"] =
      each<std::uint16_t, std::uint16_t>(480, [](const std::uint16_t*, int) { return half_bits(3.0); });
  all["bfloat_pairs"] = each_float(256, [](const float*, int i) { return i % 2 ? 2.0f : 1.0f; });
  all["union_of_widths"] = [](HostArguments& with) {
    for (int i = 0; i < 96; ++i)
      with.of<int>(1)[i] = with.of<std::uint8_t>(0)[16 * i + 4] + with.of<std::uint16_t>(0)[8 * i + i % 8];
  };
  all["array_of_structs"] = each_float(192, [](const float* in, int i) { return in[4 * i] + in[4 * i + 2]; });
  all["array_of_three"] = each_float(384, [](const float* in, int i) { return in[i / 3 * 3 + (i % 3 + 2) % 3]; });
  all["struct_of_arrays"] = each_float(64, [](const float* in, int i) { return in[i] * in[64 + i]; });
  all["bytes_to_shorts"] =
      each<std::uint8_t, std::int16_t>(200, [](const std::uint8_t* in, int i) { return in[i] * 3; });
  all["words_at_odd_bytes"] = each<std::uint8_t, std::uint32_t>(40, [](const std::uint8_t* in, int i) {
    return in[1 + 4 * i] | in[2 + 4 * i] << 8 | in[3 + 4 * i] << 16 | static_cast<std::uint32_t>(in[4 + 4 * i]) << 24;
  });
  all["shifted_doubles"] = each<double, double>(128, [](const double* in, int i) { return in[i + 1] + in[i + 2]; });
  all["constant_by_lane"] = each_int(64, [](const int*, int i) {
    constexpr int table[] = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    return table[i % 10] + 5;
  });
  all["cache_hints"] =
      each_float(128, [](const float* in, int i) { return in[i] + in[i + 64] + in[2 * i] + in[255 - i]; });
  all["two_guards"] = [](HostArguments& with) {
    for (int i = 0; i < 199; ++i) with.of<int>(i % 2 ? 2 : 1)[i] = with.of<int>(0)[i] + (i % 2 ? -1 : 1);
  };
  all["local_array_by_index"] = each_int(64, [](const int* in, int i) {
    int held[8];
    for (int j = 0; j < 8; ++j) held[j] = in[(i + j) % 64];
    for (int j = 0; j < 3; ++j) held[in[i] % 8] += held[(in[i] + j) % 8];
    return held[in[i] % 8];
  });
  all["three_dimensional_blocks"] = each_int(360, [](const int* in, int i) { return in[359 - i] + i % 45 / 15; });
  all["clamped_stencil"] = each_float(
      130, [](const float* in, int i) { return in[std::max(i - 1, 0)] + 2 * in[i] + in[std::min(i + 1, 129)]; });
  all["sparse_rows"] = [](HostArguments& with) {
    const float* values = with.of<float>(1);
    for (int i = 0; i < 128; ++i) {
      const int begin = i / 5 * 10 + (i % 5) * (i % 5 - 1) / 2;
      with.of<float>(2)[i] = 0;
      for (int k = begin; k < begin + i % 5; ++k) with.of<float>(2)[i] += values[k] * values[k * 7 % 512];
    }
  };
  all["full_block_with_many_registers"] = each_int(2048, [](const int* in, int i) {
    const auto kept = [&](int k) { return static_cast<std::uint32_t>(in[(i * 32 + k * k) & 65535]); };
    std::uint32_t sum = 0;
    for (int k = 0; k < 32; ++k) sum = sum * 3 + kept(31 - k) * kept(k * 7 & 31);
    return static_cast<int>(sum);
  });
}

void add_shared_memory(References& all) {
  all["transpose_padded"] = each_float(4096, [](const float* in, int i) { return in[i % 64 * 64 + i / 64]; });
  all["transpose_16"] = each_float(512, [](const float* in, int i) { return in[i % 16 * 32 + i / 16]; });
  all["dynamic_of_two_types"] =
      each_float(128, [](const float* in, int i) { return in[i / 64 * 64 + 63 - i % 64] + 0.5f * in[i ^ 1]; });
  all["async_pipeline"] = each_float(128, [](const float* in, int i) {
    float sum = 0;
    for (int step = 0; step < 8; ++step) sum += in[i / 64 * 512 + step * 64 + i % 64];
    return sum;
  });
  all["private_histogram"] = [](HostArguments& with) {
    for (int i = 0; i < 1000; ++i) ++with.of<std::uint32_t>(1)[with.of<std::uint8_t>(0)[i] % 16];
  };
  all["hillis_steele"] =
      each_int(256, [](const int* in, int i) { return std::accumulate(in + i / 128 * 128, in + i + 1, 0); });
  all["doubles_at_stride_two"] = each<double, double>(64, [](const double* in, int i) { return in[63 - i]; });
  all["bytes_in_one_word"] =
      each<std::uint8_t, std::uint8_t>(64, [](const std::uint8_t* in, int i) { return in[i ^ 5]; });
  all["float4_in_shared"] = each_float(512, [](const float* in, int i) {
    const int block = i / 256 * 256, thread = i % 256 / 4, mirrored = block + 4 * (63 - thread);
    return i % 4 == 3 ? in[block + 4 * thread] : in[mirrored + 3 - i % 4];
  });
  all["tiled_product"] = [](HostArguments& with) {
    for (int i = 0; i < 256; ++i) {
      float sum = 0;
      for (int k = 0; k < 16; ++k) sum += with.of<float>(0)[i / 16 * 16 + k] * with.of<float>(1)[k * 16 + i % 16];
      with.of<float>(2)[i] = sum;
    }
  };
}

// wide_shared.cu: `words` words per element; argument 1 has the place of each thread.
Reference wide_load(int threads, int words, bool some) {
  return [=](HostArguments& with) {
    const std::uint32_t* places = with.of<const std::uint32_t>(1);
    for (int t = 0; t < threads; ++t)
      if (!some || places[t] % 2 == 1)
        std::copy_n(with.of<const std::uint32_t>(0) + places[t] * words, words, with.of<std::uint32_t>(2) + t * words);
  };
}
Reference wide_store(int threads, int words, bool some) {
  return [=](HostArguments& with) {
    const std::uint32_t* places = with.of<const std::uint32_t>(1);
    std::copy_n(with.of<const std::uint32_t>(0), 64 * words, with.of<std::uint32_t>(2));
    for (int t = 0; t < threads; ++t)
      if (!some || places[t] % 2 == 1)
        std::copy_n(with.of<const std::uint32_t>(0) + (64 + places[t]) * words, words,
                    with.of<std::uint32_t>(2) + places[t] * words);
  };
}
Reference wide_load_by(int words, int (*reader)(int thread), int every) {
  return [=](HostArguments& with) {
    const std::uint32_t* places = with.of<const std::uint32_t>(1);
    for (int t = 0; t < 64; t += every)
      std::copy_n(with.of<const std::uint32_t>(0) + places[reader(t)] * words, words,
                  with.of<std::uint32_t>(2) + t * words);
  };
}
void add_wide_shared(References& all) {
  for (const int words : {2, 4}) {
    const std::string type = "uint" + std::to_string(words);
    all["load_" + type] = wide_load(64, words, false);
    all["load_" + type + "_of_some_lanes"] = wide_load(52, words, true);
    all["load_" + type + "_in_pairs"] = wide_load_by(
        words, [](int t) { return t / 2 * 2; }, 1);
    all["load_" + type + "_of_even_lanes"] = wide_load_by(
        words, [](int t) { return t; }, 2);
    all["store_" + type] = wide_store(64, words, false);
    all["store_" + type + "_of_some_lanes"] = wide_store(52, words, true);
  }
}

void add_warps(References& all) {
  all["shuffle_in_half_a_warp"] = each_int(128, [](const int* in, int i) {
    if (i % 32 >= 16) return in[i ^ 3];
    int v[16];
    std::copy_n(in + i / 32 * 32, 16, v);
    for (int d = 8; d > 0; d /= 2)
      for (int lane = 0; lane < 16; ++lane) v[lane] += lane + d < 16 ? v[lane + d] : v[lane];
    return v[i % 32];
  });
  all["syncwarp_in_two_parts"] = [](HostArguments& with) {
    const int* in = with.of<int>(0);
    int line[64];
    for (int t = 0; t < 64; ++t) line[t] = t % 32 < 16 ? in[t] + in[t ^ 1] : in[t] - in[t ^ 3];
    for (int t = 0; t < 64; ++t) with.of<int>(1)[t] = line[t ^ 16];
  };
  all["half_returns_early"] = [](HostArguments& with) {
    // Blocks of 48: a full warp and a half warp, of which every second lane continues.
    for (int i = 0; i < 96; i += 2) with.of<int>(1)[i] = with.of<int>(0)[i] + (i % 48 < 32 ? 16 : 8);
  };
  all["match_equal_keys"] = each<int, std::uint32_t>(128, [](const int* in, int i) {
    return std::count_if(in + i / 32 * 32, in + i / 32 * 32 + 32, [&](int other) { return other % 5 == in[i] % 5; });
  });
  all["reduce_in_one_instruction"] = [](HostArguments& with) {
    const std::uint32_t* in = with.of<std::uint32_t>(0);
    for (int warp = 0; warp < 4; ++warp)
      for (int lane = 0; lane < 32; ++lane) {
        with.of<std::uint32_t>(1)[2 * warp] += in[32 * warp + lane];
        with.of<std::uint32_t>(1)[2 * warp + 1] =
            std::max(with.of<std::uint32_t>(1)[2 * warp + 1], in[32 * warp + lane] % 29);
      }
  };
  all["ballot_compaction"] = [](HostArguments& with) {
    for (int block = 0; block < 2; ++block)
      for (int lane = 0, at = 0; lane < 32; ++lane)
        if (const int v = with.of<int>(0)[32 * block + lane]; v * 7 % 3 != 1) with.of<int>(1)[32 * block + at++] = v;
  };
  all["aggregated_atomic"] = [](HostArguments& with) {
    for (int i = 0; i < 128; ++i) {
      if (with.of<int>(0)[i] % 3 != 0) continue;
      ++*with.of<int>(1);
      for (int before = i / 32 * 32; before < i; ++before) with.of<int>(2)[i] += with.of<int>(0)[before] % 3 == 0;
    }
  };
  all["product_by_shuffles"] = [](HostArguments& with) {
    for (int i = 0; i < 64; ++i)
      for (int k = 0; k < 8; ++k)
        with.of<float>(2)[i] += with.of<float>(0)[i / 8 * 8 + k] * with.of<float>(1)[k * 8 + i % 8];
  };
  all["rests_a_while"] = each_int(64, [](const int* in, int i) { return in[i] + 1; });
  all["vote_over_a_partial_warp"] = [](HostArguments& with) {
    for (int warp = 0; warp < 4; ++warp) {
      const int first = warp / 2 * 40 + warp % 2 * 32, lanes = warp % 2 ? 8 : 32;
      const int* in = with.of<int>(0) + first;
      with.of<int>(1)[warp] =
          std::all_of(in, in + lanes, [](int v) { return v < 77; }) + 2 * (std::count(in, in + lanes, 3) > 0);
    }
  };
  all["tiles_of_eight"] =
      each_int(64, [](const int* in, int i) { return std::accumulate(in + i / 8 * 8, in + i + 1, 0); });
  all["halves_by_mask"] = each_int(128, [](const int* in, int i) {
    const auto value = [&](int at) { return in[at] * 7 % 23; };
    int most = 0, above = 0, alike = 0;
    bool any = false, all_below = true;
    for (int at = i / 16 * 16; at < i / 16 * 16 + 16; ++at) {
      most = std::max(most, value(at));
      above += value(at) > 9;
      any |= value(at) == 22;
      all_below &= value(at) < 22;
      alike += value(at) % 5 == value(i) % 5;
    }
    return most + 100 * above + 10000 * any + 20000 * all_below + 100000 * alike + 10000000 * (value(i ^ 3) % 8);
  });
  all["groups_by_label"] = each_int(64, [](const int* in, int i) {
    const auto label = [&](int at) { return in[at] * in[at] % 7; };
    int sum = 0, thirds = 0, evens = 0;
    for (int at = i / 32 * 32; at < i / 32 * 32 + 32; ++at)
      if (label(at) == label(i)) sum += at, thirds += at % 3 == 0, evens += at % 2 == 0;
    return sum + (label(i) == 4 ? 1000 * thirds : 10000 * evens);
  });
  all["returns_before_barriers"] = each_int(80, [](const int* in, int i) {
    const int* own = in + i / 40 * 40;
    return own[39 - i % 40] + 1000 * static_cast<int>(std::count_if(own, own + 40, [](int v) { return v % 3 == 0; }));
  });
  all["works_before_it_returns"] = each_int(64, [](const int* in, int i) {
    return i % 8 < 2 ? i % 8 + 1 : (63 - i) % 8 > 1 ? in[63 - i] : -1;
  });
  all["returns_from_a_function"] = [](HostArguments& with) {
    for (int i = 0; i < 40; ++i) with.of<int>(1)[i] = with.of<int>(0)[39 - i];
  };
  all["tiles_of_two_warps"] = each_int(256, [](const int* in, int i) {
    const auto value = [&](int thread) { return in[thread / 64 * 64 + 63 - thread % 64] % 10; };
    int sum = 0;
    bool any = false;
    for (int thread = i / 64 * 64; thread < i / 64 * 64 + 64; ++thread)
      sum += value(thread), any |= value(thread) + thread == 255;
    return sum + 1000 * value(i / 64 * 64 + 40) + (any ? 100000 : 0) + in[i] % 10;
  });
  all["grid_sync_twice"] = [](HostArguments& with) {
    for (int i = 0; i < 256; ++i) with.of<int>(2)[i] = with.of<int>(0)[255 - i] + 1;
    for (int i = 0; i < 256; ++i) with.of<int>(1)[i] = with.of<int>(2)[(i + 65) % 256];
  };
}

int arms(const int* in, int i) {
  const int v = in[i];
  switch (v % 7) {
    case 0:
      return in[63 - i] + 1;
    case 1:
      return in[i / 2] * 3;
    case 2:
      return in[i % 8] - 7 + in[(i + 5) % 64];
    case 3:
      return v + in[(i + 5) % 64];
    case 4:
      return v;
    case 5:
      return -v;
    default:
      return v ^ 0x55;
  }
}

int nested(const int* in, int i) {
  int sum = 0;
  for (int a = 0; a < 6 && sum <= 400; ++a)
    for (int b = 0; b < 5 && (in[i] + a * b) % 4 != 3; ++b) sum += (a + b) % 3 == 1 ? 0 : in[(i + a + b) % 96];
  return sum;
}

void add_divergence(References& all) {
  all["switch_of_seven"] = each_int(64, arms);
  all["nested_loops_with_break"] = each_int(96, nested);
  all["short_circuit"] = [](HostArguments& with) {
    const int *a = with.of<int>(0), *b = with.of<int>(1);
    for (int i = 0; i < 64; ++i) {
      const bool holds = (a[i] % 3 == 0 && b[i] % 2 == 0) || (b[i] > 20 && a[b[i]] % 5 < 2);
      with.of<int>(2)[i] = holds ? a[63 - i] : -b[i];
    }
  };
  all["steps_to_one"] = each_int(64, [](const int* in, int i) {
    int steps = 0;
    for (int v = in[i] + 1; v != 1; ++steps) v = v % 2 ? 3 * v + 1 : v / 2;
    return steps;
  });
  all["either_load"] = [](HostArguments& with) {
    for (int i = 0; i < 64; ++i) with.of<int>(2)[i] = with.of<int>(i % 3 ? 0 : 1)[i];
  };
  all["binary_search"] = each_int(
      80, [](const int* sorted, int i) { return std::lower_bound(sorted, sorted + 100, i * 17 % 120) - sorted; });
  all["stores_in_three_arms"] = [](HostArguments& with) {
    for (int v = 0; v < 64; ++v)
      if (v < 40 || v % 2) with.of<int>(1)[v] = v < 10 ? 1 : v < 40 ? v : -v;
  };
  all["loop_to_convergence"] = each_float(66, [](const float* in, int i) {
    float root = 1;
    for (int k = 0; k < 50; ++k) {
      const float next = 0.5f * (root + in[i] / root);
      if (std::fabs(next - root) <= 1e-3f * next) break;
      root = next;
    }
    return root;
  });
}

void add_atomics(References& all) {
  all["atomics_of_four_kinds"] = [](HostArguments& with) {
    for (int i = 0; i < 128; ++i) {
      const int v = with.of<int>(0)[i];
      with.of<int>(1)[v % 4] += v;
      with.of<int>(1)[4 + v % 4] = std::max(with.of<int>(1)[4 + v % 4], v);
      with.of<float>(2)[v % 4] += 1;
      with.of<double>(3)[v % 2] += 0.5;
    }
  };
  all["maximum_by_compare_and_swap"] = [](HostArguments& with) {
    *with.of<double>(1) = *std::max_element(with.of<double>(0), with.of<double>(0) + 64);
  };
  all["pairs_of_halves"] = [](HostArguments& with) {
    for (int i = 0; i < 8; ++i) with.of<std::uint16_t>(0)[i] = half_bits(i % 2 ? 64.0 : 32.0);
  };
  all["atomics_of_64_bits"] = [](HostArguments& with) {
    std::uint64_t* out = with.of<std::uint64_t>(1);
    for (int i = 0; i < 128; ++i) {
      const std::uint64_t v = with.of<std::uint64_t>(0)[i];
      out[0] += v, out[1] = std::max(out[1], 3 * v), out[2] |= std::uint64_t{1} << (v % 64), out[3] ^= v << 20;
    }
  };
  all["exchanges_of_128_bits"] = [](HostArguments& with) {
    std::uint64_t *cells = with.of<std::uint64_t>(0), *old = with.of<std::uint64_t>(1);
    for (std::uint64_t i = 0; i < 128; ++i) {
      const std::uint64_t low = i, high = 1000 + i;
      old[4 * i] = cells[2 * i], old[4 * i + 1] = cells[2 * i + 1];
      old[4 * i + 2] = low, old[4 * i + 3] = high;
      cells[2 * i] = i % 2 == 0 ? ~low : low, cells[2 * i + 1] = i % 2 == 0 ? ~high : high;
    }
  };
  all["every_lane_its_own_word"] = [](HostArguments& with) {
    for (int i = 0; i < 128; ++i) with.of<int>(1)[i % 32] += with.of<int>(0)[i];
  };
  all["exchange_in_shared"] = each_int(64, [](const int* in, int i) {
    int sum = 0;
    for (int j = i % 8; j < 64; j += 8) sum += in[j];
    return std::min(sum, 1000);
  });
  all["last_block_adds_up"] = [](HostArguments& with) {
    for (int i = 0; i < 256; ++i) with.of<int>(1)[i / 64] += with.of<int>(0)[i], *with.of<int>(3) += with.of<int>(0)[i];
    *with.of<std::uint32_t>(2) = 4;
  };
  all["look_back"] = [](HostArguments& with) {
    int sum = 0;
    for (int i = 0; i < 384; ++i) {
      with.of<int>(1)[i] = sum += with.of<int>(0)[i];
      with.of<std::uint64_t>(2)[i / 64] = static_cast<std::uint64_t>(sum) << 1 | 1;
    }
  };
}

int sum_down(const int* in, int i) {
  if (i <= 0) return in[0];
  return in[i] % 5 == 0 ? in[i] + sum_down(in, i / 2) : in[i] - sum_down(in, i / 3);
}
int fibonacci(const int* in, int n) {
  return n < 2 ? in[n] : fibonacci(in, n - 1) + fibonacci(in, n - 2);
}

void add_functions(References& all) {
  all["two_deep"] =
      each_float(128, [](const float* in, int i) { return in[i] * in[i] * in[i] + in[i ^ 1] * in[i ^ 1] * in[i ^ 1]; });
  all["recursion_of_one_depth"] =
      each_int(64, [](const int* in, int i) { return static_cast<int>(std::pow(in[i] % 3, 5)); });
  all["recursion_of_many_depths"] = each_int(112, sum_down);
  all["recursion_twice_over"] = each_int(64, [](const int* in, int i) { return fibonacci(in, in[i] % 7); });
  all["pointer_to_one_of_two"] =
      each_int(128, [](const int* in, int i) { return in[i] + (in[i] % 3 ? in[i] : 2 * in[i ^ 1] + in[0]); });
  all["pointer_by_warp"] =
      each_int(128, [](const int* in, int i) { return in[i] + (i / 32 % 2 ? in[i] : 2 * in[i ^ 1] + in[0]); });
  all["virtual_call"] = each_int(64, [](const int* in, int i) { return in[i] * (in[i] + (i < 32 ? 0 : 1)); });
  all["lambda_in_a_template"] = each_int(150, [](const int* in, int i) { return in[i] + in[7]; });
  all["function_that_returns_early"] = [](HostArguments& with) {
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j <= with.of<int>(0)[i] % 4; ++j)
        if (const int v = with.of<int>(0)[i] + j; v % 2) with.of<int>(1)[i] += v;
  };
  all["prints"] = each_int(32, [](const int* in, int i) { return in[i] * 2; });
}

// 8 × 8 matrices of 16-bit elements: a lane holds two elements of row lane / 4, from column 2 * (lane % 4) on.
std::uint16_t& element(std::uint16_t* of, int row, int column, int pitch) {
  return of[row * pitch + column];
}

void add_matrices(References& all) {
  // Argument 0: rows of 8 elements. Argument 1: a pair per lane and register.
  all["matrices_of_a_tile"] = [](HostArguments& with) {
    for (int lane = 0; lane < 32; ++lane)
      for (int matrix = 0; matrix < 4; ++matrix)
        for (int half = 0; half < 2; ++half)
          with.of<std::uint16_t>(1)[(lane * 4 + matrix) * 2 + half] =
              element(with.of<std::uint16_t>(0), 8 * matrix + lane / 4, lane % 4 * 2 + half, 8);
  };
  all["one_matrix_turned"] = [](HostArguments& with) {
    for (int lane = 0; lane < 32; ++lane)
      for (int half = 0; half < 2; ++half)
        with.of<std::uint16_t>(1)[lane * 2 + half] =
            element(with.of<std::uint16_t>(0), lane % 4 * 2 + half, lane / 4, 64);
  };
  all["two_matrices_of_each_warp"] = [](HostArguments& with) {
    for (int thread = 0; thread < 64; ++thread)
      for (int matrix = 0; matrix < 2; ++matrix)
        for (int half = 0; half < 2; ++half)
          with.of<std::uint16_t>(1)[(thread * 2 + matrix) * 2 + half] = element(
              with.of<std::uint16_t>(0), 16 * (thread / 32) + 8 * matrix + thread % 32 / 4, thread % 4 * 2 + half, 8);
  };
  all["matrices_stored_turned"] = [](HostArguments& with) {
    for (int lane = 0; lane < 32; ++lane)
      for (int matrix = 0; matrix < 4; ++matrix)
        for (int half = 0; half < 2; ++half)
          element(with.of<std::uint16_t>(1), 8 * matrix + lane % 4 * 2 + half, lane / 4, 8) =
              with.of<std::uint16_t>(0)[(lane * 4 + matrix) * 2 + half];
  };
}

}  // namespace

void add_local_atomics(References& all) {
  all["integers_of_a_thread"] = [](HostArguments& with) {
    for (int i = 0; i < 128; ++i) {
      const int old = 1 + i % 4;
      with.of<int>(0)[i] = old * 1000 + std::max(old + 10 + i % 64, 40);
    }
  };
  all["wide_of_a_thread"] = [](HostArguments& with) {
    std::uint64_t* out = with.of<std::uint64_t>(0);
    for (std::uint64_t i = 0; i < 64; ++i) out[2 * i] = i, out[2 * i + 1] = (i == 5 ? std::uint64_t{1} << 40 : i) + 7;
  };
  all["reals_of_a_thread"] = [](HostArguments& with) {
    for (int i = 0; i < 64; ++i) {
      const float old = i % 2 ? 8.0f : 0.5f;
      with.of<float>(0)[i] = old + (old + static_cast<float>(i));
    }
  };
  all["half_of_a_warp_in_local"] = [](HostArguments& with) {
    for (int i = 0; i < 64; ++i) {
      const bool own = i % 32 < 16;
      with.of<int>(0)[i] = (own ? 1 + i % 4 : 0) + (1 + i % 4) + (own ? 1 : 0);
    }
    with.of<int>(1)[0] = 32;
  };
}

const References& witness_references() {
  static const References all = [] {
    References made;
    add_accesses(made);
    add_shared_memory(made);
    add_wide_shared(made);
    add_warps(made);
    add_divergence(made);
    add_atomics(made);
    add_local_atomics(made);
    add_functions(made);
    add_matrices(made);
    add_clusters(made);
    add_fragments(made);
    add_textures(made);
    return made;
  }();
  return all;
}

}  // namespace lanescope::test
