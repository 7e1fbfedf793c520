// GPUs in the window, with those of the host build: the list of devices, where nodes are placed and why, traces, values in the debugger, and which device is faster.
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>

#include "adapters/device_comparison.h"
#include "adapters/machine.h"
#include "document/device_places.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "document/run_record.h"
#include "graph_view/memory_graph_model.h"
#include "shell/action_registry.h"
#include "studio_script.h"
#include "timeline/timeline_data.h"
#include "weft/graph.h"
#include "weft/templates.h"
#include "weft/train.h"
#include "window_fixture.h"

using namespace weft::app;

class GpusTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() {
    keepToOwnFolder();
    qputenv("WEFT_GPU", "host");
    lookForDevices();
    QCOMPARE(foundGpus().size(), 1);
  }
  void init() { showWindow(); }
  void cleanup() { stopAndClose(); }

  void theListOfDevices() {
    openTemplate();
    auto* menu = window_->findChild<QMenu*>(QStringLiteral("device_menu"));
    QVERIFY(menu);
    emit menu->aboutToShow();
    QStringList texts;
    for (const QAction* a : menu->actions()) texts << a->text();
    QVERIFY2(texts.contains(QStringLiteral("GPU:0 · host build of the device code")), qPrintable(texts.join(u'\n')));
    // The run without a choice takes the GPU, and its record says so.
    QVERIFY(run("run.train", {QStringLiteral("--steps"), QStringLiteral("2")}));
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().runs().state(), RunController::State::Finished, 60000);
    QString device;
    for (const auto& [name, value] : window_->workspace().runs().currentRun()->settings)
      if (name == QLatin1String("device")) device = value;
    QCOMPARE(device, QStringLiteral("GPU:0"));
  }

  void placesAndReasons() {
    open(write("places.pbtxt",
               "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }\n"
               "node { name: 'y' op: 'Relu' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } }\n"
               "node { name: 'cpu' op: 'Relu' input: 'y' device: '/device:CPU:0' attr { key: 'T' value { type: DT_FLOAT } } }\n"
               "node { name: 'words' op: 'AsString' input: 'y' attr { key: 'T' value { type: DT_FLOAT } } }\n"));
    DevicePlaces& places = DevicePlaces::of(window_->workspace());
    QTRY_VERIFY_WITH_TIMEOUT(places.places(), 10000);
    QCOMPARE(places.words(QStringLiteral("y")), QStringLiteral("on GPU:0: the run's device"));
    QCOMPARE(places.words(QStringLiteral("cpu")), QStringLiteral("on CPU:0: it asks for /device:CPU:0"));
    QVERIFY2(places.words(QStringLiteral("words")).startsWith(QStringLiteral("on CPU:0: /device:GPU:0 has no kernel for it")),
             qPrintable(places.words(QStringLiteral("words"))));
    // The canvas and the Inspector show them.
    const Document& document = *window_->workspace().current();
    const auto shown = [&](const char* node) { return document.model()->nodes[std::size_t(document.nodeIndex(QString::fromLatin1(node)))].placed; };
    QTRY_COMPARE_WITH_TIMEOUT(shown("y"), QStringLiteral("/device:GPU:0"), 10000);
    QTRY_COMPARE_WITH_TIMEOUT(shown("words"), QStringLiteral("/device:CPU:0"), 10000);
    QVERIFY(run("view.show", {QStringLiteral("inspector")}));
    QVERIFY(run("graph.select", {QStringLiteral("y")}));
    const auto says = [&](const QString& text) {
      const auto labels = window_->findChildren<QLabel*>();
      return std::any_of(labels.begin(), labels.end(), [&](const QLabel* l) { return l->isVisible() && l->text() == text; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(says(QStringLiteral("on GPU:0: the run's device")), 10000);
    // Another device for the next run moves them.
    RunRequest next = window_->workspace().runs().nextRun(&document);
    next.set.insert(QStringLiteral("device"), QStringLiteral("CPU:0"));
    window_->workspace().runs().setNextRun(window_->workspace().current(), next);
    QTRY_COMPARE_WITH_TIMEOUT(shown("y"), QStringLiteral("/device:CPU:0"), 10000);
  }

  void aNodeThatCannotBePlaced() {
    open(write("nowhere.pbtxt",
               "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }\n"
               "node { name: 'y' op: 'Relu' input: 'x' device: '/job:nowhere/device:GPU:0' attr { key: 'T' value { type: DT_FLOAT } } }\n"));
    DevicePlaces& places = DevicePlaces::of(window_->workspace());
    QTRY_VERIFY_WITH_TIMEOUT(places.places(), 10000);
    QVERIFY2(places.words(QStringLiteral("x")).startsWith(QStringLiteral("cannot be placed: ")) == !places.places()->error.isEmpty(),
             qPrintable(places.words("x")));
  }

  void aTracedStep() {
    openTemplate();
    ProfileStore& store = ProfileStore::of(window_->workspace());
    QVERIFY(run("profile.trace", {QStringLiteral("--steps"), QStringLiteral("2")}));
    QTRY_VERIFY_WITH_TIMEOUT(store.current() && !store.isBusy(), 60000);
    const ProfilePtr profile = store.current();
    QStringList rows;
    for (const auto& track : profile->timeline->tracks()) rows << track.title;
    QVERIFY2(rows.contains(QStringLiteral("GPU:0 launches")) && rows.contains(QStringLiteral("GPU:0 kernels")), qPrintable(rows.join(u'\n')));
    // A node's time is its kernel's; launches count for nothing.
    for (const ProfileLine& line : profile->tables[ByNode].lines) {
      if (line.op == QLatin1String("MatMul")) QCOMPARE(line.count, 1.0);
      QVERIFY2(!line.device.contains(QLatin1String("stream")), qPrintable(line.device));
    }
    QStringList memory;
    for (const ProfilePeak& peak : profile->peaks) memory << peak.device;
    QVERIFY2(std::any_of(memory.begin(), memory.end(), [](const QString& d) { return d.endsWith(QLatin1String("/device:GPU:0")); }),
             qPrintable(memory.join(u'\n')));
  }

  void whichDeviceIsFaster() {
    openTemplate();
    QVERIFY(run("view.show", {QStringLiteral("profile")}));
    ProfileStore& store = ProfileStore::of(window_->workspace());
    QVERIFY(run("profile.compare-devices", {QStringLiteral("--steps"), QStringLiteral("2")}));
    QVERIFY(!store.whyNotCompared().isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(store.devices() && store.whyNotCompared().isEmpty(), 60000);
    const DeviceComparison& c = *store.devices();
    QCOMPARE(c.devices.size(), 2);
    for (const DeviceComparison::Device& d : c.devices) QVERIFY2(d.stepNs > 0 && d.elsewhere < 0.9, qPrintable(d.name));
    QVERIFY2(c.advice.contains(QLatin1String("host build")), qPrintable(c.advice));
    int forward = 0, backward = 0;
    for (const DeviceComparison::Layer& l : c.layers) {
      forward += l.way == PassPart::Way::Forward && l.ns[0] >= 0 && l.ns[1] >= 0;
      backward += l.way == PassPart::Way::Backward && l.ns[0] >= 0 && l.ns[1] >= 0;
    }
    QVERIFY(forward >= 2 && backward >= 2);
    // A click on a layer selects its nodes.
    auto* table = window_->findChild<QTreeWidget*>(QStringLiteral("devices_table"));
    QVERIFY(table && table->isVisible());
    QTreeWidgetItem* layer = nullptr;
    for (int i = 0; i < table->topLevelItemCount() && !layer; ++i) layer = table->topLevelItem(i)->child(0);
    QVERIFY(layer);
    table->scrollToItem(layer);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(layer).center());
    QTRY_VERIFY(!window_->workspace().current()->selection().isEmpty());
    QVERIFY(run("profile.compare-devices", {QStringLiteral("--steps"), QStringLiteral("none")}) == false);
  }

  void aComparisonSavesNothing() {
    auto meta = weft::api::buildTemplate("softmax");
    QVERIFY(meta.ok());
    auto settings = weft::trainingSettingsOf(*meta);
    QVERIFY(settings.ok());
    settings->logFolder = "logs";
    settings->checkpointFolder = "checkpoints";
    weft::setTrainingSettings(*meta, *settings);
    const auto bytes = weft::serializeGraph(*meta, weft::GraphFormat::MetaBinary);
    QVERIFY(bytes.ok());
    open(write("saves.weft", QByteArray(bytes->data(), qsizetype(bytes->size()))));
    DeviceRequest request;
    request.contents = window_->workspace().current()->contents();
    request.documentFolder = folder_.path();
    request.steps = 2;
    const DeviceComparisonOutcome outcome = compareDevices(request, [](double) { return true; });
    QVERIFY2(outcome.comparison, qPrintable(outcome.error));
    QVERIFY(!QFile::exists(folder_.filePath("logs")) && !QFile::exists(folder_.filePath("checkpoints")));
  }

  void aComparisonCanBeCancelled() {
    openTemplate();
    ProfileStore& store = ProfileStore::of(window_->workspace());
    QVERIFY(run("profile.compare-devices", {QStringLiteral("--steps"), QStringLiteral("1000")}));
    QTRY_VERIFY(!window_->workspace().tasks().isEmpty());
    for (const Tasks::Info& task : window_->workspace().tasks().running()) window_->workspace().tasks().cancel(task.id);
    QTRY_VERIFY_WITH_TIMEOUT(store.whyNotCompared().isEmpty(), 30000);
    QVERIFY(!store.devices());
  }

  void theDebuggerShowsValuesOfTheGpu() {
    const QByteArray script = "file.new mlp\nwait idle\ndebug.start\nwait idle\ndebug.run-to hidden1/Relu\nwait idle\nprint tensor hidden1/BiasAdd:0\n";
    const Outcome onGpu = runStudio(folder_.path(), script);
    qunsetenv("WEFT_GPU");
    const Outcome onCpu = runStudio(folder_.path(), script);
    qputenv("WEFT_GPU", "host");
    QVERIFY2(onGpu.status == 0 && onCpu.status == 0, qPrintable(onGpu.errors + onCpu.errors));
    const QJsonArray gpu = onGpu.object(0)[QStringLiteral("data")].toArray(), cpu = onCpu.object(0)[QStringLiteral("data")].toArray();
    QCOMPARE(gpu.size(), 32 * 64);
    QCOMPARE(cpu.size(), gpu.size());
    for (qsizetype i = 0; i < gpu.size(); ++i) QVERIFY2(qAbs(gpu[i].toDouble() - cpu[i].toDouble()) < 1e-5, qPrintable(QString::number(i)));
  }
};

QTEST_MAIN(GpusTest)
#include "tst_gpus.moc"
