// What goes wrong in the worker process is said in the window: nothing of it may be lost on the way.

#include "gpu/message.h"

#include <gtest/gtest.h>

#include "core/worded.h"
#include "words/messages.h"

namespace lanescope::gpu {
namespace {

TEST(GpuMessage, DiagnosticsKeepTheirPatternAndValues) {
  const Wording reason = worded("The kernel did not end within {:g} s on the GPU.", 2.5);
  const Wording nested = worded("Launch {}, `{}`: {}", 2, std::string("k"), reason);
  const Wording both = Wording::bilingual("two", "二");
  const Diagnostics sent{{.code = "gpu.hang", .place = {"k.cu", 3, 7}, .message = nested, .cure = "Run again."},
                         {.severity = Severity::note, .code = "gpu.fault_elsewhere", .message = both, .cure = ""}};
  const Diagnostics back = diagnostics_from(Message::from_cbor(Message::to_cbor(to_message(sent))));
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].message, sent[0].message);
  EXPECT_EQ(back[0].place, sent[0].place);
  EXPECT_EQ(back[1].severity, Severity::note);
  for (std::size_t i = 0; i < 2; ++i)
    for (const diagram::Language language : {diagram::Language::english, diagram::Language::chinese}) {
      EXPECT_EQ(diagram::translated(back[i].message, language), diagram::translated(sent[i].message, language));
      EXPECT_EQ(diagram::translated(back[i].cure, language), diagram::translated(sent[i].cure, language));
    }
  EXPECT_EQ(diagram::translated(back[0].message, diagram::Language::chinese),
            "第 2 次启动，`k`：kernel 在 GPU 上 2.5 秒内没有结束。");
}

}  // namespace
}  // namespace lanescope::gpu
