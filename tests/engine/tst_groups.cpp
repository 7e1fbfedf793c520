// Groups as functions: definitions with ports and parameters, instances that follow them, circles, functions of the graph's library.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include "weft/builder.h"
#include "weft/edit.h"
#include "weft/groups.h"
#include "weft/op.h"
#include "weft/recipes.h"

using namespace weft;

namespace {

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
  std::vector<int> ids(const std::vector<std::string>& names) const {
    std::vector<int> out;
    for (int id = 0; id < meta.graph.size(); ++id) {
      const Node* n = meta.graph.node(id);
      if (!n) continue;
      for (const std::string& name : names)
        if (n->name == name || n->name.starts_with(name + "/")) out.push_back(id);
    }
    return out;
  }
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

#define OK(expression)                                                              \
  do {                                                                              \
    const Status status_ = (expression);                                            \
    QVERIFY2(status_.ok(), qPrintable(QString::fromStdString(status_.toString()))); \
  } while (0)

QString errorOf(const Status& status) { return status.ok() ? QStringLiteral("(ok)") : QString::fromStdString(status.error().message); }

/// x → Pool → Relu → LRN: plain ops with attributes; y reads it.
Document ops() {
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
Document layers() {
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

}  // namespace

class TestGroups : public QObject {
  Q_OBJECT

 private slots:
  void aSelectionBecomesAGroupWithTypedPorts() {
    Document d = ops();
    OK(d.make({"pool", "relu", "norm"}, "block"));
    const auto groups = groupsOf(d.meta);
    QCOMPARE(groups.size(), size_t(1));
    QCOMPARE(groups[0].name, std::string("block"));
    QCOMPARE(groups[0].inputs.size(), size_t(1));
    QCOMPARE(groups[0].inputs[0].name, std::string("input"));
    QCOMPARE(groups[0].inputs[0].type, DType::Float);
    QCOMPARE(groups[0].inputs[0].shape.toString(), std::string("[1,8,8,4]"));
    QCOMPARE(groups[0].outputs.size(), size_t(1));
    QCOMPARE(groups[0].outputs[0].name, std::string("norm"));
    QCOMPARE(d.input("y"), std::string("block/norm:0"));
    QCOMPARE(d.input("block/pool"), std::string("x:0"));
    const auto instances = groupInstancesOf(d.meta);
    QCOMPARE(instances.size(), size_t(1));
    QCOMPARE(instances[0].scope, std::string("block"));
    // The body is a graph of its own.
    const auto body = groupBody(groups[0]);
    QVERIFY(body.ok());
    QVERIFY(body->meta.graph.find("group_inputs/input"));
    QVERIFY(body->meta.graph.find("group_outputs/norm"));
    QVERIFY(body->meta.graph.find("relu"));
    OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_LET(const bool differs, g.differs("block"));
      return differs ? Status(internalError("differs")) : Status();
    }));
  }

  void aScopeKeepsItsName() {
    Document d = ops();
    OK(d.change([&](LayerEditor& l, GroupEditor&) { return l.editor().group(d.ids({"pool", "relu"}), "stage").status(); }));
    OK(d.make({"stage"}, "half"));
    QCOMPARE(groupInstancesOf(d.meta)[0].scope, std::string("stage"));
    QCOMPARE(d.input("norm"), std::string("stage/relu:0"));
  }

  void instancesAreInsertedWithOverrides() {
    Document d = ops();
    OK(d.make({"pool", "relu", "norm"}, "block"));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("block", "radius", "norm.depth_radius"); }));
    OK(d.insert("block", "again", {{"", "block/norm:0"}}, {{"radius", "3"}}));
    QCOMPARE(d.input("again/pool"), std::string("block/norm:0"));
    QCOMPARE(d.attr("again/norm", "depth_radius"), std::string("3"));
    QCOMPARE(d.attr("block/norm", "depth_radius"), std::string("2"));
    QCOMPARE(d.shape("again/norm:0"), std::string("[1,2,2,4]"));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.reset("again", "radius"); }));
    QCOMPARE(d.attr("again/norm", "depth_radius"), std::string("2"));
    QVERIFY(groupInstancesOf(d.meta)[1].overrides.empty());
    QCOMPARE(errorOf(d.change([](LayerEditor&, GroupEditor& g) { return g.setParameter("again", "width", "3"); })),
             QStringLiteral("The group block has no parameter 'width'; expected radius"));
    QVERIFY(errorOf(d.change([](LayerEditor&, GroupEditor& g) {
              return g.setParameter("again", "radius", "wide");
            })).contains(QStringLiteral("'wide' is not a whole number")));
  }

  void anInstanceWithoutWiresIsOpen() {
    Document d = ops();
    OK(d.make({"pool", "relu", "norm"}, "block"));
    OK(d.insert("block", "again", {}));
    QVERIFY(isOpenInput(*d.meta.graph.node(d.meta.graph.find("again/pool")->inputs[0].node)));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.connect("again", "input", "x:0"); }));
    QCOMPARE(d.input("again/pool"), std::string("x:0"));
    QCOMPARE(d.meta.graph.find("open_inputs/again/pool/input"), nullptr);
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.connect("again", "input", ""); }));
    QVERIFY(isOpenInput(*d.meta.graph.node(d.meta.graph.find("again/pool")->inputs[0].node)));
    QCOMPARE(errorOf(d.change([](LayerEditor&, GroupEditor& g) { return g.connect("again", "image", "x:0"); })),
             QStringLiteral("again has no input image; it has input"));
    OK(d.change([](LayerEditor& l, GroupEditor&) { return l.editor().add("Placeholder", "ids", {{"dtype", "int32"}}).status(); }));
    QCOMPARE(errorOf(d.change([](LayerEditor&, GroupEditor& g) { return g.connect("again", "input", "ids:0"); })),
             QStringLiteral("Input input of again takes float32; ids:0 is int32"));
  }

  void allInstancesFollowTheEditedOne() {
    Document d = ops();
    OK(d.make({"pool", "relu", "norm"}, "block"));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("block", "radius", "norm.depth_radius"); }));
    OK(d.insert("block", "second", {{"", "block/norm:0"}}, {{"radius", "4"}}));
    OK(d.insert("block", "third", {{"", "second/norm:0"}}));
    OK(d.change([](LayerEditor& l, GroupEditor&) -> Status {
      WEFT_TRY(l.editor().replace(l.editor().graph().find("third/relu")->id, "Elu").status());
      WEFT_LET(const auto wire, l.editor().input("third/norm:0"));
      return l.editor().insert(wire, "Tanh", "third/tanh").status();
    }));
    OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_LET(const bool differs, g.differs("third"));
      return differs ? g.updateFrom("third") : Status(internalError("an edit inside goes unseen"));
    }));
    for (const std::string scope : {"block", "second", "third"}) {
      QCOMPARE(d.meta.graph.find(scope + "/relu")->op, std::string("Elu"));
      QCOMPARE(d.input(scope + "/norm"), scope + "/tanh:0");
    }
    QCOMPARE(d.attr("second/norm", "depth_radius"), std::string("4"));
    QCOMPARE(d.attr("third/norm", "depth_radius"), std::string("2"));
    QCOMPARE(d.input("second/pool"), std::string("block/norm:0"));
    QCOMPARE(d.input("y"), std::string("block/norm:0"));
    QCOMPARE(groupsOf(d.meta)[0].version, groupInstancesOf(d.meta)[1].version);
  }

  void anOverrideWithoutItsParameterIsSetAside() {
    Document d = ops();
    OK(d.make({"pool", "relu", "norm"}, "block"));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("block", "radius", "norm.depth_radius"); }));
    OK(d.insert("block", "second", {{"", "x:0"}}, {{"radius", "4"}}));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.removeParameter("block", "radius"); }));
    QCOMPARE(QString::fromStdString(d.notes.at(0)), QStringLiteral("second: radius = 4 is set aside: the group block has no such parameter any more."));
    QCOMPARE(groupInstancesOf(d.meta)[1].aside.at("radius"), std::string("4"));
    QCOMPARE(d.attr("second/norm", "depth_radius"), std::string("2"));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("block", "radius", "norm.depth_radius"); }));
    QCOMPARE(groupInstancesOf(d.meta)[1].overrides.at("radius"), std::string("4"));
    QCOMPARE(d.attr("second/norm", "depth_radius"), std::string("4"));
  }

  void whatIsAttachedOutsideStays() {
    Document d = ops();
    OK(d.make({"pool", "relu", "norm"}, "block"));
    OK(d.change([](LayerEditor& l, GroupEditor&) -> Status {
      placeOnCanvas(l.editor().meta(), {"block", true, 12, 34, false});
      placeOnCanvas(l.editor().meta(), {"block/norm", false, 5, 6, false});
      WEFT_TRY(l.editor().setAttr(l.editor().graph().find("block/pool")->id, "device", "/device:CPU:0"));
      WEFT_TRY(l.editor().connectControl(l.editor().graph().find("x")->id, l.editor().graph().find("block/relu")->id));
      return l.editor().setAttr(l.editor().graph().find("block/norm")->id, "depth_radius", "7");
    }));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.restore("block"); }));
    QCOMPARE(d.attr("block/norm", "depth_radius"), std::string("2"));
    QCOMPARE(canvasPlacesOf(d.meta).size(), size_t(2));
    QCOMPARE(d.meta.graph.find("block/pool")->device, std::string("/device:CPU:0"));
    QCOMPARE(d.meta.graph.find("block/relu")->controls.size(), size_t(1));
    QCOMPARE(d.input("y"), std::string("block/norm:0"));
  }

  void layersInsideAreBuiltForTheShapesOfEachInstance() {
    Document d = layers();
    OK(d.make({"first", "second"}, "mlp"));
    QCOMPARE(groupsOf(d.meta)[0].inputs[0].name, std::string("inputs"));
    QCOMPARE(groupsOf(d.meta)[0].outputs[0].name, std::string("second"));
    OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_TRY(g.addParameter("mlp", "width", "mlp/first.units"));
      return g.addParameter("mlp", "activation", "first.activation");
    }));
    OK(d.change([](LayerEditor& l, GroupEditor&) { return l.editor().add("Placeholder", "wide", {{"dtype", "float32"}, {"shape", "[?,40]"}}).status(); }));
    OK(d.insert("mlp", "tail", {{"inputs", "wide:0"}}, {{"width", "32"}, {"activation", "tanh"}}));
    QCOMPARE(d.shape("tail/first/kernel:0"), std::string("[40,32]"));
    QCOMPARE(d.shape("tail/second/kernel:0"), std::string("[32,4]"));
    QVERIFY(d.meta.graph.find("tail/first/Tanh"));
    QVERIFY(d.problems.empty());
    // A default that changes reaches those without a value of their own. The output's tensor is another one then; its readers follow.
    OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_TRY(g.setDefault("mlp", "width", "12"));
      return g.addParameter("mlp", "last", "second.activation");
    }));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.setDefault("mlp", "last", "relu"); }));
    QCOMPARE(d.shape("mlp/first/kernel:0"), std::string("[16,12]"));
    QCOMPARE(d.shape("tail/first/kernel:0"), std::string("[40,32]"));
    QCOMPARE(d.input("y"), std::string("mlp/second/Relu:0"));
    QCOMPARE(recipesOf(d.meta).size(), size_t(4));
    // Each variable is listed once.
    QCOMPARE(d.meta.collections.at("trainable_variables").bytes.size(), size_t(8));
    QVERIFY(errorOf(d.change([](LayerEditor&, GroupEditor& g) { return g.setParameter("tail", "width", "-2"); })).contains(QStringLiteral("units is -2")));
    QCOMPARE(d.shape("tail/first/kernel:0"), std::string("[40,32]"));
  }

  void groupsWithinGroupsFollowToo() {
    Document d = layers();
    OK(d.make({"first"}, "unit"));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("unit", "width", "first.units"); }));
    OK(d.make({"unit", "second"}, "net"));
    QCOMPARE(groupInstancesOf(d.meta).size(), size_t(2));
    OK(d.insert("net", "twin", {{"", "x:0"}}));
    QCOMPARE(d.shape("twin/unit/first/kernel:0"), std::string("[16,8]"));
    QCOMPARE(groupInstancesOf(d.meta).size(), size_t(4));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.setDefault("unit", "width", "10"); }));
    QCOMPARE(d.shape("net/unit/first/kernel:0"), std::string("[16,10]"));
    QCOMPARE(d.shape("twin/unit/first/kernel:0"), std::string("[16,10]"));
    QCOMPARE(d.shape("twin/second/kernel:0"), std::string("[10,4]"));
    // A parameter of the inner group as one of the outer.
    OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_TRY(g.addParameter("net", "hidden", "unit.width"));
      return g.setParameter("twin", "hidden", "6");
    }));
    QCOMPARE(d.shape("twin/unit/first/kernel:0"), std::string("[16,6]"));
    QCOMPARE(d.shape("net/unit/first/kernel:0"), std::string("[16,10]"));
  }

  void aGroupCannotContainItself() {
    Document d = ops();
    OK(d.make({"relu"}, "inner"));
    OK(d.make({"pool", "inner"}, "outer"));
    OK(d.insert("outer", "outer/inner/self", {{"", "x:0"}}));
    QCOMPARE(errorOf(d.change([](LayerEditor&, GroupEditor& g) { return g.updateFrom("outer/inner"); })),
             QStringLiteral("The group inner would contain itself: inner → outer → inner"));
    QCOMPARE(errorOf(d.change([](LayerEditor&, GroupEditor& g) { return g.updateFrom("outer"); })),
             QStringLiteral("The group outer would contain itself: outer → outer"));
  }

  void refusesWhatAGroupCannotHold() {
    Document d;
    GraphBuilder b(d.meta);
    const Output v = b.op("VariableV2", {}, {{"shape", Shape{2}}, {"dtype", DType::Float}}, "v");
    const Output add = b.op("AssignAdd", {v, b.constant(Tensor::vector<float>({1, 2}))}, {}, "add");
    b.op("Identity", {add}, {}, "y");
    QCOMPARE(errorOf(d.make({"add"}, "g")),
             QStringLiteral("v (VariableV2) is shared by reference with g/add; select it too, so that it becomes part of the group"));
    QCOMPARE(errorOf(d.make({"y"}, "a b")),
             QStringLiteral("'a b' cannot name a group: letters, digits and . _ - are allowed, beginning with a letter or digit"));
    OK(d.make({"y"}, "g"));
    QCOMPARE(errorOf(d.make({"add"}, "g")), QStringLiteral("There is a group g already; choose another name"));
  }

  void survivesSavingRenamingAndCopying() {
    Document d = layers();
    OK(d.make({"first", "second"}, "mlp"));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("mlp", "width", "first.units"); }));
    OK(d.insert("mlp", "tail", {{"inputs", "x:0"}}, {{"width", "5"}}));
    Document again = d.reopened();
    QCOMPARE(groupsOf(again.meta).size(), size_t(1));
    OK(again.change([](LayerEditor& l, GroupEditor&) { return l.rename("tail", "end"); }));
    QCOMPARE(groupInstancesOf(again.meta)[1].scope, std::string("end"));
    OK(again.change([](LayerEditor&, GroupEditor& g) { return g.setDefault("mlp", "width", "9"); }));
    QCOMPARE(again.shape("mlp/first/kernel:0"), std::string("[16,9]"));
    QCOMPARE(again.shape("end/first/kernel:0"), std::string("[16,5]"));
    // The clipboard takes the definition along.
    const auto text = copyNodes(again.meta, again.ids({"end"}), std::string());
    QVERIFY(text.ok());
    Document other;
    GraphBuilder b(other.meta);
    b.placeholder(DType::Float, Shape{-1, 3}, "x");
    OK(other.change([&](LayerEditor& l, GroupEditor&) { return l.editor().paste(*text).status(); }));
    QCOMPARE(groupsOf(other.meta).size(), size_t(1));
    QCOMPARE(groupInstancesOf(other.meta)[0].overrides.at("width"), std::string("5"));
    OK(other.change([&](LayerEditor& l, GroupEditor&) { return l.editor().paste(*text).status(); }));
    QCOMPARE(groupsOf(other.meta).size(), size_t(1));
    QCOMPARE(groupInstancesOf(other.meta).size(), size_t(2));
    // One that is dissolved is not built again.
    Document apart = other;
    OK(apart.change([](LayerEditor& l, GroupEditor&) { return l.editor().ungroup("end"); }));
    OK(apart.change([](LayerEditor&, GroupEditor& g) { return g.setDefault("mlp", "width", "7"); }));
    QVERIFY(!apart.meta.graph.find("end/first/MatMul"));
    QCOMPARE(groupInstancesOf(apart.meta).size(), size_t(1));
    // Deleting an instance forgets it; the definition stays.
    OK(other.change([&](LayerEditor& l, GroupEditor&) { return l.editor().remove(other.ids({"end"})); }));
    QCOMPARE(groupInstancesOf(other.meta).size(), size_t(1));
    QCOMPARE(groupsOf(other.meta).size(), size_t(1));
  }

  void librariesAreCheckedWhenTheyAreRead() {
    QTemporaryDir folder;
    const auto path = [&](const char* name) { return folder.filePath(QLatin1String(name)).toStdString(); };
    Document d = layers();
    OK(d.make({"first"}, "unit"));
    OK(d.make({"unit", "second"}, "net"));
    OK(writeGroupLibrary(path("own.weftgroups"), groupsOf(d.meta), {"net"}));
    // What a group contains comes along.
    const auto library = readGroupLibrary(path("own.weftgroups"));
    QVERIFY2(library.ok(), library.ok() ? "" : library.error().message.c_str());
    QCOMPARE(library->size(), size_t(2));
    Document other;
    GraphBuilder b(other.meta);
    b.placeholder(DType::Float, Shape{-1, 7}, "x");
    OK(other.change([&](LayerEditor&, GroupEditor& g) -> Status {
      for (const GroupDefinition& group : *library)
        if (group.name == "net") WEFT_TRY(g.take(group, *library));
      return g.insert("net", "net", {{"", "x:0"}}).status();
    }));
    QCOMPARE(groupsOf(other.meta).size(), size_t(2));
    QCOMPARE(other.shape("net/unit/first/kernel:0"), std::string("[7,8]"));
    QCOMPARE(errorOf(writeGroupLibrary(path("none.weftgroups"), groupsOf(d.meta), {"tower"})), QStringLiteral("There is no group tower in this document"));

    const auto whyBad = [&](std::vector<GroupDefinition> groups) -> QString {
      MetaGraph meta = other.meta;
      setGroups(meta, groups);
      if (!saveGraphFile(meta, GraphFormat::MetaBinary, path("bad.weftgroups")).ok()) return {};
      const auto read = readGroupLibrary(path("bad.weftgroups"));
      return read.ok() ? QStringLiteral("(ok)") : QString::fromStdString(read.error().message);
    };
    auto groups = *library;
    const size_t net = groups[0].name == "net" ? 0 : 1;
    QCOMPARE(whyBad({groups[net]}), QStringLiteral("The group net contains unit, which is not in this file"));
    QCOMPARE(whyBad({groups[net], groups[net]}), QStringLiteral("Two groups are called 'net'"));
    QVERIFY(whyBad({}).startsWith(QStringLiteral("There are no groups in this file")));
    groups[1 - net].outputs.push_back({"other", DType::Float, Shape::unknown(), ""});
    QCOMPARE(whyBad(groups), QStringLiteral("The body of the group unit has no port group_outputs/other"));
    groups[1 - net].body = "nothing";
    QVERIFY2(whyBad(groups).startsWith(QStringLiteral("The body of the group unit cannot be read")), qPrintable(whyBad(groups)));
    QVERIFY(!readGroupLibrary(path("missing.weftgroups")).ok());
  }

  void trainingIsAddedAgainForTheChangedGroup() {
    Document d = layers();
    OK(d.change([](LayerEditor& l, GroupEditor&) -> Status {
      WEFT_TRY(l.editor().add("Placeholder", "labels", {{"dtype", "int32"}, {"shape", "[?]"}}).status());
      const ApiRecord& loss = *ApiRegistry::instance().findLayer("losses.sparse_softmax_cross_entropy");
      WEFT_TRY(l.add(loss, "loss", {}, {{"labels", "labels:0"}, {"logits", l.find("second")->outputs[0]}}).status());
      LayerEditor::Training t;
      t.loss = l.find("loss")->outputs[0];
      return l.addTraining(t);
    }));
    OK(d.make({"first"}, "unit"));
    // Gradients and savers are no outputs of the group.
    QCOMPARE(groupsOf(d.meta)[0].outputs.size(), size_t(1));
    OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_TRY(g.addParameter("unit", "width", "first.units"));
      return g.setDefault("unit", "width", "24");
    }));
    QCOMPARE(d.shape("unit/first/kernel:0"), std::string("[16,24]"));
    bool updated = false;
    for (int id = 0; id < d.meta.graph.size(); ++id)
      if (const Node* n = d.meta.graph.node(id); n && n->op == "ApplyAdam" && d.input(n->name) == "unit/first/kernel:0") updated = true;
    QVERIFY(updated);
  }

  void aThousandInstancesEqualAThousandEdits() {
    Document d = ops();
    OK(d.make({"pool", "relu", "norm"}, "block"));
    OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_TRY(g.addParameter("block", "radius", "norm.depth_radius"));
      for (int i = 1; i < 1000; ++i) WEFT_TRY(g.insert("block", "block_" + std::to_string(i), {{"", "x:0"}}).status());
      return {};
    }));
    QCOMPARE(groupInstancesOf(d.meta).size(), size_t(1000));
    Document one = d;
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.setDefault("block", "radius", "3"); }));
    OK(one.change([](LayerEditor& l, GroupEditor& g) -> Status {
      for (const GroupInstance& i : g.instances()) WEFT_TRY(l.editor().setAttr(l.editor().graph().find(i.scope + "/norm")->id, "depth_radius", "3"));
      return {};
    }));
    for (Document* each : {&d, &one}) {
      each->meta.collections.erase("weft/groups");
      each->meta.collections.erase("weft/group_definitions");
    }
    const auto together = serializeGraph(d.meta, GraphFormat::MetaBinary), apart = serializeGraph(one.meta, GraphFormat::MetaBinary);
    QVERIFY(together.ok() && apart.ok());
    QVERIFY(*together == *apart);
  }

  void aLibraryKeepsItsOtherGroups() {
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("own.weftgroups")).toStdString(),
                      document = folder.filePath(QStringLiteral("own.weft")).toStdString();
    Document d = layers();
    OK(d.make({"first"}, "unit"));
    OK(writeGroupLibrary(path, groupsOf(d.meta), {}));
    Document e = ops();
    OK(e.make({"pool", "relu"}, "stage"));
    OK(writeGroupLibrary(path, groupsOf(e.meta), {"stage"}));
    const auto both = readGroupLibrary(path);
    QVERIFY(both.ok() && both->size() == 2);
    // A document is not overwritten by its groups.
    OK(saveGraphFile(d.meta, GraphFormat::MetaBinary, document));
    QVERIFY(errorOf(writeGroupLibrary(document, groupsOf(d.meta), {})).startsWith(QStringLiteral("This file is a document with a graph")));
    const auto still = loadGraphFile(document);
    QVERIFY(still.ok() && still->meta.graph.nodeCount() == d.meta.graph.nodeCount());
  }

  void editedInstancesGetFunctionsOfTheirOwn() {
    Document d = ops();
    OK(d.make({"pool", "relu", "norm"}, "block"));
    OK(d.insert("block", "other", {{"", "x:0"}}));
    OK(d.change([&](LayerEditor& l, GroupEditor&) { return l.editor().setAttr(l.editor().find("other/norm").value(), "depth_radius", "4"); }));
    OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_TRY(g.toFunction("block"));
      return g.toFunction("other");
    }));
    QCOMPARE(d.meta.graph.find("other")->op, std::string("block_1"));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.inlineCall("other"); }));
    QCOMPARE(d.attr("other/norm", "depth_radius"), std::string("4"));
  }

  void aFunctionCallWaitsAsItsOpsDid() {
    Document d = ops();
    GraphBuilder b(d.meta);
    const int first = b.noOp({}, "first"), last = b.noOp({d.meta.graph.find("relu")->id}, "last");
    b.addControlInputs(d.meta.graph.find("pool")->id, {first});
    QVERIFY(b.ok() && last >= 0);
    OK(d.make({"pool", "relu", "norm"}, "block"));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.toFunction("block"); }));
    const int call = d.meta.graph.find("block")->id;
    QCOMPARE(d.meta.graph.find("last")->controls, std::vector<int>{call});
    QCOMPARE(d.meta.graph.node(call)->controls, std::vector<int>{d.meta.graph.find("first")->id});
  }

  void namesOfInstancesAreNamesOfNodes() {
    Document d = ops();
    OK(d.make({"pool", "relu", "norm"}, "block"));
    for (const char* bad : {"a b", "^q", "q/", "_q", "q//r"}) QVERIFY2(!d.insert("block", bad, {{"", "x:0"}}).ok(), bad);
  }

  void editsInsideOfAnInstanceAreNotReplacedSilently() {
    Document d = ops();
    OK(d.make({"pool", "relu", "norm"}, "block"));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("block", "radius", "norm.depth_radius"); }));
    OK(d.change([&](LayerEditor& l, GroupEditor&) { return l.editor().setAttr(l.editor().find("block/pool").value(), "padding", "VALID"); }));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.setParameter("block", "radius", "5"); }));
    QVERIFY(std::any_of(d.notes.begin(), d.notes.end(), [](const std::string& n) { return n == "Edits inside of block were replaced by the group's."; }));
  }

  void pastedOpsAreNoInstancesOfAnotherGroup() {
    Document d = ops();
    OK(d.make({"pool", "relu", "norm"}, "block"));
    const auto whole = copyNodes(d.meta, d.ids({"block"})), part = copyNodes(d.meta, d.ids({"block/relu"}));
    QVERIFY(whole.ok() && part.ok());
    Document other = layers();
    OK(other.make({"first"}, "block"));
    const size_t before = groupInstancesOf(other.meta).size();
    OK(other.change([&](LayerEditor& l, GroupEditor&) { return l.editor().paste(*whole).status(); }));
    QCOMPARE(groupInstancesOf(other.meta).size(), before);
    Document empty;
    GraphBuilder(empty.meta).placeholder(DType::Float, Shape{1}, "z");
    OK(empty.change([&](LayerEditor& l, GroupEditor&) { return l.editor().paste(*part).status(); }));
    QVERIFY(groupInstancesOf(empty.meta).empty() && groupsOf(empty.meta).empty());
    OK(empty.change([&](LayerEditor& l, GroupEditor&) { return l.editor().paste(*whole).status(); }));
    QCOMPARE(groupInstancesOf(empty.meta).size(), size_t(1));
  }

  void aChangedFileCannotMakeAGroupContainItself() {
    Document d = layers();
    OK(d.make({"first"}, "unit"));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("unit", "width", "first.units"); }));
    OK(d.make({"unit", "second"}, "net"));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("net", "width", "unit.width"); }));
    // The inner group gets the body of the outer one, with its instance of the inner one.
    auto groups = groupsOf(d.meta);
    auto& unit = groups[0].name == "unit" ? groups[0] : groups[1];
    const auto& net = groups[0].name == "unit" ? groups[1] : groups[0];
    const std::string name = unit.name;
    unit = net;
    unit.name = name;
    setGroups(d.meta, groups);
    const Status refused = d.change([](LayerEditor&, GroupEditor& g) { return g.setDefault("net", "width", "9"); });
    QVERIFY2(errorOf(refused).contains(QStringLiteral("contains itself")), qPrintable(errorOf(refused)));
  }

  void becomesAFunctionAndBack() {
    Document d = ops();
    OK(d.make({"pool", "relu", "norm"}, "block"));
    OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("block", "radius", "norm.depth_radius"); }));
    OK(d.insert("block", "other", {{"", "x:0"}}, {{"radius", "3"}}));
    OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_TRY(g.toFunction("block"));
      return g.toFunction("other");
    }));
    QCOMPARE(d.meta.graph.find("block")->op, std::string("block"));
    QCOMPARE(d.meta.graph.find("other")->op, std::string("block_1"));
    QCOMPARE(d.input("y"), std::string("block:0"));
    QCOMPARE(d.input("block"), std::string("x:0"));
    QVERIFY(!d.meta.graph.find("block/norm"));
    Document again = d.reopened();
    QVERIFY(again.meta.graph.find("block"));
    OK(again.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_TRY(g.inlineCall("block"));
      return g.inlineCall("other");
    }));
    QCOMPARE(again.input("y"), std::string("block/norm:0"));
    QCOMPARE(again.attr("other/norm", "depth_radius"), std::string("3"));
    QCOMPARE(groupInstancesOf(again.meta).size(), size_t(2));
    Document variables = layers();
    OK(variables.make({"first"}, "unit"));
    const Status refused = variables.change([](LayerEditor&, GroupEditor& g) { return g.toFunction("unit"); });
    QVERIFY2(errorOf(refused).startsWith(QStringLiteral("first/kernel (VariableV2) keeps a value by reference")), qPrintable(errorOf(refused)));
  }
};

QTEST_GUILESS_MAIN(TestGroups)
#include "tst_groups.moc"
