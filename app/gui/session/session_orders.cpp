// Several launches of one variant, and one launch under several orders.

#include <algorithm>

#include <fmt/format.h>

#include "core/worded.h"
#include "gui/session/cures.h"
#include "gui/session/session.h"
#include "job/replay/names.h"

namespace lanescope::gui {

namespace {

Wording not_kept(const sim::Step& step) {
  return worded("The run did not keep step {} of block {}, warp {}.", std::uint64_t{step.sequence} + 1, step.block,
                step.warp);
}

}  // namespace

// ---- which launch is on screen

Session::VariantId Session::place_id() const {
  VariantId of = id();
  if (launch() > 1) of.second += "#" + std::to_string(launch());  // no variant's id has a '#'
  return of;
}

int Session::launch_count(std::size_t index) const {
  const auto found = results_.find({lesson().id, lesson().variants[index].id});
  return found == results_.end() ? 1 : found->second->launch_count();
}

int Session::launch_of(std::size_t index, const std::map<VariantId, int>& choices) const {
  const lesson::Variant& variant = lesson().variants[index];
  const auto chosen = choices.find({lesson().id, variant.id});
  const int wanted = chosen == choices.end() ? variant.look.launch : chosen->second;
  return shown(index, wanted) == nullptr ? 1 : wanted;
}

int Session::launch(std::size_t index) const {
  return launch_of(index, launches_);
}

int Session::compared_launch() const {
  return launch_of(*compared_, compared_launches_);
}

// `wanted`, or the next one in its direction that was launched at all; `from` where there is none.
int Session::next_launch(std::size_t index, int from, int wanted) const {
  const int count = launch_count(index);
  wanted = std::clamp(wanted, 1, count);
  const int step = wanted >= from ? 1 : -1;
  while (wanted >= 1 && wanted <= count && shown(index, wanted) == nullptr) wanted += step;
  return wanted < 1 || wanted > count ? from : wanted;
}

void Session::set_launch(int wanted) {
  const int before = launch(), next = next_launch(variant_, before, wanted);
  if (next == before) return;
  remember_place();
  launches_[id()] = next;
  if (shown() != nullptr) settle_place();
  changed_ = true;
  run_on_gpu_if_needed();
}

void Session::set_compared_launch(int wanted) {
  compared_launches_[{lesson().id, lesson().variants[*compared_].id}] =
      next_launch(*compared_, compared_launch(), wanted);
  changed_ = true;
}

// ---- many orders

void Session::run_orders(std::uint32_t count) {
  if (variant().gpu_only) return;
  // Far more than any lesson takes, and still an end for a kernel that waits forever in one of the orders.
  constexpr std::uint64_t most_steps = 200'000'000;
  const RunKey key = wanted();
  auto done = std::make_shared<std::atomic<std::uint32_t>>(0);
  std::erase_if(orders_, [](const auto& one) { return !one.second.known; });  // these take their place
  orders_[id()] = {key, count, false, nullptr, done};
  changed_ = true;
  orders_worker_.post(
      "orders", [this, of = id(), key, count, done, &lesson = lesson(), &variant = variant()](sim::Progress& progress) {
        auto report = std::make_shared<job::ScheduleReport>();
        auto request = request_of(lesson, variant, key);
        if (request) {
          request->max_steps = most_steps;
          *report =
              job::run_schedules(*request, &variant, count, &progress, [&](std::uint32_t seed) { done->store(seed); });
          report->problems = as_window_cures(std::move(report->problems), variant);
          for (job::ScheduleResult& result : report->results)
            if (result.error) result.error = as_window_cures({*result.error}, variant).front();
        } else {
          report->problems = request.take_errors();
        }
        return [this, of, key, report] {
          const auto at = orders_.find(of);
          if (at == orders_.end() || at->second.key != key) return;
          at->second.known = true;
          at->second.report = report;
          changed_ = true;
        };
      });
}

void Session::stop_orders() {
  orders_worker_.stop("orders");
}

const Session::Orders* Session::orders() const {
  const auto found = orders_.find(id());
  return found == orders_.end() ? nullptr : &found->second;
}

bool Session::orders_stale() const {
  const Orders* all = orders();
  return all != nullptr && all->key != wanted();
}

bool Session::go_to_writer(std::size_t index) {
  const RunResult* run = shown(variant_);
  if (run == nullptr || &remarks() != &run->remarks || index >= run->wrong.size()) return false;
  const job::WrongResult& wrong = run->wrong[index];
  if (wrong.writes.complete && wrong.writes.count == 0) return false;
  find_writer(wrong.element.argument, wrong.element.index,
              fmt::format("{}[{}]", wrong.element.buffer, wrong.element.index));
  return true;
}

void Session::go_to_writer_of(const std::string& element) {
  if (shown(variant_) == nullptr) return;
  const Result<job::NamedElement> named = job::find_element(shown(variant_)->outcome, element);
  if (named) return find_writer(named->argument, named->index, element);
  const Diagnostic& problem = named.errors().front();
  replays_.said = worded("{} {}", problem.message, problem.cure);
}

void Session::find_writer(int argument, std::int64_t index, std::string element) {
  const std::shared_ptr<const RunResult> run = results_.at(id());
  replays_.said = {};
  replays_.find_writer(run, argument, index, [this, serial = run->serial, element](const auto& found) {
    if (shown(variant_) == nullptr || shown(variant_)->serial != serial) return;
    changed_ = true;
    replays_.open = true;
    (void)step_values();  // what was said of the run before ends here
    if (!found) {
      replays_.said = found.errors().front().message;
    } else if (!*found) {
      replays_.said = job::in_words(*found, element);
    } else if (const job::Writer& writer = **found; writer.last_repeat) {
      replays_.said = worded("{} That was in a later repeat of launch {}, whose steps are not kept.",
                             job::in_words(*found, element), writer.launch);
    } else {
      replays_.trail.clear();
      replays_.said = job::in_words(*found, element);
      if (go_to_step(writer.launch, writer.values.step)) {
        replays_.lane = writer.lane;
        replays_.trail.push_back({writer.launch, writer.values.step, writer.lane});
      } else {
        replays_.said = worded("{} {}", replays_.said, not_kept(writer.values.step));
      }
    }
  });
}

void Session::follow(int to_launch, const sim::Step& step, int lane) {
  if (const trace::WarpEvent* at = event()) {
    const Replays::Visit here{launch(), {at->block, at->warp, at->sequence}, replays_.lane};
    if (replays_.trail.empty() || replays_.trail.back() != here) replays_.trail.assign(1, here);
  }
  if (!go_to_step(to_launch, step)) {
    replays_.said = not_kept(step);
    return;
  }
  replays_.said = {};
  replays_.lane = lane;
  replays_.trail.push_back({to_launch, step, lane});
}

void Session::go_back_to(std::size_t visit) {
  const Replays::Visit to = replays_.trail.at(visit);
  replays_.trail.resize(visit + 1);
  replays_.said = {};
  replays_.lane = to.lane;
  go_to_step(to.launch, to.step);
}

bool Session::go_to_step(int to_launch, const sim::Step& step) {
  const RunResult* run = shown(variant_, to_launch);
  if (run == nullptr) return false;
  const auto events = run->outcome.first().trace.warp(step.block, step.warp);
  const auto at = std::ranges::find(events, step.sequence, &trace::WarpEvent::sequence);
  if (at == events.end()) return false;
  set_launch(to_launch);
  Place& place = places_[place_id()];
  place.block = step.block, place.warp = step.warp, place.chosen = true;
  place.step = static_cast<std::size_t>(at - events.begin());
  changed_ = true;
  clamp_place();
  return true;
}

bool Session::go_to_access(int launch, const job::RacePlace& at, bool last) {
  if (shown() == nullptr) return false;
  set_launch(launch);
  const trace::Trace& trace = shown()->outcome.first().trace;
  const std::uint32_t warp = at.thread / 32;
  const auto events = trace.warp(at.block, warp);
  bool found = false;
  for (std::size_t i = 0; i < events.size() && (last || !found); ++i) {
    const trace::Site& site = trace.sites[events[i].site];
    if (events[i].kind != trace::EventKind::memory || site.line != at.line ||
        site.file != shown()->outcome.request.source.name || !events[i].executed.test(static_cast<int>(at.thread % 32)))
      continue;
    Place& place = places_[place_id()];
    place.block = at.block, place.warp = warp, place.step = i, place.chosen = true;
    changed_ = found = true;
  }
  return found;
}

}  // namespace lanescope::gui
