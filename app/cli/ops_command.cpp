#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/arguments.h"
#include "cli/command.h"
#include "weft/op.h"
#include "weft/session.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string typeOf(const ArgSpec& arg) {
  std::string type = !arg.typeAttr.empty() ? arg.typeAttr : dtypeName(arg.type);
  if (!arg.numberAttr.empty()) type = arg.numberAttr + " * " + type;
  return arg.isRef ? "Ref(" + type + ")" : type;
}

std::string allowedOf(const AttrSpec& attr) {
  std::string out;
  for (DType t : attr.allowedTypes) out += (out.empty() ? "" : ", ") + dtypeName(t);
  for (const std::string& s : attr.allowedStrings) out += (out.empty() ? "'" : ", '") + s + "'";
  return out;
}

std::vector<std::string> devicesOf(const OpRecord& op) {
  std::set<std::string> devices;
  for (const KernelRecord& k : op.kernels) devices.insert(k.device);
  return {devices.begin(), devices.end()};
}

std::string gradientOf(const OpRecord& op) {
  if (op.gradientFunction) return "yes";
  return "none: " + (op.noGradientReason.empty() ? std::string("not differentiable") : op.noGradientReason);
}

Json argsToJson(const std::vector<ArgSpec>& args) {
  Json list = Json::array();
  for (const ArgSpec& a : args) list.push_back({{"name", a.name}, {"type", typeOf(a)}, {"doc", a.doc}});
  return list;
}

Json kernelsToJson(const OpRecord& op) {
  Json list = Json::array();
  for (const KernelRecord& k : op.kernels) {
    Json types = Json::object();
    for (const KernelConstraint& c : k.constraints) {
      for (DType t : c.types) types[c.attr].push_back(dtypeName(t));
    }
    list.push_back({{"device", k.device}, {"types", std::move(types)}, {"host_memory", k.hostMemory}});
  }
  return list;
}

Json toJson(const OpRecord& op) {
  Json attrs = Json::array();
  for (const AttrSpec& a : op.attrs) {
    Json j = {{"name", a.name}, {"type", a.type}};
    if (a.defaultValue) j["default"] = a.defaultValue->toString();
    if (a.hasMinimum) j["minimum"] = a.minimum;
    if (const std::string allowed = allowedOf(a); !allowed.empty()) j["allowed"] = allowed;
    j["doc"] = a.doc;
    attrs.push_back(std::move(j));
  }
  Json j = {{"name", op.name},
            {"category", op.categoryName},
            {"summary", op.summaryText},
            {"description", op.descriptionText},
            {"keywords", op.keywordText},
            {"signature", op.signature()},
            {"inputs", argsToJson(op.inputs)},
            {"outputs", argsToJson(op.outputs)},
            {"attrs", std::move(attrs)},
            {"stateful", op.isStateful},
            {"gradient", gradientOf(op)},
            {"devices", devicesOf(op)},
            {"kernels", kernelsToJson(op)}};
  if (op.deprecatedSince) j["deprecated"] = {{"since", op.deprecatedSince}, {"why", op.deprecation}};
  return j;
}

void printArgs(const char* title, const std::vector<ArgSpec>& args) {
  if (args.empty()) return;
  std::cout << "\n" << title << "\n";
  for (const ArgSpec& a : args) std::cout << "  " << a.name << ": " << typeOf(a) << (a.doc.empty() ? "" : "  " + a.doc) << "\n";
}

void printOne(const OpRecord& op) {
  std::cout << op.name << "  (" << op.categoryName << ")\n" << op.summaryText << "\n";
  if (!op.descriptionText.empty()) std::cout << "\n" << op.descriptionText << "\n";
  printArgs("inputs", op.inputs);
  printArgs("outputs", op.outputs);
  if (!op.attrs.empty()) std::cout << "\nattributes\n";
  for (const AttrSpec& a : op.attrs) {
    std::cout << "  " << a.name << ": " << a.type;
    if (a.defaultValue) std::cout << " = " << a.defaultValue->toString();
    if (a.hasMinimum) std::cout << ", at least " << a.minimum;
    if (const std::string allowed = allowedOf(a); !allowed.empty()) std::cout << ", one of " << allowed;
    std::cout << (a.doc.empty() ? "" : "  " + a.doc) << "\n";
  }
  std::cout << "\ngradient   " << gradientOf(op) << "\ndevices   ";
  for (const std::string& d : devicesOf(op)) std::cout << " " << d;
  std::cout << "\n" << op.signature() << "\n";
}

int runOps(std::span<const std::string> raw) {
  auto arguments = Arguments::parse(raw, {{"--json"}});
  if (!arguments.ok()) return usageError("ops", arguments.error().message);
  const bool json = arguments->has("--json");
  const auto& names = arguments->positional();
  if (names.size() > 1) return usageError("ops", "more than one op is named");
  const OpRegistry& registry = OpRegistry::instance();
  if (json || !names.empty()) availableDevices();  // GPUs bring kernels along
  if (names.size() == 1) {
    const OpRecord* op = registry.find(names[0]);
    if (!op) return complain(concat(names[0], ": this engine does not know the op; `weft ops` lists the ", registry.all().size(), " that it knows"));
    if (json) std::cout << toJson(*op).dump() << "\n";
    else printOne(*op);
    return kDone;
  }
  if (json) {
    Json list = Json::array();
    for (const OpRecord* op : registry.all()) list.push_back(toJson(*op));
    std::cout << list.dump() << "\n";
    return kDone;
  }
  for (const OpRecord* op : registry.all())
    std::cout << op->name << std::string(op->name.size() < 34 ? 34 - op->name.size() : 1, ' ') << op->summaryText << "\n";
  return kDone;
}

}  // namespace

extern const Command kOpsCommand;
const Command kOpsCommand = {"ops", "list the ops, or say what one does",
                             "usage: weft ops [NAME] [--json]\n\n"
                             "Without NAME: one line per op that the engine knows. With NAME: its documentation, inputs, outputs,\n"
                             "attributes, gradient and devices. --json: the same as one JSON document, with the types and host arguments of each kernel.\n",
                             runOps};

}  // namespace weft::cli
