// A rule stands for exactly the bytes that it was found in. The expectations are loops of their own.

#include "core/content_rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace lanescope {
namespace {

using Bytes = std::vector<std::byte>;

template <typename Element, typename At>
Bytes elements(std::size_t count, const At& at) {
  Bytes bytes(count * sizeof(Element));
  for (std::size_t k = 0; k < count; ++k) {
    const Element one = at(k);
    std::memcpy(bytes.data() + k * sizeof one, &one, sizeof one);
  }
  return bytes;
}

void expect_rule(const Bytes& bytes, const char* what) {
  const std::optional<ContentRule> rule = content_rule_of(bytes);
  ASSERT_TRUE(rule) << what;
  Bytes made(bytes.size(), std::byte{0xa5});
  ASSERT_TRUE(fill(made, *rule)) << what;
  EXPECT_TRUE(made == bytes) << what;
}

template <typename Element>
void expect_iota(const char* type) {
  for (const std::size_t count : {2, 3, 64, 1000, 100'000})
    expect_rule(elements<Element>(count, [](std::size_t k) { return static_cast<Element>(k); }), type);
  expect_rule(elements<Element>(5000, [](std::size_t k) { return static_cast<Element>(7 * k + 3); }), type);
  expect_rule(elements<Element>(5000, [](std::size_t) { return static_cast<Element>(42); }), type);
}

TEST(ContentRules, CountsUpInEveryType) {
  expect_iota<std::uint8_t>("u8");
  expect_iota<std::uint16_t>("u16");
  expect_iota<std::uint32_t>("u32");
  expect_iota<std::int64_t>("i64");
  expect_iota<float>("f32");
  expect_iota<double>("f64");
  expect_rule(elements<std::int32_t>(5000, [](std::size_t k) { return -static_cast<std::int32_t>(k); }), "down");
  expect_rule(elements<float>(5000, [](std::size_t k) { return 100.0F - static_cast<float>(k); }), "down");
}

// From 2^24 on, not every whole number is a float: the conversion rounds each of them once.
TEST(ContentRules, RoundsAsTheConversionDoes) {
  expect_rule(elements<float>((1u << 24) + 4096, [](std::size_t k) { return static_cast<float>(k); }), "f32 iota");
}

TEST(ContentRules, EqualElementsNeedNotBeNumbers) {
  for (const float value : {-0.0F, 0.1F, std::numeric_limits<float>::quiet_NaN(), INFINITY})
    expect_rule(elements<float>(3000, [=](std::size_t) { return value; }), "f32");
  expect_rule(elements<double>(3000, [](std::size_t) { return 0.0099945068359375; }), "f64");
}

TEST(ContentRules, OneOtherBitAnywhereIsNoRule) {
  const Bytes good = elements<float>(20'000, [](std::size_t k) { return static_cast<float>(k); });
  for (const std::size_t at : {0, 5, 63, 64, 32767, 32768, 40'000, 79'999})
    for (const unsigned bit : {1u, 128u}) {
      Bytes bad = good;
      bad[at] ^= std::byte(bit);
      EXPECT_FALSE(content_rule_of(bad)) << at << " " << bit;
    }
}

TEST(ContentRules, WhatDoubleArithmeticRoundsIsNoRule) {
  EXPECT_FALSE(content_rule_of(elements<double>(100, [](std::size_t k) { return 0.1 * static_cast<double>(k); })));
  EXPECT_FALSE(content_rule_of(Bytes{}));
  EXPECT_FALSE(content_rule_of(Bytes(1)));
}

TEST(ContentRules, FillsFromAnyElementOn) {
  for (const auto kind : {ContentRule::Kind::counting, ContentRule::Kind::random, ContentRule::Kind::random_within}) {
    const ContentRule rule{.kind = kind, .type = ContentRule::Type::u32, .first = 9, .step = 3, .low = 5, .high = 500};
    Bytes whole(40'000 * 4), parts(whole.size());
    ASSERT_TRUE(fill(whole, rule));
    ASSERT_TRUE(fill(std::span(parts).first(4 * 12'345), rule));
    ASSERT_TRUE(fill(std::span(parts).subspan(4 * 12'345), rule, 12'345));
    EXPECT_TRUE(whole == parts);
    EXPECT_TRUE(makes(rule, whole));
    whole[100'000] ^= std::byte{1};
    EXPECT_FALSE(makes(rule, whole));
  }
  Bytes part(400);
  EXPECT_FALSE(fill(part, {.kind = ContentRule::Kind::permutation, .type = ContentRule::Type::u32}, 1));
}

TEST(ContentRules, BoundsAreKept) {
  const ContentRule whole{
      .kind = ContentRule::Kind::random_within, .type = ContentRule::Type::u8, .first = 1, .low = 0xfe, .high = 1};
  Bytes bytes(10'000);
  ASSERT_TRUE(fill(bytes, whole));  // as signed numbers: -2 … 1
  const auto count = [&](unsigned value) { return std::ranges::count(bytes, std::byte(value)); };
  EXPECT_EQ(count(0xfe) + count(0xff) + count(0) + count(1), 10'000);
  for (const unsigned value : {0xfe, 0xff, 0, 1}) EXPECT_GT(count(value), 2000) << value;
  const ContentRule real{.kind = ContentRule::Kind::random_within,
                         .type = ContentRule::Type::f32,
                         .first = 1,
                         .low = std::bit_cast<std::uint64_t>(-3.0),
                         .high = std::bit_cast<std::uint64_t>(5.0)};
  std::vector<float> numbers(10'000);
  ASSERT_TRUE(fill(std::as_writable_bytes(std::span(numbers)), real));
  EXPECT_LT(*std::ranges::min_element(numbers), -2.9F);
  EXPECT_GT(*std::ranges::max_element(numbers), 4.9F);
  for (const float number : numbers) ASSERT_TRUE(number >= -3 && number < 5) << number;
}

TEST(ContentRules, APermutationHasEachNumberOnce) {
  const ContentRule rule{.kind = ContentRule::Kind::permutation, .type = ContentRule::Type::u16, .first = 11};
  std::vector<std::uint16_t> order(30'000);
  ASSERT_TRUE(fill(std::as_writable_bytes(std::span(order)), rule));
  EXPECT_TRUE(makes(rule, std::as_bytes(std::span(order))));
  EXPECT_FALSE(std::ranges::is_sorted(order));
  std::swap(order[7], order[8]);
  EXPECT_FALSE(makes(rule, std::as_bytes(std::span(order))));
  std::ranges::sort(order);
  for (std::size_t k = 0; k < order.size(); ++k) ASSERT_EQ(order[k], k);
}

TEST(ContentRules, ABadRuleFillsNothing) {
  Bytes odd(7, std::byte{1});
  EXPECT_FALSE(fill(odd, {.kind = {}, .type = ContentRule::Type::f32}));
  EXPECT_FALSE(fill(odd, {.kind = {}, .type = static_cast<ContentRule::Type>(77)}));
  EXPECT_FALSE(fill(odd, {.kind = static_cast<ContentRule::Kind>(77), .type = ContentRule::Type::u8}));
  EXPECT_EQ(odd, Bytes(7, std::byte{1}));
  Bytes even(8, std::byte{1});
  EXPECT_FALSE(fill(even, {.kind = ContentRule::Kind::counting, .type = ContentRule::Type::f16}));
  EXPECT_FALSE(fill(even, {.kind = ContentRule::Kind::counting, .type = ContentRule::Type::bf16}));
}

}  // namespace
}  // namespace lanescope
