// Findings as text and JSON.
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>

#include "weft/doctor.h"

namespace weft {

const char* doctorWord(DoctorMoment m) { return m == DoctorMoment::Before ? "before" : m == DoctorMoment::During ? "during" : "evaluation"; }
const char* doctorWord(DoctorWeight w) { return w == DoctorWeight::Note ? "note" : w == DoctorWeight::Warning ? "warning" : "error"; }

namespace {
constexpr const char* kEvidence[] = {"none", "curve", "histogram", "bars"};
}

std::string doctorReport(const DoctorFinding& f) {
  std::string out = concat(doctorWord(f.rule->weight), ": ", f.title());
  if (f.step > 0) out += concat(" (step ", f.step, ")");
  if (f.line > 0) {
    out += concat("\n    ", f.file, ":", f.line);
    if (!f.node.empty()) out += concat(" makes ", f.node);
  }
  out += concat("\n    ", f.detail(), "\n    ", f.advice(), "\n");
  if (f.fix) {
    char losses[120];
    std::snprintf(losses, sizeof losses, " the loss after %lld steps is %.3g instead of %.3g", (long long)f.fix->steps, f.fix->lossWith, f.fix->lossWithout);
    const std::string change = concat(f.fix->setting, "=", f.fix->value);
    const char* quote = change.find(' ') == std::string::npos ? "" : "'";
    if (f.fix->setting.empty()) out += concat("    Tried: after ", f.fix->command.toString(), losses, "\n");
    else out += concat("    Tried: with ", change, losses, ": --set ", quote, change, quote, "\n");
  }
  return out;
}

std::string doctorJson(const DoctorFinding& f) {
  nlohmann::json out = {{"code", f.rule->code},
                        {"moment", doctorWord(f.rule->moment)},
                        {"weight", doctorWord(f.rule->weight)},
                        {"node", f.node},
                        {"step", f.step},
                        {"title", f.title()},
                        {"detail", f.detail()},
                        {"advice", f.advice()},
                        {"words", f.words},
                        {"evidence", kEvidence[int(f.evidence)]}};
  if (f.evidence != DoctorFinding::Evidence::None) {
    out["values"] = f.values;
    out["from"] = f.from;
    out["to"] = f.to;
  }
  if (f.fix) {
    nlohmann::json& fix = out["fix"] = {{"steps", f.fix->steps}, {"loss_without", f.fix->lossWithout}, {"loss_with", f.fix->lossWith}};
    if (f.fix->setting.empty()) {
      fix["command"] = f.fix->command.words;
      fix["command"].insert(fix["command"].begin(), f.fix->command.action);
    } else {
      fix["setting"] = f.fix->setting;
      fix["value"] = f.fix->value;
    }
  }
  if (f.line > 0) {
    out["file"] = f.file;
    out["line"] = f.line;
  }
  return out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

DoctorFinding doctorFindingOf(std::string_view bytes) {
  DoctorFinding out;
  const nlohmann::json json = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
  if (!json.is_object()) return out;
  const auto text = [&](const char* key) {
    const auto at = json.find(key);
    return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
  };
  const auto number = [&](const char* key) {
    const auto at = json.find(key);
    return at != json.end() && at->is_number() ? at->get<double>() : 0.0;
  };
  const std::string code = text("code"), evidence = text("evidence");
  for (const DoctorRule& r : doctorRules())
    if (code == r.code) out.rule = &r;
  out.node = text("node");
  out.step = int64_t(number("step"));
  out.file = text("file");
  out.line = int(number("line"));
  if (const auto words = json.find("words"); words != json.end() && words->is_array())
    for (const auto& w : *words) out.words.push_back(w.is_string() ? w.get<std::string>() : std::string());
  for (int i = 0; i < 4; ++i)
    if (evidence == kEvidence[i]) out.evidence = DoctorFinding::Evidence(i);
  if (const auto values = json.find("values"); values != json.end() && values->is_array())
    for (const auto& v : *values) out.values.push_back(v.is_number() ? v.get<double>() : NAN);
  out.from = number("from");
  out.to = number("to");
  return out;
}

}  // namespace weft
