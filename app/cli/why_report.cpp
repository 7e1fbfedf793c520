#include "cli/why_report.h"

#include <cstdio>

namespace weft::cli {
namespace {

constexpr size_t kRows = 12, kTensors = 12;

std::string numberText(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", v);
  return text;
}

nlohmann::json numberJson(double v) { return std::isfinite(v) ? nlohmann::json(v) : std::isnan(v) ? nlohmann::json() : nlohmann::json(v > 0 ? "inf" : "-inf"); }

const char* kindWord(OriginKind k) {
  static constexpr const char* kWords[] = {"computed", "variable", "data", "setting", "constant", "random"};
  return kWords[int(k)];
}
const char* ruleWord(OriginRule r) {
  static constexpr const char* kWords[] = {"given", "copy", "sum", "products", "slope", "update", "kept", "position"};
  return kWords[int(r)];
}

std::string ruleText(const Origin& o) {
  switch (o.rule) {
    case OriginRule::Given:
      switch (o.self.kind) {
        case OriginKind::Data: return o.dataRow >= 0 ? concat("row ", o.dataRow, " of the data") : "from the data";
        case OriginKind::Setting: return "fed as a setting";
        case OriginKind::Constant: return "a constant";
        case OriginKind::Random: return "drawn at random";
        case OriginKind::Variable: return "its value then";
        case OriginKind::Computed: return "not followed further";
      }
      return {};
    case OriginRule::Copy: return "is";
    case OriginRule::Sum: return concat("is the sum of ", o.count, o.count == 1 ? " part" : " parts");
    case OriginRule::Products: return concat("is a sum of products; ", o.count, " factors");
    case OriginRule::Slope: return concat("follows from ", o.count, o.count == 1 ? " element" : " elements");
    case OriginRule::Update: return concat("was set by ", o.self.op);
    case OriginRule::Kept: return "was not changed by this step";
    case OriginRule::Position: return o.parts.empty() ? "its op names nothing that it follows from" : "is at the position of";
  }
  return {};
}

std::string stepText(const OriginPart& p) {
  if (p.kind != OriginKind::Variable) return concat("step ", p.element.step);
  return p.element.step == 0 ? std::string("before the first step") : concat("after step ", p.element.step);
}

nlohmann::json partJson(const OriginPart& p) {
  nlohmann::json out = {{"tensor", p.element.tensor},  {"index", p.element.index}, {"step", p.element.step}, {"kind", kindWord(p.kind)}, {"op", p.op},
                        {"value", numberJson(p.value)}};
  if (p.whole) out["whole"] = true;
  if (!p.input.empty()) out["input"] = p.input;
  if (!std::isnan(p.slope)) out["slope"] = numberJson(p.slope);
  if (!std::isnan(p.contribution)) out["contribution"] = numberJson(p.contribution);
  return out;
}

std::string differing(const DifferingTensor& t) {
  std::string out = concat("  ", t.tensor, "  (", t.op, ")  ");
  if (t.why == "missing") return out + "only in one of them\n";
  if (t.why == "shape" || t.why == "dtype") return out + concat("another ", t.why, "\n");
  return out + concat(t.elements, t.elements == 1 ? " element" : " elements", ", most at ", elementText({"", t.index, 0}), ": ", numberText(t.first), " and ",
                      numberText(t.second), "\n");
}

}  // namespace

std::string originText(const Origin& o) {
  std::string out = concat(elementText(o.self.element), " = ", o.self.whole ? "…" : numberText(o.self.value), "  (", o.self.op, ", ", stepText(o.self), ")  ",
                           ruleText(o), "\n");
  for (const OriginPart& p : o.parts) {
    out += concat("    ", p.input.empty() ? "" : p.input + ": ", elementText(p.element), p.whole ? " (all of it)" : " = " + numberText(p.value));
    if (!std::isnan(p.slope) && !std::isnan(p.contribution) && o.rule != OriginRule::Copy && o.rule != OriginRule::Kept)
      out +=
          o.rule == OriginRule::Update ? concat("  gives ", numberText(p.contribution)) : concat(" × ", numberText(p.slope), " = ", numberText(p.contribution));
    out += "\n";
  }
  const int64_t more = o.count - int64_t(o.parts.size());
  if (more > 0) out += concat("    and ", more, " more", o.rule == OriginRule::Sum ? concat(", together ", numberText(o.rest)) : "", "\n");
  return out;
}

nlohmann::json originJson(const Origin& o) {
  nlohmann::json out = partJson(o.self);
  out["rule"] = ruleWord(o.rule);
  out["count"] = o.count;
  if (!std::isnan(o.rest)) out["rest"] = o.rest;
  if (o.dataRow >= 0) out["data_row"] = o.dataRow;
  out["parts"] = nlohmann::json::array();
  for (const OriginPart& p : o.parts) out["parts"].push_back(partJson(p));
  return out;
}

std::string rowsText(const RowShares& rows) {
  static constexpr const char* kWords[] = {"depends on one row of the batch", "is the mean of what each row gives alone",
                                           "is the sum of what each row gives alone", "depends on rows together; alone they give"};
  std::string out = concat(rows.tensor, " = ", numberText(rows.value), "  ", kWords[int(rows.kind)], "\n");
  for (size_t i = 0; i < rows.rows.size() && i < kRows; ++i) {
    const RowShare& r = rows.rows[i];
    out += concat("    row ", r.row, " of the data: ", numberText(r.value));
    if (rows.kind == RowShares::Kind::Mean) out += concat(", contributes ", numberText(r.contribution));
    out += "\n";
  }
  if (rows.rows.size() > kRows) out += concat("    and ", rows.rows.size() - kRows, " more\n");
  return out;
}

nlohmann::json rowsJson(const RowShares& rows) {
  static constexpr const char* kWords[] = {"one", "mean", "sum", "together"};
  nlohmann::json out = {{"tensor", rows.tensor}, {"value", numberJson(rows.value)}, {"kind", kWords[int(rows.kind)]}, {"rows", nlohmann::json::array()}};
  for (const RowShare& r : rows.rows)
    out["rows"].push_back({{"batch_row", r.batchRow}, {"row", r.row}, {"value", numberJson(r.value)}, {"contribution", numberJson(r.contribution)}});
  return out;
}

std::string differenceText(const StepDifference& d) {
  std::string out = concat("Step ", d.firstStep, " and step ", d.secondStep, ": ", d.differing, " of ", d.compared, " values differ.\n");
  if (d.causes.empty()) return out;
  out += "These differ although everything that they are computed from is equal:\n";
  for (const DifferingTensor& t : d.causes) out += differing(t);
  out += "The first tensors that differ:\n";
  for (size_t i = 0; i < d.tensors.size() && i < kTensors; ++i) out += differing(d.tensors[i]);
  if (d.differing > int64_t(kTensors)) out += concat("  and ", d.differing - int64_t(kTensors), " more\n");
  return out;
}

nlohmann::json differenceJson(const StepDifference& d) {
  const auto list = [](const std::vector<DifferingTensor>& tensors) {
    nlohmann::json out = nlohmann::json::array();
    for (const DifferingTensor& t : tensors) {
      out.push_back({{"tensor", t.tensor},
                     {"op", t.op},
                     {"elements", t.elements},
                     {"largest", numberJson(t.largest)},
                     {"first", numberJson(t.first)},
                     {"second", numberJson(t.second)},
                     {"index", t.index}});
      if (!t.why.empty()) out.back()["why"] = t.why;
    }
    return out;
  };
  return {{"first_step", d.firstStep}, {"second_step", d.secondStep}, {"compared", d.compared},
          {"differing", d.differing},  {"causes", list(d.causes)},    {"tensors", list(d.tensors)}};
}

}  // namespace weft::cli
