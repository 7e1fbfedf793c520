// `weft groups`: groups as functions, as the window edits them.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "weft/builder.h"
#include "weft/expressions.h"
#include "weft/file_system.h"
#include "weft/fold.h"
#include "weft/graph_commands.h"
#include "weft/groups.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

constexpr const char* kGroupsUsage =
    "usage: weft groups GRAPH [--json]\n"
    "       weft groups GRAPH VERB WORDS… --out GRAPH\n"
    "       weft groups --bench INSTANCES [--out GRAPH] [--json]\n\n"
    "Lists the groups of a document or library with their instances, or changes them. A group is a part of a graph with typed inputs and outputs and with\n"
    "parameters; its instances are scopes that follow it.\n\n"
    "  make NAME NODE…                       a group of nodes or scopes\n"
    "  insert GROUP [SCOPE] [PORT=TENSOR]…   another instance; --set gives values\n"
    "  connect SCOPE PORT TENSOR             connects an input\n"
    "  set SCOPE PARAMETER=VALUE…            values of one instance\n"
    "  reset SCOPE [PARAMETER]               back to the group's values\n"
    "  expose GROUP NODE.ATTRIBUTE [NAME]    makes a place inside a parameter\n"
    "  declare GROUP NAME=VALUE…             a parameter for the expressions of fields inside (weft parameters)\n"
    "  hide GROUP PARAMETER                  removes a parameter\n"
    "  default GROUP PARAMETER=VALUE…        all instances without a value of their own follow\n"
    "  update SCOPE                          the inside of this instance becomes the group's\n"
    "  restore SCOPE…                        builds instances again\n"
    "  detach SCOPE…                         they become plain scopes\n"
    "  rename GROUP NAME, remove GROUP\n"
    "  to-function SCOPE…                    a function of the graph, and a node that calls it\n"
    "  inline NODE…                          ops again\n"
    "  save LIBRARY [GROUP…]                 writes groups to a file of their own (no --out)\n"
    "  fold [SCOPE…]                         plain ops that are exactly a layer become that layer, and scopes that are alike a group; without --out, says\n"
    "                                        what could be folded\n"
    "  take LIBRARY GROUP [replace]          adds a library's group to the document\n\n"
    "  --set NAME=VALUE   for insert\n"
    "  --bench N          times a change that N instances follow\n"
    "  --json             one JSON object\n";

bool split(const std::string& word, std::string* name, std::string* value) {
  const size_t equals = word.find('=');
  if (equals == word.npos || equals == 0) return false;
  *name = word.substr(0, equals);
  *value = word.substr(equals + 1);
  return true;
}

Error needs(const char* what) { return invalidArgument(what).ofKind("usage"); }

/// Calls `act` for each NAME=VALUE from word `from` on.
Status forSettings(const Words& w, size_t from, const std::function<Status(const std::string&, const std::string&)>& act) {
  if (w.size() <= from) return needs("expected NAME=VALUE");
  for (size_t i = from; i < w.size(); ++i) {
    std::string name, value;
    if (!split(w[i], &name, &value)) return invalidArgument(w[i], ": expected NAME=VALUE").ofKind("usage");
    WEFT_TRY(act(name, value));
  }
  return {};
}

Status forAll(const Words& w, const std::function<Status(const std::string&)>& act) {
  if (w.empty()) return needs("expected a name");
  for (const std::string& name : w) WEFT_TRY(act(name));
  return {};
}

Status change(LayerEditor& layers, GroupEditor& groups, const std::string& verb, const Words& w, const TextAttrs& set) {
  const auto word = [&](size_t i) { return i < w.size() ? w[i] : std::string(); };
  if (verb == "make") {
    if (w.size() < 2) return needs("make takes NAME NODE…");
    WEFT_LET(const auto ids, nodesNamed(layers.editor().graph(), Words(w.begin() + 1, w.end())));
    return groups.make(ids, w[0]).status();
  }
  if (verb == "insert") {
    if (w.empty()) return needs("insert takes GROUP [SCOPE] [PORT=TENSOR]…");
    TextAttrs inputs;
    std::string scope, port, tensor;
    for (size_t i = 1; i < w.size(); ++i) {
      if (split(w[i], &port, &tensor)) inputs.emplace_back(port, tensor);
      else scope = w[i];
    }
    return groups.insert(w[0], scope, inputs, set).status();
  }
  if (verb == "connect") return w.size() == 3 ? groups.connect(w[0], w[1], w[2]) : Status(needs("connect takes SCOPE PORT TENSOR"));
  if (verb == "set") return forSettings(w, 1, [&](const auto& name, const auto& value) { return groups.setParameter(w[0], name, value); });
  if (verb == "default")
    return forSettings(w, 1,
                       [&](const auto& name, const auto& value) { return name == "doc" ? groups.setDoc(w[0], value) : groups.setDefault(w[0], name, value); });
  if (verb == "reset") return w.empty() ? Status(needs("reset takes SCOPE [PARAMETER]")) : groups.reset(w[0], word(1));
  if (verb == "expose") return w.size() < 2 ? Status(needs("expose takes GROUP NODE.ATTRIBUTE [NAME]")) : groups.addParameter(w[0], word(2), w[1]);
  if (verb == "declare")
    return w.size() < 2 ? Status(needs("declare takes GROUP NAME=VALUE…"))
                        : forSettings(w, 1, [&](const auto& name, const auto& value) { return groups.declareParameter(w[0], name, value); });
  if (verb == "hide") return w.size() == 2 ? groups.removeParameter(w[0], w[1]) : Status(needs("hide takes GROUP PARAMETER"));
  if (verb == "update") return w.size() == 1 ? groups.updateFrom(w[0]) : Status(needs("update takes SCOPE"));
  if (verb == "restore") return forAll(w, [&](const std::string& n) { return groups.restore(n); });
  if (verb == "detach") return forAll(w, [&](const std::string& n) { return groups.detach(n); });
  if (verb == "rename") return w.size() == 2 ? groups.rename(w[0], w[1]) : Status(needs("rename takes GROUP NAME"));
  if (verb == "remove") return forAll(w, [&](const std::string& n) { return groups.remove(n); });
  if (verb == "to-function") return forAll(w, [&](const std::string& n) { return groups.toFunction(n); });
  if (verb == "inline") return forAll(w, [&](const std::string& n) { return groups.inlineCall(n); });
  if (verb == "take") {
    if (w.size() < 2) return needs("take takes LIBRARY GROUP [replace]");
    WEFT_LET(const auto all, readGroupLibrary(w[0]));
    for (const GroupDefinition& d : all)
      if (d.name == w[1]) return groups.take(d, all, word(2) == "replace");
    return Error(notFound("There is no group ", w[1], " in this library")).inFile(w[0]);
  }
  return invalidArgument(verb, " is no verb; weft groups --help lists them").ofKind("usage");
}

Json portsJson(const std::vector<GroupPort>& ports) {
  Json out = Json::array();
  for (const GroupPort& p : ports) out.push_back({{"name", p.name}, {"dtype", std::string(dtypeName(p.type))}, {"shape", p.shape.toString()}});
  return out;
}

int list(const std::string& path, const MetaGraph& meta, bool json) {
  Json groups = Json::array();
  const auto instances = groupInstancesOf(meta);
  for (const GroupDefinition& d : groupsOf(meta)) {
    Json parameters = Json::array(), own = Json::array(), follows = Json::array();
    for (const FollowedField& f : groupExpressions(d)) follows.push_back({{"field", f.field}, {"expression", f.expression}});
    for (const GroupParameter& p : d.parameters) parameters.push_back({{"name", p.name}, {"type", p.type}, {"value", p.value}, {"targets", p.targets}});
    for (const GroupInstance& i : instances)
      if (i.group == d.name) own.push_back({{"scope", i.scope}, {"version", i.version}, {"values", i.overrides}, {"aside", i.aside}});
    groups.push_back({{"name", d.name},
                      {"version", d.version},
                      {"doc", d.doc},
                      {"inputs", portsJson(d.inputs)},
                      {"outputs", portsJson(d.outputs)},
                      {"parameters", parameters},
                      {"follows", follows},
                      {"instances", own}});
  }
  if (json) {
    std::cout << Json{{"file", path}, {"groups", groups}}.dump() << std::endl;
    return kDone;
  }
  if (groups.empty()) std::cout << "There are no groups." << std::endl;
  for (const Json& g : groups) {
    std::cout << g["name"].get<std::string>() << "  (version " << g["version"] << ", instances: " << g["instances"].size() << ")\n";
    for (const char* side : {"inputs", "outputs"})
      for (const Json& p : g[side])
        std::cout << (side[0] == 'i' ? "  in   " : "  out  ") << p["name"].get<std::string>() << "  " << p["dtype"].get<std::string>() << " "
                  << p["shape"].get<std::string>() << "\n";
    for (const Json& p : g["parameters"]) {
      std::cout << "  set  " << p["name"].get<std::string>() << " = " << p["value"].get<std::string>();
      for (size_t i = 0; i < p["targets"].size(); ++i) std::cout << (i ? ", " : "  (") << p["targets"][i].get<std::string>();
      std::cout << (p["targets"].empty() ? "\n" : ")\n");
    }
    for (const Json& f : g["follows"]) std::cout << "  fx   " << f["field"].get<std::string>() << " = " << f["expression"].get<std::string>() << "\n";
    for (const Json& i : g["instances"]) {
      std::cout << "       " << i["scope"].get<std::string>();
      for (const auto& [name, value] : i["values"].items()) std::cout << "  " << name << "=" << value.get<std::string>();
      for (const auto& [name, value] : i["aside"].items()) std::cout << "  (aside: " << name << "=" << value.get<std::string>() << ")";
      std::cout << "\n";
    }
  }
  return kDone;
}

Json foldJson(const std::string& path, const FoldReport& report) {
  Json folded = Json::array(), left = Json::array();
  for (const FoldProposal& p : report.proposals) {
    Json parameters = Json::object();
    for (const auto& [name, value] : p.parameters) parameters[name] = value;
    Json one{{"scope", p.scope}, {"into", p.form == FoldProposal::Kind::Layer ? "layer" : "group"}, {"kind", p.kind}};
    if (p.form == FoldProposal::Kind::Layer) {
      one.update(
          {{"parameters", parameters}, {"inputs", p.inputs}, {"outputs", p.outputs}, {"nodes", p.nodes}, {"variables", p.variables}, {"moved", p.moved}});
    } else {
      one["instances"] = p.instances;
    }
    folded.push_back(std::move(one));
  }
  for (const FoldLeft& l : report.left) left.push_back({{"node", l.node}, {"reason", l.reason}});
  return {{"file", path}, {"folded", folded}, {"left", left}};
}

/// What was folded, or could be, and what stays.
void printFold(const Json& out) {
  const auto text = [](const Json& j, const char* key) { return j[key].get<std::string>(); };
  for (const Json& p : out["folded"]) {
    std::cout << text(p, "scope") << "  " << text(p, "into") << " " << text(p, "kind");
    if (p.contains("instances")) std::cout << "  ×" << p["instances"].size();
    if (p.contains("parameters"))
      for (const auto& [name, value] : p["parameters"].items()) std::cout << "  " << name << "=" << value.get<std::string>();
    if (p.contains("moved") && !p["moved"].empty()) std::cout << "  (ops move into this scope: " << p["moved"].size() << ")";
    std::cout << "\n";
  }
  if (out["folded"].empty()) std::cout << "Nothing is exactly a layer.\n";
  for (const Json& l : out["left"]) std::cout << "stays: " << text(l, "node") << (text(l, "node").empty() ? "" : ": ") << text(l, "reason") << "\n";
  std::cout << std::flush;
}

/// One edit of a graph, as the window makes it; returns its milliseconds.
Result<double> timed(MetaGraph& meta, const std::function<Status(LayerEditor&, GroupEditor&)>& act) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Error> problems;
  GraphEditor editor(meta, problems);
  LayerEditor layers(editor);
  GroupEditor groups(layers);
  WEFT_TRY(act(layers, groups));
  WEFT_TRY(layers.finish());
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// A group with a dense layer and plain ops; many instances follow three kinds of change.
int bench(int64_t count, const std::optional<std::string>& path, bool json) {
  MetaGraph meta;
  GraphBuilder b(meta);
  b.placeholder(DType::Float, Shape{-1, 16}, "x");
  const auto run = [&]() -> Result<Json> {
    WEFT_TRY(timed(meta, [](LayerEditor& l, GroupEditor& g) -> Status {
               WEFT_TRY(l.add(*ApiRegistry::instance().findLayer("layers.dense"), "block/dense", {{"units", "16"}}, {{"", "x:0"}}).status());
               WEFT_LET(const int elu, l.editor().add("Elu", "block/elu"));
               WEFT_LET(const Output from, l.editor().output(l.find("block/dense")->outputs[0]));
               WEFT_TRY(l.editor().connect(from, {elu, 0, false}));
               WEFT_LET(const int scale, l.editor().add("Mul", "block/scaled"));
               WEFT_TRY(l.editor().connect({elu, 0}, {scale, 0, false}));
               WEFT_LET(const int factor, l.editor().add("Const", "block/factor", {{"value", "0.5"}, {"dtype", "float32"}}));
               WEFT_TRY(l.editor().connect({factor, 0}, {scale, 1, false}));
               WEFT_TRY(l.finish());
               WEFT_LET(const auto ids, nodesNamed(l.editor().graph(), {"block"}));
               WEFT_TRY(g.make(ids, "block").status());
               WEFT_TRY(g.addParameter("block", "width", "dense.units"));
               return g.addParameter("block", "factor", "factor.value");
             }).status());
    WEFT_LET(const double inserted, timed(meta, [&](LayerEditor&, GroupEditor& g) -> Status {
               for (int64_t i = 1; i < count; ++i) WEFT_TRY(g.insert("block", concat("block_", i), {{"", "x:0"}}).status());
               return {};
             }));
    Json out{{"instances", groupInstancesOf(meta).size()}, {"nodes", meta.graph.nodeCount()}, {"insert_ms", inserted}};
    WEFT_LET(out["constant_ms"], timed(meta, [](LayerEditor&, GroupEditor& g) { return g.setDefault("block", "factor", "0.25"); }));
    WEFT_LET(out["layer_ms"], timed(meta, [](LayerEditor&, GroupEditor& g) { return g.setDefault("block", "width", "32"); }));
    WEFT_LET(out["structure_ms"], timed(meta, [](LayerEditor& l, GroupEditor& g) -> Status {
               WEFT_TRY(l.editor().replace(l.editor().graph().find("block/elu")->id, "Relu").status());
               return g.updateFrom("block");
             }));
    return out;
  };
  const auto out = run();
  if (!out.ok()) return complain(out.error());
  if (path)
    if (const Status saved = saveGraphFile(meta, GraphFormat::MetaBinary, *path); !saved.ok()) return complain(saved.error());
  if (json) std::cout << out->dump() << std::endl;
  else
    std::printf("%d instances, %d nodes: inserted in %.0f ms; following a constant %.0f ms, a layer's units %.0f ms, another op %.0f ms\n",
                (*out)["instances"].get<int>(), (*out)["nodes"].get<int>(), (*out)["insert_ms"].get<double>(), (*out)["constant_ms"].get<double>(),
                (*out)["layer_ms"].get<double>(), (*out)["structure_ms"].get<double>());
  return kDone;
}

int runGroups(std::span<const std::string> raw) {
  const auto parsed = Arguments::parse(raw, {{"--out", true}, {"--set", true}, {"--bench", true}, {"--json"}});
  if (!parsed.ok()) return usageError("groups", parsed.error().message);
  const Arguments& args = *parsed;
  const auto count = args.integer("--bench", 0, 2, 1000000);
  if (!count.ok()) return usageError("groups", count.error().message);
  if (args.has("--bench"))
    return args.positional().empty() ? bench(*count, args.value("--out"), args.has("--json")) : usageError("groups", "--bench takes no file");
  if (args.positional().empty()) return usageError("groups", "a GRAPH is needed");
  const std::string& path = args.positional()[0];
  auto loaded = loadGraphFile(path);
  if (!loaded.ok()) return complain(loaded.error());
  if (args.positional().size() == 1) return list(path, loaded->meta, args.has("--json"));
  const std::string& verb = args.positional()[1];
  const Words words(args.positional().begin() + 2, args.positional().end());
  if (verb == "save") {
    if (words.empty()) return usageError("groups", "save takes LIBRARY [GROUP…]");
    const Status saved = writeGroupLibrary(words[0], groupsOf(loaded->meta), Words(words.begin() + 1, words.end()));
    return saved.ok() ? int(kDone) : complain(Error(saved.error()).inFile(path));
  }
  const auto out = args.value("--out");
  if (verb == "fold" && !out) {
    FoldReport report = findFolds(loaded->meta);
    std::erase_if(report.proposals, [&](const FoldProposal& p) { return !words.empty() && !std::count(words.begin(), words.end(), p.scope); });
    if (args.has("--json")) std::cout << foldJson(path, report).dump() << std::endl;
    else printFold(foldJson(path, report));
    return kDone;
  }
  if (!out) return usageError("groups", "--out GRAPH is needed: the file that was read stays as it is");
  TextAttrs set;
  for (const std::string& word : args.values("--set")) {
    std::string name, value;
    if (!split(word, &name, &value)) return usageError("groups", "--set " + word + ": expected NAME=VALUE");
    set.emplace_back(name, value);
  }
  GraphEditor editor(loaded->meta, loaded->problems);
  LayerEditor layers(editor);
  GroupEditor groups(layers);
  FoldReport folded;
  const auto foldNow = [&]() -> Status {
    WEFT_LET(folded, fold(layers, words));
    return {};
  };
  Status status = verb == "fold" ? foldNow() : change(layers, groups, verb, words, set);
  if (!status.ok() && status.error().kind == "usage") return usageError("groups", status.error().message);
  std::vector<std::string> notes;
  if (status.ok()) status = finishEdit(layers, &notes);
  if (!status.ok()) return complain(Error(status.error()).inFile(path));
  for (const std::vector<std::string>* all : {&groups.notes(), static_cast<const std::vector<std::string>*>(&notes)})
    for (const std::string& note : *all) std::fprintf(stderr, "weft: %s\n", note.c_str());
  // A GraphDef has no place for groups.
  const GraphFormat format = out->ends_with(".pbtxt") ? GraphFormat::MetaText : GraphFormat::MetaBinary;
  if (const Status saved = saveGraphFile(loaded->meta, format, *out); !saved.ok()) return complain(saved.error());
  if (verb == "fold" && args.has("--json")) std::cout << foldJson(*out, folded).dump() << std::endl;
  else if (verb == "fold") printFold(foldJson(*out, folded));
  return kDone;
}

}  // namespace

extern const Command kGroupsCommand;
const Command kGroupsCommand = {"groups", "make, insert and change groups of a graph, and libraries of them", kGroupsUsage, runGroups};

}  // namespace weft::cli
