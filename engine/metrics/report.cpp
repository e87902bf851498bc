#include "metrics/report.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "fmt/format.h"
#include "metrics/recompute.h"

namespace lanescope::metrics {
namespace {

using trace::MemoryClass;
using trace::MemoryTotals;
using trace::Totals;

// Names that the rows of metrics.def use.
constexpr double none = -1;
enum class Where { every, load_store, atomics };

template <typename A, typename B>
double over(A a, B b) {
  if (b == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(a) / static_cast<double>(b);
}

using LaunchFormula = double (*)(const Totals& t);
using ClassFormula = double (*)(const MemoryTotals& m);

struct Note {
  const char *english, *chinese;
  Wording said() const { return Wording::bilingual(english, chinese); }
};
constexpr Note no_note{"", ""};
#define NOTE(name, english, chinese) constexpr Note name{english, chinese};
#include "metrics/metrics.def"

struct ClassRow {
  const char *name, *label, *chinese, *unit;
  ClassFormula value, ideal;
  Better better;
  const char* nsight;
  Where where;
  Note note, why_none;
  int panel;
};
struct ClassColumn {
  MemoryClass memory_class;
  const char *label, *chinese, *nsight;
};

// A row of the report: names with their class inserted, and the formula of its value.
struct ReportRow {
  Measurement fixed;
  LaunchFormula launch_value = nullptr, launch_ideal = nullptr;
  ClassFormula class_value = nullptr, class_ideal = nullptr;
};

constexpr ClassColumn sector_classes[] = {
#define SECTOR_CLASS(memory_class, label, chinese, nsight) {MemoryClass::memory_class, label, chinese, nsight},
#include "metrics/metrics.def"
};
constexpr ClassColumn shared_classes[] = {
#define SHARED_CLASS(memory_class, label, chinese, nsight) {MemoryClass::memory_class, label, chinese, nsight},
#include "metrics/metrics.def"
};
constexpr ClassColumn distributed_classes[] = {
#define DISTRIBUTED_CLASS(memory_class, label, chinese, nsight) {MemoryClass::memory_class, label, chinese, nsight},
#include "metrics/metrics.def"
};

#define CLASS_ROW(name, label, chinese, unit, value, ideal, better, nsight, where, note, why_none, panel) \
  {#name,                                                                                                 \
   label,                                                                                                 \
   chinese,                                                                                               \
   unit,                                                                                                  \
   []([[maybe_unused]] const MemoryTotals& m) { return static_cast<double>(value); },                     \
   []([[maybe_unused]] const MemoryTotals& m) { return static_cast<double>(ideal); },                     \
   Better::better,                                                                                        \
   nsight,                                                                                                \
   Where::where,                                                                                          \
   note,                                                                                                  \
   why_none,                                                                                              \
   panel},
constexpr ClassRow sector_rows[] = {
#define SECTOR_METRIC CLASS_ROW
#include "metrics/metrics.def"
};
constexpr ClassRow shared_rows[] = {
#define SHARED_METRIC CLASS_ROW
#include "metrics/metrics.def"
};
constexpr ClassRow distributed_rows[] = {
#define DISTRIBUTED_METRIC CLASS_ROW
#include "metrics/metrics.def"
};

bool is_atomic(MemoryClass c) {
  return c == MemoryClass::global_atomic || c == MemoryClass::global_reduction || c == MemoryClass::shared_atomic;
}

void add_class(std::vector<ReportRow>& rows, const ClassColumn& column, std::span<const ClassRow> class_rows) {
  const bool atomic = is_atomic(column.memory_class);
  for (const ClassRow& from : class_rows) {
    if (from.where == Where::atomics && !atomic) continue;
    const bool compared = *from.nsight != '\0' && (from.where == Where::every || !atomic);
    ReportRow row;
    row.fixed.name = fmt::format("{}.{}", trace::name_of(column.memory_class), from.name);
    row.fixed.memory_class = column.memory_class;
    row.fixed.label = Wording::bilingual(fmt::format(fmt::runtime(from.label), column.label),
                                         fmt::format(fmt::runtime(from.chinese), column.chinese));
    row.fixed.unit = from.unit;
    row.fixed.better = from.better;
    if (compared) row.fixed.nsight_name = fmt::format(fmt::runtime(from.nsight), column.nsight);
    row.fixed.nsight_note = (compared ? from.note : from.why_none).said();
    row.fixed.panel = from.panel;
    row.class_value = from.value;
    row.class_ideal = from.ideal;
    rows.push_back(std::move(row));
  }
}

const std::vector<ReportRow>& rows() {
  static const std::vector<ReportRow> all = [] {
    std::vector<ReportRow> result;
#define METRIC(name_, label_, chinese_, unit_, value_, ideal_, better_, nsight_, note_, why_none_, panel_) \
  {                                                                                                        \
    ReportRow row;                                                                                         \
    row.fixed.name = #name_;                                                                               \
    row.fixed.label = Wording::bilingual(label_, chinese_);                                                \
    row.fixed.unit = unit_;                                                                                \
    row.fixed.better = Better::better_;                                                                    \
    row.fixed.nsight_name = nsight_;                                                                       \
    row.fixed.nsight_note = (row.fixed.nsight_name.empty() ? why_none_ : note_).said();                    \
    row.fixed.panel = panel_;                                                                              \
    row.launch_value = []([[maybe_unused]] const Totals& t) { return static_cast<double>(value_); };       \
    row.launch_ideal = []([[maybe_unused]] const Totals& t) { return static_cast<double>(ideal_); };       \
    result.push_back(std::move(row));                                                                      \
  }
#include "metrics/metrics.def"
    for (const ClassColumn& column : sector_classes) add_class(result, column, sector_rows);
    for (const ClassColumn& column : shared_classes) add_class(result, column, shared_rows);
    for (const ClassColumn& column : distributed_classes) add_class(result, column, distributed_rows);
    return result;
  }();
  return all;
}

const ReportRow* row_named(std::string_view name) {
  const auto row = std::ranges::find_if(rows(), [&](const ReportRow& r) { return r.fixed.name == name; });
  return row == rows().end() ? nullptr : &*row;
}

void fill_measurement(Measurement& measurement, double value, double ideal) {
  measurement.value = value;
  measurement.applicable = !std::isnan(value);
  measurement.ideal = std::isnan(ideal) ? none : ideal;
}

void fill_measurement(Measurement& measurement, const ReportRow& row, const Totals& totals) {
  if (row.launch_value != nullptr) {
    fill_measurement(measurement, row.launch_value(totals), row.launch_ideal(totals));
  } else {
    const MemoryTotals& memory = totals.of(*row.fixed.memory_class);
    fill_measurement(measurement, row.class_value(memory), row.class_ideal(memory));
  }
}

Measurement measure(const ReportRow& row, const Totals& totals, trace::Origin origin) {
  Measurement result = row.fixed;
  result.origin = origin;
  fill_measurement(result, row, totals);
  return result;
}

}  // namespace

std::vector<Measurement> report(const Totals& totals, trace::Origin origin) {
  std::vector<Measurement> result;
  result.reserve(rows().size());
  for (const ReportRow& row : rows()) result.push_back(measure(row, totals, origin));
  return result;
}

void report_again(std::vector<Measurement>& numbers, const Totals& totals) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    assert(numbers[i].name == rows()[i].fixed.name);
    fill_measurement(numbers[i], rows()[i], totals);
  }
}

std::vector<Measurement> report(const trace::Trace& trace) {
  return report(trace.totals, trace.origin);
}

Measurement find(const Totals& totals, trace::Origin origin, std::string_view name) {
  if (const ReportRow* row = row_named(name)) return measure(*row, totals, origin);
  Measurement missing;
  missing.origin = origin;
  missing.applicable = false;
  missing.value = std::numeric_limits<double>::quiet_NaN();
  return missing;
}

Measurement find(const trace::Trace& trace, std::string_view name) {
  return find(trace.totals, trace.origin, name);
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const ReportRow& row : rows()) result.push_back(row.fixed.name);
  return result;
}

std::string nsight_name(std::string_view name) {
  const ReportRow* row = row_named(name);
  return row == nullptr ? "" : row->fixed.nsight_name;
}

}  // namespace lanescope::metrics
