#include "group_document.h"

using namespace group_tests;

/// Groups in files, as functions, and on the clipboard.
class TestGroupFiles : public QObject {
  Q_OBJECT

 private slots:
  void survivesSavingRenamingAndCopying() {
    Document d = layers();
    VERIFY_OK(d.make({"first", "second"}, "mlp"));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("mlp", "width", "first.units"); }));
    VERIFY_OK(d.insert("mlp", "tail", {{"inputs", "x:0"}}, {{"width", "5"}}));
    Document again = d.reopened();
    QCOMPARE(groupsOf(again.meta).size(), size_t(1));
    VERIFY_OK(again.change([](LayerEditor& l, GroupEditor&) { return l.rename("tail", "end"); }));
    QCOMPARE(groupInstancesOf(again.meta)[1].scope, std::string("end"));
    VERIFY_OK(again.change([](LayerEditor&, GroupEditor& g) { return g.setDefault("mlp", "width", "9"); }));
    QCOMPARE(again.shape("mlp/first/kernel:0"), std::string("[16,9]"));
    QCOMPARE(again.shape("end/first/kernel:0"), std::string("[16,5]"));
    // The clipboard takes the definition along.
    const auto text = copyNodes(again.meta, again.ids({"end"}), std::string());
    QVERIFY(text.ok());
    Document other;
    GraphBuilder b(other.meta);
    b.placeholder(DType::Float, Shape{-1, 3}, "x");
    VERIFY_OK(other.change([&](LayerEditor& l, GroupEditor&) { return l.editor().paste(*text).status(); }));
    QCOMPARE(groupsOf(other.meta).size(), size_t(1));
    QCOMPARE(groupInstancesOf(other.meta)[0].overrides.at("width"), std::string("5"));
    VERIFY_OK(other.change([&](LayerEditor& l, GroupEditor&) { return l.editor().paste(*text).status(); }));
    QCOMPARE(groupsOf(other.meta).size(), size_t(1));
    QCOMPARE(groupInstancesOf(other.meta).size(), size_t(2));
    // One that is dissolved is not built again.
    Document apart = other;
    VERIFY_OK(apart.change([](LayerEditor& l, GroupEditor&) { return l.editor().ungroup("end"); }));
    VERIFY_OK(apart.change([](LayerEditor&, GroupEditor& g) { return g.setDefault("mlp", "width", "7"); }));
    QVERIFY(!apart.meta.graph.find("end/first/MatMul"));
    QCOMPARE(groupInstancesOf(apart.meta).size(), size_t(1));
    // Deleting an instance forgets it; the definition stays.
    VERIFY_OK(other.change([&](LayerEditor& l, GroupEditor&) { return l.editor().remove(other.ids({"end"})); }));
    QCOMPARE(groupInstancesOf(other.meta).size(), size_t(1));
    QCOMPARE(groupsOf(other.meta).size(), size_t(1));
  }

  void librariesAreCheckedWhenTheyAreRead() {
    QTemporaryDir folder;
    const auto path = [&](const char* name) { return folder.filePath(QLatin1String(name)).toStdString(); };
    Document d = layers();
    VERIFY_OK(d.make({"first"}, "unit"));
    VERIFY_OK(d.make({"unit", "second"}, "net"));
    VERIFY_OK(writeGroupLibrary(path("own.weftgroups"), groupsOf(d.meta), {"net"}));
    // What a group contains comes along.
    const auto library = readGroupLibrary(path("own.weftgroups"));
    QVERIFY2(library.ok(), library.ok() ? "" : library.error().message.c_str());
    QCOMPARE(library->size(), size_t(2));
    Document other;
    GraphBuilder b(other.meta);
    b.placeholder(DType::Float, Shape{-1, 7}, "x");
    VERIFY_OK(other.change([&](LayerEditor&, GroupEditor& g) -> Status {
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

  void aLibraryKeepsItsOtherGroups() {
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("own.weftgroups")).toStdString(),
                      document = folder.filePath(QStringLiteral("own.weft")).toStdString();
    Document d = layers();
    VERIFY_OK(d.make({"first"}, "unit"));
    VERIFY_OK(writeGroupLibrary(path, groupsOf(d.meta), {}));
    Document e = ops();
    VERIFY_OK(e.make({"pool", "relu"}, "stage"));
    VERIFY_OK(writeGroupLibrary(path, groupsOf(e.meta), {"stage"}));
    const auto both = readGroupLibrary(path);
    QVERIFY(both.ok() && both->size() == 2);
    // A document is not overwritten by its groups.
    VERIFY_OK(saveGraphFile(d.meta, GraphFormat::MetaBinary, document));
    QVERIFY(errorOf(writeGroupLibrary(document, groupsOf(d.meta), {})).startsWith(QStringLiteral("This file is a document with a graph")));
    const auto still = loadGraphFile(document);
    QVERIFY(still.ok() && still->meta.graph.nodeCount() == d.meta.graph.nodeCount());
  }

  void editedInstancesGetFunctionsOfTheirOwn() {
    Document d = ops();
    VERIFY_OK(d.make({"pool", "relu", "norm"}, "block"));
    VERIFY_OK(d.insert("block", "other", {{"", "x:0"}}));
    VERIFY_OK(d.change([&](LayerEditor& l, GroupEditor&) { return l.editor().setAttr(l.editor().find("other/norm").value(), "depth_radius", "4"); }));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_TRY(g.toFunction("block"));
      return g.toFunction("other");
    }));
    QCOMPARE(d.meta.graph.find("other")->op, std::string("block_1"));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.inlineCall("other"); }));
    QCOMPARE(d.attr("other/norm", "depth_radius"), std::string("4"));
  }

  void aFunctionCallWaitsAsItsOpsDid() {
    Document d = ops();
    GraphBuilder b(d.meta);
    const int first = b.noOp({}, "first"), last = b.noOp({d.meta.graph.find("relu")->id}, "last");
    b.addControlInputs(d.meta.graph.find("pool")->id, {first});
    QVERIFY(b.ok() && last >= 0);
    VERIFY_OK(d.make({"pool", "relu", "norm"}, "block"));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.toFunction("block"); }));
    const int call = d.meta.graph.find("block")->id;
    QCOMPARE(d.meta.graph.find("last")->controls, std::vector<int>{call});
    QCOMPARE(d.meta.graph.node(call)->controls, std::vector<int>{d.meta.graph.find("first")->id});
  }

  void pastedOpsAreNoInstancesOfAnotherGroup() {
    Document d = ops();
    VERIFY_OK(d.make({"pool", "relu", "norm"}, "block"));
    const auto whole = copyNodes(d.meta, d.ids({"block"})), part = copyNodes(d.meta, d.ids({"block/relu"}));
    QVERIFY(whole.ok() && part.ok());
    Document other = layers();
    VERIFY_OK(other.make({"first"}, "block"));
    const size_t before = groupInstancesOf(other.meta).size();
    VERIFY_OK(other.change([&](LayerEditor& l, GroupEditor&) { return l.editor().paste(*whole).status(); }));
    QCOMPARE(groupInstancesOf(other.meta).size(), before);
    Document empty;
    GraphBuilder(empty.meta).placeholder(DType::Float, Shape{1}, "z");
    VERIFY_OK(empty.change([&](LayerEditor& l, GroupEditor&) { return l.editor().paste(*part).status(); }));
    QVERIFY(groupInstancesOf(empty.meta).empty() && groupsOf(empty.meta).empty());
    VERIFY_OK(empty.change([&](LayerEditor& l, GroupEditor&) { return l.editor().paste(*whole).status(); }));
    QCOMPARE(groupInstancesOf(empty.meta).size(), size_t(1));
  }

  void aChangedFileCannotMakeAGroupContainItself() {
    Document d = layers();
    VERIFY_OK(d.make({"first"}, "unit"));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("unit", "width", "first.units"); }));
    VERIFY_OK(d.make({"unit", "second"}, "net"));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("net", "width", "unit.width"); }));
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
    VERIFY_OK(d.make({"pool", "relu", "norm"}, "block"));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) { return g.addParameter("block", "radius", "norm.depth_radius"); }));
    VERIFY_OK(d.insert("block", "other", {{"", "x:0"}}, {{"radius", "3"}}));
    VERIFY_OK(d.change([](LayerEditor&, GroupEditor& g) -> Status {
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
    VERIFY_OK(again.change([](LayerEditor&, GroupEditor& g) -> Status {
      WEFT_TRY(g.inlineCall("block"));
      return g.inlineCall("other");
    }));
    QCOMPARE(again.input("y"), std::string("block/norm:0"));
    QCOMPARE(again.attr("other/norm", "depth_radius"), std::string("3"));
    QCOMPARE(groupInstancesOf(again.meta).size(), size_t(2));
    Document variables = layers();
    VERIFY_OK(variables.make({"first"}, "unit"));
    const Status refused = variables.change([](LayerEditor&, GroupEditor& g) { return g.toFunction("unit"); });
    QVERIFY2(errorOf(refused).startsWith(QStringLiteral("first/kernel (VariableV2) keeps a value by reference")), qPrintable(errorOf(refused)));
  }
};

QTEST_GUILESS_MAIN(TestGroupFiles)
#include "tst_group_files.moc"
