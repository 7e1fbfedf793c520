// Groups: definitions with ports and parameters, instances that follow them, circles.
#include "group_document.h"

using namespace group_tests;

class TestGroups : public QObject {
  Q_OBJECT

 private slots:
  void aSelectionBecomesAGroupWithTypedPorts() {
    Document d = ops();
    VERIFY_OK(d.make({"pool", "relu", "norm"}, "block"));
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
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_LET(const bool differs, g.differs("block"));
      return differs ? Status(internalError("differs")) : Status();
    }));
  }

  void aScopeKeepsItsName() {
    Document d = ops();
    VERIFY_OK(d.change([&](LayerEditor& l, GroupEditor&) { return l.editor().group(d.ids({"pool", "relu"}), "stage").status(); }));
    VERIFY_OK(d.make({"stage"}, "half"));
    QCOMPARE(groupInstancesOf(d.meta)[0].scope, std::string("stage"));
    QCOMPARE(d.input("norm"), std::string("stage/relu:0"));
  }

  void instancesAreInsertedWithOverrides() {
    Document d = ops();
    VERIFY_OK(d.make({"pool", "relu", "norm"}, "block"));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("block", "radius", "norm.depth_radius"); }));
    VERIFY_OK(d.insert("block", "again", {{"", "block/norm:0"}}, {{"radius", "3"}}));
    QCOMPARE(d.input("again/pool"), std::string("block/norm:0"));
    QCOMPARE(d.attr("again/norm", "depth_radius"), std::string("3"));
    QCOMPARE(d.attr("block/norm", "depth_radius"), std::string("2"));
    QCOMPARE(d.shape("again/norm:0"), std::string("[1,2,2,4]"));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.reset("again", "radius"); }));
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
    VERIFY_OK(d.make({"pool", "relu", "norm"}, "block"));
    VERIFY_OK(d.insert("block", "again", {}));
    QVERIFY(isOpenInput(*d.meta.graph.node(d.meta.graph.find("again/pool")->inputs[0].node)));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.connect("again", "input", "x:0"); }));
    QCOMPARE(d.input("again/pool"), std::string("x:0"));
    QCOMPARE(d.meta.graph.find("open_inputs/again/pool/input"), nullptr);
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.connect("again", "input", ""); }));
    QVERIFY(isOpenInput(*d.meta.graph.node(d.meta.graph.find("again/pool")->inputs[0].node)));
    QCOMPARE(errorOf(d.change([](LayerEditor&, GroupEditor& g) { return g.connect("again", "image", "x:0"); })),
             QStringLiteral("again has no input image; it has input"));
    VERIFY_OK(d.change([](LayerEditor& l, GroupEditor&) { return l.editor().add("Placeholder", "ids", {{"dtype", "int32"}}).status(); }));
    QCOMPARE(errorOf(d.change([](LayerEditor&, GroupEditor& g) { return g.connect("again", "input", "ids:0"); })),
             QStringLiteral("Input input of again takes float32; ids:0 is int32"));
  }

  void allInstancesFollowTheEditedOne() {
    Document d = ops();
    VERIFY_OK(d.make({"pool", "relu", "norm"}, "block"));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("block", "radius", "norm.depth_radius"); }));
    VERIFY_OK(d.insert("block", "second", {{"", "block/norm:0"}}, {{"radius", "4"}}));
    VERIFY_OK(d.insert("block", "third", {{"", "second/norm:0"}}));
    VERIFY_OK(d.change([](LayerEditor& l, GroupEditor&) -> Status {
      WEFT_TRY(l.editor().replace(l.editor().graph().find("third/relu")->id, "Elu").status());
      WEFT_LET(const auto wire, l.editor().input("third/norm:0"));
      return l.editor().insert(wire, "Tanh", "third/tanh").status();
    }));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
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
    VERIFY_OK(d.make({"pool", "relu", "norm"}, "block"));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("block", "radius", "norm.depth_radius"); }));
    VERIFY_OK(d.insert("block", "second", {{"", "x:0"}}, {{"radius", "4"}}));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.removeParameter("block", "radius"); }));
    QCOMPARE(QString::fromStdString(d.notes.at(0)), QStringLiteral("second: radius = 4 is set aside: the group block has no such parameter any more."));
    QCOMPARE(groupInstancesOf(d.meta)[1].aside.at("radius"), std::string("4"));
    QCOMPARE(d.attr("second/norm", "depth_radius"), std::string("2"));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("block", "radius", "norm.depth_radius"); }));
    QCOMPARE(groupInstancesOf(d.meta)[1].overrides.at("radius"), std::string("4"));
    QCOMPARE(d.attr("second/norm", "depth_radius"), std::string("4"));
  }

  void whatIsAttachedOutsideStays() {
    Document d = ops();
    VERIFY_OK(d.make({"pool", "relu", "norm"}, "block"));
    VERIFY_OK(d.change([](LayerEditor& l, GroupEditor&) -> Status {
      placeOnCanvas(l.editor().meta(), {"block", true, 12, 34, false});
      placeOnCanvas(l.editor().meta(), {"block/norm", false, 5, 6, false});
      WEFT_TRY(l.editor().setAttr(l.editor().graph().find("block/pool")->id, "device", "/device:CPU:0"));
      WEFT_TRY(l.editor().connectControl(l.editor().graph().find("x")->id, l.editor().graph().find("block/relu")->id));
      return l.editor().setAttr(l.editor().graph().find("block/norm")->id, "depth_radius", "7");
    }));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.restore("block"); }));
    QCOMPARE(d.attr("block/norm", "depth_radius"), std::string("2"));
    QCOMPARE(canvasPlacesOf(d.meta).size(), size_t(2));
    QCOMPARE(d.meta.graph.find("block/pool")->device, std::string("/device:CPU:0"));
    QCOMPARE(d.meta.graph.find("block/relu")->controls.size(), size_t(1));
    QCOMPARE(d.input("y"), std::string("block/norm:0"));
  }

  void layersInsideAreBuiltForTheShapesOfEachInstance() {
    Document d = layers();
    VERIFY_OK(d.make({"first", "second"}, "mlp"));
    QCOMPARE(groupsOf(d.meta)[0].inputs[0].name, std::string("inputs"));
    QCOMPARE(groupsOf(d.meta)[0].outputs[0].name, std::string("second"));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_TRY(g.addParameter("mlp", "width", "mlp/first.units"));
      return g.addParameter("mlp", "activation", "first.activation");
    }));
    VERIFY_OK(d.change([](LayerEditor& l, GroupEditor&) {
      return l.editor().add("Placeholder", "wide", {{"dtype", "float32"}, {"shape", "[?,40]"}}).status();
    }));
    VERIFY_OK(d.insert("mlp", "tail", {{"inputs", "wide:0"}}, {{"width", "32"}, {"activation", "tanh"}}));
    QCOMPARE(d.shape("tail/first/kernel:0"), std::string("[40,32]"));
    QCOMPARE(d.shape("tail/second/kernel:0"), std::string("[32,4]"));
    QVERIFY(d.meta.graph.find("tail/first/Tanh"));
    QVERIFY(d.problems.empty());
    // A default that changes reaches those without a value of their own. The output's tensor is another one then; its readers follow.
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_TRY(g.setDefault("mlp", "width", "12"));
      return g.addParameter("mlp", "last", "second.activation");
    }));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.setDefault("mlp", "last", "relu"); }));
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
    VERIFY_OK(d.make({"first"}, "unit"));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("unit", "width", "first.units"); }));
    VERIFY_OK(d.make({"unit", "second"}, "net"));
    QCOMPARE(groupInstancesOf(d.meta).size(), size_t(2));
    VERIFY_OK(d.insert("net", "twin", {{"", "x:0"}}));
    QCOMPARE(d.shape("twin/unit/first/kernel:0"), std::string("[16,8]"));
    QCOMPARE(groupInstancesOf(d.meta).size(), size_t(4));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.setDefault("unit", "width", "10"); }));
    QCOMPARE(d.shape("net/unit/first/kernel:0"), std::string("[16,10]"));
    QCOMPARE(d.shape("twin/unit/first/kernel:0"), std::string("[16,10]"));
    QCOMPARE(d.shape("twin/second/kernel:0"), std::string("[10,4]"));
    // A parameter of the inner group as one of the outer.
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_TRY(g.addParameter("net", "hidden", "unit.width"));
      return g.setParameter("twin", "hidden", "6");
    }));
    QCOMPARE(d.shape("twin/unit/first/kernel:0"), std::string("[16,6]"));
    QCOMPARE(d.shape("net/unit/first/kernel:0"), std::string("[16,10]"));
  }

  void aGroupCannotContainItself() {
    Document d = ops();
    VERIFY_OK(d.make({"relu"}, "inner"));
    VERIFY_OK(d.make({"pool", "inner"}, "outer"));
    VERIFY_OK(d.insert("outer", "outer/inner/self", {{"", "x:0"}}));
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
    VERIFY_OK(d.make({"y"}, "g"));
    QCOMPARE(errorOf(d.make({"add"}, "g")), QStringLiteral("There is a group g already; choose another name"));
  }

  void trainingIsAddedAgainForTheChangedGroup() {
    Document d = layers();
    VERIFY_OK(d.change([](LayerEditor& l, GroupEditor&) -> Status {
      WEFT_TRY(l.editor().add("Placeholder", "labels", {{"dtype", "int32"}, {"shape", "[?]"}}).status());
      const ApiRecord& loss = *ApiRegistry::instance().findLayer("losses.sparse_softmax_cross_entropy");
      WEFT_TRY(l.add(loss, "loss", {}, {{"labels", "labels:0"}, {"logits", l.find("second")->outputs[0]}}).status());
      LayerEditor::Training t;
      t.loss = l.find("loss")->outputs[0];
      return l.addTraining(t);
    }));
    VERIFY_OK(d.make({"first"}, "unit"));
    // Gradients and savers are no outputs of the group.
    QCOMPARE(groupsOf(d.meta)[0].outputs.size(), size_t(1));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
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
    VERIFY_OK(d.make({"pool", "relu", "norm"}, "block"));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_TRY(g.addParameter("block", "radius", "norm.depth_radius"));
      for (int i = 1; i < 1000; ++i) WEFT_TRY(g.insert("block", "block_" + std::to_string(i), {{"", "x:0"}}).status());
      return {};
    }));
    QCOMPARE(groupInstancesOf(d.meta).size(), size_t(1000));
    Document one = d;
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.setDefault("block", "radius", "3"); }));
    VERIFY_OK(one.change([](LayerEditor& l, GroupEditor& g) -> Status {
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

  void namesOfInstancesAreNamesOfNodes() {
    Document d = ops();
    VERIFY_OK(d.make({"pool", "relu", "norm"}, "block"));
    for (const char* bad : {"a b", "^q", "q/", "_q", "q//r"}) QVERIFY2(!d.insert("block", bad, {{"", "x:0"}}).ok(), bad);
  }

  void editsInsideOfAnInstanceAreNotReplacedSilently() {
    Document d = ops();
    VERIFY_OK(d.make({"pool", "relu", "norm"}, "block"));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("block", "radius", "norm.depth_radius"); }));
    VERIFY_OK(d.change([&](LayerEditor& l, GroupEditor&) { return l.editor().setAttr(l.editor().find("block/pool").value(), "padding", "VALID"); }));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.setParameter("block", "radius", "5"); }));
    QVERIFY(std::any_of(d.notes.begin(), d.notes.end(), [](const std::string& n) { return n == "Edits inside of block were replaced by the group's."; }));
  }
};

QTEST_GUILESS_MAIN(TestGroups)
#include "tst_groups.moc"
