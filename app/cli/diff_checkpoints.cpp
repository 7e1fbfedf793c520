#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/diff.h"
#include "weft/checkpoint_edit.h"
#include "weft/compare.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kSame = 0, kDifferent = 1, kTrouble = 2;

Json jsonNumber(double v) {
  if (std::isnan(v)) return "NaN";
  if (std::isinf(v)) return v > 0 ? "Infinity" : "-Infinity";
  return v;
}

Json shapeOf(const Shape& shape) { return shape.hasRank() ? Json(shape.toVector()) : Json(nullptr); }

Json sideOf(DType dtype, const Shape& shape) {
  if (dtype == DType::Invalid) return nullptr;
  return {{"dtype", dtypeName(dtype)}, {"shape", shapeOf(shape)}};
}

std::string textOf(DType dtype, const Shape& shape) { return dtypeName(dtype) + shape.toString(); }

std::string shortNumber(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", v);
  return text;
}

/// Most changed first. Entries without a distance come before those, ordered by kind.
void sortByChange(std::vector<const VariableDifference*>* rows) {
  using Kind = VariableDifference::Kind;
  const auto rank = [](const VariableDifference& v) { return v.kind == Kind::Same ? 3 : v.kind == Kind::Changed ? 2 : 1; };
  std::stable_sort(rows->begin(), rows->end(), [&](const VariableDifference* a, const VariableDifference* b) {
    if (rank(*a) != rank(*b)) return rank(*a) < rank(*b);
    if (a->kind != b->kind) return a->kind < b->kind;
    return a->kind == Kind::Changed && a->difference.relative() > b->difference.relative();
  });
}

void print(const VariableDifference& v) {
  using Kind = VariableDifference::Kind;
  std::cout << "  " << kindName(v.kind) << "  " << v.name << "  ";
  switch (v.kind) {
    case Kind::OnlyInFirst: std::cout << textOf(v.dtypeA, v.shapeA); break;
    case Kind::OnlyInSecond: std::cout << textOf(v.dtypeB, v.shapeB); break;
    case Kind::ShapeDiffers:
    case Kind::TypeDiffers: std::cout << textOf(v.dtypeA, v.shapeA) << " / " << textOf(v.dtypeB, v.shapeB); break;
    case Kind::Unreadable: std::cout << v.error; break;
    default:
      std::cout << textOf(v.dtypeA, v.shapeA);
      if (v.kind == Kind::Changed && v.dtypeA == DType::String) std::cout << "  differing " << v.difference.differing << "/" << v.difference.count;
      if (v.kind == Kind::Changed && v.dtypeA != DType::String) {
        const TensorDifference& d = v.difference;
        std::cout << "  relative " << shortNumber(d.relative()) << "  max " << shortNumber(d.maxAbsolute) << "  cosine " << shortNumber(d.cosine)
                  << "  differing " << d.differing << "/" << d.count;
      }
  }
  std::cout << "\n";
}

Json jsonOf(const VariableDifference& v) {
  Json out{{"name", v.name}, {"kind", kindName(v.kind)}, {"a", sideOf(v.dtypeA, v.shapeA)}, {"b", sideOf(v.dtypeB, v.shapeB)}};
  using Kind = VariableDifference::Kind;
  if (v.kind == Kind::Unreadable) out["error"] = v.error;
  if (v.kind != Kind::Same && v.kind != Kind::Changed) return out;
  const TensorDifference& d = v.difference;
  out["elements"] = d.count;
  out["differing"] = d.differing;
  if (v.dtypeA == DType::String) return out;
  out["max_abs"] = jsonNumber(d.maxAbsolute);
  out["max_rel"] = jsonNumber(d.maxRelative);
  out["norm"] = jsonNumber(d.norm);
  out["relative"] = jsonNumber(d.relative());
  out["cosine"] = jsonNumber(d.cosine);
  out["worst"] = d.worst;
  return out;
}

/// Mean, spread, range and norm of a variable in one checkpoint.
Result<Json> statisticsOf(const CheckpointReader& reader, const std::string& name) {
  WEFT_LET(const Tensor value, reader.read(name));
  WEFT_LET(const ValueSummary s, summaryOf(value, 1, [](double) { return !interrupted(); }));
  const double norm = std::sqrt((s.std * s.std + s.mean * s.mean) * double(s.finite()));
  Json out{{"mean", jsonNumber(s.mean)}, {"std", jsonNumber(s.std)}, {"min", jsonNumber(s.min)}, {"max", jsonNumber(s.max)}, {"norm", jsonNumber(norm)}};
  if (s.finite() < s.count) out["not_finite"] = s.count - s.finite();
  return out;
}

/// The statistics of both sides that have numbers, by "a" and "b"; {"error": …} of a side that cannot be read. Fails with CANCELLED only.
Result<Json> statisticsOf(const VariableDifference& v, const CheckpointReader& a, const CheckpointReader& b) {
  Json out = Json::object();
  if (v.kind == VariableDifference::Kind::Unreadable) return out;
  const auto add = [&](const char* side, DType dtype, const CheckpointReader& reader) -> Status {
    if (sizeOf(dtype) == 0) return {};  // absent, or strings
    auto values = statisticsOf(reader, v.name);
    if (!values.ok() && values.error().code == Code::Cancelled) return values.error();
    out[side] = values.ok() ? std::move(*values) : Json{{"error", values.error().message}};
    return {};
  };
  WEFT_TRY(add("a", v.dtypeA, a));
  WEFT_TRY(add("b", v.dtypeB, b));
  return out;
}

void printStatistics(const Json& statistics) {
  for (const auto& [side, values] : statistics.items()) {
    std::cout << "      " << (side == "a" ? "A" : "B");
    for (const auto& [name, value] : values.items())
      std::cout << "  " << name << (name == "error" ? ": " : " ") << (value.is_string() ? value.get<std::string>() : shortNumber(value.get<double>()));
    std::cout << "\n";
  }
}

Result<std::unique_ptr<CheckpointReader>> openNamed(const std::string& prefix) {
  auto reader = CheckpointReader::open(prefix);
  if (!reader.ok()) reader.error().inFile(prefix);
  return reader;
}

}  // namespace

int diffCheckpoints(const std::string& a, const std::string& b, const DiffOptions& options) {
  const auto first = openNamed(a);
  if (!first.ok()) return complain(first.error(), kTrouble);
  const auto second = openNamed(b);
  if (!second.ok()) return complain(second.error(), kTrouble);
  catchInterrupts();
  auto compared = compareCheckpoints(**first, **second, [](double) { return !interrupted(); });
  if (!compared.ok()) return complain(compared.error(), compared.error().code == Code::Cancelled ? kInterrupted : kTrouble);
  using Kind = VariableDifference::Kind;
  std::vector<const VariableDifference*> rows;
  for (const VariableDifference& v : compared->variables)
    if (options.all || v.kind != Kind::Same) rows.push_back(&v);
  sortByChange(&rows);
  std::vector<Json> statistics(rows.size(), Json::object());
  for (size_t i = 0; options.statistics && i < rows.size(); ++i) {
    auto values = statisticsOf(*rows[i], **first, **second);
    if (!values.ok()) return complain(values.error(), kInterrupted);
    statistics[i] = std::move(*values);
  }
  constexpr Kind kKinds[] = {Kind::Same, Kind::Changed, Kind::OnlyInFirst, Kind::OnlyInSecond, Kind::ShapeDiffers, Kind::TypeDiffers, Kind::Unreadable};
  if (options.json) {
    Json out{{"kind", "checkpoints"}, {"a", a}, {"b", b}, {"same", compared->isSame()}, {"counts", Json::object()}, {"variables", Json::array()}};
    for (const Kind kind : kKinds) out["counts"][std::string(kindName(kind))] = compared->count(kind);
    for (size_t i = 0; i < rows.size(); ++i) {
      out["variables"].push_back(jsonOf(*rows[i]));
      if (options.statistics) out["variables"].back()["statistics"] = statistics[i];
    }
    std::cout << out.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
  } else {
    std::cout << "A " << a << " (" << (*first)->tensors().size() << " tensors)\nB " << b << " (" << (*second)->tensors().size() << " tensors)\n";
    for (size_t i = 0; i < rows.size(); ++i) {
      print(*rows[i]);
      printStatistics(statistics[i]);
    }
    const char* gap = "";
    for (const Kind kind : kKinds) {
      if (const int64_t n = compared->count(kind)) {
        std::cout << gap << n << " " << kindName(kind);
        gap = ", ";
      }
    }
    std::cout << (*gap ? "\n" : "both are empty\n");
  }
  std::cout.flush();
  if (const int64_t unreadable = compared->count(Kind::Unreadable)) {
    const auto v = std::find_if(compared->variables.begin(), compared->variables.end(), [](const auto& x) { return x.kind == Kind::Unreadable; });
    return complain(concat(v->name, ": ", v->error, unreadable > 1 ? concat(" (and ", unreadable - 1, " more)") : std::string()), kTrouble);
  }
  return compared->isSame() ? kSame : kDifferent;
}

namespace {

/// Writes the table of proposed renames, with confidence, reason and what was not searched as comments.
Status writeProposals(const std::vector<RenameProposal>& proposals, const std::vector<std::string>& limits, const std::string& path) {
  std::string out;
  for (const std::string& limit : limits) out += concat("# limit reached: ", limit, "\n");
  for (const RenameProposal& p : proposals)
    out += concat("# ", int(std::lround(p.confidence * 100)), " %: ", p.reason, "\n", printRenameTable({{p.stored, p.key}}));
  if (path != "-") return posixFileSystem().writeAtomically(path, out);
  std::cout << out;
  return {};
}

}  // namespace

int diffGraphAndCheckpoint(const std::string& graphPath, const std::string& prefix, const DiffOptions& options) {
  auto graph = loadGraphFile(graphPath, {.inferShapes = false});
  if (!graph.ok()) return complain(graph.error().inFile(graphPath), kTrouble);
  const auto reader = openNamed(prefix);
  if (!reader.ok()) return complain(reader.error(), kTrouble);
  const GraphMatch match = matchCheckpoint(graph->meta.graph, **reader);
  using Kind = VariableMatch::Kind;
  std::vector<std::string> limits;
  const std::vector<RenameProposal> proposals = options.propose.empty() ? std::vector<RenameProposal>() : proposeRenames(match, &limits);
  if (!options.propose.empty()) {
    if (const Status status = writeProposals(proposals, limits, options.propose); !status.ok()) return complain(status.error(), kTrouble);
    if (options.propose == "-") return match.canRestore() ? kSame : kDifferent;
  }
  if (options.json) {
    Json out{{"kind", "graph and checkpoint"},    {"graph", graphPath},       {"checkpoint", prefix},      {"has_saver", match.hasSaver},
             {"can_restore", match.canRestore()}, {"counts", Json::object()}, {"variables", Json::array()}};
    for (const Kind kind : {Kind::Fits, Kind::Missing, Kind::ShapeDiffers, Kind::TypeDiffers, Kind::NotRestored, Kind::Unused})
      out["counts"][std::string(kindName(kind))] = match.count(kind);
    for (const VariableMatch& m : match.variables) {
      if (m.kind == Kind::Fits && !options.all) continue;
      out["variables"].push_back({{"kind", kindName(m.kind)},
                                  {"variable", m.variable.empty() ? Json(nullptr) : Json(m.variable)},
                                  {"key", m.key.empty() ? Json(nullptr) : Json(m.key)},
                                  {"graph", sideOf(m.dtype, m.shape)},
                                  {"checkpoint", sideOf(m.dtypeStored, m.shapeStored)},
                                  {"nearest", m.nearest}});
    }
    for (const RenameProposal& p : proposals)
      out["proposals"].push_back({{"stored", p.stored}, {"key", p.key}, {"confidence", p.confidence}, {"reason", p.reason}});
    if (!limits.empty()) out["limits"] = limits;
    std::cout << out.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
  } else {
    for (const VariableMatch& m : match.variables) {
      if (m.kind == Kind::Fits && !options.all) continue;
      std::cout << "  " << kindName(m.kind) << "  " << (m.variable.empty() ? m.key : m.variable);
      if (!m.variable.empty() && !m.key.empty() && m.key != m.variable) std::cout << " (as " << m.key << ")";
      if (m.dtype != DType::Invalid) std::cout << "  " << textOf(m.dtype, m.shape);
      if (m.dtypeStored != DType::Invalid && m.kind != Kind::Fits)
        std::cout << (m.dtype != DType::Invalid ? " / " : "  ") << textOf(m.dtypeStored, m.shapeStored);
      for (size_t i = 0; i < m.nearest.size(); ++i) std::cout << (i ? ", " : "  perhaps ") << m.nearest[i];
      std::cout << "\n";
    }
    for (const RenameProposal& p : proposals)
      std::cout << "  proposed  " << p.stored << " -> " << p.key << "  " << std::lround(p.confidence * 100) << " %: " << p.reason << "\n";
    for (const std::string& limit : limits) std::cout << "  limit reached: " << limit << "\n";
    std::cout << match.count(Kind::Fits) << " of " << match.variables.size() - size_t(match.count(Kind::Unused)) << " variables fit; the graph "
              << (match.canRestore() ? "can be restored" : "cannot be restored") << "\n";
  }
  std::cout.flush();
  return match.canRestore() ? kSame : kDifferent;
}

}  // namespace weft::cli
