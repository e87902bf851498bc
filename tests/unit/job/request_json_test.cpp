#include <gtest/gtest.h>

#include "job/run/job.h"

namespace lanescope::job {

TEST(RequestJson, GoesThereAndBack) {
  Request request;
  request.source = {"dir/k.cu", "__global__ void k() {} // \"ü\"\n", {"a", "b"}};
  request.kernel = "k<float, 4>";
  request.launch.grid = {3, 2, 1};
  request.launch.block = {32, 4, 2};
  request.launch.dynamic_shared_bytes = 1024;
  request.launch.static_shared_bytes = 16;
  request.launch.cooperative = true;
  request.arguments = {{"f32[8]=iota", "in"}, {"i32=-4", ""}};
  request.arch = "sm_80";
  request.record.events = true;
  request.record.totals = false;
  request.record.blocks = {0, 5};
  request.record.event_budget_bytes = 12345;
  request.max_steps = 1ull << 40;
  request.threads = 3;
  request.schedule_seed = 9;
  request.lesson = "l";
  request.variant = "v";
  request.controls = {{"n", -7}};

  const std::string json = request_to_json(request);
  const Result<Request> back = request_from_json(json);
  ASSERT_TRUE(back.ok()) << back.errors()[0].message;
  EXPECT_EQ(request_to_json(*back), json);
  EXPECT_EQ(back->source.text, request.source.text);
  EXPECT_EQ(back->source.include_paths, request.source.include_paths);
  EXPECT_EQ(back->kernel, request.kernel);
  EXPECT_EQ(back->launch.block, request.launch.block);
  EXPECT_EQ(back->launch.static_shared_bytes, 16u);
  EXPECT_TRUE(back->launch.cooperative);
  ASSERT_EQ(back->arguments.size(), 2u);
  EXPECT_EQ(back->arguments[0].name, "in");
  EXPECT_EQ(back->arguments[1].text, "i32=-4");
  EXPECT_EQ(back->record.blocks, request.record.blocks);
  EXPECT_EQ(back->record.event_budget_bytes, 12345u);
  EXPECT_FALSE(back->record.totals);
  EXPECT_EQ(back->max_steps, request.max_steps);
  EXPECT_EQ(back->controls, request.controls);
}

TEST(RequestJson, RefusesWhatIsNoRequest) {
  for (const char* text : {"", "{", "[]", "{}", "null", "{\"kernel\": 3}"}) {
    const Result<Request> request = request_from_json(text);
    ASSERT_FALSE(request.ok()) << text;
    EXPECT_EQ(request.errors()[0].code, "request.syntax");
  }
}

}  // namespace lanescope::job
