// A request as JSON, there and back: what a worker process or another host is sent.

#include <nlohmann/json.hpp>

#include "core/worded.h"
#include "job/run/json.h"

namespace lanescope::job {

using Json = nlohmann::ordered_json;

namespace {

Json extent(const Dim3& value) {
  return Json::array({value.x, value.y, value.z});
}
Dim3 extent(const Json& json) {
  return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>(), json.at(2).get<std::uint32_t>()};
}

trace::Launch launch_from(const Json& json) {
  trace::Launch launch;
  launch.grid = extent(json.at("grid"));
  launch.block = extent(json.at("block"));
  launch.dynamic_shared_bytes = json.at("shared_bytes").get<std::uint32_t>();
  launch.static_shared_bytes = json.at("static_shared_bytes").get<std::uint32_t>();
  launch.cooperative = json.at("cooperative").get<bool>();
  return launch;
}

sim::Record record_from(const Json& json) {
  sim::Record record;
  record.totals = json.at("totals").get<bool>();
  record.events = json.at("events").get<bool>();
  record.blocks = json.at("blocks").get<std::vector<std::uint32_t>>();
  record.event_budget_bytes = json.at("event_budget_bytes").get<std::uint64_t>();
  return record;
}

Json arguments(const std::vector<ArgumentText>& texts) {
  Json json = Json::array();
  for (const ArgumentText& argument : texts) json.push_back({{"text", argument.text}, {"name", argument.name}});
  return json;
}
ArgumentText argument(const Json& json) {
  return {json.at("text").get<std::string>(), json.at("name").get<std::string>()};
}

Json launch(const trace::Launch& launch) {
  return {{"grid", extent(launch.grid)},
          {"block", extent(launch.block)},
          {"shared_bytes", launch.dynamic_shared_bytes},
          {"static_shared_bytes", launch.static_shared_bytes},
          {"cooperative", launch.cooperative}};
}

Json next_launch(const NextLaunch& next) {
  Json json = {{"number", next.number}, {"kernel", next.kernel}, {"launch", launch(next.launch)}};
  json["parameters"] = Json::array();
  for (const NextLaunch::Parameter& parameter : next.parameters)
    json["parameters"].push_back({{"buffer", parameter.buffer},
                                  {"text", parameter.scalar.text},
                                  {"name", parameter.scalar.name},
                                  {"offset", parameter.offset}});
  return json;
}
NextLaunch next_launch_from(const Json& json) {
  NextLaunch next;
  next.number = json.at("number").get<int>();
  if (next.number < 2 || next.number > 1000)
    throw Json::other_error::create(501, "a launch's number must be 2 … 1000", &json);
  next.kernel = json.at("kernel").get<std::string>();
  next.launch = launch_from(json.at("launch"));
  for (const Json& parameter : json.at("parameters"))
    next.parameters.push_back(
        {parameter.at("buffer").get<int>(), argument(parameter), parameter.value("offset", std::uint64_t{0})});
  return next;
}

Request request_from(const Json& json) {
  Request request;
  const Json& source = json.at("source");
  request.source = {source.at("name").get<std::string>(), source.at("text").get<std::string>(),
                    source.at("include_paths").get<std::vector<std::string>>()};
  request.kernel = json.at("kernel").get<std::string>();
  request.launch = launch_from(json.at("launch"));
  for (const Json& text : json.at("arguments")) request.arguments.push_back(argument(text));
  // Written since launches can follow each other.
  if (json.contains("buffers"))
    for (const Json& text : json.at("buffers")) request.buffers.push_back(argument(text));
  if (json.contains("launches"))
    for (const Json& next : json.at("launches")) request.launches.push_back(next_launch_from(next));
  if (json.contains("symbols"))
    for (const Json& text : json.at("symbols")) request.symbols.push_back(argument(text));
  request.arch = json.at("arch").get<std::string>();
  request.record = record_from(json.at("record"));
  request.max_steps = json.at("max_steps").get<std::uint64_t>();
  request.threads = json.at("threads").get<int>();
  request.schedule_seed = json.at("schedule_seed").get<std::uint32_t>();
  request.races = json.value("races", false);
  request.races_if_small = json.value("races_if_small", false);
  request.lesson = json.at("lesson").get<std::string>();
  request.variant = json.at("variant").get<std::string>();
  request.controls = json.at("controls").get<std::map<std::string, std::int64_t>>();
  return request;
}

}  // namespace

std::string request_to_json(const Request& request) {
  Json json = document_head();
  json["source"] = {
      {"name", request.source.name}, {"text", request.source.text}, {"include_paths", request.source.include_paths}};
  json["kernel"] = request.kernel;
  json["launch"] = launch(request.launch);
  json["arguments"] = arguments(request.arguments);
  json["buffers"] = arguments(request.buffers);
  json["launches"] = Json::array();
  for (const NextLaunch& next : request.launches) json["launches"].push_back(next_launch(next));
  json["symbols"] = arguments(request.symbols);
  json["arch"] = request.arch;
  json["record"] = {{"totals", request.record.totals},
                    {"events", request.record.events},
                    {"blocks", request.record.blocks},
                    {"event_budget_bytes", request.record.event_budget_bytes}};
  json["max_steps"] = request.max_steps;
  json["threads"] = request.threads;
  json["schedule_seed"] = request.schedule_seed;
  json["races"] = request.races;
  json["races_if_small"] = request.races_if_small;
  json["lesson"] = request.lesson;
  json["variant"] = request.variant;
  json["controls"] = request.controls;
  return dumped(json, true);
}

Result<Request> request_from_json(const std::string& text) {
  try {
    return request_from(Json::parse(text));
  } catch (const Json::exception& error) {
    return Diagnostic{Severity::error,
                      "request.syntax",
                      {},
                      worded("The request is not understood: {}.", error.what()),
                      "Send the JSON that request_to_json() gives."};
  }
}

}  // namespace lanescope::job
