#include "job/replay/replay_json.h"

#include <nlohmann/json.hpp>

#include "job/replay/value_text.h"

namespace lanescope::job {
namespace {

using Json = nlohmann::ordered_json;

Json lanes_json(const LaneValues& values, ptx::Type type, LaneMask lanes, Base base) {
  Json json = Json::array();
  for (int lane = 0; lane < 32; ++lane)
    json.push_back(lanes.test(lane) ? Json(value_text(values[static_cast<std::size_t>(lane)], type, base)) : Json());
  return json;
}

// `has_before`, `has_after`: the lanes that have a value; the others are null.
Json before_and_after(const LaneValues& before, const LaneValues& after, bool known_after, ptx::Type type,
                      LaneMask has_before, LaneMask has_after) {
  Json json{{"type", ptx::name_of(type)},
            {"before", lanes_json(before, type, has_before, Base::decimal)},
            {"before_bits", lanes_json(before, type, has_before, Base::hexadecimal)}};
  json["after"] = known_after ? lanes_json(after, type, has_after, Base::decimal) : Json();
  json["after_bits"] = known_after ? lanes_json(after, type, has_after, Base::hexadecimal) : Json();
  return json;
}

}  // namespace

Json values_json(const StepValues& values) {
  Json json{{"block", values.step.block},        {"warp", values.step.warp},
            {"step", values.step.sequence + 1},  {"line", values.line},
            {"instruction", values.instruction}, {"active", values.active.bits},
            {"executed", values.executed.bits},  {"operands", Json::array()}};
  for (const OperandValues& one : values.operands) {
    Json made{{"name", one.name}, {"source", one.source}, {"read", one.read}, {"written", one.written}};
    made.update(before_and_after(one.before, one.after, values.done, one.type, values.active, values.active));
    json["operands"].push_back(std::move(made));
  }
  json["access"] = nullptr;
  for (const AccessValues& access : values.access) {
    Json elements = Json::array();
    for (const AccessValues::Element& one : access.elements) {
      Json names = Json::array();
      for (int lane = 0; lane < 32; ++lane)
        names.push_back(values.executed.test(lane) ? Json(one.names[static_cast<std::size_t>(lane)]) : Json());
      Json made{{"names", std::move(names)}};
      made.update(before_and_after(one.before, one.after, values.done, access.type, one.has_before, one.has_after));
      elements.push_back(std::move(made));
    }
    json["access"] = {{"space", trace::to_string(access.space)},
                      {"operation", trace::to_string(access.operation)},
                      {"elements", std::move(elements)}};
  }
  return json;
}

Json writer_json(const std::optional<Writer>& writer) {
  if (!writer) return nullptr;
  return {{"launch", writer->launch},
          {"block", writer->block},
          {"thread", writer->thread},
          {"line", writer->line},
          {"lane", writer->lane},
          {"writes", writer->writes},
          {"by_one_thread", writer->by_one_thread},
          {"last_repeat", writer->last_repeat},
          {"values", values_json(writer->values)}};
}

Json chain_json(const Chain& chain) {
  Json links = Json::array();
  for (const ChainLink& link : chain.links) {
    Json made{{"launch", link.launch},
              {"block", link.values.step.block},
              {"warp", link.values.step.warp},
              {"step", link.values.step.sequence + 1},
              {"lane", link.lane},
              {"line", link.values.line},
              {"instruction", link.values.instruction},
              {"operands", Json::array()},
              {"memory", Json::array()}};
    for (const OperandOrigins& one : link.origins.operands) {
      Json from = Json::array(), parameters = Json::array();
      for (const Origin& origin : one.from)
        origin.parameter.empty() ? from.push_back(origin.step.sequence + 1) : parameters.push_back(origin.parameter);
      made["operands"].push_back({{"name", one.name},
                                  {"source", one.source},
                                  {"lane", one.lane},
                                  {"value", one.value},
                                  {"computed_by", one.computed},
                                  {"from_steps", std::move(from)},
                                  {"from_parameters", std::move(parameters)},
                                  {"complete", !one.more && !one.beyond}});
    }
    for (const MemoryOrigin& one : link.origins.memory) {
      constexpr const char* by[] = {"thread", "nobody", "unknown"};
      Json origin{{"element", one.place}, {"value", one.value}, {"by", by[static_cast<std::size_t>(one.by)]}};
      if (one.writer)
        origin.update({{"launch", one.writer->launch},
                       {"block", one.writer->block},
                       {"thread", one.writer->thread},
                       {"step", one.writer->values.step.sequence + 1}});
      made["memory"].push_back(std::move(origin));
    }
    links.push_back(std::move(made));
  }
  return {{"links", std::move(links)}, {"complete", !chain.more}};
}

}  // namespace lanescope::job
