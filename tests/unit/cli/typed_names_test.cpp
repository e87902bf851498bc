// What people type in place of a command.

#include <utility>

#include <gmock/gmock.h>

#include "cli/program.h"

namespace lanescope {
namespace {

using test::lanescope;
using test::Ran;
using testing::HasSubstr;

TEST(TypedNames, ALessonInPlaceOfACommandIsSaidHowToRun) {
  for (const auto& [typed, lesson] :
       {std::pair{"coalescing", "coalescing"}, {"coalesing", "coalescing"}, {"transpose", "transpose"}}) {
    const Ran ran = lanescope({typed});
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr(std::string("`lanescope run ") + lesson + "` runs the lesson.")) << typed;
  }
  EXPECT_THAT(lanescope({"comapre"}).err, HasSubstr("Did you mean `compare`?"));
  EXPECT_THAT(lanescope({"help"}).err, HasSubstr("`lanescope --help` lists the commands."));
}

}  // namespace
}  // namespace lanescope
