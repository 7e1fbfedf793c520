#include "drawing.h"

#include <algorithm>

#include "graph/shape_context.h"
#include "values.h"

namespace weft::generated {

Drawing::Drawing(uint64_t seed, const Sources& sources) : random_(seed), sources_(sources), builder_(std::make_unique<GraphBuilder>(meta_)) {}

bool hasKernel(const OpRecord& record, const std::string& attr, DType type) {
  for (const KernelRecord& k : record.kernels) {
    if (k.device != "CPU") continue;
    bool fits = true;
    for (const KernelConstraint& c : k.constraints)
      if (c.attr == attr && std::find(c.types.begin(), c.types.end(), type) == c.types.end()) fits = false;
    if (fits) return true;
  }
  return false;
}

bool Drawing::attempt(const std::function<void()>& make) {
  const MetaGraph before = meta_;
  const size_t derivatives = derivatives_.size();
  const size_t pool = pool_.size(), feeds = feeds_.size(), starts = initialisers_.size(), targets = targets_.size();
  const auto effects = effects_, reads = reads_;
  make();
  if (builder_->ok()) return true;
  builder_.reset();
  meta_ = before;
  builder_ = std::make_unique<GraphBuilder>(meta_);
  pool_.resize(pool);
  feeds_.resize(feeds);
  initialisers_.resize(starts);
  targets_.resize(targets);
  derivatives_.resize(derivatives);
  effects_ = effects;
  reads_ = reads;
  return false;
}

int Drawing::add(const std::string& op, const std::vector<Output>& inputs, AttrMap attrs) {
  int id = -1;
  if (!attempt([&] { id = builder_->node(op, Inputs(inputs), std::move(attrs), concat("n", nextName_++)); }) || id < 0) return -1;
  actualShapes(id);
  for (const Output& o : builder_->outputsOf(id)) offer(o);
  return id;
}

void Drawing::actualShapes(int node) {
  const Node& n = *meta_.graph.node(node);
  std::vector<Shape> inputs;
  for (const Output& in : n.inputs) inputs.push_back(shapeOf(in));
  auto found = inferShapes(n, inputs, [&](int i) { return size_t(i) < n.inputs.size() ? knownValue(n.inputs[size_t(i)]) : nullptr; });
  if (!found.ok()) return;
  for (size_t k = 0; k < found->size(); ++k) shapes_[Output{node, int(k)}] = (*found)[k];
}

Shape Drawing::shapeOf(Output o) const {
  const auto it = shapes_.find(o);
  return it != shapes_.end() ? it->second : meta_.graph.shape(o);
}

const Tensor* Drawing::knownValue(Output o) const {
  const auto it = known_.find(o);
  return it != known_.end() ? &it->second : nullptr;
}

void Drawing::offer(Output o) {
  const DType type = meta_.graph.dtype(o);
  if (isRef(type) || !fetchable(type)) return;
  pool_.push_back({o, type, shapeOf(o)});
}

Output Drawing::fresh(const Tensor& value, bool free) {
  const bool asConstant = random_.chance(0.6) || value.dtype() == DType::Resource || value.dtype() == DType::Variant;
  Output o;
  if (asConstant) {
    o = builder_->constant(value, concat("c", nextName_++));
  } else {
    Shape stated = value.shape();
    const int64_t how = random_.below(4);
    if (how == 0) stated = Shape::unknown();
    if (how == 1)
      for (int i = 0; i < stated.rank(); ++i)
        if (random_.chance(0.5)) stated.setDim(i, -1);
    o = builder_->placeholder(value.dtype(), stated, concat("p", nextName_++));
    feeds_.push_back({meta_.graph.tensorName(o), value, free});
  }
  if (!o.valid()) return o;
  shapes_[o] = value.shape();
  known_[o] = value;
  if (free) offer(o);
  return o;
}

Output Drawing::freshInts(const std::vector<int64_t>& values) { return fresh(integers(random_.chance(0.7) ? DType::Int32 : DType::Int64, values)); }
Output Drawing::freshInt(int64_t value, DType type) {
  return fresh(filled(type, {}, [&](int64_t) { return double(value); }));
}

const Value* Drawing::find(const std::function<bool(const Value&)>& wanted) {
  if (pool_.empty()) return nullptr;
  // New ones first, so that graphs become deep.
  for (int trial = 0; trial < 12; ++trial) {
    const int64_t n = int64_t(pool_.size());
    const int64_t at = random_.chance(0.6) ? std::max<int64_t>(0, n - 1 - random_.below(8)) : random_.below(n);
    if (wanted(pool_[size_t(at)])) return &pool_[size_t(at)];
  }
  return nullptr;
}

const Value* Drawing::numbers(int minRank, int maxRank, bool floating) {
  const auto fits = [&](const Value& v) {
    return v.shape.isFullyKnown() && v.shape.rank() >= minRank && v.shape.rank() <= maxRank && (floating ? isFloating(v.type) : isNumeric(v.type)) &&
           v.shape.elements() <= 2048;
  };
  if (const Value* v = find(fits)) return v;
  Shape shape = randomShape();
  while (shape.rank() < minRank) shape.append(random_.between(1, 4));
  if (shape.rank() > maxRank) shape = shape.slice(0, maxRank);
  const DType type = floating ? (random_.chance(0.7) ? DType::Float : DType::Double) : randomType();
  (void)fresh(randomTensor(random_, type, shape), true);
  return builder_->ok() ? &pool_.back() : nullptr;
}

Shape Drawing::randomShape() {
  Shape s;
  const int64_t rank = random_.pick(std::vector<int64_t>{0, 1, 1, 2, 2, 2, 3, 3, 4});
  for (int64_t i = 0; i < rank; ++i) s.append(random_.pick(std::vector<int64_t>{0, 1, 1, 2, 2, 3, 3, 4, 5, 7}));
  return s;
}

DType Drawing::randomType() {
  static const std::vector<DType> kTypes = {DType::Float,      DType::Float, DType::Float, DType::Float, DType::Double,   DType::Double,
                                            DType::Int32,      DType::Int32, DType::Int64, DType::Half,  DType::BFloat16, DType::Complex64,
                                            DType::Complex128, DType::UInt8, DType::Int8,  DType::Int16, DType::UInt16};
  return random_.pick(kTypes);
}

std::optional<Output> Drawing::adapted(DType type, const Shape& shape) {
  const Value* v = find([&](const Value& x) { return x.type == type && x.shape.isFullyKnown() && x.shape.elements() > 0; });
  const int64_t want = shape.elements();
  if (!v || want < 0) return std::nullopt;
  Output o = v->out;
  const int64_t have = v->shape.elements();
  int id = -1;
  if (!attempt([&] {
        if (have != want) {
          id = builder_->node("Reshape", {o, builder_->ints({-1})}, {}, concat("n", nextName_++));
          o = {id, 0};
          if (have < want) o = builder_->op("Tile", {o, builder_->ints({int32_t(want / have + 1)})}, {}, concat("n", nextName_++));
          o = builder_->op("Slice", {o, builder_->ints({0}), builder_->ints({int32_t(want)})}, {}, concat("n", nextName_++));
        }
        std::vector<int32_t> dims;
        for (const int64_t d : shape.dims()) dims.push_back(int32_t(d));
        o = builder_->op("Reshape", {o, builder_->ints(dims)}, {}, concat("n", nextName_++));
      }))
    return std::nullopt;
  shapes_[o] = shape;
  return o;
}

Output Drawing::similar(DType type, const Shape& shape) {
  if (const Value* v = find([&](const Value& x) { return x.type == type && x.shape == shape; })) return v->out;
  if (random_.chance(0.3))
    if (const auto o = adapted(type, shape)) return *o;
  return fresh(randomTensor(random_, type, shape), true);
}

void Drawing::derivative(const std::vector<Output>& ys, Output x, Output dx, Output indices) {
  Derivative& d = derivatives_.emplace_back();
  for (const Output& y : ys) d.ys.push_back(meta_.graph.tensorName(y));
  d.x = meta_.graph.tensorName(x);
  d.dx = meta_.graph.tensorName(dx);
  if (indices.valid()) d.indices = meta_.graph.tensorName(indices);
}

void Drawing::readOfState(int node) {
  builder_->addControlInputs(node, effects_);
  reads_.push_back(node);
}

void Drawing::effect(int node) {
  std::vector<int> before = effects_;
  before.insert(before.end(), reads_.begin(), reads_.end());
  builder_->addControlInputs(node, before);
  reads_.clear();
  effects_ = {node};
  targets_.push_back(node);
}

}  // namespace weft::generated
