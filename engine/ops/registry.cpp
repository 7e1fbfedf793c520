#include "ops/registry.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <unordered_map>

#include "weft/mutex.h"
#include "weft/program_ops.h"

namespace weft {

// Declared only here, so that a new family does not recompile others.
#define WEFT_OPS(name) void register##name(OpRegistry& ops);
#include "ops/op_list.inc"
#undef WEFT_OPS

struct OpRegistry::Impl {
  std::unordered_map<std::string, std::unique_ptr<OpRecord>> ops;
};

namespace {

// What programs register while other threads look ops up. Kept until the process ends.
struct ProgramOps {
  std::atomic<bool> any = false, anyGradient = false;
  Mutex mutex;
  std::unordered_map<std::string, std::unique_ptr<OpRecord>> ops WEFT_GUARDED_BY(mutex), gradients WEFT_GUARDED_BY(mutex);
};

ProgramOps& programOps() {
  static auto* const ops = new ProgramOps;
  return *ops;
}

OpRecord* findProgramOp(const std::string& name) {
  ProgramOps& more = programOps();
  if (!more.any) return nullptr;
  const MutexLock lock(more.mutex);
  const auto it = more.ops.find(name);
  return it == more.ops.end() ? nullptr : it->second.get();
}

}  // namespace

OpRegistry::OpRegistry() : impl_(std::make_shared<Impl>()) {}

OpRegistry& OpRegistry::instance() {
  static OpRegistry* const registry = [] {
    auto* r = new OpRegistry;
#define WEFT_OPS(name) register##name(*r);
#include "ops/op_list.inc"
#undef WEFT_OPS
    return r;
  }();
  return *registry;
}

const OpRecord* OpRegistry::find(std::string_view name) const {
  const std::string key(name);
  if (const auto it = impl_->ops.find(key); it != impl_->ops.end()) return it->second.get();
  return findProgramOp(key);
}

Status registerProgramOp(OpRecord record) {
  std::string name = record.name;
  if (OpRegistry::instance().find(name)) return alreadyExists("Op with name ", name);
  ProgramOps& more = programOps();
  const MutexLock lock(more.mutex);
  if (!more.ops.try_emplace(name, std::make_unique<OpRecord>(std::move(record))).second) return alreadyExists("Op with name ", name);
  more.any = true;
  return {};
}

OpRecord* programGradient(const std::string& name, bool add) {
  ProgramOps& more = programOps();
  if (!add && !more.anyGradient) return nullptr;
  const MutexLock lock(more.mutex);
  const auto it = more.gradients.find(name);
  if (it != more.gradients.end() || !add) return it == more.gradients.end() ? nullptr : it->second.get();
  more.anyGradient = true;
  auto made = std::make_unique<OpRecord>();
  made->name = name;
  return more.gradients.emplace(name, std::move(made)).first->second.get();
}

OpRecord* OpRegistry::findMutable(std::string_view name) {
  const std::string key(name);
  if (const auto it = impl_->ops.find(key); it != impl_->ops.end()) return it->second.get();
  return findProgramOp(key);
}

std::vector<const OpRecord*> OpRegistry::all() const {
  std::vector<const OpRecord*> out;
  out.reserve(impl_->ops.size());
  for (const auto& [name, record] : impl_->ops) out.push_back(record.get());
  {
    ProgramOps& more = programOps();
    const MutexLock lock(more.mutex);
    for (const auto& [name, record] : more.ops) out.push_back(record.get());
  }
  std::sort(out.begin(), out.end(), [](const OpRecord* a, const OpRecord* b) { return a->name < b->name; });
  return out;
}

OpRecord& OpRegistry::add(std::string name) {
  auto record = std::make_unique<OpRecord>();
  record->name = name;
  const auto [it, fresh] = impl_->ops.try_emplace(std::move(name), std::move(record));
  assert(fresh && "two records of one op");
  (void)fresh;
  return *it->second;
}

namespace {

bool isListOf(const AttrSpec& spec, std::string_view element) {
  return spec.type.size() == element.size() + 6 && spec.type.starts_with("list(") && std::string_view(spec.type).substr(5, element.size()) == element;
}

template <typename T>
bool holds(const Attr& a, const AttrSpec& spec, std::string_view type) {
  if (spec.type == type) return a.get<T>() != nullptr;
  return isListOf(spec, type) && a.get<std::vector<T>>() != nullptr;
}

// The kind of value, in the words of op definitions.
std::string kindOf(const Attr& a) {
  static constexpr const char* kKinds[] = {"none",       "string",     "int",         "float",        "bool",         "type",      "shape",
                                           "tensor",     "func",       "placeholder", "list",         "list(string)", "list(int)", "list(float)",
                                           "list(bool)", "list(type)", "list(shape)", "list(tensor)", "list(func)"};
  return kKinds[a.value.index()];
}

size_t lengthOf(const Attr& a) {
  return std::visit(
      [](const auto& v) -> size_t {
        if constexpr (requires { v.capacity(); } && !std::is_same_v<std::decay_t<decltype(v)>, std::string>) return v.size();
        else return 0;
      },
      a.value);
}

Status checkAttr(const AttrSpec& spec, const Attr& a) {
  if (a.get<PlaceholderAttr>()) return {};
  const bool isList = spec.type.starts_with("list(");
  const bool fits = (isList && a.get<EmptyListAttr>()) || holds<std::string>(a, spec, "string") || holds<int64_t>(a, spec, "int") ||
                    holds<float>(a, spec, "float") || holds<bool>(a, spec, "bool") || holds<DType>(a, spec, "type") || holds<Shape>(a, spec, "shape") ||
                    holds<Tensor>(a, spec, "tensor") || holds<FuncAttr>(a, spec, "func");
  if (!fits) {
    return invalidArgument("AttrValue had value with type '", kindOf(a), "' when '", spec.type, "' expected\n\t for attr '", spec.name, "'");
  }
  if (spec.hasMinimum) {
    if (const auto* v = a.get<int64_t>(); v && *v < spec.minimum) {
      return invalidArgument("Value for attr '", spec.name, "' of ", *v, " must be at least minimum ", spec.minimum);
    }
    if (isList && int64_t(lengthOf(a)) < spec.minimum) {
      return invalidArgument("Length for attr '", spec.name, "' of ", lengthOf(a), " must be at least minimum ", spec.minimum);
    }
  }
  {
    const auto known = [&](DType t) -> Status {
      if (isRef(t))
        return invalidArgument("AttrValue must not have reference type value of ", dtypeShortName(baseType(t)), "_ref\n\t for attr '", spec.name, "'");
      if (isKnown(t)) return {};
      return invalidArgument("AttrValue has invalid DataType enum: ", int(t), "\n\t for attr '", spec.name, "'");
    };
    if (const auto* t = a.get<DType>()) WEFT_TRY(known(*t));
    if (const auto* list = a.get<std::vector<DType>>()) {
      for (DType t : *list) WEFT_TRY(known(t));
    }
  }
  if (!spec.allowedTypes.empty()) {
    const auto check = [&](DType t) -> Status {
      if (std::find(spec.allowedTypes.begin(), spec.allowedTypes.end(), t) != spec.allowedTypes.end()) return {};
      std::string list;
      for (DType allowed : spec.allowedTypes) list += (list.empty() ? "" : ", ") + dtypeShortName(allowed);
      return invalidArgument("Value for attr '", spec.name, "' of ", dtypeShortName(t), " is not in the list of allowed values: ", list);
    };
    if (const auto* t = a.get<DType>()) WEFT_TRY(check(*t));
    if (const auto* list = a.get<std::vector<DType>>()) {
      for (DType t : *list) WEFT_TRY(check(t));
    }
  }
  if (!spec.allowedStrings.empty()) {
    const auto check = [&](const std::string& s) -> Status {
      if (std::find(spec.allowedStrings.begin(), spec.allowedStrings.end(), s) != spec.allowedStrings.end()) return {};
      std::string list;
      for (const std::string& allowed : spec.allowedStrings) list += (list.empty() ? "\"" : ", \"") + allowed + "\"";
      return invalidArgument("Value for attr '", spec.name, "' of \"", s, "\" is not in the list of allowed values: ", list);
    };
    if (const auto* s = a.get<std::string>()) WEFT_TRY(check(*s));
    if (const auto* list = a.get<std::vector<std::string>>()) {
      for (const std::string& s : *list) WEFT_TRY(check(s));
    }
  }
  return {};
}

/// TensorFlow 2 gave the segment ids of SparseSegmentSum and its kin an attribute for their type, which TensorFlow 1.15's nodes must not have.
bool isLaterInt64(const OpRecord& record, const ArgSpec& arg, const AttrMap& attrs) {
  return arg.name == "segment_ids" && arg.type == DType::Int32 && record.name.starts_with("SparseSegment") && attrs.type("Tsegmentids") == DType::Int64;
}

Status resolveArgs(const OpRecord& record, const std::vector<ArgSpec>& args, const AttrMap& attrs, std::vector<DType>& types,
                   std::vector<std::pair<int, int>>& ranges) {
  types.reserve(args.size());
  ranges.reserve(args.size());
  for (const ArgSpec& arg : args) {
    const int begin = int(types.size());
    if (arg.isTypeList) {
      for (DType t : attrs.list<DType>(arg.typeAttr)) types.push_back(arg.isRef ? refType(t) : t);
    } else {
      int64_t count = 1;
      if (!arg.numberAttr.empty()) {
        count = attrs.integer(arg.numberAttr, -1);
        if (count < 0 || count > (1 << 20)) {
          return invalidArgument("Value for number_attr '", arg.numberAttr, "' of op ", record.name, " is ", count, ", expected a count >= 0");
        }
      }
      DType t = arg.typeAttr.empty() ? arg.type : attrs.type(arg.typeAttr);
      if (isLaterInt64(record, arg, attrs)) t = DType::Int64;
      types.insert(types.end(), size_t(count), arg.isRef ? refType(t) : t);
    }
    ranges.emplace_back(begin, int(types.size()));
  }
  return {};
}

}  // namespace

Result<NodeSignature> resolveSignature(const OpRecord& record, AttrMap& attrs, std::vector<std::string>* defaulted) {
  for (const AttrSpec& spec : record.attrs) {
    if (const Attr* a = attrs.find(spec.name)) {
      WEFT_TRY(checkAttr(spec, *a));
    } else if (spec.defaultValue) {
      attrs.set(spec.name, *spec.defaultValue);
      if (defaulted) defaulted->push_back(spec.name);
    } else {
      return invalidArgument("NodeDef missing attr '", spec.name, "' from ", record.signature());
    }
  }
  NodeSignature out;
  WEFT_TRY(resolveArgs(record, record.inputs, attrs, out.inputTypes, out.inputRanges));
  WEFT_TRY(resolveArgs(record, record.outputs, attrs, out.outputTypes, out.outputRanges));
  return out;
}

}  // namespace weft
