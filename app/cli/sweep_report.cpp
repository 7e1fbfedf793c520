#include "cli/sweep_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "cli/command.h"

namespace weft::cli {

using Ordered = nlohmann::ordered_json;

SweepDisplay::SweepDisplay(std::string metric) : metric_(std::move(metric)), terminal_(stderrIsTerminal()) {}

void SweepDisplay::runEnded(const ExperimentRun& run, const SweepPoint& point, std::optional<double> value) {
  const MutexLock lock(mutex_);
  if (open_) std::fputs("\r\x1b[K", stderr);
  open_ = false;
  std::string line = run.name + "  " + std::string(nameOf(run.status));
  if (value) line += "  " + metric_ + " " + valueText(*value);
  line += "  " + pointText(point);
  if (!run.error.empty()) line += "  (" + run.error + ")";
  std::fprintf(stderr, "%s\n", line.c_str());
}

void SweepDisplay::progress(const SweepProgress& p) {
  if (!terminal_) return;
  constexpr int kWidth = 24;
  const int64_t done = p.finished + p.stoppedEarly + p.failed;
  std::string bar;
  for (int i = 0; i < kWidth; ++i) bar += i < int(double(done) / double(std::max<int64_t>(p.total, 1)) * kWidth) ? "▓" : "░";
  std::string best = p.bestRun > 0 ? "  best " + metric_ + " " + valueText(p.bestValue) + " (run " + std::to_string(p.bestRun) + ")" : "";
  const MutexLock lock(mutex_);
  std::fprintf(stderr, "\r%s %lld/%lld runs  %lld running%s%s  %d:%02d \x1b[K", bar.c_str(), (long long)done, (long long)p.total, (long long)p.running,
               p.failed > 0 ? ("  " + std::to_string(p.failed) + " failed").c_str() : "", best.c_str(), int(p.seconds) / 60, int(p.seconds) % 60);
  open_ = true;
}

void SweepDisplay::clear() {
  const MutexLock lock(mutex_);
  if (open_) std::fputs("\r\x1b[K", stderr);
  open_ = false;
}

std::string pointText(const SweepPoint& point) {
  std::string text;
  for (const auto& [name, value] : point) text += (text.empty() ? "" : " ") + name + "=" + value;
  return text;
}

std::string valueText(double value) {
  if (std::isnan(value)) return "NaN";
  char text[40];
  std::snprintf(text, sizeof text, "%.5g", value);
  return text;
}

Ordered runJson(const ExperimentRecord& record) {
  const ExperimentRun& run = record.run;
  Ordered parameters = Ordered::object(), metrics = Ordered::object();
  for (const auto& [name, value] : record.parameters) parameters[name] = value;
  for (const auto& [name, value] : record.metrics) metrics[name] = value;
  Ordered out{{"run", run.name},    {"number", run.number}, {"status", nameOf(run.status)}, {"parameters", parameters},
              {"metrics", metrics}, {"step", run.step},     {"folder", run.folder}};
  if (!run.error.empty()) out["error"] = run.error;
  if (run.ended > run.started && run.started > 0) out["seconds"] = run.ended - run.started;
  return out;
}

Ordered importanceJson(const std::vector<Importance>& importance) {
  Ordered out = Ordered::array();
  for (const Importance& i : importance) out.push_back({{"parameter", i.parameter}, {"share", i.share}, {"correlation", i.correlation}});
  return out;
}

std::vector<Importance> importanceIn(ExperimentTable& table, const SweepPlan& plan) {
  std::vector<SweepResult> results(table.runs().size());
  for (const SweepParameter& p : plan.parameters) {
    const auto column = table.column(p.name);
    if (!column.ok() || (*column)->isMetric) continue;
    for (size_t i = 0; i < results.size(); ++i)
      if ((*column)->words[i] >= 0) results[i].point.emplace_back(p.name, (*column)->texts[size_t((*column)->words[i])]);
  }
  if (const auto metric = table.column(plan.metric); metric.ok())
    for (size_t i = 0; i < results.size(); ++i)
      if (table.runs()[i].status == ExperimentStatus::Finished) results[i].value = (*metric)->numbers[i];
  return importanceOf(plan.parameters, results);
}

namespace {

/// The width of a text on the screen, near enough: characters of UTF-8.
size_t widthOf(const std::string& text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) { return (uint8_t(c) & 0xc0) != 0x80; }));
}

}  // namespace

Status printTable(ExperimentTable& table, const ExperimentQuery& query, int64_t most, bool json) {
  WEFT_LET(const ExperimentRows rows, table.select(query));
  const size_t shown = size_t(std::min<int64_t>(most, int64_t(rows.rows.size())));
  if (json) {
    Ordered runs = Ordered::array(), groups = Ordered::array();
    for (size_t i = 0; i < shown; ++i) {
      WEFT_LET(const ExperimentRecord record, table.record(table.runs()[size_t(rows.rows[i])].id));
      runs.push_back(runJson(record));
    }
    for (const ExperimentGroup& g : rows.groups)
      groups.push_back({{"value", g.value}, {"runs", g.runs}, {"mean", g.mean}, {"min", g.least}, {"max", g.most}, {"deviation", g.deviation}});
    std::cout << Ordered{{"count", rows.rows.size()}, {"runs", runs}, {"groups", groups}}.dump(-1, ' ', false, Ordered::error_handler_t::replace) << std::endl;
    return {};
  }
  std::vector<std::vector<std::string>> lines;
  if (!rows.groups.empty()) {
    lines.push_back({query.group, "runs", query.metric.empty() ? "mean" : query.metric + " mean", "deviation", "min", "max"});
    for (const ExperimentGroup& g : rows.groups)
      lines.push_back(
          {g.value.empty() ? "—" : g.value, std::to_string(g.runs), valueText(g.mean), valueText(g.deviation), valueText(g.least), valueText(g.most)});
  } else {
    std::vector<std::shared_ptr<const ExperimentColumn>> columns;
    lines.push_back({"run", "status"});
    for (const auto& name : table.names()) {
      WEFT_LET(columns.emplace_back(), table.column(name.name));
      lines[0].push_back(name.name);
    }
    for (size_t i = 0; i < shown; ++i) {
      const auto row = size_t(rows.rows[i]);
      const ExperimentRun& run = table.runs()[row];
      auto& line = lines.emplace_back(std::vector<std::string>{run.name, std::string(nameOf(run.status))});
      for (const auto& c : columns) {
        if (c->isMetric) line.push_back(std::isnan(c->numbers[row]) ? "—" : valueText(c->numbers[row]));
        else line.push_back(c->words[row] < 0 ? "—" : c->texts[size_t(c->words[row])]);
      }
    }
  }
  std::vector<size_t> widths(lines[0].size());
  for (const auto& line : lines)
    for (size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], widthOf(line[c]));
  for (const auto& line : lines) {
    std::string text;
    for (size_t c = 0; c < line.size(); ++c) {
      text += line[c];
      if (c + 1 < line.size()) text += std::string(widths[c] - widthOf(line[c]) + 2, ' ');
    }
    std::cout << text << "\n";
  }
  if (shown < rows.rows.size() && rows.groups.empty()) std::cerr << rows.rows.size() - shown << " more; --most N shows more\n";
  std::cout << std::flush;
  return {};
}

}  // namespace weft::cli
