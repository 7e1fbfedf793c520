#include <QDir>
#include <QFile>
#include <QTest>
#include <set>

#include "partitions/partition_text.h"

using namespace weft;
using namespace weft::tests;

/// Graphs and what TensorFlow 1.15.5 made of them: partitions/*.pbtxt, written by partitions/make_partitions.py. The placement, the transfers with their
/// attributes, the control loops and the nodes of each task must be the same.
class TestPartition : public QObject {
  Q_OBJECT

 private:
  struct Step {
    Signature signature;
    Parts parts;
    std::vector<std::pair<std::string, std::string>> feeds, fetches;
  };
  struct Case {
    Graph graph;
    std::vector<ClusterDevice> devices;
    std::vector<Step> steps;
  };

  /// Reads a file: comments hold the devices and, per step, the signature and TensorFlow's partitions; the rest is the graph.
  static Case read(const QString& path) {
    Case out;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read %s", qPrintable(path));
    const QByteArray bytes = file.readAll();
    auto loaded = loadGraphBytes(std::make_shared<const std::string>(bytes.toStdString()), path.toStdString());
    if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
    out.graph = loaded->meta.graph;
    std::string task;
    for (const QString& line : QString::fromUtf8(bytes).split(u'\n')) {
      if (!line.startsWith(u'#')) continue;
      const QStringList words = line.mid(2).split(u' ');
      const std::string value = words.size() > 1 ? words[1].toStdString() : std::string();
      if (words[0] == u"device") out.devices.push_back({value, "CPU", words[2].toULongLong(), 0});
      if (words[0] == u"step") out.steps.emplace_back();
      if (words[0] == u"feed") out.steps.back().signature.feeds.push_back(value);
      if (words[0] == u"fetch") out.steps.back().signature.fetches.push_back(value);
      if (words[0] == u"target") out.steps.back().signature.targets.push_back(value);
      if (words[0] == u"part") task = value;
      if (line.startsWith(QStringLiteral("#   "))) out.steps.back().parts[task].push_back(partNode(line.mid(4)));
    }
    for (Step& step : out.steps) {
      for (const auto& [where, nodes] : step.parts) {
        for (const PartNode& n : nodes) {
          if (!n.isClientTerminated()) continue;
          const auto plain = [](std::string s) { return s.substr(1, s.size() - 2); };
          const std::string tensor = plain(n.attr("tensor_name")), device = plain(n.attr("send_device"));
          const QString incarnation = QString::number(quint64(std::stoll(n.attr("send_device_incarnation"))), 16).rightJustified(16, u'0');
          (n.is("Recv") ? step.feeds : step.fetches).emplace_back(tensor, device + ";" + incarnation.toStdString() + ";" + device + ";" + tensor + ";0:0");
        }
      }
    }
    return out;
  }

  static std::set<std::pair<std::string, std::string>> asSet(const std::vector<std::pair<std::string, std::string>>& list) {
    return {list.begin(), list.end()};
  }

 private slots:
  void sameAsTensorFlow_data() {
    QTest::addColumn<QString>("path");
    const QDir folder(QStringLiteral(WEFT_SOURCE_DIR "/tests/engine/partitions"));
    for (const QString& name : folder.entryList({QStringLiteral("*.pbtxt")}, QDir::Files, QDir::Name)) {
      QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
  }
  void sameAsTensorFlow() {
    QFETCH(QString, path);
    const Case c = read(path);
    QVERIFY(!c.steps.empty());
    const auto placement = placeOnCluster(c.graph, c.devices);
    QVERIFY2(placement.ok(), placement.ok() ? "" : placement.error().toString().c_str());
    AddedNames names;
    for (const Step& step : c.steps) {
      const auto made = partitionStep(c.graph, *placement, c.devices, 0, step.signature, names);
      QVERIFY2(made.ok(), made.ok() ? "" : made.error().toString().c_str());
      Parts parts;
      for (const StepPartition& p : *made) {
        parts[p.task] = partNodes(p.graph);
        QCOMPARE(p.graph.versions.producer, c.graph.versions.producer);
        QCOMPARE(p.graph.functions, c.graph.functions);
        const bool isClient = c.devices[0].name.starts_with(p.task + "/");
        QCOMPARE(asSet(p.feeds), asSet(isClient ? step.feeds : std::vector<std::pair<std::string, std::string>>()));
        QCOMPARE(asSet(p.fetches), asSet(isClient ? step.fetches : std::vector<std::pair<std::string, std::string>>()));
      }
      const Canonical ours(parts), theirs(step.parts);
      std::set<std::string> tasks;
      for (const Parts* side : {static_cast<const Parts*>(&parts), &step.parts}) {
        for (const auto& [task, nodes] : *side) tasks.insert(task);
      }
      for (const std::string& task : tasks) {
        const QString a = ours.text(task), b = theirs.text(task);
        if (a != b) qWarning("%s\n--- Weft\n%s--- TensorFlow\n%s", task.c_str(), qPrintable(a), qPrintable(b));
        QVERIFY(a == b);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestPartition)
#include "tst_partition.moc"
