// The expected buffers of tests/cases/witnesses/cluster_*.cu.

#include "instrument/witness_references.h"

namespace lanescope::test {
namespace {

// out[block × threads + thread] = value(in, block, thread): argument 0 is read, argument 1 written.
template <typename T, typename Value>
WitnessReference by_thread(int blocks, int threads, Value value) {
  return [=](HostArguments& with) {
    for (int block = 0; block < blocks; ++block)
      for (int t = 0; t < threads; ++t)
        with.of<T>(1)[block * threads + t] = static_cast<T>(value(with.of<const T>(0), block, t));
  };
}
// The block of `rank` in the cluster of `block`, in one dimension.
int in_cluster_of(int block, int size, int rank) {
  return block / size * size + rank;
}

void add_loads(WitnessReferences& all) {
  all["cluster_ring"] = by_thread<int>(8, 64, [](const int* in, int block, int t) {
    return in[in_cluster_of(block, 4, (block + 1) % 4) * 64 + 63 - t];
  });
  all["cluster_columns"] = by_thread<float>(6, 96, [](const float* in, int block, int t) {
    const float* first = in + in_cluster_of(block, 3, 0) * 96 + t;
    return first[0] + first[96] + first[192];
  });
  all["cluster_float4"] = by_thread<float>(
      4, 256, [](const float* in, int block, int word) { return in[(block ^ 1) * 256 + (word + 4) % 256]; });
  all["cluster_in_ptx"] =
      by_thread<int>(4, 32, [](const int* in, int block, int t) { return in[(3 - block) * 32 + (t ^ 3)]; });
  all["cluster_some_lanes"] = by_thread<int>(4, 80, [](const int* in, int block, int t) {
    const int* other = in + (block ^ 1) * 80;
    const int value = t % 3 == 0 ? other[t / 3] : -1;
    return value > 10 && t % 2 ? other[7 * t % 80] : value;
  });
  all["cluster_strides"] = [](HostArguments& with) {
    for (int block = 0; block < 2; ++block)
      for (int t = 0; t < 32; ++t) {
        const int* other = with.of<const int>(0) + (1 - block) * 64;
        with.of<int>(1)[block * 32 + t] = other[2 * t] + other[33];
      }
  };
  all["cluster_gather"] = by_thread<int>(4, 64, [](const int* in, int, int t) { return in[t % 4 * 64 + t]; });
}

void add_stores(WitnessReferences& all) {
  all["cluster_transpose"] = by_thread<int>(8, 128, [](const int* in, int block, int t) {
    return in[in_cluster_of(block, 4, t / 32) * 128 + block % 4 * 32 + t % 32];
  });
  all["cluster_halo"] = by_thread<float>(8, 64, [](const float* in, int block, int t) {
    const int own = block * 64 + t, begin = in_cluster_of(block, 4, 0) * 64;
    return (own > begin ? in[own - 1] : 0) + in[own] + (own < begin + 255 ? in[own + 1] : 0);
  });
  all["cluster_store_in_ptx"] = by_thread<int>(4, 128, [](const int* in, int block, int word) {
    return in[(block ^ 1) * 128 + 127 - word];  // both the pairs and the words of each are turned
  });
  all["cluster_deal"] = by_thread<int>(4, 64, [](const int* in, int block, int t) {
    return in[in_cluster_of(block, 2, t / 32) * 64 + t % 32 * 2 + block % 2];
  });
}

void add_atomics_of_clusters(WitnessReferences& all) {
  all["cluster_histogram"] = [](HostArguments& with) {
    for (int i = 0; i < with.number(3); ++i) ++with.of<int>(0)[with.of<const int>(2)[i]];
  };
  // What the other block's thread 63 − t adds to this word is not in what it returned.
  all["cluster_fetch_add"] = by_thread<int>(4, 64, [](const int* in, int block, int t) {
    const int turned = in[(block ^ 1) * 64 + 63 - t];
    return 1000 * turned - (1000 * in[block * 64 + t] + turned);
  });
  all["cluster_votes"] = [](HostArguments& with) {
    for (int i = 96; i < 768; ++i) ++with.of<int>(1)[with.of<const int>(0)[i]];
  };
  all["cluster_maximum"] = [](HostArguments& with) {
    for (int block = 0; block < 2; ++block) with.of<int>(1)[block] = 49;
  };
}

void add_barriers(WitnessReferences& all) {
  all["cluster_early_exit"] = by_thread<int>(4, 128, [](const int* in, int block, int t) {
    return t >= 70 ? -in[block * 128 + t] : in[(block ^ 1) * 128 + 69 - t];
  });
  all["cluster_split_barrier"] = by_thread<float>(8, 64, [](const float* in, int block, int t) {
    float sum = 0;
    for (int step = 0; step < 4; ++step) sum += in[(block * 64 + t + step) % 512];
    return sum + in[(7 - block) * 64 + t];
  });
  all["cluster_tree"] = [](HostArguments& with) {
    for (int i = 0; i < 256; ++i) with.of<int>(1)[i % 32] += with.of<const int>(0)[i];
  };
  all["cluster_cooperative"] =
      by_thread<int>(4, 64, [](const int* in, int block, int t) { return in[(block ^ 1) * 64 + (t ^ 5)]; });
}

void add_shapes(WitnessReferences& all) {
  all["cluster_of_launch"] = [](HostArguments& with) {
    for (int block = 0; block < 24; ++block)
      for (int t = 0; t < 32; ++t) {
        const int x = block % 4, y = block / 4, rank = x % 2 + y % 3 * 2, other = 5 - rank;
        const int from = x / 2 * 2 + other % 2 + 4 * (y / 3 * 3 + other / 2);
        with.of<int>(0)[block * 32 + t] = 10000 * rank + 100 * from + t;
      }
  };
  all["cluster_declared"] = [](HostArguments& with) {
    for (int block = 0; block < 16; ++block)
      for (int t = 0; t < 32; ++t) {
        const int x = block % 2, y = block / 2 % 4, z = block / 8, rank = y % 2 + z * 2, other = 3 - rank;
        const int from = x + 2 * (y / 2 * 2 + other % 2 + 4 * (other / 2));
        with.of<int>(0)[block * 32 + t] = 10000 * rank + 100 * from + t;
      }
  };
  all["cluster_of_both"] =
      by_thread<int>(8, 64, [](const int* in, int block, int t) { return in[in_cluster_of(block, 4, 0) * 64 + t]; });
  all["cluster_unused"] =
      by_thread<float>(4, 64, [](const float* in, int block, int t) { return in[block * 64 + 63 - t] + 1; });
}

}  // namespace

void add_clusters(WitnessReferences& all) {
  add_loads(all);
  add_stores(all);
  add_atomics_of_clusters(all);
  add_barriers(all);
  add_shapes(all);
}

}  // namespace lanescope::test
