#include <QProcess>
#include <QTest>
#include <atomic>
#include <thread>

#include "kernel/device.h"
#include "weft/graph.h"
#include "weft/op.h"
#include "weft/session.h"

using namespace weft;

namespace {

constexpr const char* kGraph = R"(
node { name: 'a' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 2 } } } }
node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }
node { name: 'y' op: 'Mul' input: 'a' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } }
)";

Graph load() {
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(kGraph), "test");
  if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
  return loaded->meta.graph;
}

bool hasKernel(const char* op, const char* device) {
  physicalDevices();
  const auto& kernels = OpRegistry::instance().find(op)->kernels;
  return std::any_of(kernels.begin(), kernels.end(), [device](const KernelRecord& k) { return k.device == device; });
}

}  // namespace

/// Devices of a library that is loaded while the program already works. CMakeLists.txt lays a fake one beside the engine.
class TstDevices : public QObject {
  Q_OBJECT

 private slots:
  /// First, and once per process: everybody begins at the same moment, and the library adds kernels meanwhile.
  void kernelsAreReadOnlyWhenAllAreThere() {
    QVERIFY2(!qEnvironmentVariableIsSet("WEFT_TEST_DEVICES"), "set by saysWhyThereIsNone for a process of its own only");
    constexpr int kThreads = 8;
    std::atomic<int> ready{0}, right{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        const Graph graph = load();
        ++ready;
        while (ready < kThreads) std::this_thread::yield();
        if (i % 3 == 0) {  // what may be read at any time: everything of an op but its kernels
          size_t letters = 0;
          for (const OpRecord* op : OpRegistry::instance().all()) letters += op->signature().size();
          right += letters > 0 && load().find("y");
        } else if (i % 3 == 1) {
          right += hasKernel("Mul", "CPU") && hasKernel("Mul", "GPU") && !hasKernel("Mul", "TPU");
        } else {
          auto session = Session::create(graph, {});
          auto got = (*session)->run({{"x:0", Tensor::scalar(3.0f)}}, {"y:0"});
          right += got.ok() && (*got)[0].data<float>()[0] == 6;
        }
      });
    }
    for (std::thread& t : threads) t.join();
    QCOMPARE(right.load(), kThreads);
  }

  void libraryIsFound() {
    QVERIFY2(!qEnvironmentVariableIsSet("WEFT_TEST_DEVICES"), "set by saysWhyThereIsNone for a process of its own only");
    std::string why = "?";
    const auto devices = availableDevices(&why);
    QCOMPARE(devices.size(), size_t(2));
    QCOMPARE(devices[1].name, std::string("/device:GPU:0"));
    QCOMPARE(why, std::string());
  }

  void saysWhyThereIsNone() {
    if (!qEnvironmentVariableIsSet("WEFT_TEST_DEVICES")) {
      for (const char* kind : {"old", "none"}) {
        QProcess again;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("WEFT_TEST_DEVICES"), QLatin1String(kind));
        again.setProcessEnvironment(environment);
        again.start(QCoreApplication::applicationFilePath(), {QStringLiteral("saysWhyThereIsNone")});
        QVERIFY(again.waitForFinished(60000));
        QVERIFY2(again.exitCode() == 0, again.readAllStandardOutput().constData());
      }
      return;
    }
    std::string why;
    QCOMPARE(availableDevices(&why).size(), size_t(1));
    const std::string expected =
        qEnvironmentVariable("WEFT_TEST_DEVICES") == QLatin1String("old") ? "belongs to another version of Weft" : "the driver lists none";
    QVERIFY2(why.find(expected) != std::string::npos, why.c_str());
    QVERIFY(hasKernel("Mul", "CPU"));
    QVERIFY(!hasKernel("Mul", "GPU"));
  }
};

QTEST_GUILESS_MAIN(TstDevices)
#include "tst_devices.moc"
