// Which variables a training changes: set by hand, kept by layers that are built again, followed by the document's training.
#include "group_document.h"
#include "support/verify.h"
#include "weft/graph_commands.h"
#include "weft/op_traits.h"
#include "weft/train.h"
#include "weft/training_mistakes.h"
#include "weft/variables.h"

using namespace group_tests;

namespace {

QStringList sorted(const std::set<std::string, std::less<>>& names) {
  QStringList out;
  for (const std::string& name : names) out << QString::fromStdString(name);
  return out;
}

QStringList trainable(const Document& d) { return sorted(trainableVariables(d.meta)); }

/// Variables that optimizers change.
QStringList updated(const Document& d) {
  std::set<std::string, std::less<>> out;
  for (int id = 0; id < d.meta.graph.size(); ++id)
    if (const Node* n = d.meta.graph.node(id); n && roleOf(*n) == OpRole::ApplyGradient) out.insert(changedVariable(d.meta.graph, *n)->name);
  return sorted(out);
}

bool has(const Document& d, const std::string& node) { return d.meta.graph.find(node) != nullptr; }

Status set(Document& d, std::string node, const std::string& key, const std::string& value, std::vector<std::string>* notes = nullptr) {
  return d.change([&](LayerEditor& l, GroupEditor&) -> Status {
    WEFT_TRY(setValue(l, node, key, value));
    return notes ? l.finish(notes) : Status();
  });
}

/// x → layer → dense "head" → loss, with Adam.
Document trained(const char* kind = "layers.dense", const TextAttrs& parameters = {{"units", "8"}}, const Shape& shape = Shape{-1, 16}) {
  Document d;
  {
    GraphBuilder b(d.meta);
    b.placeholder(DType::Float, shape, "x");
    b.placeholder(DType::Int32, Shape{-1}, "labels");
  }
  const ApiRegistry& all = ApiRegistry::instance();
  const Status built = d.change([&](LayerEditor& l, GroupEditor&) -> Status {
    WEFT_TRY(l.add(*all.findLayer(kind), "body", parameters, {{"", "x:0"}}).status());
    WEFT_TRY(l.add(*all.findLayer("layers.dense"), "head", {{"units", "4"}}, {{"", l.find("body")->outputs[0]}}).status());
    WEFT_TRY(
        l.add(*all.findLayer("losses.sparse_softmax_cross_entropy"), "loss", {}, {{"labels", "labels:0"}, {"logits", l.find("head")->outputs[0]}}).status());
    return l.addTraining({});
  });
  if (!built.ok()) qWarning("%s", built.toString().c_str());
  return d;
}

const QStringList kAll = {"body/bias", "body/kernel", "head/bias", "head/kernel"};

}  // namespace

class TestTrainable : public QObject {
  Q_OBJECT

 private slots:
  void theTrainingFollows() {
    Document d = trained();
    QCOMPARE(trainable(d), kAll);
    QCOMPARE(updated(d), kAll);
    const auto before = d.meta.collections;
    std::vector<std::string> notes;
    VERIFY_OK(set(d, "body/kernel", "trainable", "false", &notes));
    QCOMPARE(trainable(d), QStringList({"body/bias", "head/bias", "head/kernel"}));
    QCOMPARE(updated(d), trainable(d));
    QVERIFY(!has(d, "train/body/kernel/Adam") && !has(d, "body/kernel/Adam"));
    QVERIFY(has(d, "body/bias/Adam"));
    QVERIFY(trainingSettingsOf(d.meta).ok());
    QVERIFY(notes.size() == 1 && notes[0] == "Training was added again for the changed network.");
    // It is a layer still, and the file keeps the choice.
    Document again = d.reopened();
    QCOMPARE(trainable(again), trainable(d));
    VERIFY_OK(again.change([](LayerEditor& l, GroupEditor&) -> Status { return l.find("body") ? Status() : Status(notFound("no layer")); }));
    VERIFY_OK(set(again, "body/kernel", "trainable", "1"));
    QCOMPARE(updated(again), kAll);
    // In their places again, so that optimizers list them as before.
    for (const char* key : {"variables", "trainable_variables"}) QCOMPARE(again.meta.collections.at(key).bytes, before.at(key).bytes);
  }

  void layersThatAreBuiltAgainKeepIt() {
    Document d = trained();
    VERIFY_OK(set(d, "body/kernel", "trainable", "false"));
    const QStringList left = {"body/bias", "head/bias", "head/kernel"};
    VERIFY_OK(set(d, "body", "units", "5"));
    QCOMPARE(trainable(d), left);
    QCOMPARE(updated(d), left);
    VERIFY_OK(set(d, "body", "use_bias", "false"));
    VERIFY_OK(set(d, "body", "use_bias", "true"));
    QCOMPARE(updated(d), left);
    VERIFY_OK(d.change([](LayerEditor& l, GroupEditor&) { return l.rename("body", "stem"); }));
    VERIFY_OK(set(d, "stem", "units", "6"));
    QCOMPARE(updated(d), QStringList({"head/bias", "head/kernel", "stem/bias"}));
    VERIFY_OK(set(d, "stem/kernel", "trainable", "true"));
    VERIFY_OK(set(d, "stem", "units", "7"));
    QCOMPARE(updated(d), QStringList({"head/bias", "head/kernel", "stem/bias", "stem/kernel"}));
  }

  void withoutAnyTheTrainingWaits() {
    Document d = trained();
    std::vector<std::string> notes;
    VERIFY_OK(d.change([&](LayerEditor& l, GroupEditor&) -> Status {
      WEFT_TRY(l.setTrainable({{"body/bias", false}, {"body/kernel", false}, {"head/bias", false}, {"head/kernel", false}}));
      return l.finish(&notes);
    }));
    QCOMPARE(trainable(d), QStringList());
    QCOMPARE(updated(d), QStringList());
    QVERIFY(notes.size() == 1);
    QCOMPARE(QString::fromStdString(notes[0]), QStringLiteral("Training was taken out and comes back when the network is whole: No variables to optimize."));
    // The file says so, unlike one that has no such collection.
    for (const VariableFacts& v : variablesOf(d.reopened().meta)) QVERIFY(v.isTrainable && !*v.isTrainable);
    VERIFY_OK(set(d, "head/bias", "trainable", "true"));
    QCOMPARE(updated(d), QStringList({"head/bias"}));
  }

  void aParameterOfTheLayerDecides() {
    Document d = trained("keras.Dense", {{"units", "8"}});
    QCOMPARE(updated(d), kAll);
    VERIFY_OK(set(d, "body/bias", "trainable", "false"));
    QCOMPARE(updated(d), QStringList({"head/bias", "head/kernel"}));
    VERIFY_OK(d.change(
        [](LayerEditor& l, GroupEditor&) { return l.find("body")->parameters.at("trainable") == "false" ? Status() : Status(notFound("not noted")); }));
    QCOMPARE(errorOf(d.change([](LayerEditor& l, GroupEditor&) {
               return l.setTrainable({{"body/bias", true}, {"body/kernel", false}});
             })),
             QStringLiteral("(ok)"));  // the kernel is not trainable: that is no change
    QCOMPARE(updated(d), kAll);
    QCOMPARE(errorOf(d.change([](LayerEditor& l, GroupEditor&) {
               return l.setTrainable({{"body/bias", false}, {"body/kernel", true}});
             })),
             QStringLiteral("(ok)"));
  }

  void plainVariables() {
    Document d;
    {
      GraphBuilder b(d.meta);
      const Output x = b.placeholder(DType::Float, Shape{-1, 4}, "x");
      for (const char* name : {"v", "w"}) {
        const Output v = b.op("VariableV2", {}, {{"shape", Shape{4}}, {"dtype", DType::Float}}, name);
        if (name[0] == 'w') b.node("Assign", {v, b.constant(Tensor::zeros(DType::Float, Shape{4}))}, {}, "w/Assign");
        b.op("Mul", {x, b.identity(v, std::string(name) + "/read")}, {}, std::string(name) + "_out");
      }
      b.op("VariableV2", {}, {{"shape", Shape{}}, {"dtype", DType::Int64}}, "step");
      QVERIFY(b.ok());
    }
    for (const VariableFacts& v : variablesOf(d.meta)) QVERIFY(!v.isTrainable);  // the file does not tell
    VERIFY_OK(set(d, "w", "trainable", "true"));
    QCOMPARE(trainable(d), QStringList({"w"}));
    VERIFY_OK(set(d, "w", "trainable", "false"));
    QCOMPARE(trainable(d), QStringList());
    QCOMPARE(errorOf(set(d, "v", "trainable", "true")), QStringLiteral("Nothing assigns a first value to v; initialize it, and then it can be trained"));
    QCOMPARE(errorOf(set(d, "step", "trainable", "true")), QStringLiteral("step holds int64; only floating-point variables can be trained"));
    QCOMPARE(errorOf(set(d, "w", "trainable", "maybe")), QStringLiteral("trainable is 'maybe', expected true or false"));
    VERIFY_OK(d.change([](LayerEditor& l, GroupEditor&) { return l.initialize("v"); }));
    QCOMPARE(trainable(d), QStringList({"v"}));
  }

  void whatCannotBeSet() {
    Document d = trained("layers.batch_normalization", {});
    QCOMPARE(errorOf(set(d, "body/gamma/Adam", "trainable", "true")),
             QStringLiteral("body/gamma/Adam is the state of an optimizer, which no gradient changes"));
    QCOMPARE(errorOf(set(d, "body/moving_mean", "trainable", "true")),
             QStringLiteral("body/moving_mean is changed by its layer body itself, not by gradients"));
    QCOMPARE(errorOf(d.change([](LayerEditor& l, GroupEditor&) {
               return l.setTrainable({{"x", true}});
             })),
             QStringLiteral("x is Placeholder; only variables are trainable or not"));
    // All or none.
    const QStringList before = trainable(d);
    QVERIFY(!d.change([](LayerEditor& l, GroupEditor&) { return l.setTrainable({{"body/gamma", false}, {"head/kernel", false}, {"x", true}}); }).ok());
    QCOMPARE(trainable(d), before);
  }

  void aTrainingOfTheFileStays() {
    Document d = trained();
    std::erase_if(d.meta.collections, [](const auto& c) { return c.first.starts_with("weft/"); });
    QCOMPARE(errorOf(set(d, "head/bias", "trainable", "false")),
             QStringLiteral(
                 "head/bias is changed by train/Adam/update_head/bias/ApplyAdam of a training that came with the file, whatever the collection says; take the "
                 "training out, and add one afterwards"));
    QCOMPARE(updated(d), kAll);
  }

  void instancesOfGroupsAreAsTheirGroup() {
    Document d = layers();
    VERIFY_OK(d.make({"first"}, "block"));
    QVERIFY(!groupInstancesOf(d.meta).empty());
    const std::string scope = groupInstancesOf(d.meta)[0].scope;
    std::string kernel;
    for (const QString& name : trainable(d))
      if (name.startsWith(QString::fromStdString(scope)) && name.endsWith(QLatin1String("kernel"))) kernel = name.toStdString();
    QVERIFY(!kernel.empty());
    const QString error = errorOf(set(d, kernel, "trainable", "false"));
    QVERIFY2(error.contains(QLatin1String("detach the instance first")), qPrintable(error));
  }
};

QTEST_GUILESS_MAIN(TestTrainable)
#include "tst_trainable.moc"
