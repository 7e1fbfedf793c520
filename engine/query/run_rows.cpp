// Curves, runs, parameters and metrics: of event files, of the folders that the window writes, and of stores of experiments.
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "query/sources.h"
#include "weft/event_plugins.h"
#include "weft/events.h"
#include "weft/file_system.h"

namespace weft::query {
namespace {

/// Rows of `runs`, `params`, `metrics`, `scalars` and `tags` as columns of their own.
struct RunColumns {
  std::vector<int32_t> runs, names, texts, kinds, nan;
  std::vector<int64_t> steps, lasts, counts;
  std::vector<double> walls, values;
};

double numberOf(const std::string& text) {
  double out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() ? out : NAN;
}

std::string paramText(const HParamValue& value) {
  if (const double* number = std::get_if<double>(&value)) {
    char text[40];
    return std::string(text, std::to_chars(text, text + sizeof text, *number).ptr);
  }
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  return {};
}

void addSegment(Table& table, const std::string& file, std::shared_ptr<RunColumns> c, size_t rows, std::vector<Source> rest) {
  Segment s;
  s.rows = Row(rows);
  s.columns = std::move(rest);
  s.columns.insert(s.columns.begin(), Source::ofText(table.dictionary.code(file)));
  s.owner = std::move(c);
  table.add(std::move(s));
}

void addParams(Tables& tables, const std::string& file, const std::string& run, const std::vector<std::pair<std::string, std::string>>& values) {
  Table& table = tables["params"];
  auto c = std::make_shared<RunColumns>();
  for (const auto& [name, value] : values) {
    c->names.push_back(table.dictionary.code(name));
    c->texts.push_back(table.dictionary.code(value));
    c->values.push_back(numberOf(value));
  }
  addSegment(table, file, c, values.size(),
             {Source::ofText(table.dictionary.code(run)), Source::ofVector(c->names), Source::ofVector(c->texts), Source::ofVector(c->values)});
}

struct RunFacts {
  std::string folder, status, error;
  double started = 0, ended = 0;
  int64_t step = 0, steps = 0;
};

void addRun(Tables& tables, const std::string& file, const std::string& run, const RunFacts& r) {
  Table& table = tables["runs"];
  Dictionary& d = table.dictionary;
  auto c = std::make_shared<RunColumns>();
  c->walls = {r.started > 0 ? r.started : NAN, r.ended > 0 ? r.ended : NAN};
  Source started = Source::ofVector(c->walls), ended = started;
  ended.base += sizeof(double);
  const auto text = [&](const std::string& t) { return Source::ofText(t.empty() ? kNullCode : d.code(t)); };
  addSegment(table, file, c, 1,
             {text(run), text(r.folder), text(r.status), text(r.error), started, ended, Source::ofInteger(r.step),
              Source::ofInteger(r.steps > 0 ? r.steps : kNullInteger)});
}

/// The curves of one run: points, and their last values as metrics.
void addPoints(Tables& tables, const std::string& file, const std::vector<QueryScalars>& curves) {
  Table& scalars = tables["scalars"];
  Table& metrics = tables["metrics"];
  auto c = std::make_shared<RunColumns>(), last = std::make_shared<RunColumns>();
  for (const QueryScalars& curve : curves) {
    if (curve.steps.empty()) continue;
    c->runs.insert(c->runs.end(), curve.steps.size(), scalars.dictionary.code(curve.run));
    c->names.insert(c->names.end(), curve.steps.size(), scalars.dictionary.code(curve.tag));
    c->steps.insert(c->steps.end(), curve.steps.begin(), curve.steps.end());
    c->walls.insert(c->walls.end(), curve.wallTimes.begin(), curve.wallTimes.end());
    c->values.insert(c->values.end(), curve.values.begin(), curve.values.end());
    for (const double v : curve.values) c->nan.push_back(std::isnan(v));
    last->runs.push_back(metrics.dictionary.code(curve.run));
    last->names.push_back(metrics.dictionary.code(curve.tag));
    last->values.push_back(curve.values.back());
    last->nan.push_back(std::isnan(curve.values.back()));
  }
  addSegment(scalars, file, c, c->steps.size(),
             {Source::ofVector(c->runs), Source::ofVector(c->names), Source::ofVector(c->steps), Source::ofVector(c->walls), Source::ofVector(c->values),
              Source::ofVector(c->nan)});
  addSegment(metrics, file, last, last->runs.size(),
             {Source::ofVector(last->runs), Source::ofVector(last->names), Source::ofVector(last->values), Source::ofVector(last->nan)});
}

struct TagFacts {
  std::string kind;
  int64_t points = 0, first = 0, last = 0;
};

void addTags(Tables& tables, const std::string& file, const std::string& run, const std::map<std::string, TagFacts>& tags) {
  Table& table = tables["tags"];
  auto c = std::make_shared<RunColumns>();
  for (const auto& [tag, facts] : tags) {
    c->names.push_back(table.dictionary.code(tag));
    c->kinds.push_back(table.dictionary.code(facts.kind));
    c->counts.push_back(facts.points);
    c->steps.push_back(facts.first);
    c->lasts.push_back(facts.last);
  }
  addSegment(table, file, c, tags.size(),
             {Source::ofText(table.dictionary.code(run)), Source::ofVector(c->names), Source::ofVector(c->kinds), Source::ofVector(c->counts),
              Source::ofVector(c->steps), Source::ofVector(c->lasts)});
}

std::string kindOf(const SummaryValue& v, bool scalar) {
  if (scalar) return "scalar";
  if (!v.plugin.empty()) return v.plugin;
  if (std::holds_alternative<HistogramValue>(v.value) || std::holds_alternative<OldHistogram>(v.value)) return "histogram";
  if (std::holds_alternative<ImageValue>(v.value)) return "image";
  if (std::holds_alternative<AudioValue>(v.value)) return "audio";
  return "tensor";
}

}  // namespace

void addParamRows(Tables& tables, const std::string& name, const std::string& run, const std::vector<std::pair<std::string, std::string>>& values) {
  addParams(tables, name, run, values);
}

void addCurveRows(Tables& tables, const std::string& name, const std::vector<QueryScalars>& curves) {
  addPoints(tables, name, curves);
  std::map<std::string, std::map<std::string, TagFacts>> runs;
  std::map<std::string, RunFacts> facts;
  for (const QueryScalars& c : curves) {
    if (c.steps.empty()) continue;
    runs[c.run][c.tag] = {"scalar", int64_t(c.steps.size()), c.steps.front(), c.steps.back()};
    RunFacts& run = facts[c.run];
    run.step = std::max(run.step, c.steps.back());
    run.started = run.started > 0 ? std::min(run.started, c.wallTimes.front()) : c.wallTimes.front();
    run.ended = std::max(run.ended, c.wallTimes.back());
  }
  for (const auto& [run, tags] : runs) {
    addTags(tables, name, run, tags);
    addRun(tables, name, run, facts[run]);
  }
}

Status addEventRows(Tables& tables, const std::vector<std::string>& paths, const std::string& folder, const std::string& run, const Stop& stop) {
  std::map<std::string, QueryScalars> curves;
  std::map<std::string, TagFacts> tags;
  std::vector<std::pair<std::string, std::string>> params;
  RunFacts facts;
  facts.folder = folder;
  const auto take = [&](const Event& event, const SummaryValue& v) {
    if (v.plugin == "hparams") {
      const auto data = decodeHParams(v.pluginContent);
      if (data.ok() && data->kind == HParamsData::Kind::SessionStart)
        for (const auto& [name, value] : data->values) params.emplace_back(name, paramText(value));
      if (data.ok() && data->kind == HParamsData::Kind::SessionEnd) facts.status = data->status == HParamsData::Failure ? "failed" : "finished";
      return;
    }
    const float* simple = std::get_if<float>(&v.value);
    const Tensor* tensor = std::get_if<Tensor>(&v.value);
    const bool scalar = simple || (tensor && tensor->elements() == 1 && weft::isNumeric(tensor->dtype()));
    const auto [tag, fresh] = tags.try_emplace(v.tag, TagFacts{kindOf(v, scalar), 0, event.step, event.step});
    ++tag->second.points;
    tag->second.last = event.step;
    facts.step = std::max(facts.step, event.step);
    if (facts.started == 0) facts.started = event.wallTime;
    facts.ended = std::max(facts.ended, event.wallTime);
    if (!scalar) return;
    QueryScalars& curve = curves[v.tag];
    curve.steps.push_back(event.step);
    curve.wallTimes.push_back(event.wallTime);
    curve.values.push_back(simple ? double(*simple) : tensor->asDouble(0));
  };
  for (const std::string& path : paths) {
    WEFT_LET(const auto reader, EventReader::open(path));
    Event event;
    for (int n = 0;; ++n) {
      if (n % 256 == 255 && stop()) return cancelledError("the query was stopped");
      const auto more = reader->next(&event);
      if (!more.ok()) tables.notes.push_back(more.error().toString());
      if (!more.ok() || !*more) break;
      for (const SummaryValue& v : event.values) take(event, v);
    }
  }
  const std::string& file = paths.size() == 1 ? paths.front() : folder;
  std::vector<QueryScalars> list;
  for (auto& [tag, curve] : curves) {
    curve.run = run;
    curve.tag = tag;
    list.push_back(std::move(curve));
  }
  addPoints(tables, file, list);
  addTags(tables, file, run, tags);
  addParams(tables, file, run, params);
  if (!tags.empty() || !params.empty()) addRun(tables, file, run, facts);
  return {};
}

void addRunRecord(Tables& tables, const std::string& folder, const std::string& run) {
  const std::string path = joinPath(folder, "run.json");
  const auto text = posixFileSystem().readAll(path, 1 << 24);
  const auto j = text.ok() ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
  if (!j.is_object()) return;
  std::vector<std::pair<std::string, std::string>> values;
  if (const auto settings = j.find("settings"); settings != j.end() && settings->is_object())
    for (const auto& [name, value] : settings->items()) values.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
  addParams(tables, path, run, values);
}

Status addExperimentRows(Tables& tables, const std::string& path) {
  ExperimentStore::Options options;
  options.create = false;
  WEFT_LET(const auto store, ExperimentStore::open(path, options));
  WEFT_LET(const auto sweeps, store->sweeps());
  WEFT_LET(const auto table, store->table());
  std::map<int64_t, std::string> names;
  for (const ExperimentSweep& s : sweeps) names[s.id] = s.name;
  std::vector<std::string> runs;
  for (const ExperimentRun& r : table->runs()) {
    runs.push_back(names[r.sweep] + "/" + r.name);
    addRun(tables, path, runs.back(), {r.folder, std::string(nameOf(r.status)), r.error, r.started, r.ended, r.step, r.totalSteps});
  }
  for (const auto& name : table->names()) {
    WEFT_LET(const auto column, table->column(name.name));
    Table& to = tables[name.isMetric ? "metrics" : "params"];
    auto c = std::make_shared<RunColumns>();
    for (size_t i = 0; i < runs.size(); ++i) {
      const int32_t word = column->words.empty() ? kNullCode : column->words[i];
      if (name.isMetric ? std::isnan(column->numbers[i]) : word < 0) continue;
      c->runs.push_back(to.dictionary.code(runs[i]));
      c->values.push_back(column->numbers[i]);
      c->texts.push_back(word < 0 ? kNullCode : to.dictionary.code(column->texts[size_t(word)]));
    }
    const Source label = Source::ofText(to.dictionary.code(name.name));
    if (name.isMetric) addSegment(to, path, c, c->runs.size(), {Source::ofVector(c->runs), label, Source::ofVector(c->values), Source::ofInteger(0)});
    else addSegment(to, path, c, c->runs.size(), {Source::ofVector(c->runs), label, Source::ofVector(c->texts), Source::ofVector(c->values)});
  }
  return {};
}

}  // namespace weft::query
