// Graphs that TensorFlow would refuse: they are shown completely, name the error at its node, cannot run, are saved unchanged, and can be repaired.
#include <QAction>
#include <QDir>
#include <algorithm>

#include "adapters/engine_graph.h"
#include "adapters/graph_defects.h"
#include "adapters/graph_edit.h"
#include "adapters/graph_files.h"
#include "document/document.h"
#include "main_window/main_window.h"
#include "weft/defects.h"
#include "weft/diff.h"
#include "weft/session.h"
#include "window_fixture.h"

using namespace weft::app;

namespace {

const QString kFiles = QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/");

QByteArray contentsOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// "node:code" of the problems that prevent a run, in order.
QStringList defects(const Document& document) {
  QStringList out;
  for (const Problem& p : document.problems())
    if (p.severity == Problem::Severity::Error && p.code != QLatin1String("shape") && p.code != QLatin1String("function") &&
        p.code != QLatin1String("uninitialized"))
      out << p.node + u':' + p.code;
  return out;
}

}  // namespace

class BrokenGraphsTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void isShownWhole_data() { allFiles(); }
  void isShownWhole() {
    QFETCH(QString, name);
    QFETCH(int, nodes);
    QFETCH(QStringList, wrong);
    const Document& document = opened(name);
    QCOMPARE(document.summary().nodes, nodes);
    QCOMPARE(defects(document), wrong);
    for (const Problem& p : document.problems()) {
      QVERIFY2(p.node.isEmpty() || document.hasNode(p.node), qPrintable(p.node));
      QVERIFY2(p.message.size() > 10 && p.fixes.size() == p.fixCommands.size(), qPrintable(p.message));
    }
    // Every node is on the canvas, and everything can be looked at.
    QCOMPARE(int(window_->canvas()->model()->nodeCount()) >= nodes, true);
    for (const auto& node : document.model()->nodes) document_->setSelection({node.name});
    // It says why it does not run where one would start it.
    const QString why = whyNotRun(*document.contents());
    QVERIFY(!why.isEmpty());
    for (const char* action : {"run.train", "debug.start"}) {
      QCOMPARE(window_->actionRegistry().disabledReason(action), why);
      QVERIFY(!run(action));
    }
    window_->actionRegistry().refresh();
    QVERIFY(!window_->actionRegistry().action("run.train")->isEnabled());
    QVERIFY2(window_->actionRegistry().action("run.train")->toolTip().contains(why), qPrintable(window_->actionRegistry().action("run.train")->toolTip()));
    // The runtime still refuses it, with TensorFlow's message.
    const auto strict = weft::loadGraphFile((kFiles + name).toStdString());
    QVERIFY(!strict.ok());
    QVERIFY(strict.error().kind == "invalid_graph" || strict.error().kind == "invalid_tensor" || strict.error().kind == "unsupported_version");
  }

  void keepsItsBytes_data() { allFiles(); }
  void keepsItsBytes() {
    QFETCH(QString, name);
    QFETCH(QStringList, wrong);
    const Document& document = opened(name);
    const QString ending = name.mid(name.lastIndexOf(u'.'));
    const QString same = folder_.filePath("same" + ending), other = folder_.filePath("other" + ending), binary = folder_.filePath("binary.pb");
    QCOMPARE(saved(same), QString());
    QCOMPARE(contentsOf(same), contentsOf(kFiles + name));
    // An edit elsewhere leaves the broken parts as written.
    QVERIFY(apply("graph.add", {"NoOp", "--name", "elsewhere"}));
    QCOMPARE(defects(document), wrong);
    QCOMPARE(saved(other), QString());
    QCOMPARE(saved(binary), QString());
    for (const QString& path : {other, binary}) {
      const auto again = weft::openGraphFile(path.toStdString());
      QVERIFY2(again.ok(), again.ok() ? "" : again.error().message.c_str());
      QVERIFY(again->meta.graph.find("elsewhere"));
      const auto before = weft::openGraphFile((kFiles + name).toStdString());
      int compared = 0;
      for (int id = 0; id < before->meta.graph.size(); ++id) {
        const weft::Node* was = before->meta.graph.node(id);
        if (!was->raw) continue;
        const weft::Node* is = again->meta.graph.find(was->name);
        QVERIFY2(is && is->raw, was->name.c_str());
        if (path == binary || ending != ".pb") QVERIFY2(*is->raw == *was->raw, was->name.c_str());
        ++compared;
      }
      QCOMPARE(compared, document.summary().nodes - 1);
    }
    bool undone = false;
    document_->undo([&](const QString&) { undone = true; });
    QTRY_VERIFY_WITH_TIMEOUT(undone, 10000);
    QCOMPARE(saved(same), QString());
    QCOMPARE(contentsOf(same), contentsOf(kFiles + name));
  }

  void fixesMakeItRun_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QList<int>>("choices");  // which fix of the first problem, one after the other
    QTest::addColumn<QString>("fetch");
    QTest::addColumn<QStringList>("fed");
    QTest::addColumn<QList<double>>("values");
    // x is [1, -4] wherever it is fed.
    QTest::newRow("types that inputs tell, one by one")
        << "opened/types_left_out.pbtxt" << QList<int>{0, 0, 0} << "relu:0" << QStringList{"x"} << QList<double>{4, 0};
    QTest::newRow("types that inputs tell, at once") << "opened/types_left_out.pbtxt" << QList<int>{1} << "relu:0" << QStringList{"x"} << QList<double>{4, 0};
    QTest::newRow("the type of a constant") << "opened/constant_without_type.pbtxt" << QList<int>{0} << "y:0" << QStringList{} << QList<double>{-1, -2, -3};
    QTest::newRow("an input too many") << "opened/newer_signature.pbtxt" << QList<int>{0} << "soft:0" << QStringList{"x"}
                                       << QList<double>{1.3132617, 0.0181499};
    QTest::newRow("a placeholder for what is missing")
        << "opened/missing_input.pbtxt" << QList<int>{0} << "sum:0" << QStringList{"x", "bias"} << QList<double>{2, -8};
    QTest::newRow("another output") << "opened/missing_output.pbtxt" << QList<int>{0} << "y:0" << QStringList{"x"} << QList<double>{-1, 4};
    QTest::newRow("no control input") << "opened/missing_control.pbtxt" << QList<int>{0} << "y:0" << QStringList{"x"} << QList<double>{-1, 4};
    QTest::newRow("control inputs last") << "opened/control_first.pbtxt" << QList<int>{0} << "y:0" << QStringList{"x"} << QList<double>{-1, 4};
    QTest::newRow("a cast") << "opened/float_for_integer.pbtxt" << QList<int>{0} << "y:0" << QStringList{"x"} << QList<double>{2, -8};
    QTest::newRow("a circle cut") << "opened/circle.pbtxt" << QList<int>{0} << "y:0" << QStringList{"x"} << QList<double>{1, 16};
    QTest::newRow("another name") << "opened/two_of_a_name.pbtxt" << QList<int>{0} << "y_1:0" << QStringList{"x"} << QList<double>{1, 16};
    QTest::newRow("names") << "opened/unnamed.pbtxt" << QList<int>{0, 0} << "Neg:0" << QStringList{"x"} << QList<double>{-1, 4};
    QTest::newRow("an allowed value") << "opened/bad_attribute.pbtxt" << QList<int>{0} << "img:0" << QStringList{"img"} << QList<double>{1, 2, 3, 4};
    QTest::newRow("binary, too") << "broken/duplicate_names.pb" << QList<int>{0} << "" << QStringList{} << QList<double>{};
    QTest::newRow("binary, a control input") << "broken/dangling_control.pb" << QList<int>{0} << "" << QStringList{} << QList<double>{};
  }
  void fixesMakeItRun() {
    QFETCH(QString, name);
    QFETCH(QList<int>, choices);
    QFETCH(QString, fetch);
    QFETCH(QStringList, fed);
    QFETCH(QList<double>, values);
    const Document& document = opened(name);
    const QStringList before = defects(document);
    for (const int choice : choices) {
      QVERIFY(!defects(document).isEmpty());
      const auto first = std::find_if(document.problems().begin(), document.problems().end(), [](const Problem& p) { return !p.fixCommands.isEmpty(); });
      QVERIFY(first != document.problems().end());
      const QStringList command = first->fixCommands.value(choice);
      const int left = int(defects(document).size());
      QVERIFY2(apply(command.value(0), command.mid(1)), qPrintable(command.join(' ') + ": " + error_));
      QVERIFY2(int(defects(document).size()) < left, qPrintable(command.join(' ') + " leaves " + defects(document).join(", ")));
    }
    QCOMPARE(defects(document), QStringList());
    QCOMPARE(whyNotRun(*document.contents()), QString());
    QCOMPARE(window_->actionRegistry().disabledReason("debug.start"), QString());
    const QString path = folder_.filePath("mended.pb");
    QCOMPARE(saved(path), QString());
    const auto loaded = weft::loadGraphFile(path.toStdString());
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str());
    if (!fetch.isEmpty()) {
      std::vector<std::pair<std::string, weft::Tensor>> feeds;
      for (const QString& placeholder : fed) {
        const weft::Tensor four = weft::Tensor::of(std::vector<float>{1, 2, 3, 4}, {1, 2, 2, 1}), two = weft::Tensor::vector(std::vector<float>{1, -4});
        feeds.emplace_back(placeholder.toStdString() + ":0", placeholder == "img" ? four : two);
      }
      auto session = weft::Session::create(loaded->meta.graph);
      QVERIFY(session.ok());
      const auto run = (*session)->run(feeds, {fetch.toStdString()});
      QVERIFY2(run.ok(), run.ok() ? "" : run.error().message.c_str());
      QCOMPARE(run->front().elements(), int64_t(values.size()));
      for (qsizetype i = 0; i < values.size(); ++i)
        QVERIFY2(std::abs(run->front().asDouble(i) - values[i]) < 1e-5, qPrintable(QString::number(run->front().asDouble(i))));
    }
    // And back to how it was read.
    bool undone = false;
    document_->goTo(0, [&](const QString&) { undone = true; });
    QTRY_VERIFY_WITH_TIMEOUT(undone, 10000);
    QCOMPARE(defects(document), before);
  }

  /// A node may have two problems of one kind, each with its own fixes.
  void fixesOfANodeAreCounted() {
    open(write("two.pbtxt", "node { name: \"y\" op: \"Add\" input: \"p\" input: \"q\" attr { key: \"T\" value { type: DT_FLOAT } } }\n"));
    document_ = window_->workspace().current();
    QCOMPARE(defects(*document_), (QStringList{"y:missing-input", "y:missing-input"}));
    const int first = int(document_->problems()[0].fixCommands.size());
    QVERIFY(run("problems.fix", {"y", "missing-input", QString::number(first + 1)}));
    QTRY_COMPARE_WITH_TIMEOUT(defects(*document_), QStringList{"y:missing-input"}, 10000);
    QVERIFY(document_->hasNode("q") && document_->problems()[0].message.contains("reads p"));
  }

  /// No action on such a graph crashes, and refusals give a reason.
  void surviveEdits_data() { allFiles(); }
  void surviveEdits() {
    QFETCH(QString, name);
    const Document& document = opened(name);
    QStringList names;
    for (const auto& node : document.model()->nodes) names << node.name;
    for (const QString& node : std::as_const(names).mid(0, 6)) {
      const QList<QStringList> edits{{"graph.delete", node},
                                     {"graph.rename", node, "renamed"},
                                     {"graph.mute", node},
                                     {"graph.disconnect", node + ":0"},
                                     {"graph.replace", node, "Identity"},
                                     {"graph.group", node},
                                     {"graph.insert", node + ":0", "Identity"},
                                     {"graph.set", node, "T=int32"},
                                     {"graph.extract", node},
                                     {"graph.connect", names.last() + ":0", node + ":1"},
                                     {"graph.rewrite", node},
                                     {"graph.infer-attributes", node},
                                     {"graph.strip-training"}};
      for (const QStringList& edit : edits) {
        const bool done = apply(edit[0], edit.mid(1));
        QVERIFY2(done || error_.size() > 8, qPrintable(edit.join(' ')));
        if (!done) continue;
        QCOMPARE(saved(folder_.filePath("after.pb")), QString());
        const auto again = weft::openGraphFile(folder_.filePath("after.pb").toStdString());
        QVERIFY2(again.ok(), qPrintable(edit.join(' ') + ": " + QString::fromStdString(again.ok() ? "" : again.error().message)));
        bool undone = false;
        document_->undo([&](const QString&) { undone = true; });
        QTRY_VERIFY_WITH_TIMEOUT(undone, 10000);
      }
    }
    QVERIFY(document.model()->nodes.size() > 0);
  }

  /// As the journal of a window that was killed brings it back: from the file and the bytes of each edit.
  void aHistoryOfItComesBack() {
    const QString name = QStringLiteral("opened/several.pbtxt");
    const Document& document = opened(name);
    const std::shared_ptr<const EngineGraph> before = document.contents()->engine;
    auto again = weft::openGraphFile((kFiles + name).toStdString());
    QVERIFY(again.ok());
    const QList<QStringList> edits{{"graph.add", "Placeholder", "--name", "c", "--set", "dtype=float32"},
                                   {"graph.infer-attributes", "a"},
                                   {"graph.rewrite", "a_1"},
                                   {"graph.delete", "d"}};
    std::shared_ptr<const EngineGraph> last = before;
    for (const QStringList& edit : edits) {
      QVERIFY2(apply(edit[0], edit.mid(1)), qPrintable(edit.join(' ') + ": " + error_));
      const auto delta = weft::deltaBetween(last->loaded.meta, document.contents()->engine->loaded.meta);
      QVERIFY(delta.ok());
      last = document.contents()->engine;
      const weft::Status status = weft::applyDelta(again->meta, again->problems, *delta);
      QVERIFY2(status.ok(), qPrintable(edit.join(' ') + ": " + QString::fromStdString(status.toString())));
    }
    QStringList here, there;
    for (const weft::Error& e : last->loaded.problems)
      if (weft::isDefect(e)) here << QString::fromStdString(e.node + ' ' + e.kind + ' ' + e.message);
    for (const weft::Error& e : again->problems)
      if (weft::isDefect(e)) there << QString::fromStdString(e.node + ' ' + e.kind + ' ' + e.message);
    here.sort();
    there.sort();
    QCOMPARE(there, here);
    for (int id = 0; id < last->loaded.meta.graph.size(); ++id) {
      const weft::Node* node = last->loaded.meta.graph.node(id);
      if (!node || weft::isMissing(*node)) continue;
      const weft::Node* other = again->meta.graph.find(node->name);
      QVERIFY2(other && other->op == node->op && other->inputs.size() == node->inputs.size(), node->name.c_str());
    }
  }

  void whatDoesNotParseSaysSoOnce_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"broken/text_cut.pbtxt", "broken/text_open_string.pbtxt", "broken/graph_cut_half.pb", "broken/graph_bad_wire_type.pb",
                             "broken/noise.pb", "broken/nesting_bomb.pb"})
      QTest::newRow(name) << name;
  }
  void whatDoesNotParseSaysSoOnce() {
    QFETCH(QString, name);
    QStringList errors;
    window_->workspace().open(kFiles + name, [&](const QString& error) { errors << error; });
    QTRY_COMPARE_WITH_TIMEOUT(errors.size(), 1, 10000);
    QVERIFY2(errors[0].contains(name.section('/', -1)) && errors[0].size() > kFiles.size() + name.size() + 10, qPrintable(errors[0]));
    QCOMPARE(window_->shownMessages().size(), 1);
    QVERIFY(window_->workspace().documents().isEmpty() && window_->workspace().files().isEmpty());
  }

 private:
  static void allFiles() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<QStringList>("wrong");
    const auto row = [](const char* name, int nodes, const QStringList& wrong) { QTest::newRow(name) << QString(name) << nodes << wrong; };
    row("opened/types_left_out.pbtxt", 5, {"mul:missing-attr", "add:missing-attr", "relu:missing-attr"});
    row("opened/constant_without_type.pbtxt", 2, {"c:missing-attr"});
    row("opened/newer_signature.pbtxt", 3, {"soft:input-count"});
    row("opened/missing_input.pbtxt", 2, {"sum:missing-input"});
    row("opened/missing_output.pbtxt", 3, {"y:no-such-output"});
    row("opened/missing_control.pbtxt", 2, {"y:missing-control"});
    row("opened/control_first.pbtxt", 3, {"y:control-order"});
    row("opened/resource_for_number.pbtxt", 3, {"y:input-type"});
    row("opened/float_for_integer.pbtxt", 3, {"y:input-type"});
    row("opened/circle.pbtxt", 4, {"a:cycle", "b:cycle"});
    row("opened/two_of_a_name.pbtxt", 4, {"y_1:duplicate-name"});
    row("opened/unnamed.pbtxt", 4, {"Neg:no-name", "a b:bad-name"});
    row("opened/too_few_inputs.pbtxt", 2, {"y:input-count"});
    row("opened/bad_value.pbtxt", 4, {"broken:bad-value"});
    row("opened/bad_attribute.pbtxt", 2, {"pool:bad-attr"});
    row("opened/newer_reader.pbtxt", 2, {":version"});
    row("opened/several.pbtxt", 6, {"a:missing-attr", "a_1:duplicate-name", "b:missing-input", "d:missing-control"});
    row("opened/test_graph_tfadd.pbtxt", 4, {"y_reshape:missing-input"});
    row("opened/while_loop_var_handle_op.pbtxt", 22, {"while/Less:input-type"});
    row("broken/bad_node_name.pb", 6, {"bad name!:bad-name"});
    row("broken/const_content_size.pb", 6, {"cell:bad-value"});
    row("broken/const_shape_huge.pb", 6, {"cell:bad-value"});
    row("broken/control_before_data.pb", 6, {"embed:control-order"});
    row("broken/control_cycle.pb", 7, {"gate:cycle"});
    row("broken/cycle.pb", 7, {"embed:cycle", "beta:cycle"});
    row("broken/dangling_control.pb", 6, {"embed:missing-control"});
    row("broken/dangling_input.pb", 6, {"embed:missing-input"});
    row("broken/duplicate_names.pb", 7, {"embed_1:duplicate-name"});
    row("broken/empty_node_name.pb", 6, {"Const:no-name"});
    row("broken/future_version.pb", 6, {":version"});
    row("broken/missing_attr.pb", 6, {"cell:missing-attr"});
    row("broken/slot_out_of_range.pb", 6, {"embed:no-such-output"});
    row("broken/too_many_inputs.pb", 6, {"embed:input-count"});
  }

  const Document& opened(const QString& name) {
    open(kFiles + name);
    document_ = window_->workspace().current();
    return *document_;
  }
  bool apply(const QString& action, const QStringList& words) {
    const ParsedEdit parsed = editFromWords(action, words, {}, {});
    error_ = parsed.error;
    if (!parsed.edit.run) return false;
    bool done = false;
    document_->apply(parsed.edit, [&](const QString& error) {
      error_ = error;
      done = true;
    });
    return QTest::qWaitFor([&] { return done; }, 10000) && error_.isEmpty();
  }
  QString saved(const QString& path) { return saveGraph(*document_->contents(), path); }

  Document* document_ = nullptr;
  QString error_;
};

QTEST_MAIN(BrokenGraphsTest)
#include "tst_broken_graphs.moc"
