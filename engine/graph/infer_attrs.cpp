#include <algorithm>
#include <map>

#include "graph/builder_impl.h"

namespace weft {
namespace {

std::string nameList(const std::vector<DType>& types) {
  std::string out;
  for (DType t : types) out += (out.empty() ? "" : ", ") + dtypeName(t);
  return out;
}

// Number of inputs per unit of each length attribute: two for "N" of DynamicStitch.
struct Counts {
  std::map<std::string, int> perAttr;
  int fixed = 0;
};

Counts countsOf(const OpRecord& record, const AttrMap& attrs) {
  Counts out;
  for (const ArgSpec& a : record.inputs) {
    if (a.isTypeList) {
      const Attr* known = attrs.find(a.typeAttr);
      if (!known) out.perAttr[a.typeAttr] += 1;
      else out.fixed += int(attrs.list<DType>(a.typeAttr).size());
    } else if (!a.numberAttr.empty()) {
      if (attrs.find(a.numberAttr)) out.fixed += int(attrs.integer(a.numberAttr));
      else out.perAttr[a.numberAttr] += 1;
    } else {
      ++out.fixed;
    }
  }
  return out;
}

}  // namespace

Status inferAttrs(const OpRecord& record, const std::vector<DType>& given, AttrMap& attrs) {
  const Counts counts = countsOf(record, attrs);
  const int rest = int(given.size()) - counts.fixed;
  int length = 0;
  if (counts.perAttr.size() > 1) {
    return invalidArgument("Op '", record.name, "' has several lists among its inputs; say their lengths or types by attributes");
  }
  if (counts.perAttr.empty() ? rest != 0 : rest < 0 || rest % counts.perAttr.begin()->second != 0) {
    return invalidArgument("Op '", record.name, "' was given ", given.size(), " inputs, expected ", counts.perAttr.empty() ? "" : "at least ", counts.fixed);
  }
  if (!counts.perAttr.empty()) length = rest / counts.perAttr.begin()->second;

  size_t at = 0;
  std::map<std::string, std::string> decidedBy;  // attribute -> the argument that determined it first
  for (const ArgSpec& a : record.inputs) {
    int n = 1;
    if (a.isTypeList) {
      if (!attrs.find(a.typeAttr)) {
        std::vector<DType> types;
        for (int i = 0; i < length; ++i) types.push_back(baseType(given[at + size_t(i)]));
        attrs.set(a.typeAttr, std::move(types));
      }
      at += attrs.list<DType>(a.typeAttr).size();
      continue;
    }
    if (!a.numberAttr.empty()) {
      n = attrs.find(a.numberAttr) ? int(attrs.integer(a.numberAttr)) : length;
      attrs.set(a.numberAttr, int64_t(n));
    }
    for (int i = 0; i < n && at < given.size(); ++i, ++at) {
      const DType t = given[at];
      if (a.isRef && !isRef(t)) {
        return invalidArgument("'", record.name, "' Op requires that input '", a.name, "' be a mutable tensor (e.g.: a tf.Variable)");
      }
      const DType base = baseType(t);
      if (a.typeAttr.empty()) {
        if (base != baseType(a.type)) {
          return invalidArgument("Input '", a.name, "' of '", record.name, "' Op has type ", dtypeName(base), " that does not match expected type of ",
                                 dtypeName(a.type), ".");
        }
        continue;
      }
      if (!attrs.find(a.typeAttr)) {
        const AttrSpec* spec = record.findAttr(a.typeAttr);
        if (spec && !spec->allowedTypes.empty() && std::find(spec->allowedTypes.begin(), spec->allowedTypes.end(), base) == spec->allowedTypes.end()) {
          return invalidArgument("Value passed to parameter '", a.name, "' has DataType ", dtypeName(base),
                                 " not in list of allowed values: ", nameList(spec->allowedTypes))
              .ofKind("TypeError");
        }
        attrs.set(a.typeAttr, base);
        decidedBy[a.typeAttr] = a.name;
        continue;
      }
      const DType want = attrs.type(a.typeAttr);
      if (base != want) {
        const auto first = decidedBy.find(a.typeAttr);
        if (first == decidedBy.end()) {
          return invalidArgument("Input '", a.name, "' of '", record.name, "' Op has type ", dtypeName(base), " that does not match expected type of ",
                                 dtypeName(want), ".")
              .ofKind("TypeError");
        }
        return invalidArgument("Input '", a.name, "' of '", record.name, "' Op has type ", dtypeName(base), " that does not match type ", dtypeName(want),
                               " of argument '", first->second, "'.")
            .ofKind("TypeError");
      }
    }
  }
  return {};
}

}  // namespace weft
