// Graphs that transforms change in part: constants of all floating types, values without a range, control edges, padding with several readers.
#include <QTest>
#include <cmath>
#include <limits>

#include "transform_graphs.h"

using namespace weft;
using namespace weft::transform_graphs;

namespace {

/// x, a convolution, and a batch norm of one type with the values 2 and -3 for weights, 0.5 and 0.25 for means, 4 and 9 for variances, 1 and 2 for offsets,
/// 1.5 and 0.5 for factors.
QString typedNorm(const QString& type, const QString& normOp = "BatchNormWithGlobalNormalization", const QString& epsilon = "; variance_epsilon f: 0.125") {
  const bool half = type == "DT_HALF";
  const auto pair = [&](const QString& name, const QString& values, const QString& bits) { return constant(name, "2", half ? bits : values, type); };
  const QString attrs = "T type: " + type;
  const bool fused = normOp == "FusedBatchNorm";
  return placeholder("x", "1,1,1,1", type) + constant("w", "1,1,1,2", half ? "16384,49664" : "2,-3", type) + pair("mean", "0.5,0.25", "14336,13312") +
         pair("variance", "4,9", "17408,18560") + pair("beta", "1,2", "15360,16384") + pair("gamma", "1.5,0.5", "15872,14336") +
         node("c", "Conv2D", "x,w", attrs + "; strides list { i: [1, 1, 1, 1] }; padding s: 'SAME'") +
         node("out", normOp, fused ? "c,gamma,beta,mean,variance" : "c,mean,variance,beta,gamma",
              attrs + (fused ? "; is_training b: false" : "; scale_after_normalization b: true") + epsilon);
}

/// What typedNorm()'s weights and offsets become, in `type`.
std::vector<double> foldedNumbers(DType type, double epsilon) {
  std::vector<double> out;
  const double weights[] = {2, -3}, mean[] = {0.5, 0.25}, variance[] = {4, 9}, beta[] = {1, 2}, gamma[] = {1.5, 0.5};
  for (const bool offset : {false, true})
    for (int i = 0; i < 2; ++i) {
      const double scale = gamma[i] / std::sqrt(variance[i] + epsilon);
      out.push_back(offset ? beta[i] - mean[i] * scale : weights[i] * scale);
      if (type == DType::Half) out.back() = double(toFloat(halfFromFloat(float(out.back()))));
      if (type == DType::Float) out.back() = double(float(out.back()));
    }
  return out;
}

/// Values of the constants "w" and "c_bn_offset"; empty if they are not there in `type`.
std::vector<double> numbersIn(const std::string& graph, DType type) {
  std::vector<double> out;
  const auto values = valuesOf(graph, {}, {"w", "c_bn_offset"});
  if (!values.ok()) return out;
  for (const Tensor& value : *values) {
    if (value.dtype() != type) return {};
    for (int64_t i = 0; i < value.elements(); ++i) out.push_back(value.asDouble(i));
  }
  return out;
}

bool nearlyEqual(const std::vector<double>& a, const std::vector<double>& b, double part) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= part * std::abs(b[i]))) return false;
  return true;
}

bool has(const Result<std::string>& graph, const std::string& part) { return graph.ok() && textOf(*graph).find(part) != std::string::npos; }

}  // namespace

class TestPartialTransforms : public QObject {
  Q_OBJECT
 private slots:
  void batchNormsAreFoldedInTheirType_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("type");
    QTest::addColumn<double>("part");
    QTest::newRow("half") << "DT_HALF" << int(DType::Half) << 0.0;
    QTest::newRow("float") << "DT_FLOAT" << int(DType::Float) << 3e-7;
    QTest::newRow("double") << "DT_DOUBLE" << int(DType::Double) << 1e-15;
  }
  void batchNormsAreFoldedInTheirType() {
    QFETCH(QString, name);
    QFETCH(int, type);
    QFETCH(double, part);
    const std::vector<double> wanted = foldedNumbers(DType(type), 0.125);
    std::vector<std::string> warnings;
    const auto optimized = optimizeForInference(typedNorm(name).toStdString(), {"x"}, {"out"}, {type}, false, &warnings);
    QVERIFY2(optimized.ok(), optimized.ok() ? "" : optimized.error().toString().c_str());
    QVERIFY(nearlyEqual(numbersIn(*optimized, DType(type)), wanted, part));
    const auto folded = transformed(typedNorm(name), "x", "out", "fold_old_batch_norms", &warnings);
    QVERIFY2(folded.ok(), folded.ok() ? "" : folded.error().toString().c_str());
    QVERIFY(nearlyEqual(numbersIn(*folded, DType(type)), wanted, part));
    QVERIFY(warnings.empty());
  }

  void scaledProductsKeepTheirType() {
    const QString attrs = "T type: DT_DOUBLE";
    const QString graph = placeholder("x", "1,1", "DT_DOUBLE") + constant("w", "1,2", "0.1,0.3", "DT_DOUBLE") + constant("f", "2", "3,7", "DT_DOUBLE") +
                          node("m", "MatMul", "x,w", attrs) + node("out", "Mul", "m,f", attrs);
    const auto made = transformed(graph, "x", "out", "fold_batch_norms");
    const auto value = made.ok() ? valuesOf(*made, {}, {"w"}) : Result<std::vector<Tensor>>(made.error());
    QVERIFY2(value.ok(), value.ok() ? "" : value.error().toString().c_str());
    QCOMPARE((*value)[0].dtype(), DType::Double);
    QCOMPARE((*value)[0].asDouble(0), 0.1 * 3);
    QCOMPARE((*value)[0].asDouble(1), 0.3 * 7);
  }

  void integerProductsStay() {
    const QString attrs = "T type: DT_INT32";
    const QString graph = placeholder("x", "1,1", "DT_INT32") + constant("w", "1,2", "1,2", "DT_INT32") + constant("f", "2", "3,7", "DT_INT32") +
                          node("m", "MatMul", "x,w", attrs) + node("out", "Mul", "m,f", attrs);
    std::vector<std::string> warnings;
    const auto made = transformed(graph, "x", "out", "fold_batch_norms", &warnings);
    QVERIFY(has(made, "\"Mul\""));
    QCOMPARE(warnings, std::vector<std::string>{"the multiplication 'out' is not folded into 'm': 'w' holds int32"});
  }

  void filtersOfDoublesAreSpread() {
    const QString blocks = "T type: DT_DOUBLE; Tblock_shape type: DT_INT32; ";
    const QString graph =
        placeholder("x", "1,4,4,1", "DT_DOUBLE") + constant("block", "2", "2,2", "DT_INT32") + constant("none", "2,2", "0,0,0,0", "DT_INT32") +
        constant("w", "2,1,1,1", "0.1,0.3", "DT_DOUBLE") + node("s", "SpaceToBatchND", "x,block,none", blocks + "Tpaddings type: DT_INT32") +
        node("c", "Conv2D", "s,w", "T type: DT_DOUBLE; strides list { i: [1, 1, 1, 1] }; padding s: 'SAME'; data_format s: 'NHWC'; use_cudnn_on_gpu b: true") +
        node("out", "BatchToSpaceND", "c,block,none", blocks + "Tcrops type: DT_INT32");
    const auto made = transformed(graph, "x", "out", "flatten_atrous_conv");
    const auto value = made.ok() ? valuesOf(*made, {}, {"w"}) : Result<std::vector<Tensor>>(made.error());
    QVERIFY2(value.ok(), value.ok() ? "" : value.error().toString().c_str());
    QCOMPARE((*value)[0].shape().toString(), std::string("[3,1,1,1]"));
    QCOMPARE((*value)[0].asDouble(0), 0.1);
    QCOMPARE((*value)[0].asDouble(1), 0.0);
    QCOMPARE((*value)[0].asDouble(2), 0.3);
  }

  void epsilonLeftAtItsDefault() {
    const QString graph = typedNorm("DT_FLOAT", "FusedBatchNorm", "");
    const auto made = transformed(graph, "x", "out", "fold_old_batch_norms");
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().toString().c_str());
    QVERIFY(nearlyEqual(numbersIn(*made, DType::Float), foldedNumbers(DType::Float, 0.0001), 3e-7));
    const auto absent = transformed(typedNorm("DT_FLOAT", "BatchNormWithGlobalNormalization", ""), "x", "out", "fold_old_batch_norms");
    QCOMPARE(absent.error().message, std::string("the attribute variance_epsilon is missing"));
  }

  void controlEdgesAreNoWeights() {
    const QString graph = kParts + conv("c", "x,^w") + norm("n", "c") + conv("d", "^x,w") + norm("out", "d") + node("e", "Conv2D", "^x,^w");
    std::vector<std::string> warnings;
    const auto made = foldInferenceNorms(graph.toStdString(), {"out", "n"}, &warnings);
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().toString().c_str());
    QCOMPARE(warnings.size(), size_t(1));
    QCOMPARE(warnings[0], std::string("Didn't find expected conv Constant input to 'c', found nothing instead. Maybe because freeze_graph wasn't run first?"));
    warnings.clear();
    QVERIFY(fuseResizeAndConv(graph.toStdString(), {"out", "n"}, &warnings).ok());
  }

  void constantsWithoutATypeAreNoCrash() {
    QString graph = kNorm;
    graph.replace("name: 'w' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } }", "name: 'w' op: 'Const'");
    QVERIFY(graph != kNorm);
    std::vector<std::string> warnings;
    QVERIFY(has(foldInferenceNorms(graph.toStdString(), {"out"}, &warnings), "\"FusedBatchNorm\""));
    QCOMPARE(warnings.size(), size_t(1));
  }

  void valuesWithoutARangeStay_data() {
    QTest::addColumn<QString>("values");
    QTest::addColumn<QString>("why");
    QTest::newRow("infinite") << "1,-inf,2"
                              << "a value is -inf";
    QTest::newRow("not a number") << "1,nan,2"
                                  << "a value is nan";
    QTest::newRow("too wide") << "3e38,-3e38,2"
                              << "the values reach from -3e+38 to 3e+38, a range too wide for floats";
  }
  void valuesWithoutARangeStay() {
    QFETCH(QString, values);
    QFETCH(QString, why);
    const auto sixteen = [](const QString& three) { return QString(three + ",") + QStringList(QList<QString>(13, "0.5")).join(','); };
    const QString graph = placeholder("x", "16") + constant("w", "16", sixteen(values)) + constant("v", "16", sixteen("1,2,3")) + node("a", "Add", "x,w") +
                          node("out", "Add", "a,v");
    for (const char* transform : {"quantize_weights(minimum_size=1)", "round_weights(num_steps=3)"}) {
      std::vector<std::string> warnings;
      const auto made = transformed(graph, "x", "out", transform, &warnings);
      QVERIFY2(made.ok(), made.ok() ? "" : made.error().toString().c_str());
      const std::string name = std::string(transform).substr(0, std::string(transform).find('('));
      QCOMPARE(warnings, std::vector<std::string>{name + ": 'w' stays as it is: " + why.toStdString()});
      const auto before = valuesOf(*convertGraphBytes(graph.toStdString(), "graph.pb"), {}, {"w", "v"}), after = valuesOf(*made, {}, {"w", "v"});
      QVERIFY(before.ok() && after.ok());
      QVERIFY((*after)[0].identicalTo((*before)[0]));
      QVERIFY(!(*after)[1].identicalTo((*before)[1]));
    }
  }

  void sharedPaddingKeepsItsResizing() {
    const QString padded = placeholder("x", "1,3,3,1") + constant("size", "2", "6,6", "DT_INT32") + constant("w", "2,2,1,1", "1,2,3,4") +
                           constant("pads", "4,2", "0,0,2,2,2,2,0,0", "DT_INT32") +
                           node("r", "ResizeBilinear", "x,size", "T type: DT_FLOAT; align_corners b: true") +
                           node("pad", "MirrorPad", "r,pads", "T type: DT_FLOAT; Tpaddings type: DT_INT32; mode s: 'REFLECT'") + conv("out", "pad,w");
    for (const auto& [graph, outputs, stays] :
         {std::tuple(padded + node("out2", "Relu", "pad"), QString("out,out2"), true), std::tuple(padded + conv("out2", "pad,w"), QString("out,out2"), false),
          std::tuple(padded, QString("out,pad"), true)}) {
      std::vector<std::string> warnings;
      const auto made = optimizeForInference(graph.toStdString(), {"x"}, namesIn(outputs), {1}, false, &warnings);
      QVERIFY2(made.ok(), made.ok() ? "" : made.error().toString().c_str());
      QCOMPARE(has(made, "\"ResizeBilinear\""), stays);
      QVERIFY(has(made, "\"FusedResizeAndPadConv2D\""));
      QCOMPARE(differenceOf(*convertGraphBytes(graph.toStdString(), "graph.pb"), *made, {"x"}, namesIn(outputs)), QString());
    }
  }

  void controlEdgesAreNotLogged() {
    const QString graph = placeholder("x", "2") + node("ready", "NoOp", "^x", "") + node("s", "Relu", "x,^ready") + node("out", "Relu", "s,^s");
    const auto made = transformed(graph, "x", "out", "insert_logging");
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().toString().c_str());
    QVERIFY(has(made, "\"s__print__\"") && !has(made, "\"ready__print__\""));
    QVERIFY(has(made, "\"^ready\"") && has(made, "\"^s\""));
  }
};

QTEST_GUILESS_MAIN(TestPartialTransforms)
#include "tst_partial_transforms.moc"
