// Synthetic graphs for tests, benchmarks and previews.
#include <random>

#include "graph_view/memory_graph_model.h"

namespace weft::widgets {

std::shared_ptr<const GraphModel> MemoryGraphModel::snapshot() const {
  auto copy = std::make_shared<MemoryGraphModel>();
  copy->nodes = nodes;
  copy->scopes = scopes;
  copy->edges = edges;
  copy->annotations = annotations;
  copy->editable = editable;
  copy->signedHeat = signedHeat;
  return copy;
}

int MemoryGraphModel::addScope(const QString& name, int parent, const QStringList& detail, bool layer) {
  Scope scope;
  scope.name = name;
  scope.parent = parent;
  scope.detail = detail;
  scope.layer = layer;
  scopes.push_back(scope);
  return scopeCount() - 1;
}

int MemoryGraphModel::addNode(const QString& name, const QString& op, int scope, OpCategory category, const QString& detail, NodeShape shape) {
  Node node;
  node.name = name;
  node.op = op;
  node.scope = scope;
  node.category = category;
  node.detail = detail;
  node.shape = shape;
  nodes.push_back(node);
  return nodeCount() - 1;
}

int MemoryGraphModel::connectNodes(int from, int to, const QString& shape, const QString& dtype, qint64 bytes, EdgeKind kind) {
  Edge edge;
  edge.ends.from = from;
  edge.ends.to = to;
  edge.ends.kind = kind;
  for (const Edge& other : edges)
    if (edges.size() < 500 && other.ends.to == to && other.ends.kind != EdgeKind::Control) ++edge.ends.toInput;
  edge.shape = shape;
  edge.dtype = kind == EdgeKind::Control ? QString() : dtype;
  edge.bytes = bytes;
  edges.push_back(edge);
  return edgeCount() - 1;
}

void fillLenet(MemoryGraphModel& m) {
  using C = OpCategory;
  const auto s = [](const char* text) { return QString::fromUtf8(text); };
  const int images = m.addNode(s("images"), s("Placeholder"), -1, C::IoSummary, s("f32"), NodeShape::Placeholder);
  const auto conv = [&](const QString& name, int input, const QString& inShape, const QString& shape, const QString& filter, const QString& detail,
                        const QString& parameters, const QString& count, qint64 bytes) {
    const int scope = m.addScope(name, -1, {detail, parameters}, true);
    m.scopes.back().summary = s("Conv2D layer · 9 ops · ") + count;
    const int op = m.addNode(name + s("/Conv2D"), s("Conv2D"), scope, C::Nn, s("5×5 SAME"));
    const int kernel = m.addNode(name + s("/kernel"), s("VariableV2"), scope, C::Variable, filter, NodeShape::Variable);
    const int bias = m.addNode(name + s("/bias"), s("VariableV2"), scope, C::Variable, filter.mid(filter.lastIndexOf(u'×') + 1), NodeShape::Variable);
    const int add = m.addNode(name + s("/BiasAdd"), s("BiasAdd"), scope, C::Nn);
    const int relu = m.addNode(name + s("/Relu"), s("Relu"), scope, C::Nn);
    const int pool = m.addNode(name + s("/MaxPool"), s("MaxPool"), scope, C::Nn, s("2×2 / 2"));
    m.connectNodes(input, op, inShape, s("float32"), bytes / 2);
    m.connectNodes(kernel, op, {}, s("float32"), 204800);
    m.connectNodes(op, add, shape, s("float32"), bytes);
    m.connectNodes(bias, add, {}, s("float32"), 256);
    m.connectNodes(add, relu, shape, s("float32"), bytes);
    m.connectNodes(relu, pool, shape, s("float32"), bytes);
    return pool;
  };
  const int pool1 = conv(s("conv1"), images, s("50×28×28×1"), s("50×28×28×32"), s("5×5×1×32"), s("5×5, 32, SAME"), s("832 parameters"), s("832"), 5'017'600);
  const int pool2 = conv(s("conv2"), pool1, s("50×14×14×32"), s("50×14×14×64"), s("5×5×32×64"), s("5×5, 64, SAME"), s("51.3 k parameters"),
                         s("51.3 k parameters · 1.01 GFLOP"), 2'508'800);
  m.nodes[static_cast<size_t>(pool2 - 1)].status.badges = BadgeProbe;
  const auto dense = [&](const QString& name, int input, const QString& inShape, const QString& detail, qint64 bytes) {
    const int scope = m.addScope(name, -1, {detail});
    const int flatten = m.addNode(name + s("/Reshape"), s("Reshape"), scope, C::Array);
    const int mul = m.addNode(name + s("/MatMul"), s("MatMul"), scope, C::Math);
    const int kernel = m.addNode(name + s("/kernel"), s("VariableV2"), scope, C::Variable, {}, NodeShape::Variable);
    const int bias = m.addNode(name + s("/bias"), s("VariableV2"), scope, C::Variable, {}, NodeShape::Variable);
    const int add = m.addNode(name + s("/BiasAdd"), s("BiasAdd"), scope, C::Nn);
    m.connectNodes(input, flatten, inShape, s("float32"), bytes);
    m.connectNodes(flatten, mul, {}, s("float32"), bytes);
    m.connectNodes(kernel, mul, {}, s("float32"), 4096);
    m.connectNodes(mul, add, {}, s("float32"), bytes);
    m.connectNodes(bias, add, {}, s("float32"), 1024);
    return add;
  };
  const int fc1 = dense(s("fc1"), pool2, s("50×7×7×64"), s("1024, relu"), 627'200);
  const int dropScope = m.addScope(s("dropout"), -1, {s("rate 0.4")});
  const int random = m.addNode(s("dropout/random_uniform"), s("RandomUniform"), dropScope, C::Random);
  const int drop = m.addNode(s("dropout/mul"), s("Mul"), dropScope, C::Math);
  m.connectNodes(fc1, drop, s("50×1024"), s("float32"), 204800);
  m.connectNodes(random, drop, {}, s("float32"), 204800);
  const int logits = dense(s("logits"), drop, s("50×1024"), s("10, linear"), 204800);
  const int labels = m.addNode(s("labels"), s("Placeholder"), -1, C::IoSummary, s("i64"), NodeShape::Placeholder);
  const int lossScope = m.addScope(s("loss"), -1, {s("mean")});
  const int xent = m.addNode(s("loss/xentropy"), s("SparseSoftmaxCrossEntropyWithLogits"), lossScope, C::Nn);
  const int mean = m.addNode(s("loss/Mean"), s("Mean"), lossScope, C::Math);
  m.connectNodes(logits, xent, s("50×10"), s("float32"), 2000);
  m.connectNodes(labels, xent, s("50"), s("int64"), 400);
  m.connectNodes(xent, mean, {}, s("float32"), 200);
  const int trainScope = m.addScope(s("train"), -1, {s("Adam 1e-3")});
  const int adam = m.addNode(s("train/ApplyAdam"), s("ApplyAdam"), trainScope, C::GradientUpdate);
  m.scopes.back().repeat = 24;
  m.connectNodes(mean, adam, s("scalar"), s("float32"), 4);
}

void fillFlat(MemoryGraphModel& m, int nodes, unsigned seed) {
  std::mt19937 random(seed);
  for (int i = 0; i < nodes; ++i) m.addNode(QStringLiteral("op_%1").arg(i), QStringLiteral("Add"), -1, static_cast<OpCategory>(random() % kOpCategoryCount));
  for (int i = 1; i < nodes; ++i) {
    const int inputs = 1 + static_cast<int>(random() % 2);
    for (int k = 0; k < inputs; ++k) {
      const int reach = random() % 16 == 0 ? i : std::min(i, 40);
      m.connectNodes(i - 1 - static_cast<int>(random() % static_cast<unsigned>(reach)), i, {}, QStringLiteral("float32"), 1 << (random() % 24));
    }
  }
}

void fillMadeNetwork(MemoryGraphModel& m, int nodes) {
  using C = OpCategory;
  // A block has 39 ops, forward and backward; 12 blocks form a stage.
  const int blocks = std::max(1, (nodes + 38) / 39);
  const int input = m.addNode(QStringLiteral("input"), QStringLiteral("Placeholder"), -1, C::IoSummary, QStringLiteral("f32"), NodeShape::Placeholder);
  const int gradients = m.addScope(QStringLiteral("gradients"), -1, {QStringLiteral("%1 blocks").arg(blocks)});
  const int save = m.addScope(QStringLiteral("save"), -1);
  m.scopes.back().shape = NodeShape::Annotation;
  const int saver = m.addNode(QStringLiteral("save/SaveV2"), QStringLiteral("SaveV2"), save, C::IoSummary, {}, NodeShape::Annotation);
  int flow = input, back = -1, stage = -1, gradStage = -1;
  const QString shape = QStringLiteral("32×56×56×64");
  for (int b = 0; b < blocks; ++b) {
    if (b % 12 == 0) {
      stage = m.addScope(QStringLiteral("stage%1").arg(b / 12), -1, {QStringLiteral("12 blocks")});
      gradStage = m.addScope(QStringLiteral("gradients/stage%1_grad").arg(b / 12), gradients);
    }
    const QString name = QStringLiteral("stage%1/block%2").arg(b / 12).arg(b % 12);
    const int scope = m.addScope(name, stage, {QStringLiteral("3×3, 64, SAME"), QStringLiteral("73.9 k parameters")}, true);
    m.scopes.back().structure = 0;
    const int gradScope = m.addScope(QStringLiteral("gradients/") + name + QStringLiteral("_grad"), gradStage);
    m.scopes.back().structure = 1;
    const int entry = flow;
    for (int half = 0; half < 2; ++half) {
      const QString part = name + QStringLiteral("/conv%1").arg(half + 1);
      const int inner = m.addScope(part, scope, {QStringLiteral("3×3, 64, SAME")}, true);
      m.scopes.back().structure = 2;
      const int conv = m.addNode(part + QStringLiteral("/Conv2D"), QStringLiteral("Conv2D"), inner, C::Nn, QStringLiteral("3×3 SAME"));
      const int kernel = m.addScope(part + QStringLiteral("/kernel"), inner, {QStringLiteral("3×3×64×64")});
      m.scopes.back().shape = NodeShape::Variable;
      const int variable =
          m.addNode(part + QStringLiteral("/kernel/var"), QStringLiteral("VariableV2"), kernel, C::Variable, QStringLiteral("3×3×64×64"), NodeShape::Variable);
      const int init = m.addNode(part + QStringLiteral("/kernel/init"), QStringLiteral("TruncatedNormal"), kernel, C::Random);
      const int assign = m.addNode(part + QStringLiteral("/kernel/Assign"), QStringLiteral("Assign"), kernel, C::Variable);
      const int read = m.addNode(part + QStringLiteral("/kernel/read"), QStringLiteral("Identity"), kernel, C::Array);
      m.connectNodes(variable, assign, {}, QStringLiteral("float32_ref"), 147456, EdgeKind::Reference);
      m.connectNodes(init, assign, {}, QStringLiteral("float32"), 147456);
      m.connectNodes(variable, read, {}, QStringLiteral("float32_ref"), 147456, EdgeKind::Reference);
      m.connectNodes(flow, conv, shape, QStringLiteral("float32"), 25690112);
      m.connectNodes(read, conv, {}, QStringLiteral("float32"), 147456);
      m.connectNodes(variable, saver, {}, QStringLiteral("float32_ref"), 147456, EdgeKind::Reference);
      const int bias = m.addNode(part + QStringLiteral("/bias"), QStringLiteral("VariableV2"), inner, C::Variable, QStringLiteral("64"), NodeShape::Variable);
      const int add = m.addNode(part + QStringLiteral("/BiasAdd"), QStringLiteral("BiasAdd"), inner, C::Nn);
      const int norm = m.addNode(part + QStringLiteral("/FusedBatchNorm"), QStringLiteral("FusedBatchNorm"), inner, C::Nn, QStringLiteral("ε 1e-3"));
      const int gamma = m.addNode(part + QStringLiteral("/gamma"), QStringLiteral("VariableV2"), inner, C::Variable, QStringLiteral("64"), NodeShape::Variable);
      const int relu = m.addNode(part + QStringLiteral("/Relu"), QStringLiteral("Relu"), inner, C::Nn);
      m.connectNodes(conv, add, shape, QStringLiteral("float32"), 25690112);
      m.connectNodes(bias, add, {}, QStringLiteral("float32"), 256);
      m.connectNodes(add, norm, shape, QStringLiteral("float32"), 25690112);
      m.connectNodes(gamma, norm, {}, QStringLiteral("float32"), 256);
      m.connectNodes(norm, relu, shape, QStringLiteral("float32"), 25690112);
      flow = relu;
      // The matching ops in the gradient scope.
      const QString grad = QStringLiteral("gradients/") + part + QStringLiteral("_grad");
      int g = m.addNode(grad + QStringLiteral("/ReluGrad"), QStringLiteral("ReluGrad"), gradScope, C::GradientUpdate);
      m.connectNodes(relu, g, shape, QStringLiteral("float32"), 25690112);
      if (back >= 0) m.connectNodes(back, g, shape, QStringLiteral("float32"), 25690112);
      for (const char* op :
           {"FusedBatchNormGrad", "BiasAddGrad", "Conv2DBackpropInput", "Conv2DBackpropFilter", "tuple/group_deps", "tuple/control_dependency"}) {
        const int next = m.addNode(grad + u'/' + QLatin1String(op), QString::fromLatin1(op).section(u'/', -1), gradScope, C::GradientUpdate);
        m.connectNodes(g, next, shape, QStringLiteral("float32"), 25690112);
        if (op[0] == 't') m.edges.back().ends.kind = EdgeKind::Control;
        g = next;
      }
      const int update = m.addNode(grad + QStringLiteral("/ApplyMomentum"), QStringLiteral("ApplyMomentum"), gradScope, C::GradientUpdate);
      m.connectNodes(g, update, {}, QStringLiteral("float32"), 147456);
      m.connectNodes(variable, update, {}, QStringLiteral("float32_ref"), 147456, EdgeKind::Reference);
      back = g;
    }
    const int sum = m.addNode(name + QStringLiteral("/add"), QStringLiteral("Add"), scope, C::Math);
    m.connectNodes(flow, sum, shape, QStringLiteral("float32"), 25690112);
    m.connectNodes(entry, sum, shape, QStringLiteral("float32"), 25690112);
    const int scale = m.addNode(name + QStringLiteral("/scale"), QStringLiteral("Const"), scope, C::Array, QStringLiteral("0.5"), NodeShape::Constant);
    const int mul = m.addNode(name + QStringLiteral("/mul"), QStringLiteral("Mul"), scope, C::Math);
    m.connectNodes(sum, mul, shape, QStringLiteral("float32"), 25690112);
    m.connectNodes(scale, mul, {}, QStringLiteral("float32"), 4);
    flow = mul;
  }
  const int loss = m.addNode(QStringLiteral("loss"), QStringLiteral("Mean"), -1, C::Math);
  m.connectNodes(flow, loss, shape, QStringLiteral("float32"), 25690112);
  const int step = m.addNode(QStringLiteral("train_op"), QStringLiteral("NoOp"), -1, C::GradientUpdate);
  if (back >= 0) m.connectNodes(back, step, {}, {}, -1, EdgeKind::Control);
}

}  // namespace weft::widgets
