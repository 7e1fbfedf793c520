// `weft parameters`: named values of a document, and fields that follow expressions.
#include <cstdio>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "weft/document_parameters.h"
#include "weft/expressions.h"
#include "weft/file_system.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kParametersUsage =
    "usage: weft parameters DOCUMENT [--list] [--json]\n"
    "       weft parameters DOCUMENT CHANGE… --out DOCUMENT [--json]\n\n"
    "Lists the named values of a document and the fields that follow expressions, or changes them. A field is a parameter of a layer (dense_1.units) or of a\n"
    "group instance, an attribute of a node (conv/Conv2D.strides), or a training setting (batch_size). Everything that depends on a changed value follows.\n\n"
    "  --set NAME=EXPRESSION     a new or changed name: width=64, rate=0.001*batch_size/32\n"
    "  --field FIELD=EXPRESSION  lets a field follow an expression: dense_1.units=2*width\n"
    "  --release FIELD           the field keeps its value and follows nothing\n"
    "  --rename OLD=NEW          renames a name, also where it is used\n"
    "  --remove NAME             removes a name that nothing uses\n"
    "  --list                    also what else can be varied, and the functions of expressions\n"
    "  --out DOCUMENT            the result; the file that was read stays as it is\n"
    "  --json                    one JSON object\n\n"
    "Expressions: + - * / // % **, < <= > >= == !=, and or not, A if CONDITION else B, lists [batch, 2*width], list[0], and functions such as min and round.\n"
    "Words stand in quotes ('SAME'); a field in a scope stands in braces ({block/dense.units}).\n";

/// Applies `act` to each NAME=VALUE of an option.
Status forPairs(const Arguments& args, const char* option, const std::function<Status(const std::string&, const std::string&)>& act) {
  for (const std::string& word : args.values(option)) {
    const size_t equals = word.find('=');
    if (equals == word.npos || equals == 0) return invalidArgument(option, " ", word, ": expected NAME=VALUE").ofKind("usage");
    WEFT_TRY(act(word.substr(0, equals), word.substr(equals + 1)));
  }
  return {};
}

Status applyChanges(const Arguments& args, LayerEditor& layers, std::vector<std::string>* notes) {
  MetaGraph& meta = layers.editor().meta();
  WEFT_TRY(forPairs(args, "--rename", [&](const auto& from, const auto& to) { return renameNamedValue(meta, from, to); }));
  WEFT_TRY(forPairs(args, "--set", [&](const auto& name, const auto& text) { return setNamedValue(meta, name, text); }));
  WEFT_TRY(forPairs(args, "--field", [&](const auto& field, const auto& text) { return setFieldExpression(meta, field, text); }));
  for (const std::string& field : args.values("--release"))
    if (!releaseField(meta, field)) return notFound(field, " follows no expression");
  for (const std::string& name : args.values("--remove")) WEFT_TRY(removeNamedValue(meta, name));
  return finishEdit(layers, notes);
}

std::map<std::string, std::string> valuesOfFields(const MetaGraph& meta) {
  std::map<std::string, std::string> out;
  for (const FollowedField& f : followedFieldsOf(meta)) out.emplace(f.field, f.result.value_or(std::string()));
  return out;
}

Json describe(const std::string& path, const MetaGraph& meta, bool all) {
  Json names = Json::array(), fields = Json::array();
  const auto values = ExpressionScope(meta).names();
  const std::vector<NamedValue> own = namedValuesOf(meta);
  for (size_t i = 0; i < own.size(); ++i) {
    Json one{{"name", own[i].name}, {"expression", own[i].expression}};
    if (values[i].second.ok()) one["value"] = values[i].second->toString();
    else one["error"] = values[i].second.error().message;
    if (!own[i].doc.empty()) one["doc"] = own[i].doc;
    names.push_back(std::move(one));
  }
  for (const FollowedField& f : followedFieldsOf(meta))
    fields.push_back({{"field", f.field}, {"expression", f.expression}, {"value", f.result.value_or(std::string())}});
  Json out{{"file", path}, {"names", std::move(names)}, {"fields", std::move(fields)}};
  if (!all) return out;
  Json parameters = Json::array(), functions = Json::array();
  for (const DocumentParameter& p : documentParameters(meta))
    if (p.group != DocumentParameter::Group::Name) parameters.push_back({{"name", p.name}, {"value", p.value}});
  for (const auto& [name, usage] : expressionFunctions()) functions.push_back(usage);
  out["parameters"] = std::move(parameters);
  out["functions"] = std::move(functions);
  return out;
}

void print(const Json& out) {
  const auto text = [](const Json& j, const char* key) { return j[key].get<std::string>(); };
  if (out["names"].empty() && out["fields"].empty()) std::cout << "There are no names, and no fields that follow expressions.\n";
  for (const char* part : {"names", "fields"})
    for (const Json& n : out[part]) {
      const std::string value = n.contains("error") ? "(" + text(n, "error") + ")" : text(n, "value"), expression = text(n, "expression");
      std::cout << text(n, part[0] == 'n' ? "name" : "field") << " = " << expression << (value == expression ? "" : "  → " + value);
      if (n.contains("doc")) std::cout << "  # " << text(n, "doc");
      std::cout << "\n";
    }
  if (!out.contains("parameters")) return;
  for (const Json& p : out["parameters"]) std::cout << "  " << text(p, "name") << " is " << text(p, "value") << "\n";
  std::cout << "functions:";
  for (const Json& f : out["functions"]) std::cout << " " << f.get<std::string>();
  std::cout << std::endl;
}

int runParameters(std::span<const std::string> raw) {
  const auto parsed = Arguments::parse(
      raw, {{"--set", true}, {"--field", true}, {"--release", true}, {"--rename", true}, {"--remove", true}, {"--out", true}, {"--list"}, {"--json"}});
  if (!parsed.ok()) return usageError("parameters", parsed.error().message);
  const Arguments& args = *parsed;
  if (args.positional().size() != 1) return usageError("parameters", "a DOCUMENT is needed");
  const std::string& path = args.positional()[0];
  bool changes = false;
  for (const char* option : {"--set", "--field", "--release", "--rename", "--remove"}) changes = changes || args.has(option);
  const auto to = args.value("--out");
  if (changes && !to) return usageError("parameters", "--out DOCUMENT is needed: the file that was read stays as it is");
  if (!changes && to) return usageError("parameters", "--out needs a change: --set, --field, --release, --rename or --remove");
  auto loaded = loadGraphFile(path);
  if (!loaded.ok()) return complain(loaded.error());
  Json out;
  if (changes) {
    const std::map<std::string, std::string> before = valuesOfFields(loaded->meta);
    GraphEditor editor(loaded->meta, loaded->problems);
    LayerEditor layers(editor);
    std::vector<std::string> notes;
    const Status status = applyChanges(args, layers, &notes);
    if (!status.ok() && status.error().kind == "usage") return usageError("parameters", status.error().message);
    if (!status.ok()) return complain(Error(status.error()).inFile(path));
    for (const std::string& note : notes) std::fprintf(stderr, "weft: %s\n", note.c_str());
    // A GraphDef has no place for names.
    const GraphFormat format = to->ends_with(".pbtxt") ? GraphFormat::MetaText : GraphFormat::MetaBinary;
    if (const Status saved = saveGraphFile(loaded->meta, format, *to); !saved.ok()) return complain(saved.error());
    Json changed = Json::array();
    for (const auto& [field, value] : valuesOfFields(loaded->meta)) {
      const auto was = before.find(field);
      if (was == before.end() || was->second != value) changed.push_back({{"field", field}, {"value", value}});
    }
    out = describe(*to, loaded->meta, args.has("--list"));
    out["changed"] = std::move(changed);
  } else {
    out = describe(path, loaded->meta, args.has("--list"));
  }
  if (args.has("--json")) std::cout << out.dump() << std::endl;
  else print(out);
  return kDone;
}

}  // namespace

extern const Command kParametersCommand;
const Command kParametersCommand = {"parameters", "named values of a document, and fields that follow expressions", kParametersUsage, runParameters};

}  // namespace weft::cli
