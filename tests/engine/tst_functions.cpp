#include <QTest>
#include <chrono>
#include <cmath>
#include <thread>

#include "support/graph_text.h"
#include "weft/graph.h"
#include "weft/session.h"

using namespace weft;
using weft::tests::node;

// Functions of a graph: calls, loops and data sets that use them, and libraries that were built to hurt.

namespace {

using Clock = std::chrono::steady_clock;

std::string func(const std::string& key, const std::string& name) { return "attr { key: '" + key + "' value { func { name: '" + name + "' } } } "; }
std::string type(const std::string& key, const std::string& value = "DT_FLOAT") { return "attr { key: '" + key + "' value { type: " + value + " } } "; }
std::string types(const std::string& key, const std::vector<std::string>& values) {
  std::string out = "attr { key: '" + key + "' value { list { ";
  for (const auto& v : values) out += "type: " + v + " ";
  return out + "} } } ";
}
std::string inside(const std::string& name, const std::string& op, const std::vector<std::string>& inputs, const std::string& attrs = "") {
  return node(name, op, inputs, attrs, "node_def");
}
std::string function(const std::string& name, const std::string& result, const std::string& resultType, const std::string& body) {
  return "function { signature { name: '" + name + "' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: " + resultType + " } }\n" + body +
         "ret { key: 'y' value: '" + result + "' } }\n";
}
std::string placeholder() { return node("x", "Placeholder", {}, type("dtype")); }
std::string call(const std::string& f) {
  return node("call", "PartitionedCall", {"x"}, func("f", f) + types("Tin", {"DT_FLOAT"}) + types("Tout", {"DT_FLOAT"}));
}

Result<std::vector<Tensor>> run(const std::string& nodes, const std::string& library, const std::string& fetch, const RunOptions& options = {}) {
  WEFT_LET(LoadedGraph loaded, loadGraphBytes(std::make_shared<const std::string>(nodes + "library { " + library + " }"), "test"));
  WEFT_LET(auto session, Session::create(loaded.meta.graph));
  return session->run({{"x:0", Tensor::scalar(3.f)}}, {fetch}, {}, options);
}

const std::string kSquare = function("square", "m:z:0", "DT_FLOAT", inside("m", "Mul", {"x", "x"}, type("T")));

}  // namespace

class TestFunctions : public QObject {
  Q_OBJECT
 private slots:
  void callsByAttributeAndByName() {
    const std::string outer = function("outer", "c:output:0", "DT_FLOAT",
                                       inside("c", "PartitionedCall", {"x"}, func("f", "square") + types("Tin", {"DT_FLOAT"}) + types("Tout", {"DT_FLOAT"})));
    auto r = run(placeholder() + call("outer"), kSquare + outer, "call:0");
    QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
    QCOMPARE((*r)[0].at<float>(0), 9.f);
    r = run(placeholder() + node("call", "square", {"x"}), kSquare, "call:0");
    QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
    QCOMPARE((*r)[0].at<float>(0), 9.f);
  }

  /// The shapes declared by a body or call need not be the real ones: 3 becomes a vector of three here, which no shape function can infer.
  void statedShapesAreNotBelieved_data() {
    QTest::addColumn<QString>("nodes");
    QTest::addColumn<QString>("library");
    QTest::addColumn<QString>("fetch");
    const std::string t = type("T"), shapeOf = type("T") + type("out_type", "DT_INT32");
    const std::string claim = "attr { key: '_output_shapes' value { list { shape { dim { size: 7 } } } } } ";
    // Of a size that only a run knows: Cast keeps it from being known beforehand.
    const std::string wide =
        inside("n", "Cast", {"x"}, type("SrcT") + type("DstT", "DT_INT32")) +
        inside("one", "Const", {},
               type("dtype", "DT_INT32") + "attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } } int_val: -1 } } }") +
        inside("dims", "Reshape", {"n:y:0", "one:output:0"}, type("T", "DT_INT32") + type("Tshape", "DT_INT32")) +
        inside("zero", "Const", {}, type("dtype") + "attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 0 } } }");
    const std::string fill = type("T") + type("index_type", "DT_INT32");
    QTest::addRow("within a body") << QString::fromStdString(placeholder() + node("call", "PartitionedCall", {"x"},
                                                                                  func("f", "f") + types("Tin", {"DT_FLOAT"}) + types("Tout", {"DT_INT32"})))
                                   << QString::fromStdString(function("f", "s:output:0", "DT_INT32",
                                                                      wide + inside("w", "Fill", {"dims:output:0", "zero:output:0"}, fill + claim) +
                                                                          inside("s", "Size", {"w:output:0"}, shapeOf)))
                                   << "call:0";
    // x, 1 round: its rank changes, and output_shapes is empty, so that shape functions say that it does not.
    const std::string widen = function("widen", "w:output:0", "DT_FLOAT", wide + inside("w", "Fill", {"dims:output:0", "zero:output:0"}, fill));
    const std::string scalar = function(
        "scalar", "e:z:0", "DT_BOOL",
        inside("r", "Rank", {"x"}, t) +
            inside("none", "Const", {}, type("dtype", "DT_INT32") + "attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 0 } } }") +
            inside("e", "Equal", {"r:output:0", "none:output:0"}, type("T", "DT_INT32")));
    QTest::addRow("While") << QString::fromStdString(
                                  placeholder() + node("flat", "Reshape", {"x", "no_dims"}, t + type("Tshape", "DT_INT32")) +
                                  node("no_dims", "Const", {},
                                       type("dtype", "DT_INT32") + "attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { dim { } } } } }") +
                                  node("loop", "While", {"flat"}, func("cond", "scalar") + func("body", "widen") + types("T", {"DT_FLOAT"})) +
                                  node("s", "Size", {"loop"}, shapeOf))
                           << QString::fromStdString(widen + scalar) << "s:0";
  }
  void statedShapesAreNotBelieved() {
    QFETCH(QString, nodes);
    QFETCH(QString, library);
    QFETCH(QString, fetch);
    const auto r = run(nodes.toStdString(), library.toStdString(), fetch.toStdString());
    QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
    QCOMPARE((*r)[0].at<int32_t>(0), 3);
  }
  void whatABranchContradictsIsAnError() {
    const std::string branch = node("i", "If", {"x", "x"},
                                    type("Tcond") + types("Tin", {"DT_FLOAT"}) + types("Tout", {"DT_FLOAT"}) + func("then_branch", "square") +
                                        func("else_branch", "square") + "attr { key: 'output_shapes' value { list { shape { dim { size: 7 } } } } } ");
    const auto r = run(placeholder() + branch, kSquare, "i:0");
    QVERIFY(!r.ok());
    QVERIFY2(r.error().message.find("`output_shapes` states the shape [7] for output 0, but what comes out has the shape []") != std::string::npos,
             r.error().message.c_str());
    QCOMPARE(r.error().node, std::string("i"));
  }

  void gradientOfACall() {
    const std::string one = node("one", "Const", {}, type("dtype") + "attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 1 } } }");
    const std::string grad =
        node("g", "SymbolicGradient", {"x", "one"}, func("f", "square") + types("Tin", {"DT_FLOAT", "DT_FLOAT"}) + types("Tout", {"DT_FLOAT"}));
    const auto r = run(placeholder() + one + grad, kSquare, "g:0");
    QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
    QCOMPARE((*r)[0].at<float>(0), 6.f);
  }

  void recursionIsRefused() {
    const auto calling = [](const std::string& name, const std::string& other) {
      return function(name, "c:output:0", "DT_FLOAT",
                      inside("c", "PartitionedCall", {"x"}, func("f", other) + types("Tin", {"DT_FLOAT"}) + types("Tout", {"DT_FLOAT"})));
    };
    auto r = run(placeholder() + call("f"), calling("f", "f"), "call:0");
    QVERIFY(!r.ok());
    QCOMPARE(r.error().code, Code::InvalidArgument);
    QVERIFY2(r.error().message.find("f -> f") != std::string::npos, r.error().message.c_str());
    r = run(placeholder() + call("f"), calling("f", "g") + calling("g", "h") + calling("h", "f"), "call:0");
    QVERIFY(!r.ok());
    QCOMPARE(r.error().code, Code::InvalidArgument);
    // By name, too.
    r = run(placeholder() + node("call", "f", {"x"}), function("f", "c:y:0", "DT_FLOAT", inside("c", "f", {"x"})), "call:0");
    QVERIFY(!r.ok());
    QCOMPARE(r.error().code, Code::InvalidArgument);
    // A chain that is too long, and a function that is not there.
    std::string chain;
    for (int i = 0; i < 5000; ++i) chain += calling("f" + std::to_string(i), "f" + std::to_string(i + 1));
    r = run(placeholder() + call("f0"), chain, "call:0");
    QVERIFY(!r.ok());
    QCOMPARE(r.error().code, Code::InvalidArgument);
    r = run(placeholder() + call("nowhere"), kSquare, "call:0");
    QVERIFY(!r.ok());
    QCOMPARE(r.error().code, Code::NotFound);
  }

  void endlessLoopsEnd() {
    const std::string always = function(
        "always", "c:output:0", "DT_BOOL",
        inside("c", "Const", {}, type("dtype", "DT_BOOL") + "attr { key: 'value' value { tensor { dtype: DT_BOOL tensor_shape {} bool_val: true } } }"));
    const std::string loop = node("loop", "While", {"x"}, func("cond", "always") + func("body", "square") + types("T", {"DT_FLOAT"}));
    RunOptions limited;
    limited.timeoutMs = 200;
    auto r = run(placeholder() + loop, kSquare + always, "loop:0", limited);
    QVERIFY(!r.ok());
    QCOMPARE(r.error().code, Code::DeadlineExceeded);
    RunOptions cancelled;
    std::thread later([token = cancelled.cancellation] {
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      token.cancel();
    });
    const auto begin = Clock::now();
    r = run(placeholder() + loop, kSquare + always, "loop:0", cancelled);
    later.join();
    QVERIFY(!r.ok());
    QCOMPARE(r.error().code, Code::Cancelled);
    QVERIFY(Clock::now() - begin < std::chrono::seconds(30));
  }

  void badBodiesAreErrors() {
    // Inputs that do not exist, outputs that do not exist, wrong types, unknown ops.
    for (const std::string& body : {function("f", "m:z:0", "DT_FLOAT", inside("m", "Mul", {"x", "nothing:z:0"}, type("T"))),
                                    function("f", "m:z:3", "DT_FLOAT", inside("m", "Mul", {"x", "x"}, type("T"))),
                                    function("f", "nothing", "DT_FLOAT", inside("m", "Mul", {"x", "x"}, type("T"))),
                                    function("f", "m:z:0", "DT_FLOAT", inside("m", "Mul", {"x", "x"}, type("T", "DT_INT32"))),
                                    function("f", "m:z:0", "DT_FLOAT", inside("m", "Mul", {"x", "m:z:0"}, type("T"))),
                                    function("f", "m:z:0", "DT_FLOAT", inside("m", "NoSuchOp", {"x"}))}) {
      const auto r = run(placeholder() + call("f"), body, "call:0");
      QVERIFY(!r.ok());
      QVERIFY2(r.error().code == Code::InvalidArgument || r.error().code == Code::NotFound, r.error().toString().c_str());
    }
    // A function that gives another type than the call says.
    const auto r = run(placeholder() + node("call", "PartitionedCall", {"x"}, func("f", "square") + types("Tin", {"DT_FLOAT"}) + types("Tout", {"DT_INT32"})),
                       kSquare, "call:0");
    QVERIFY(!r.ok());
    QCOMPARE(r.error().code, Code::InvalidArgument);
  }
};

QTEST_GUILESS_MAIN(TestFunctions)
#include "tst_functions.moc"
