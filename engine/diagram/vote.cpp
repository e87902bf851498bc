// Votes, matches and reductions of a warp: who takes part, and what each of them gets. Their values are not in a trace.

#include <algorithm>
#include <array>
#include <string_view>

#include "diagram/builder.h"
#include "diagram/views.h"

namespace lanescope::diagram {
namespace {

struct Told {
  std::string_view opcode;  // its beginning
  Phrase title, caption;
};
constexpr std::array<Told, 8> all_told{{
    {"vote.sync.ballot", Phrase::vote_title, Phrase::vote_ballot},
    {"vote.ballot", Phrase::vote_title, Phrase::vote_ballot},
    {"vote.sync.any", Phrase::vote_title, Phrase::vote_any},
    {"vote.sync.all", Phrase::vote_title, Phrase::vote_all},
    {"vote.sync.uni", Phrase::vote_title, Phrase::vote_uni},
    {"match.any", Phrase::match_title, Phrase::match_any},
    {"match.all", Phrase::match_title, Phrase::match_all},
    {"redux", Phrase::redux_title, Phrase::redux_all},
}};

Told told_of(std::string_view opcode) {
  for (const Told& one : all_told)
    if (opcode.starts_with(one.opcode)) return one;
  return {opcode, Phrase::vote_title, Phrase::vote_other};
}

}  // namespace

bool is_vote(const trace::Site& site, const trace::WarpEvent& event) {
  return event.kind == trace::EventKind::vote && !site.opcode.starts_with("activemask");
}

Scene vote(const trace::Trace& trace, const trace::WarpEvent& event, const Options& options) {
  Builder builder(options);
  const Say& say = builder.say;
  const std::string& opcode = trace.sites[event.site].opcode;
  const Told told = told_of(opcode);
  builder.scene().title = say(told.title);
  builder.scene().subtitle = say(Phrase::vote_subtitle, opcode, event.executed.count());
  builder.scene().caption = say(told.caption, event.executed.count());
  const Columns at(0, builder.width(), MemoryModel::lanes, 1);
  const float height = std::clamp(at.cell * 1.6f, 16.0f, 32.0f);
  for (int lane = 0; lane < MemoryModel::lanes; ++lane) {
    const bool votes = event.executed.test(lane);
    Tag tag;
    tag.lane = lane;
    tag.text = say(votes ? Phrase::tag_votes : Phrase::tag_votes_not, lane);
    const Rect cell = builder.rect(at.x(lane), 0, at.cell, height, votes ? Role::executed : Role::inactive,
                                   Pattern::solid, builder.tag(std::move(tag)));
    builder.in_cell(cell, std::to_string(lane), 12, widest_lane);
  }
  builder.legend({});
  return builder.finish(height);
}

}  // namespace lanescope::diagram
