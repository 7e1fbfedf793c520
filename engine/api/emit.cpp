// Adds an op whose inputs may still need conversion. Types are determined in the order of the op's arguments: the first argument with a type sets
// the attribute, and later numbers and arrays take that type.
#include <algorithm>

#include "api/convert.h"
#include "graph/function_library.h"
#include "graph/indexed_slices.h"
#include "ops/grad_ops.h"

namespace weft::api {
namespace {

class Application {
 public:
  Application(GraphBuilder& b, const OpRecord& record, AttrMap attrs) : b_(b), record_(record), attrs_(std::move(attrs)) {}

  bool add(const ArgSpec& spec, const Argument& value) { return spec.numberAttr.empty() && !spec.isTypeList ? addOne(spec, value) : addList(spec, value); }

  Inputs inputs() const { return Inputs(inputs_); }
  AttrMap attrs() { return std::move(attrs_); }

 private:
  bool fail(Error e) {
    b_.fail(std::move(e));
    return false;
  }

  DType decided(const ArgSpec& spec) const {
    return spec.type != DType::Invalid ? spec.type : spec.typeAttr.empty() ? DType::Invalid : attrs_.type(spec.typeAttr);
  }

  DType defaultOf(const ArgSpec& spec) const {
    const AttrSpec* attr = spec.typeAttr.empty() ? nullptr : record_.findAttr(spec.typeAttr);
    const DType* t = attr && attr->defaultValue ? attr->defaultValue->get<DType>() : nullptr;
    return t ? *t : DType::Invalid;
  }

  bool decide(const ArgSpec& spec, DType type) {
    if (spec.typeAttr.empty() || attrs_.find(spec.typeAttr)) return true;
    const AttrSpec* attr = record_.findAttr(spec.typeAttr);
    if (attr && !attr->allowedTypes.empty() && std::find(attr->allowedTypes.begin(), attr->allowedTypes.end(), type) == attr->allowedTypes.end()) {
      std::string allowed;
      for (const DType t : attr->allowedTypes) allowed += (allowed.empty() ? "" : ", ") + dtypeName(t);
      return fail(typeError("Value passed to parameter '", spec.name, "' has DataType ", dtypeName(type), " not in list of allowed values: ", allowed));
    }
    attrs_.set(spec.typeAttr, type);
    inferredFrom_[spec.typeAttr] = spec.name;
    return true;
  }

  bool addOne(const ArgSpec& spec, const Argument& value) {
    const DType type = decided(spec);
    Output o;
    if (spec.isRef) {
      const auto* v = std::get_if<VariablePtr>(&value);
      const auto* given = std::get_if<Output>(&value);
      o = v ? (*v)->handle : given ? *given : Output{};
      if (!o.valid() || !isRef(b_.nodeAt(o.node).outputTypes.at(size_t(o.index)))) {
        return fail(typeError("'", record_.name, "' Op requires that input '", spec.name, "' be a mutable tensor (e.g.: a tf.Variable)"));
      }
    } else if (const auto* given = std::get_if<Output>(&value); given && given->valid() && !isSlices(*given)) {
      o = *given;
    } else if (spec.type == DType::Resource && std::holds_alternative<VariablePtr>(value)) {
      o = std::get<VariablePtr>(value)->handle;
    } else if (holdsTensor(value)) {
      o = toTensor(b_, value, spec.name, std::holds_alternative<VariablePtr>(value) || std::holds_alternative<Output>(value) ? DType::Invalid : type);
    } else {
      if (type != DType::Invalid) {
        // A number or array must fit the type determined so far.
        auto l = asLiteral(value);
        if (!l.ok()) return fail(l.error());
        auto t = literalValue(*l, type);
        if (!t.ok()) {
          const std::string& why = t.error().message;
          const size_t got = why.find(", got "), end = why.rfind('.');
          if (got == why.npos) return fail(t.error());
          return fail(typeError("Expected ", dtypeName(type), " passed to parameter '", spec.name, "' of op '", record_.name, "'", why.substr(got, end - got),
                                ". Error: ", why));
        }
        o = b_.constant(std::move(*t), spec.name);
      } else {
        o = toTensor(b_, value, spec.name, DType::Invalid, defaultOf(spec));
      }
    }
    if (!b_.ok()) return false;
    const DType got = b_.dtype(o);
    if (type != DType::Invalid && got != type) {
      if (spec.type != DType::Invalid)
        return fail(typeError("Input '", spec.name, "' of '", record_.name, "' Op has type ", dtypeName(got), " that does not match expected type of ",
                              dtypeName(type), "."));
      const auto from = inferredFrom_.find(spec.typeAttr);
      return fail(typeError("Input '", spec.name, "' of '", record_.name, "' Op has type ", dtypeName(got), " that does not match type ", dtypeName(type),
                            " of argument '", from == inferredFrom_.end() ? spec.typeAttr : from->second, "'."));
    }
    inputs_.push_back(o);
    return decide(spec, got);
  }

  bool addList(const ArgSpec& spec, const Argument& value) {
    const bool isList = std::holds_alternative<ArgumentList>(value) || std::holds_alternative<std::vector<Output>>(value) ||
                        std::holds_alternative<std::vector<int64_t>>(value) || (std::get_if<Literal>(&value) && std::get<Literal>(value).value.rank() > 0);
    if (!isList) return fail(typeError("Expected list for '", spec.name, "' argument to '", record_.name, "' Op, not ", argumentToText(value), "."));
    const ArgumentList list = items(value);
    DType type = spec.isTypeList ? DType::Invalid : decided(spec);
    if (type == DType::Invalid && !spec.isTypeList) {
      for (const Argument& item : list) {
        if (const auto* o = std::get_if<Output>(&item)) {
          type = b_.dtype(*o);
          break;
        }
      }
    }
    std::vector<Output> all;
    std::vector<DType> types;
    for (size_t i = 0; i < list.size(); ++i) {
      const auto* v = std::get_if<VariablePtr>(&list[i]);
      const std::string name = spec.name + "_" + std::to_string(i);
      Output o;
      if (spec.isRef || (spec.type == DType::Resource && v)) o = v ? (*v)->handle : toTensor(b_, list[i], name);
      else if (holdsTensor(list[i])) o = toTensor(b_, list[i], name);
      else o = toTensor(b_, list[i], name, type, type == DType::Invalid ? defaultOf(spec) : DType::Invalid);
      if (!b_.ok()) return false;
      all.push_back(o);
      types.push_back(b_.dtype(o));
    }
    if (spec.isTypeList) {
      if (!attrs_.find(spec.typeAttr)) attrs_.set(spec.typeAttr, types);
    } else {
      if (type == DType::Invalid && !types.empty()) type = types[0];
      if (std::any_of(types.begin(), types.end(), [&](DType t) { return t != type; })) {
        std::string observed;
        for (const DType t : types) observed += (observed.empty() ? "" : ", ") + dtypeName(t);
        const std::string prefix = "Tensors in list passed to '" + spec.name + "' of '" + record_.name + "' Op have types [" + observed + "]";
        if (spec.type != DType::Invalid) return fail(typeError(prefix, " that do not match expected type ", dtypeName(type), "."));
        if (attrs_.find(spec.typeAttr)) return fail(typeError(prefix, " that do not match type ", dtypeName(type), " inferred from earlier arguments."));
        return fail(typeError(prefix, " that don't all match."));
      }
      if (const Attr* n = attrs_.find(spec.numberAttr)) {
        const int64_t* length = n->get<int64_t>();
        if (length && *length != int64_t(all.size()))
          return fail(invalidArgument("List argument '", spec.name, "' to '", record_.name, "' Op with length ", all.size(), " must match length ", *length,
                                      " of argument '", inferredFrom_[spec.numberAttr], "'."));
      } else {
        const AttrSpec* attr = record_.findAttr(spec.numberAttr);
        if (attr && attr->hasMinimum && int64_t(all.size()) < attr->minimum)
          return fail(invalidArgument("List argument '", spec.name, "' to '", record_.name, "' Op with length ", all.size(), " shorter than minimum length ",
                                      attr->minimum, "."));
        attrs_.set(spec.numberAttr, int64_t(all.size()));
        inferredFrom_[spec.numberAttr] = spec.name;
      }
      if (type != DType::Invalid && !decide(spec, type)) return false;
    }
    inputs_.insert(inputs_.end(), all.begin(), all.end());
    return true;
  }

  GraphBuilder& b_;
  const OpRecord& record_;
  AttrMap attrs_;
  std::vector<Output> inputs_;
  std::map<std::string, std::string> inferredFrom_;
};

// Whether converting it to a tensor adds nodes.
bool addsNodes(const ArgSpec& spec, const Argument& a) {
  if (const auto* o = std::get_if<Output>(&a)) return isSlices(*o);
  if (const auto* v = std::get_if<VariablePtr>(&a)) return (*v)->resource && spec.type != DType::Resource;
  if (std::holds_alternative<std::vector<Output>>(a)) return spec.numberAttr.empty() && !spec.isTypeList;
  if (const auto* list = std::get_if<ArgumentList>(&a); list && (!spec.numberAttr.empty() || spec.isTypeList)) {
    return std::any_of(list->begin(), list->end(), [&](const Argument& item) { return !std::holds_alternative<Output>(item) || addsNodes({}, item); });
  }
  return true;
}

}  // namespace

int emitNode(GraphBuilder& b, std::string_view op, const ArgumentList& inputs, AttrMap attrs, std::string_view name) {
  if (!b.ok()) return -1;
  const OpRecord* record = recordOf(b.graph(), op);
  if (!record) {
    b.fail(notFound("Op type not registered '", op, "'"));
    return -1;
  }
  if (inputs.size() != record->inputs.size()) {
    b.fail(internalError("Op '", op, "' was given ", inputs.size(), " arguments, expected ", record->inputs.size()));
    return -1;
  }
  bool converts = false;
  for (size_t i = 0; i < inputs.size(); ++i) converts = converts || addsNodes(record->inputs[i], inputs[i]);
  std::optional<py::Scope> scope;
  if (converts) scope.emplace(b, name.empty() ? op : name);
  Application application(b, *record, std::move(attrs));
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!application.add(record->inputs[i], inputs[i])) return -1;
  }
  const Inputs made = application.inputs();
  return b.node(op, made, application.attrs(), scope ? std::string_view(scope->name()) : name);
}

}  // namespace weft::api
