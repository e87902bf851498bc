#include "gui/session/memory.h"

namespace lanescope::gui {

Memory::Memory(const Selection& selection, const Runs& runs, Place& place, const std::function<void()>& wake)
    : selection_(selection), runs_(runs), place_(place), worker_(wake) {}

std::optional<Memory::Asked> Memory::now() const {
  const trace::WarpEvent* at = place_.event();
  if (at == nullptr || runs_.shows_recorded()) return std::nullopt;
  return Asked{runs_.shown()->serial, runs_.launch(), {at->block, at->warp, at->sequence},
               wanted.name,           wanted.first,   wanted.count};
}

bool Memory::answers(const Asked& at) const {
  return window_ && found_.run == at.run && found_.launch == at.launch && found_.step == at.step &&
         found_.name == at.name;
}

const Result<job::MemoryWindow>* Memory::window() {
  const auto at = now();
  if (!at) return nullptr;
  if (*at != asked_) {
    asked_ = *at;
    const auto variant =
        selection_.is_lesson() ? std::make_shared<const lesson::Variant>(selection_.variant()) : nullptr;
    worker_.post("memory", [this, run = runs_.keep(selection_.variant_index()), variant, asked = *at,
                            want = wanted](sim::Progress& progress) {
      auto made = std::make_shared<Result<job::MemoryWindow>>(
          job::memory_window(run->outcome, asked.launch, asked.step, want, variant.get(), &progress));
      return [this, made, asked] { window_ = std::move(*made), found_ = asked; };
    });
  }
  return answers(*at) ? &*window_ : nullptr;
}

const job::WrongElements* Memory::wrong() {
  const auto at = now();
  if (!at || !answers(*at) || !*window_ || !selection_.is_lesson()) return nullptr;
  if (!runs_.shown(selection_.variant_index())->outcome.completed) return nullptr;  // it is not what came out
  constexpr std::size_t most = 1 << 16;
  const int argument = (*window_)->memory().argument;
  if (at->run == wrong_run_ && argument == wrong_argument_) return wrong_ ? &*wrong_ : nullptr;
  wrong_run_ = at->run, wrong_argument_ = argument;
  wrong_.reset();
  if (argument < 0) {
    worker_.cancel("wrong");
    return nullptr;
  }
  const auto variant = std::make_shared<const lesson::Variant>(selection_.variant());
  worker_.post("wrong", [this, run = runs_.keep(selection_.variant_index()), variant, argument](sim::Progress&) {
    auto made =
        std::make_shared<Result<job::WrongElements>>(job::wrong_elements(run->outcome, *variant, argument, most));
    return [this, made] {
      if (*made) wrong_ = std::move(**made);
    };
  });
  return nullptr;
}

const Result<Memory::Told>* Memory::told() {
  const auto at = now();
  if (!at || element < 0 || !answers(*at) || !*window_) return nullptr;
  Asked asked = *at;
  asked.name = (*window_)->memory().name, asked.first = 0, asked.count = 0;  // regardless of which part is on screen
  if (asked == asked_told_ && element == asked_element_) return told_ ? &*told_ : nullptr;
  asked_told_ = asked, asked_element_ = element;
  told_.reset();
  sim::WatchedBytes bytes = (*window_)->bytes_of(element);
  worker_.post("element", [this, run = runs_.keep(selection_.variant_index()), asked, bytes, index = element,
                           argument = (*window_)->memory().argument](sim::Progress& progress) {
    auto made = std::make_shared<std::optional<Result<Told>>>();
    const job::Outcome& outcome = run->outcome;
    const auto find = [&]() -> Result<Told> {
      Told told;
      auto writer = job::last_writer(outcome, asked.launch, bytes, asked.step, &progress);
      if (writer && !*writer && argument >= 0 && asked.launch > 1)
        writer = job::last_writer_until(outcome, asked.launch - 1, argument, index, &progress);
      if (!writer) return writer.take_errors();
      told.writer = std::move(*writer);
      auto next = job::next_readers(outcome, asked.launch, bytes, argument, index, asked.step, 8, &progress);
      if (!next) return next.take_errors();
      told.next = std::move(*next);
      return told;
    };
    made->emplace(find());
    return [this, made] { told_ = std::move(*made); };
  });
  return nullptr;
}

void Memory::choose(const std::string& name) {
  wanted.name = name;
  wanted.first = 0;
  element = -1, row = 0;
}

}  // namespace lanescope::gui
