#include "device/cpu/elementwise.h"

#include <algorithm>
#include <iterator>

namespace weft::cpu {
namespace {

DType dtypeOf(HotType t) {
  switch (t) {
    case HotType::Float: return DType::Float;
    case HotType::Double: return DType::Double;
    case HotType::Int32: return DType::Int32;
    case HotType::Int64: return DType::Int64;
    case HotType::Int8: return DType::Int8;
    case HotType::Int16: return DType::Int16;
    case HotType::UInt8: return DType::UInt8;
    case HotType::UInt16: return DType::UInt16;
    case HotType::UInt32: return DType::UInt32;
    case HotType::UInt64: return DType::UInt64;
    case HotType::Bool: return DType::Bool;
    case HotType::Half: return DType::Half;
    case HotType::BFloat16: return DType::BFloat16;
  }
  return DType::Invalid;
}

bool isInteger(HotType t) { return t != HotType::Float && t != HotType::Double && t != HotType::Half && t != HotType::BFloat16; }
constexpr std::string_view kIntegerDivisions[] = {"Div", "FloorDiv", "TruncateDiv", "FloorMod", "Mod", "TruncateMod"};

class Table {
 public:
  Table() {
    const HotTable& hot = hotTable();
    for (const HotList& list : {hot.unary, hot.binary, hot.math, hot.integers}) add(list);
    for (const auto& list : {baselineUnary(), baselineBinary(), baselineCompare(), baselineSpecial()}) {
      for (const ElementwiseEntry& e : list) entries_.emplace(std::pair(e.op, e.in), e);
    }
    for (const ElementwiseEntry& e : halfEntries(entries_)) entries_.emplace(std::pair(e.op, e.in), e);
  }
  const ElementwiseEntry* find(std::string_view op, DType dtype) const {
    const auto it = entries_.find(std::pair(op, dtype));
    return it == entries_.end() ? nullptr : &it->second;
  }

 private:
  void add(const HotList& list) {
    for (int i = 0; i < list.count; ++i) {
      const HotSpan& s = list.spans[i];
      const bool divides = isInteger(s.type) && std::ranges::find(kIntegerDivisions, std::string_view(s.op)) != std::end(kIntegerDivisions);
      ElementwiseEntry e{s.op,
                         dtypeOf(s.type),
                         s.toBool ? DType::Bool : dtypeOf(s.type),
                         s.arity,
                         s.nanoseconds,
                         s.fn,
                         divides ? ElementwiseEntry::Check::ZeroDivisor : ElementwiseEntry::Check::None};
      entries_.emplace(std::pair(e.op, e.in), e);
    }
  }
  std::map<std::pair<std::string_view, DType>, ElementwiseEntry> entries_;
};

}  // namespace

const ElementwiseEntry* findElementwise(std::string_view op, DType dtype) {
  static const Table table;
  return table.find(op, dtype);
}

}  // namespace weft::cpu
