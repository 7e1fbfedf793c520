// Editing graphs: nodes, wires, names, layers, training; state after failed edits; deltas, differences, text.
#include <QtTest>

#include "weft/builder.h"
#include "weft/canvas_bookmarks.h"
#include "weft/diff.h"
#include "weft/edit.h"
#include "weft/graph_text.h"
#include "weft/op.h"
#include "weft/recipes.h"
#include "weft/templates.h"
#include "weft/train.h"

using namespace weft;

namespace {

struct Edited {
  MetaGraph meta;
  std::vector<Error> problems;
  GraphEditor editor{meta, problems};
  LayerEditor layers{editor};

  int add(const char* op, const char* name, TextAttrs attrs = {}) {
    auto id = editor.add(op, name, attrs);
    if (!id.ok()) qWarning() << id.error().toString().c_str();
    return id.ok() ? *id : -1;
  }
  std::string connect(const std::string& from, const std::string& to) {
    auto o = editor.output(from);
    auto p = editor.input(to);
    if (!o.ok()) return o.error().message;
    if (!p.ok()) return p.error().message;
    const Status s = editor.connect(*o, *p);
    return s.ok() ? std::string() : s.error().message;
  }
  const Node& node(const char* name) const { return *meta.graph.find(name); }
  std::string source(const char* name, int input) const { return meta.graph.tensorName(node(name).inputs[size_t(input)]); }
  int openInputs() const {
    int n = 0;
    for (int id = 0; id < meta.graph.size(); ++id) n += meta.graph.node(id) && isOpenInput(*meta.graph.node(id));
    return n;
  }
};

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

class EditTest : public QObject {
  Q_OBJECT

 private slots:
  /// Names of many nodes change at once: also where one gets the old name of another, and where a suffix is added to all.
  void manyNodesAreRenamedAtOnce() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output w = b.constant(Tensor::scalar(1.0f), "w"), w1 = b.constant(Tensor::scalar(2.0f), "w_1");
    b.op("Add", {w, w1}, {}, "sum");
    std::vector<Error> problems;
    GraphEditor editor(meta, problems);
    QVERIFY(editor.renameNodes({{"w", "w_1"}, {"w_1", "w_1_1"}, {"sum", "w"}}).ok());
    QCOMPARE(meta.graph.node(meta.graph.find("w")->inputs[0].node)->name, std::string("w_1"));
    QCOMPARE(meta.graph.node(meta.graph.find("w")->inputs[1].node)->name, std::string("w_1_1"));
    QVERIFY(editor.renameNodes({{"w", "a"}, {"w_1", "a"}}).error().message.starts_with("Two nodes would be called a"));
    QVERIFY(editor.renameNodes({{"w", "w_1_1"}}).error().message.starts_with("There is a node w_1_1 already"));
    QVERIFY(meta.graph.find("w"));
  }

  void aHalfMadeGraphIsSavedAndReadAgain() {
    Edited e;
    e.add("MatMul", "m");
    QCOMPARE(e.openInputs(), 2);
    QVERIFY(e.editor.finish().ok());
    for (const GraphFormat format : {GraphFormat::MetaBinary, GraphFormat::MetaText}) {
      const auto bytes = serializeGraph(e.meta, format);
      QVERIFY(bytes.ok());
      const auto again = loadGraphBytes(std::make_shared<const std::string>(*bytes), "x");
      QVERIFY2(again.ok(), again.ok() ? "" : again.error().toString().c_str());
      QVERIFY(isOpenInput(*again->meta.graph.node(again->meta.graph.find("m")->inputs[1].node)));
    }
  }

  void namesAreMadeUnique() {
    Edited e;
    e.add("NoOp", "a");
    e.add("NoOp", "A");
    e.add("NoOp", "s/x");
    e.add("NoOp", "s");
    QVERIFY(e.meta.graph.find("A_1"));
    QVERIFY(e.meta.graph.find("s_1"));
    QVERIFY(!e.editor.add("NoOp", "not a name").ok());
    QVERIFY(!e.editor.add("NoSuchOp", "x").ok());
  }

  void typesFollowTheFirstWireAndRefuseTheSecond() {
    Edited e;
    e.add("Placeholder", "i", {{"dtype", "int32"}, {"shape", "[2]"}});
    e.add("Placeholder", "f", {{"dtype", "float32"}});
    e.add("Add", "sum");
    QCOMPARE(e.connect("i", "sum:0"), std::string());
    QCOMPARE(e.node("sum").attrs.type("T"), DType::Int32);
    QCOMPARE(e.node("sum").outputTypes[0], DType::Int32);
    const std::string why = e.connect("f", "sum:1");
    QVERIFY2(has(why, "float32") && has(why, "int32") && has(why, "Cast"), why.c_str());
  }

  void typesGoOnDownstream() {
    Edited e;
    e.add("Placeholder", "x");
    e.add("Relu", "r");
    e.add("Neg", "n");
    QCOMPARE(e.connect("x", "r:0"), std::string());
    QCOMPARE(e.connect("r", "n:0"), std::string());
    auto id = e.editor.find("x");
    QVERIFY(e.editor.setAttr(*id, "dtype", "float64").ok());
    QCOMPARE(e.node("n").attrs.type("T"), DType::Double);
    QVERIFY(!e.editor.setAttr(*id, "dtype", "string").ok());
  }

  void cyclesAreRefused() {
    Edited e;
    e.add("Relu", "a");
    e.add("Relu", "b");
    QCOMPARE(e.connect("a", "b:0"), std::string());
    QVERIFY(has(e.connect("b", "a:0"), "cycle"));
    QVERIFY(has(e.connect("a", "a:0"), "cycle"));
  }

  void listsGrowAndShrink() {
    Edited e;
    e.add("AddN", "sum");
    for (const char* name : {"a", "b", "c"}) {
      e.add("Placeholder", name);
      QCOMPARE(e.connect(name, "sum:inputs+"), std::string());
    }
    QCOMPARE(e.node("sum").attrs.integer("N"), 5);  // two open ones from the beginning
    QVERIFY(e.editor.disconnect(e.node("sum").id, 0).ok());
    QVERIFY(e.editor.disconnect(e.node("sum").id, 0).ok());
    QCOMPARE(e.node("sum").attrs.integer("N"), 3);
    QCOMPARE(e.source("sum", 2), std::string("c:0"));
    QCOMPARE(e.openInputs(), 0);
  }

  void shapesAreInferredFromWhatChanged() {
    Edited e;
    e.add("Placeholder", "x", {{"shape", "[?,4]"}});
    e.add("Placeholder", "w", {{"shape", "[4,3]"}});
    e.add("MatMul", "m");
    e.add("Relu", "r");
    e.connect("x", "m:0"), e.connect("w", "m:1"), e.connect("m", "r:0");
    QVERIFY(e.editor.finish().ok());
    QCOMPARE(e.node("r").outputShapes[0].toString(), std::string("[?,3]"));
    GraphEditor second(e.meta, e.problems);
    QVERIFY(second.setAttr(*second.find("w"), "shape", "[5,3]").ok());
    QVERIFY(second.finish().ok());
    QCOMPARE(e.problems.size(), size_t(1));
    QCOMPARE(e.problems[0].node, std::string("m"));
    GraphEditor third(e.meta, e.problems);
    QVERIFY(third.setAttr(*third.find("m"), "transpose_b", "true").ok());
    QVERIFY(third.setAttr(*third.find("w"), "shape", "[7,4]").ok());
    QVERIFY(third.finish().ok());
    QVERIFY(e.problems.empty());
    QCOMPARE(e.node("r").outputShapes[0].toString(), std::string("[?,7]"));
  }

  void renamingReachesCollectionsAndSavers() {
    auto made = api::buildTemplate("mlp");
    QVERIFY(made.ok());
    std::vector<Error> problems;
    GraphEditor editor(*made, problems);
    QVERIFY(editor.renameScope("hidden1", "first").ok());
    QVERIFY(editor.finish().ok());
    const auto bytes = serializeGraph(*made, GraphFormat::MetaBinary);
    QVERIFY(bytes.ok());
    QVERIFY(!has(*bytes, "loc:@hidden1/"));
    for (const auto& [key, c] : made->collections)
      for (const std::string& b : c.bytes) QVERIFY2(!has(b, "hidden1/kernel:0"), key.c_str());
    QVERIFY(loadGraphBytes(std::make_shared<const std::string>(*bytes), "x").ok());
  }

  void removingAVariableTakesWhatAssignsToIt() {
    auto made = api::buildTemplate("softmax");
    QVERIFY(made.ok());
    std::vector<Error> problems;
    GraphEditor editor(*made, problems);
    QVERIFY(editor.stripTraining().ok());
    QVERIFY(!made->graph.find("train/GradientDescent"));
    const int kernel = made->graph.find("logits/kernel")->id;
    QVERIFY(editor.remove({kernel}).ok());
    QVERIFY(editor.finish().ok());
    for (int id = 0; id < made->graph.size(); ++id) {
      const Node* n = made->graph.node(id);
      QVERIFY(!n || n->op != "Assign" || made->graph.tensorName(n->inputs[0]) != "logits/kernel:0");
    }
    const auto& variables = made->collections.at("variables").bytes;
    for (const std::string& v : variables) QVERIFY(!has(v, "logits/kernel"));
    const auto bytes = serializeGraph(*made, GraphFormat::MetaBinary);
    QVERIFY(loadGraphBytes(std::make_shared<const std::string>(*bytes), "x").ok());
  }

  /// A question whether it has a value does not keep an optimizer's slot.
  void strippedSlotsMayBeAskedAbout() {
    Edited e;
    for (const char* name : {"w", "slot"}) e.add("VariableV2", name, {{"dtype", "float"}, {"shape", "[2]"}});
    e.add("ApplyMomentum", "update", {{"T", "float"}});
    e.add("IsVariableInitialized", "asked", {{"dtype", "float"}});
    e.add("Identity", "used", {{"T", "float"}});
    for (const auto& [from, to] : {std::pair("w:0", "update:0"), std::pair("slot:0", "update:1"), std::pair("slot:0", "asked:0"), std::pair("w:0", "used:0")})
      QCOMPARE(e.connect(from, to), std::string());
    QVERIFY(e.editor.stripTraining().ok());
    QVERIFY(e.editor.finish().ok());
    for (const char* gone : {"update", "slot", "asked"}) QVERIFY2(!e.meta.graph.find(gone), gone);
    QCOMPARE(e.source("used", 0), std::string("w:0"));
  }

  void aLayerWaitsForItsInputAndIsBuiltThen() {
    Edited e;
    const ApiRecord* dense = ApiRegistry::instance().find("layers.dense");
    auto first = e.layers.add(*dense, "one", {{"units", "5"}});
    auto second = e.layers.add(*dense, "two", {{"units", "3"}}, {{"", e.layers.find("one")->outputs[0]}});
    QVERIFY(first.ok() && second.ok());
    QVERIFY(e.layers.finish().ok());
    QVERIFY(e.meta.graph.find("two/waiting"));
    e.add("Placeholder", "x", {{"shape", "[?,4]"}});
    QVERIFY(e.layers.connect("x", *e.layers.find("one"), "").ok());
    QVERIFY(e.layers.finish().ok());
    QVERIFY(e.meta.graph.find("one/MatMul") && e.meta.graph.find("two/MatMul"));
    QVERIFY(!e.meta.graph.find("two/waiting"));
    QCOMPARE(e.node("two/kernel").attrs.shape("shape").toString(), std::string("[5,3]"));
    // Other units: the layer behind follows.
    QVERIFY(e.layers.setParameter(*e.layers.find("one"), "units", "8").ok());
    QVERIFY(e.layers.finish().ok());
    QCOMPARE(e.node("two/kernel").attrs.shape("shape").toString(), std::string("[8,3]"));
    QCOMPARE(e.openInputs(), 0);
    const Status bad = e.layers.setParameter(*e.layers.find("one"), "units", "many");
    QVERIFY(!bad.ok() && has(bad.error().message, "many"));
  }

  /// 99999999999 became 1215752191.
  void sizesThatDoNotFitAreRefused() {
    for (const char* units : {"99999999999", "2147483648", "0", "-5", "99999999999999999999", "1.5", ""}) {
      Edited e;
      e.add("Placeholder", "x", {{"shape", "[?,4]"}});
      const ApiRecord* dense = ApiRegistry::instance().find("layers.dense");
      QVERIFY(e.layers.add(*dense, "d", {{"units", "3"}}, {{"", "x"}}).ok());
      QVERIFY(e.layers.finish().ok());
      const Status refused = e.layers.setParameter(*e.layers.find("d"), "units", units);
      QVERIFY2(!refused.ok(), units);
      QVERIFY2(has(refused.error().message, units) && has(refused.error().message, "units"), refused.error().message.c_str());
      if (std::string_view(units) == "99999999999") QVERIFY2(has(refused.error().message, "1 to 2147483647"), refused.error().message.c_str());
      QVERIFY(!e.layers.add(*dense, "f", {{"units", units}}, {{"", "x"}}).ok());
    }
    Edited e;
    e.add("Placeholder", "x", {{"shape", "[?,8,8,1]"}});
    const ApiRecord* conv = ApiRegistry::instance().find("layers.conv2d");
    const auto refused = e.layers.add(*conv, "c", {{"filters", "4"}, {"kernel_size", "[99999999999,3]"}}, {{"", "x"}});
    QVERIFY(!refused.ok() && has(refused.error().message, "kernel_size is 99999999999"));
  }

  void aLayerThatDoesNotFitSaysWhy() {
    Edited e;
    e.add("Placeholder", "x", {{"shape", "[?,8,8,1]"}});
    auto made = e.layers.add(*ApiRegistry::instance().find("layers.dense"), "d", {{"units", "5"}}, {{"", "x"}});
    QVERIFY(made.ok());
    QVERIFY(e.layers.finish().ok());
    QCOMPARE(e.problems.size(), size_t(1));
    QVERIFY(has(e.problems[0].message, "ndim"));
  }

  void trainingIsAddedTakenOutAndAddedAgain() {
    Edited e;
    e.add("Placeholder", "x", {{"shape", "[?,4]"}});
    e.add("Placeholder", "y", {{"dtype", "int32"}, {"shape", "[?]"}});
    const auto& api = ApiRegistry::instance();
    QVERIFY(e.layers.add(*api.find("layers.dense"), "logits", {{"units", "3"}}, {{"", "x"}}).ok());
    QVERIFY(e.layers.add(*api.find("losses.sparse_softmax_cross_entropy"), "loss", {}, {{"labels", "y"}, {"logits", "logits/BiasAdd"}}).ok());
    QVERIFY(e.layers.finish().ok());
    const int before = e.meta.graph.nodeCount();
    const Status trained = e.layers.addTraining({});
    QVERIFY2(trained.ok(), trained.ok() ? "" : trained.error().message.c_str());
    QVERIFY(trainingSettingsOf(e.meta).ok());
    QVERIFY(e.meta.graph.nodeCount() > before + 50);
    QVERIFY(e.layers.finish().ok());
    // Another width: training is that of the new network.
    LayerEditor again(e.editor);
    QVERIFY(again.setParameter(*again.find("logits"), "units", "7").ok());
    std::vector<std::string> notes;
    QVERIFY(again.finish(&notes).ok());
    QCOMPARE(notes.size(), size_t(1));
    QCOMPARE(e.node("logits/kernel/Adam").attrs.shape("shape").toString(), std::string("[4,7]"));
    QVERIFY(*again.removeTraining());
    QCOMPARE(e.meta.graph.nodeCount(), before);
    QVERIFY(!trainingSettingsOf(e.meta).ok());
    QVERIFY(!again.addTraining({.loss = "nothing"}).ok());
  }

  void picturesOfTheDataStayWhenTheNetworkChanges() {
    for (const char* name : {"mlp", "lenet"}) {
      auto made = api::buildTemplate(name);
      QVERIFY(made.ok());
      Edited e;
      e.meta = std::move(*made);
      LayerEditor layers(e.editor);
      const bool convolves = std::string(name) == "lenet";
      QVERIFY(layers.setParameter(*layers.find(convolves ? "conv2" : "hidden2"), convolves ? "filters" : "units", "48").ok());
      QVERIFY(layers.finish().ok());
      QVERIFY(e.meta.graph.find("input") && e.node("input").op == "ImageSummary");
      // The step that writes summaries writes them, too.
      const auto settings = trainingSettingsOf(e.meta);
      QVERIFY(settings.ok());
      const auto merged = e.editor.output(settings->summaries.at(0));
      QVERIFY(merged.ok());
      const auto& parts = e.meta.graph.node(merged->node)->inputs;
      QVERIFY(std::any_of(parts.begin(), parts.end(), [&](Output o) { return o.node == e.node("input").id; }));
    }
  }

  void mutedNodesHandTheirInputOn() {
    Edited e;
    e.add("Placeholder", "x", {{"shape", "[2,2]"}});
    e.add("MatMul", "m");
    e.connect("x", "m:0"), e.connect("x", "m:1");
    QVERIFY(e.editor.mute(e.node("m").id).ok());
    QVERIFY(isMuted(e.node("m")) && e.node("m").op == "Identity");
    QVERIFY(e.editor.unmute(e.node("m").id).ok());
    QCOMPARE(e.node("m").op, std::string("MatMul"));
    QCOMPARE(e.node("m").inputs.size(), size_t(2));
    QVERIFY(!e.editor.mute(e.node("x").id).ok());
  }

  void nodesTravelAsText() {
    auto made = api::buildTemplate("mlp");
    QVERIFY(made.ok());
    std::vector<int> nodes;
    for (int id = 0; id < made->graph.size(); ++id)
      if (made->graph.node(id) && made->graph.node(id)->name.starts_with("hidden1/") && made->graph.node(id)->name.find("Adam") == std::string::npos)
        nodes.push_back(id);
    const auto text = copyNodes(*made, nodes, "");
    QVERIFY(text.ok());
    Edited e;
    const auto pasted = e.editor.paste(*text);
    QVERIFY2(pasted.ok(), pasted.ok() ? "" : pasted.error().message.c_str());
    QVERIFY(e.editor.finish().ok());
    QVERIFY(e.meta.graph.find("hidden1/MatMul"));
    QVERIFY(e.meta.collections.count("trainable_variables"));
    QCOMPARE(e.openInputs(), 1);
    const auto second = e.editor.paste(*text);
    QVERIFY(second.ok());
    QVERIFY(e.meta.graph.find("hidden1_1/MatMul"));
    QVERIFY(!e.editor.paste("no graph").ok());
  }

  void groupsInsertsAndReplaces() {
    Edited e;
    e.add("Placeholder", "x", {{"shape", "[2]"}});
    e.add("Relu", "r");
    e.add("Neg", "n");
    e.connect("x", "r:0"), e.connect("r", "n:0");
    auto place = e.editor.input("n:0");
    auto inserted = e.editor.insert(*place, "Square", "sq");
    QVERIFY(inserted.ok());
    QCOMPARE(e.source("n", 0), std::string("sq:0"));
    QCOMPARE(e.source("sq", 0), std::string("r:0"));
    QVERIFY(e.editor.replace(e.node("sq").id, "Abs").ok());
    QCOMPARE(e.node("sq").op, std::string("Abs"));
    QCOMPARE(e.source("n", 0), std::string("sq:0"));
    auto scope = e.editor.group({e.node("r").id, e.node("sq").id}, "act");
    QVERIFY(scope.ok());
    QVERIFY(e.meta.graph.find("act/r") && e.meta.graph.find("act/sq"));
    QVERIFY(e.editor.ungroup("act").ok());
    QVERIFY(e.meta.graph.find("sq"));
    QVERIFY(e.editor.extract({e.node("r").id}).ok());
    QVERIFY(!e.meta.graph.find("n") && e.meta.graph.find("x"));
  }

  void whatGoesIntoAScopeGoesWithAllThatSpeaksOfIt() {
    Edited e;
    e.add("Placeholder", "x", {{"shape", "[?,4]"}});
    const ApiRecord* dense = ApiRegistry::instance().find("layers.dense");
    QVERIFY(e.layers.add(*dense, "d", {{"units", "3"}}, {{"", "x"}}).ok());
    QVERIFY(e.layers.add(*dense, "e", {{"units", "2"}}, {{"", "d/BiasAdd"}}).ok());
    placeOnCanvas(e.meta, {"d", true, 10, 20});
    setCanvasNotes(e.meta, {{"d", CanvasNote::Kind::Comment, "a note", "d"}});
    setCanvasBookmarks(e.meta, {{3, "d", 1, 2, 30, 40}});
    std::vector<int> ids{e.node("x").id};
    for (int id = 0; id < e.meta.graph.size(); ++id)
      if (e.meta.graph.node(id) && e.meta.graph.node(id)->name.starts_with("d/")) ids.push_back(id);
    QCOMPARE(*e.editor.group(ids, "s"), std::string("s"));
    const auto recipe = [&](size_t i) { return recipesOf(e.meta)[i]; };
    QCOMPARE(recipe(0).scope, std::string("s/d"));
    QCOMPARE(recipe(0).inputs[0], std::string("s/x:0"));
    QCOMPARE(recipe(1).inputs[0], std::string("s/d/BiasAdd:0"));
    QCOMPARE(canvasPlacesOf(e.meta)[0].name, std::string("s/d"));
    QCOMPARE(canvasNotesOf(e.meta)[0].scope, std::string("s/d"));
    QCOMPARE(canvasNotesOf(e.meta)[0].id, std::string("d"));
    QCOMPARE(canvasBookmarksOf(e.meta)[0].anchor, std::string("s/d"));
    // Moved out again after its name was taken: the whole layer is renamed.
    e.add("Abs", "d");
    QVERIFY(e.editor.ungroup("s").ok());
    QCOMPARE(recipe(0).scope, std::string("d_1"));
    QCOMPARE(recipe(1).inputs[0], std::string("d_1/BiasAdd:0"));
    QCOMPARE(canvasPlacesOf(e.meta)[0].name, std::string("d_1"));
    QVERIFY(e.layers.finish().ok());
    QVERIFY(e.layers.find("d_1") && e.layers.setParameter(*e.layers.find("d_1"), "units", "5").ok());
    QVERIFY(e.meta.graph.find("d_1/MatMul"));
    // The places of notes and bookmarks outlive that the last placed node goes.
    QVERIFY(e.editor.remove({e.node("d").id}).ok());
    QCOMPARE(canvasNotesOf(e.meta).size(), size_t(1));
    QCOMPARE(canvasBookmarksOf(e.meta).size(), size_t(1));
  }

  void deltasRepeatAnEdit() {
    auto made = api::buildTemplate("mlp");
    QVERIFY(made.ok());
    MetaGraph before = *made;
    std::vector<Error> problems, replayed;
    GraphEditor editor(*made, problems);
    QVERIFY(editor.renameScope("hidden2", "second").ok());
    QVERIFY(editor.add("Relu", "extra").ok());
    QVERIFY(editor.remove({made->graph.find("evaluation/ArgMax")->id}).ok());
    QVERIFY(editor.finish().ok());
    const auto delta = deltaBetween(before, *made);
    QVERIFY(delta.ok());
    const Status s = applyDelta(before, replayed, *delta);
    QVERIFY2(s.ok(), s.ok() ? "" : s.error().message.c_str());
    QCOMPARE(*serializeGraph(before, GraphFormat::MetaBinary), *serializeGraph(*made, GraphFormat::MetaBinary));
    QVERIFY(!applyDelta(before, replayed, *delta).ok());  // it was made against another graph
    QVERIFY(!applyDelta(before, replayed, "nonsense\xff").ok());
  }

  void journalsEndAtATornRecord() {
    const std::string one = journalRecord({JournalEntry::Kind::Edit, "Add x", {}, {}}), two = journalRecord({JournalEntry::Kind::Saved, {}, "/a", {}});
    QCOMPARE(readJournal(one + two).size(), size_t(2));
    QCOMPARE(readJournal(one + two.substr(0, two.size() - 1)).size(), size_t(1));
    std::string bad = one + two;
    bad.back() = char(bad.back() ^ 1);
    QCOMPARE(readJournal(bad).size(), size_t(1));
  }

  void differencesAreFound() {
    auto a = api::buildTemplate("mlp"), b = api::buildTemplate("mlp");
    QVERIFY(diffGraphs(*a, *b).empty());
    std::vector<Error> problems;
    GraphEditor editor(*b, problems);
    QVERIFY(editor.setAttr(b->graph.find("learning_rate/input")->id, "value", "0.5").ok());
    QVERIFY(editor.rename(b->graph.find("hidden1/Relu")->id, "hidden1/Activation").ok());
    QVERIFY(editor.add("NoOp", "new").ok());
    const auto d = diffGraphs(*a, *b);
    int changed = 0, renamed = 0, added = 0, removed = 0;
    for (const auto& n : d.nodes) {
      changed += n.kind == NodeDifference::Kind::Changed;
      renamed += n.kind == NodeDifference::Kind::Renamed;
      added += n.kind == NodeDifference::Kind::Added;
      removed += n.kind == NodeDifference::Kind::Removed;
    }
    QCOMPARE(renamed, 1);
    QCOMPARE(added, 1);
    QCOMPARE(removed, 0);
    QCOMPARE(changed, 1);
  }

  void untouchedNodesKeepTheirBytes() {
    auto made = api::buildTemplate("softmax");
    const auto bytes = serializeGraph(*made, GraphFormat::MetaBinary);
    auto loaded = loadGraphBytes(std::make_shared<const std::string>(*bytes), "x");
    GraphEditor editor(loaded->meta, loaded->problems);
    QVERIFY(editor.add("NoOp", "mine").ok());
    QVERIFY(editor.finish().ok());
    int kept = 0;
    for (int id = 0; id < loaded->meta.graph.size(); ++id) kept += loaded->meta.graph.node(id) && loaded->meta.graph.node(id)->raw;
    QCOMPARE(kept, loaded->meta.graph.nodeCount() - 1);
  }

  void valuesAreReadFromText() {
    QCOMPARE(*attrFromText("s", "list(int)", "[1, 2,3]")->get<std::vector<int64_t>>(), (std::vector<int64_t>{1, 2, 3}));
    QCOMPARE(attrFromText("s", "shape", "[?,64]")->get<Shape>()->toString(), std::string("[?,64]"));
    QCOMPARE(attrFromText("s", "tensor", "[[1,2],[3,4]]", DType::Int32)->get<Tensor>()->dim(1), 2);
    QVERIFY(!attrFromText("s", "int", "1.5").ok());
    QVERIFY(!attrFromText("s", "list(int)", "[1,x]").ok());
    QVERIFY(!attrFromText("s", "shape", "[-7]").ok());
    QVERIFY(!attrFromText("s", "tensor", "[[1,2],[3]]").ok());
  }

  void pythonNamesEveryNode() {
    auto made = api::buildTemplate("lenet");
    const std::string code = graphToPython(made->graph);
    for (int id = 0; id < made->graph.size(); ++id)
      if (const Node* n = made->graph.node(id)) QVERIFY2(has(code, ("\"" + n->name + "\"").c_str()), n->name.c_str());
    QVERIFY(has(graphToDot(made->graph, "lenet"), "\"conv1/Conv2D\""));
  }
};

QTEST_APPLESS_MAIN(EditTest)
#include "tst_edit.moc"
