#pragma once

// Documents for the tests of expressions.
#include <QTemporaryDir>
#include <QTest>

#include "support/documents.h"
#include "support/verify.h"
#include "weft/builder.h"
#include "weft/expressions.h"
#include "weft/groups.h"

using namespace weft;

namespace expression_tests {

using tests::idsIn;

inline QString q(const std::string& s) { return QString::fromStdString(s); }

inline std::string errorOf(const Status& status) { return status.ok() ? std::string("no error") : status.error().message; }

/// A document under edit; each change is one edit, as the window makes it.
struct Document {
  MetaGraph meta;
  std::vector<Error> problems;
  std::vector<std::string> notes;

  template <typename F>
  Status change(F&& f) {
    MetaGraph before = meta;
    std::vector<Error> was = problems;
    notes.clear();
    GraphEditor editor(meta, problems);
    LayerEditor layers(editor);
    Status status = f(layers);
    if (status.ok()) status = finishEdit(layers, &notes);
    if (!status.ok()) {
      meta = before;
      problems = was;
    }
    return status;
  }
  Status name(const std::string& n, const std::string& expression) {
    return change([&](LayerEditor&) { return setNamedValue(meta, n, expression); });
  }
  Status follow(const std::string& field, const std::string& expression) {
    return change([&](LayerEditor&) { return setFieldExpression(meta, field, expression); });
  }
  Status set(const std::string& scope, const std::string& parameter, const std::string& text) {
    return change([&](LayerEditor& l) { return l.setParameter(*l.find(scope), parameter, text); });
  }
  std::string value(const std::string& field) const {
    const auto f = ExpressionScope(meta).field(field);
    return f.ok() ? f->value : "!" + f.error().message;
  }
  std::string shape(const std::string& node) const {
    const Node* n = meta.graph.find(node);
    return n ? n->outputShapes[0].toString() : "(none)";
  }
};

/// x → dense_1 (8 units) → dense_2 (4 units).
inline Document twoLayers() {
  Document d;
  GraphBuilder b(d.meta);
  b.placeholder(DType::Float, Shape{-1, 16}, "x");
  const Status made = d.change([](LayerEditor& l) -> Status {
    const ApiRecord& dense = *ApiRegistry::instance().findLayer("layers.dense");
    WEFT_TRY(l.add(dense, "dense_1", {{"units", "8"}}, {{"", "x:0"}}).status());
    return l.add(dense, "dense_2", {{"units", "4"}}, {{"", l.find("dense_1")->outputs[0]}}).status();
  });
  if (!made.ok()) qFatal("%s", made.toString().c_str());
  return d;
}

inline std::string expressionOf(const Document& d, const std::string& field) {
  for (const FollowedField& f : followedFieldsOf(d.meta))
    if (f.field == field) return f.expression;
  return "(none)";
}

#define FAILS(text, ...) QCOMPARE(q(errorOf(__VA_ARGS__)), QStringLiteral(text))

}  // namespace expression_tests
