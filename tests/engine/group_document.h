#pragma once

// Documents for the tests of groups.
#include <QTemporaryDir>
#include <QTest>

#include "support/documents.h"
#include "support/verify.h"
#include "weft/builder.h"
#include "weft/edit.h"
#include "weft/groups.h"
#include "weft/op.h"
#include "weft/recipes.h"

using namespace weft;

namespace group_tests {

/// A document under edit. Each call of change() is one edit, as the window makes it.
struct Document {
  MetaGraph meta;
  std::vector<Error> problems;
  std::vector<std::string> notes;

  template <typename F>
  Status change(F&& f) {
    MetaGraph before = meta;
    GraphEditor editor(meta, problems);
    LayerEditor layers(editor);
    GroupEditor groups(layers);
    Status status = f(layers, groups);
    if (status.ok()) status = layers.finish(&notes);
    notes = groups.notes();
    if (!status.ok()) meta = before;
    return status;
  }
  std::vector<int> ids(const std::vector<std::string>& names) const { return tests::idsIn(meta, names); }
  Status make(const std::vector<std::string>& names, const std::string& group) {
    return change([&](LayerEditor&, GroupEditor& g) { return g.make(ids(names), group).status(); });
  }
  Status insert(const std::string& group, const std::string& name, const TextAttrs& inputs, const TextAttrs& overrides = {}) {
    return change([&](LayerEditor&, GroupEditor& g) { return g.insert(group, name, inputs, overrides).status(); });
  }
  std::string input(const std::string& node, int k = 0) const {
    const Node* n = meta.graph.find(node);
    return n && k < int(n->inputs.size()) ? meta.graph.tensorName(n->inputs[size_t(k)]) : std::string("(none)");
  }
  std::string attr(const std::string& node, const char* name) const {
    const Node* n = meta.graph.find(node);
    const Attr* a = n ? n->attrs.find(name) : nullptr;
    return a ? a->toString() : std::string("(none)");
  }
  std::string shape(const std::string& tensor) const {
    const auto o = meta.graph.findOutput(tensor);
    return o.ok() ? meta.graph.shape(*o).toString() : std::string("(none)");
  }
  Document reopened() const {
    const auto bytes = serializeGraph(meta, GraphFormat::MetaBinary);
    if (!bytes.ok()) return {};
    auto loaded = loadGraphBytes(std::make_shared<const std::string>(*bytes), "test");
    if (!loaded.ok()) return {};
    return {loaded->meta, loaded->problems, {}};
  }
};

inline QString errorOf(const Status& status) { return status.ok() ? QStringLiteral("(ok)") : QString::fromStdString(status.error().message); }

/// x → Pool → Relu → LRN: plain ops with attributes; y reads it.
inline Document ops() {
  Document d;
  GraphBuilder b(d.meta);
  const Output x = b.placeholder(DType::Float, Shape{1, 8, 8, 4}, "x");
  const Output pool =
      b.op("MaxPool", {x}, {{"ksize", std::vector<int64_t>{1, 2, 2, 1}}, {"strides", std::vector<int64_t>{1, 2, 2, 1}}, {"padding", "SAME"}}, "pool");
  const Output relu = b.op("Relu", {pool}, {}, "relu");
  const Output norm = b.op("LRN", {relu}, {{"depth_radius", int64_t(2)}}, "norm");
  b.op("Identity", {norm}, {}, "y");
  return d;
}

/// x → two dense layers → y.
inline Document layers() {
  Document d;
  GraphBuilder b(d.meta);
  b.placeholder(DType::Float, Shape{-1, 16}, "x");
  const Status built = d.change([](LayerEditor& l, GroupEditor&) -> Status {
    const ApiRecord& dense = *ApiRegistry::instance().findLayer("layers.dense");
    WEFT_TRY(l.add(dense, "first", {{"units", "8"}, {"activation", "relu"}}, {{"", "x:0"}}).status());
    WEFT_TRY(l.add(dense, "second", {{"units", "4"}}, {{"", l.find("first")->outputs[0]}}).status());
    WEFT_TRY(l.editor().add("Identity", "y").status());
    WEFT_LET(const Output from, l.editor().output(l.find("second")->outputs[0]));
    WEFT_LET(const auto to, l.editor().input("y"));
    return l.editor().connect(from, to);
  });
  if (!built.ok()) qWarning("%s", built.toString().c_str());
  for (const Error& e : d.problems) qWarning("%s", e.toString().c_str());
  return d;
}

}  // namespace group_tests
