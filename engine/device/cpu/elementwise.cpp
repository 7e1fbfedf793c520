#include "device/cpu/elementwise.h"

#include <map>
#include <vector>

namespace weft::cpu {
namespace {

DType dtypeOf(HotType t) {
  switch (t) {
    case HotType::Float: return DType::Float;
    case HotType::Double: return DType::Double;
    case HotType::Int32: return DType::Int32;
    case HotType::Int64: return DType::Int64;
  }
  return DType::Invalid;
}

class Table {
 public:
  Table() {
    const HotTable& hot = hotTable();
    add(hot.unary, hot.unaryCount);
    add(hot.binary, hot.binaryCount);
    for (const auto& list : {baselineUnary(), baselineBinary(), baselineCompare(), baselineSpecial()}) {
      for (const ElementwiseEntry& e : list) entries_.emplace(std::pair(e.op, e.in), e);
    }
  }
  const ElementwiseEntry* find(std::string_view op, DType dtype) const {
    const auto it = entries_.find(std::pair(op, dtype));
    return it == entries_.end() ? nullptr : &it->second;
  }

 private:
  void add(const HotSpan* spans, int count) {
    for (int i = 0; i < count; ++i) {
      const HotSpan& s = spans[i];
      ElementwiseEntry e{s.op, dtypeOf(s.type), s.toBool ? DType::Bool : dtypeOf(s.type), s.arity, s.nanoseconds, s.fn, {}};
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
