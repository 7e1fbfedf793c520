// The Plan page of the Profile dock: it shows the output of `weft profile --explain` for the same step, selects by mouse and keys, follows the canvas, and
// explains missing data.
#include <QProcess>
#include <QSignalSpy>
#include <QTabBar>
#include <QTreeView>

#include "adapters/profile_plan.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "plot/memory_map.h"
#include "studio_script.h"
#include "support/step_plan.h"
#include "views/profile/plan_page.h"
#include "views/profile/plan_table.h"
#include "weft/builder.h"
#include "weft/passes.h"
#include "weft/session.h"
#include "window_fixture.h"

using namespace weft::app;
using weft::widgets::MemoryMap;

class PlanPageTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }

  void aTracedStepOfTheDigits() {
    const Outcome o = studio(R"(file.new lenet
wait idle
file.save-as DIR/lenet.weft
wait idle
layout.use profile
profile.trace --steps 3
wait idle
panels.option profile plan
panels.option profile floors
wait idle
wait 0.3
print view profile
panels.option profile group 1
print selection
print view profile
panels.option profile memory-map
graph.select conv1/Conv2D
wait 0.2
print view profile
screenshot DIR/map.png profile
profile.save DIR/trace.json
profile.open DIR/trace.json
wait idle
print view profile
)");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    const QJsonObject plan = planIn(o, 0);
    const QJsonArray groups = plan[QStringLiteral("groups")].toArray();
    QVERIFY(groups.size() > 3);
    // Which calls run side by side, and so their order, is decided by their measured times, which differ between two processes: another one may agree.
    QJsonObject said;
    for (int i = 0; i < 12 && said[QStringLiteral("blocks")] != plan[QStringLiteral("blocks")]; ++i) {
      said = explainedByCommand();
      QVERIFY(!said.isEmpty());
      QCOMPARE(namesOf(said[QStringLiteral("groups")].toArray()), namesOf(groups));
    }
    // Passes in order, each with its effect and a sentence.
    QStringList passes, known;
    for (const QJsonValue& p : plan[QStringLiteral("passes")].toArray()) {
      passes << p[QStringLiteral("name")].toString() + QStringLiteral(": ") + p[QStringLiteral("did")].toString();
      QVERIFY2(p[QStringLiteral("meaning")].toString().size() > 20, qPrintable(passes.last()));
    }
    for (const QJsonValue& p : said[QStringLiteral("passes")].toArray()) known << p.toString();
    for (QStringList* list : {&passes, &known}) list->removeIf([](const QString& pass) { return pass.startsWith(QLatin1String("side_by_side")); });
    QVERIFY(passes.size() > 3);
    QCOMPARE(passes, known);
    QCOMPARE(groups, said[QStringLiteral("groups")].toArray());
    QVERIFY(plan[QStringLiteral("blocks")].toArray().size() > 10);
    QCOMPARE(plan[QStringLiteral("blocks")].toArray(), said[QStringLiteral("blocks")].toArray());
    for (const char* key : {"arena_bytes", "least_bytes"}) QCOMPARE(plan[QLatin1String(key)], said[QLatin1String(key)]);
    // The same nodes beside the floors that this machine sets; how long they took is another matter.
    const QJsonArray nodes = plan[QStringLiteral("nodes")].toArray();
    QCOMPARE(namesOf(nodes), namesOf(said[QStringLiteral("nodes")].toArray()));
    int arithmetic = 0, memory = 0;
    for (const QJsonValue& n : nodes) {
      const QString limit = n[QStringLiteral("limit")].toString();
      QCOMPARE(n[QStringLiteral("floor_us")].toDouble() > 0, !limit.isEmpty());
      arithmetic += limit == QStringLiteral("arithmetic");
      memory += limit == QStringLiteral("memory");
    }
    QVERIFY(memory > 10);
    // A group selects all its nodes.
    QStringList all{groups[0][QStringLiteral("node")].toString()};
    for (const QJsonValue& m : groups[0][QStringLiteral("merged")].toArray()) all << m.toString();
    QStringList selected = o.lines.value(1).toVariant().toStringList();
    all.sort();
    selected.sort();
    QCOMPARE(selected, all);
    QCOMPARE(planIn(o, 2)[QStringLiteral("shown")][QStringLiteral("group")].toInt(), 1);
    // The canvas selection is highlighted in the map.
    const QJsonArray shown = planIn(o, 3)[QStringLiteral("shown")][QStringLiteral("blocks")].toArray();
    QVERIFY(!shown.isEmpty());
    QVERIFY(QFile::exists(folder_.filePath(QStringLiteral("map.png"))));
    // A file does not know.
    QVERIFY2(planIn(o, 4)[QStringLiteral("why")].toString().contains(QStringLiteral("file")), o.lines.value(4).toJson().left(200).constData());
  }

  void whatScriptsMayNot() {
    for (const char* wrong : {"panels.option profile floors", "panels.option profile group 1"}) QVERIFY2(studio(QByteArray(wrong) + '\n').status != 0, wrong);
    for (const char* wrong : {"group 0", "group 4000", "group x", "block nothing:0", "floor nothing", "group"})
      QVERIFY2(
          studio(QByteArray("file.new mlp\nwait idle\nlayout.use profile\nprofile.trace --steps 2\nwait idle\npanels.option profile ") + wrong + '\n').status !=
              0,
          wrong);
  }

  void byMouseAndKeys() {
    showWindow();
    openTemplate();
    window_->useLayout(QStringLiteral("profile"));
    QVERIFY(run("profile.trace", {"--steps", "2"}));
    ProfileStore& store = ProfileStore::of(window_->workspace());
    QTRY_VERIFY_WITH_TIMEOUT(store.current() && !store.isBusy() && !window_->workspace().runs().isActive(), 60000);
    QWidget* dock = window_->viewWidget(QStringLiteral("profile"));
    auto* page = dock->findChild<PlanPage*>();
    QVERIFY(page);
    QVERIFY(run("panels.option", {"profile", "plan"}));
    QTRY_VERIFY(page->isVisible());
    Document* document = window_->workspace().current();
    // A group, by the mouse.
    QVERIFY(page->setOption(QStringLiteral("groups")));
    auto* groups = viewOf<PlanGroups>(page);
    QVERIFY(groups && groups->model()->rowCount() > 1);
    QTest::mouseClick(groups->viewport(), Qt::LeftButton, {}, groups->visualRect(groups->model()->index(1, 0)).center());
    QVERIFY(document->selection().size() > 1);
    QVERIFY(document->selection().contains(groups->model()->index(1, 0).data().toString()));
    QTRY_VERIFY(!window_->canvas()->selection().isEmpty());
    const QStringList before = document->selection();
    QTest::keyClick(groups, Qt::Key_Up);
    QVERIFY(document->selection() != before && document->selection().size() > 1);
    // A block, by the mouse; the canvas selects its node, and back.
    QVERIFY(page->setOption(QStringLiteral("memory-map")));
    auto* map = page->findChild<MemoryMap*>();
    QTRY_VERIFY(map && map->isVisible() && map->data());
    int block = -1;
    for (int i = 0; i < map->data()->blocks.size() && block < 0; ++i)
      if (map->blockAt(map->blockRect(i).center()) == i && document->hasNode(map->data()->blocks[i].node)) block = i;
    QVERIFY(block >= 0);
    QTest::mouseClick(map, Qt::LeftButton, {}, map->blockRect(block).center().toPoint());
    QCOMPARE(document->selection(), QStringList{map->data()->blocks[block].node});
    QCOMPARE(map->selected(), QVector<int>{block});
    document->setSelection({QStringLiteral("nothing-of-this-name")});
    QCOMPARE(map->selected(), QVector<int>());
    document->setSelection({map->data()->blocks[block].node});
    QVERIFY(map->selected().contains(block));
    // A line of the table: sorted by a click, jumped to by a double click.
    QVERIFY(page->setOption(QStringLiteral("floors")));
    auto* floors = viewOf<PlanTable>(page);
    QTRY_VERIFY_WITH_TIMEOUT(floors->model()->rowCount() > 5, 30000);
    const auto* table = qobject_cast<const PlanTable*>(floors->model());
    for (const int column : {int(PlanTable::Gain), int(PlanTable::Time), int(PlanTable::Ratio)}) {
      floors->sortByColumn(column, Qt::DescendingOrder);
      const auto value = [&](const PlanFloor& f) { return column == PlanTable::Gain ? f.gainNs() : column == PlanTable::Time ? f.ns : f.ratio(); };
      QVERIFY(std::is_sorted(table->floors().begin(), table->floors().end(), [&](const PlanFloor& a, const PlanFloor& b) { return value(a) > value(b); }));
    }
    const double zoom = window_->canvas()->zoom();
    int row = 0;
    while (!document->hasNode(table->floors()[row].node)) ++row;
    const QString node = table->floors()[row].node;
    floors->scrollTo(table->index(row, 0));
    const QPoint place = floors->visualRect(table->index(row, 0)).center();
    QTest::mouseClick(floors->viewport(), Qt::LeftButton, {}, place);
    QTest::mouseDClick(floors->viewport(), Qt::LeftButton, {}, place);
    QCOMPARE(document->selection(), QStringList{node});
    QTRY_VERIFY(window_->canvas()->zoom() != zoom);
    for (const PlanFloor& f : table->floors()) {
      QCOMPARE(f.floorNs > 0, f.limit != PlanFloor::Limit::Unknown);
      QVERIFY(f.floorNs <= 0 || qAbs(f.gainNs() - qMax(0.0, f.ns - f.floorNs)) < 1e-6);
    }
    closeWindow();
  }

  void everyPassHasItsSentence() {
    for (const std::string& name : weft::passNames()) QVERIFY2(passDescription(QString::fromStdString(name)).size() > 20, name.c_str());
    QCOMPARE(passDescription(QStringLiteral("no_such_pass")), QString());
    QCOMPARE(passEffect({QStringLiteral("x"), QStringLiteral("12 nodes in 3 groups"), {}}), QStringLiteral("12 nodes in 3 groups"));
    QCOMPARE(passEffect({QStringLiteral("x"), QStringLiteral("1 of 2 of 3 of 4 of 5 of 6 of 7 of 8 of 9 of 10 of 11"), {}}),
             QStringLiteral("1 of 2 of 3 of 4 of 5 of 6 of 7 of 8 of 9 of 10 of 11"));
  }

  /// A step with a condition uses the dataflow schedule: its passes are listed, with a note that there is no map.
  void dataflowPlansSayTheirPasses() {
    weft::MetaGraph meta;
    weft::GraphBuilder b(meta);
    const weft::Output x = b.op("Placeholder", {}, {{"dtype", weft::DType::Float}}, "x"), p = b.op("Placeholder", {}, {{"dtype", weft::DType::Bool}}, "p");
    const weft::Output same = b.op("Identity", {x}, {}, "same");
    const weft::Output split = b.op("Switch", {same, p}, {}, "split");
    const weft::Output negative = b.op("Neg", {weft::Output{split.node, 0}}, {}, "negative");
    const weft::Output joined = b.op("Merge", {negative, weft::Output{split.node, 1}}, {}, "joined");
    const weft::Output folded = b.op("Add", {b.op("Add", {b.scalar(1.0f), b.scalar(2.0f)}), joined}, {}, "sum");
    QVERIFY2(b.ok(), "graph");
    Q_UNUSED(folded)
    auto session = weft::Session::create(meta.graph);
    QVERIFY(session.ok());
    auto step = (*session)->prepare({"x:0", "p:0"}, {"sum:0"}, {});
    QVERIFY(step.ok());
    const auto wanted = [](const std::vector<std::string>& fetches, const std::vector<std::string>&) { return fetches == std::vector<std::string>{"sum:0"}; };
    const auto before = weft::planOfStep(**session, wanted, {});
    QVERIFY(!before.ok() && before.error().code == weft::Code::NotFound);
    QVERIFY(step->run(std::vector<weft::Tensor>{weft::Tensor::scalar(1.0f), weft::Tensor::scalar(true)}).ok());
    const auto plan = weft::planOfStep(**session, wanted, step->explain());
    QVERIFY(plan.ok());
    QVERIFY(plan->isDataflow && plan->report.blocks.empty());
    QVERIFY(std::any_of(plan->passes.begin(), plan->passes.end(), [](const std::string& line) { return line.starts_with("constant_folding: "); }));
  }

 private:
  Outcome studio(QByteArray script) { return runStudio(folder_.path(), script.replace("DIR", folder_.path().toUtf8())); }
  static QJsonObject planIn(const Outcome& o, int line) { return o.object(line)[QStringLiteral("plan")].toObject(); }
  QJsonObject explainedByCommand() {
    QProcess weft;
    weft.start(QStringLiteral(WEFT), {QStringLiteral("profile"), folder_.filePath(QStringLiteral("lenet.weft")), QStringLiteral("--steps"), QStringLiteral("3"),
                                      QStringLiteral("--explain"), QStringLiteral("--json")});
    if (!weft.waitForFinished(120000) || weft.exitCode() != 0) return {};
    return QJsonDocument::fromJson(weft.readAllStandardOutput()).object()[QStringLiteral("explained")].toObject();
  }
  static QStringList namesOf(const QJsonArray& nodes) {
    QStringList out;
    for (const QJsonValue& n : nodes) out << n[QStringLiteral("node")].toString();
    out.sort();
    return out;
  }
  template <typename Model>
  static QTreeView* viewOf(QWidget* page) {
    for (QTreeView* view : page->findChildren<QTreeView*>())
      if (qobject_cast<Model*>(view->model())) return view;
    return nullptr;
  }
};

QTEST_MAIN(PlanPageTest)
#include "tst_plan_page.moc"
