#include <QTest>
#include <cmath>

#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;

namespace {

/// All bytes of a literal, zeros among them.
template <size_t N>
QByteArray bytes(const char (&text)[N]) {
  return QByteArray(text, int(N) - 1);
}

/// A graph with a single op and all inputs fed, so that the kernel (not the shape function) sees them.
struct Single {
  MetaGraph meta;
  GraphBuilder b{meta};
  std::vector<std::pair<std::string, Tensor>> feeds;
  int node = -1;

  Single(const char* op, const std::vector<Tensor>& inputs, AttrMap attrs, bool knownShapes = false) {
    Inputs in;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const std::string name = "x" + std::to_string(i);
      in.add(b.placeholder(inputs[i].dtype(), knownShapes ? inputs[i].shape() : Shape::unknown(), name));
      feeds.emplace_back(name + ":0", inputs[i]);
    }
    node = b.node(op, in, std::move(attrs), "op");
  }
  Result<std::vector<Tensor>> run(const std::vector<Output>& of) {
    if (!b.ok()) return b.status().error();
    WEFT_LET(auto session, Session::create(meta.graph));
    std::vector<std::string> names;
    for (const Output o : of) names.push_back(meta.graph.tensorName(o));
    return session->run(feeds, names);
  }
};

Tensor numbers(DType type, const Shape& shape, int seed) {
  Tensor t = Tensor::zeros(type, shape);
  for (int64_t i = 0; i < t.elements(); ++i) {
    const double v = std::sin(double(i * 7 + seed) * 1.3) * 2;
    if (type == DType::Double) t.mutableData<double>()[i] = v;
    else t.mutableData<float>()[i] = float(v);
  }
  return t;
}

using Integers = std::vector<int64_t>;

}  // namespace

/// Image, volume and audio ops beyond the golden cases: gradients by finite differences, malformed bytes and sizes.
class TestImageOps : public QObject {
  Q_OBJECT
 private slots:
  void gradientsByNumbers_data() {
    QTest::addColumn<QString>("op");
    for (const char* op : {"Conv3D", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2", "ExtractImagePatches", "ExtractVolumePatches", "Dilation2D",
                           "MaxPoolWithArgmax", "FractionalMaxPool", "FractionalAvgPool", "BatchNormWithGlobalNormalization"}) {
      QTest::newRow(op) << op;
    }
    for (const char* op : {"AvgPool3D", "MaxPool3D", "LRN"}) QTest::newRow(op) << op;  // only in float
  }

  void gradientsByNumbers() {
    QFETCH(QString, op);
    const bool single = op == "AvgPool3D" || op == "MaxPool3D" || op == "LRN";
    const DType type = single ? DType::Float : DType::Double;
    const Tensor image = numbers(type, {2, 5, 6, 2}, 1), volume = numbers(type, {1, 3, 4, 3, 2}, 2), filter = numbers(type, {2, 2, 1, 2, 3}, 3);
    const AttrMap conv{{"strides", Integers{1, 1, 2, 1, 1}}, {"padding", "SAME"}};
    const AttrMap pool{{"ksize", Integers{1, 2, 2, 2, 1}}, {"strides", Integers{1, 1, 2, 1, 1}}, {"padding", "SAME"}};
    std::vector<Tensor> in{image};
    AttrMap attrs;
    if (op == "Conv3D") in = {volume, filter}, attrs = conv;
    if (op == "Conv3DBackpropInputV2") in = {Tensor::vector<int32_t>({1, 3, 4, 3, 2}), filter, numbers(type, {1, 3, 2, 3, 3}, 4)}, attrs = conv;
    if (op == "Conv3DBackpropFilterV2") in = {volume, Tensor::vector<int32_t>({2, 2, 1, 2, 3}), numbers(type, {1, 3, 2, 3, 3}, 4)}, attrs = conv;
    if (op.endsWith("Pool3D")) in = {volume}, attrs = pool;
    if (op == "ExtractImagePatches")
      attrs = {{"ksizes", Integers{1, 2, 3, 1}}, {"strides", Integers{1, 2, 2, 1}}, {"rates", Integers{1, 2, 1, 1}}, {"padding", "SAME"}};
    if (op == "ExtractVolumePatches") in = {volume}, attrs = {{"ksizes", Integers{1, 2, 3, 1, 1}}, {"strides", Integers{1, 1, 2, 1, 1}}, {"padding", "SAME"}};
    if (op == "Dilation2D")
      in = {image, numbers(type, {2, 3, 2}, 5)}, attrs = {{"strides", Integers{1, 2, 1, 1}}, {"rates", Integers{1, 1, 2, 1}}, {"padding", "SAME"}};
    if (op == "MaxPoolWithArgmax") attrs = {{"ksize", Integers{1, 2, 3, 1}}, {"strides", Integers{1, 2, 2, 1}}, {"padding", "VALID"}};
    if (op.startsWith("Fractional")) {
      attrs = {{"pooling_ratio", std::vector<float>{1, 1.4f, 1.3f, 1}}, {"deterministic", true}, {"overlapping", true}, {"seed", 3}, {"seed2", 5}};
    }
    if (op == "BatchNormWithGlobalNormalization") {
      in = {image, numbers(type, {2}, 6), Tensor::vector<double>({0.7, 1.9}), numbers(type, {2}, 7), numbers(type, {2}, 8)};
      attrs = {{"variance_epsilon", 0.01f}, {"scale_after_normalization", true}};
    }
    Single s(op.toLatin1().constData(), in, attrs, true);
    QVERIFY2(s.b.ok(), s.b.ok() ? "" : s.b.status().toString().c_str());
    const Output y{s.node, 0};
    std::vector<Output> xs;
    std::vector<size_t> which;
    for (size_t i = 0; i < in.size(); ++i) {
      if (in[i].dtype() != type) continue;
      xs.push_back({s.b.graph().find("x" + std::to_string(i))->id, 0});
      which.push_back(i);
    }
    // The sum of squares, so that gradients differ from place to place.
    const Output square = s.b.op("Square", {y});
    const auto grads = addGradients(s.b, {square}, xs);
    QVERIFY2(grads.ok(), grads.ok() ? "" : grads.error().toString().c_str());
    std::vector<Output> wanted;
    for (const Gradient& g : *grads) {
      QVERIFY(g.dense.valid());
      wanted.push_back(g.dense);
    }
    const auto analytic = s.run(wanted);
    QVERIFY2(analytic.ok(), analytic.ok() ? "" : analytic.error().toString().c_str());
    auto session = Session::create(s.meta.graph);
    QVERIFY(session.ok());
    const std::string name = s.meta.graph.tensorName(square);
    const double step = single ? 2e-3 : 1e-5, tolerance = single ? 2e-2 : 1e-5;
    for (size_t k = 0; k < which.size(); ++k) {
      for (int64_t i = 0; i < in[which[k]].elements(); i += 3) {
        double sums[2];
        for (int side = 0; side < 2; ++side) {
          auto feeds = s.feeds;
          Tensor moved = *in[which[k]].clone();
          const double by = side ? step : -step;
          if (single) moved.mutableData<float>()[i] += float(by);
          else moved.mutableData<double>()[i] += by;
          feeds[which[k]].second = moved;
          const auto r = (*session)->run(feeds, {name});
          QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
          sums[side] = 0;
          for (int64_t j = 0; j < (*r)[0].elements(); ++j) sums[side] += (*r)[0].asDouble(j);
        }
        const double numeric = (sums[1] - sums[0]) / (2 * step), given = (*analytic)[k].asDouble(i);
        QVERIFY2(std::abs(numeric - given) <= tolerance * (1 + std::abs(numeric)),
                 qPrintable(QStringLiteral("input %1 at %2: %3 by numbers, %4 by the gradient").arg(which[k]).arg(i).arg(numeric).arg(given)));
      }
    }
  }

  void badBytes_data() {
    QTest::addColumn<QString>("op");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("phrase");
    const QByteArray png("\x89PNG\r\n\x1a\n", 8), jpeg("\xff\xd8\xff\xe0", 4);
    QTest::newRow("empty") << "DecodePng" << QByteArray() << "got empty file";
    QTest::newRow("text") << "DecodeJpeg" << QByteArray("hello\n") << "unknown format starting with 'hello\\n'";
    QTest::newRow("png without header") << "DecodePng" << png << "Invalid PNG header, data size 8";
    QTest::newRow("png of 2^31 pixels a side") << "DecodePng" << png + bytes("\0\0\0\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\0\0\0\0\0\0\0\0")
                                               << "Invalid PNG header";
    QTest::newRow("png that says too much")
        << "DecodePng"
        << png +
               bytes(
                   "\000\000\000\015\111\110\104\122\000\000\116\040\000\000\116\040\010\000\000\000\000\306\033\031\345\000\000\000\011\111\104\101\124\170\234\143\000\000\000\001\000\001\136\377\175\371")
        << "Invalid PNG data, size";
    QTest::newRow("jpeg without header") << "DecodeJpeg" << jpeg << "Invalid JPEG data";
    QTest::newRow("gif without frames") << "DecodeGif" << bytes("GIF89a\1\0\1\0\0\0\0;") << "Invalid GIF data (size 14)";
    QTest::newRow("gif that breaks off") << "DecodeGif" << bytes("GIF89a\xff\xff\xff\xff\0\0\0,\0\0\0\0\x08\0\x08\0\0\2") << "Invalid GIF data (size 24)";
    QTest::newRow("gif that says too much") << "DecodeGif" << bytes("GIF89a\xff\xff\xff\xff\0\0\0,\0\0\0\0\xff\xff\xff\xff\0\2") << "the frames are too large";
    QTest::newRow("bmp of negative width") << "DecodeBmp" << bytes("BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\xff\xff\xff\xff\1\0\0\0\1\0\x18\0\0\0\0\0")
                                           << "Width must be positive";
    QTest::newRow("bmp of 2^30 rows") << "DecodeBmp" << bytes("BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\1\0\0\0\0\0\0\x40\1\0\x18\0\0\0\0\0") << "less than 2^30";
    QTest::newRow("wav without channels") << "DecodeWav" << bytes("RIFF\0\0\0\0WAVEfmt \x10\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\0\0\x10\0data\4\0\0\0\0\0\0\0")
                                          << "number of channels";
    QTest::newRow("wav with too long a chunk") << "DecodeWav"
                                               << bytes("RIFF\0\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\1\0\0\0\2\0\0\0\2\0\x10\0data\xff\xff\xff\x7f\0\0")
                                               << "Data too short";
    QTest::newRow("jpeg shape of text") << "ExtractJpegShape" << QByteArray("hello") << "Invalid JPEG data, size 5";
  }

  void badBytes() {
    QFETCH(QString, op);
    QFETCH(QByteArray, bytes);
    QFETCH(QString, phrase);
    Single s(op.toLatin1().constData(), {Tensor::scalar(bytes.toStdString())}, {});
    const auto r = s.run({{s.node, 0}});
    QVERIFY(!r.ok());
    QVERIFY2(QString::fromStdString(r.error().message).contains(phrase), r.error().message.c_str());
    QCOMPARE(int(r.error().code), int(Code::InvalidArgument));
  }

  void badSizes() {
    const Tensor volume = numbers(DType::Float, {1, 2, 2, 2, 1}, 1), filter = numbers(DType::Float, {1, 1, 1, 1, 1}, 2);
    const AttrMap conv{{"strides", Integers{1, 1, 1, 1, 1}}, {"padding", "VALID"}};
    const int32_t huge = 0x7fffffff;
    Single wide("Conv3DBackpropInputV2", {Tensor::vector<int32_t>({1, huge, huge, huge, 1}), filter, volume}, conv);
    QVERIFY(!wide.run({{wide.node, 0}}).ok());
    Single negative("Conv3DBackpropInputV2", {Tensor::vector<int32_t>({1, -2, 2, 2, 1}), filter, volume}, conv);
    QVERIFY(!negative.run({{negative.node, 0}}).ok());
    const Tensor image = numbers(DType::Float, {1, 4, 4, 1}, 1), pooled = numbers(DType::Float, {1, 2, 2, 1}, 2);
    Single places("MaxPoolGradWithArgmax", {image, pooled, Tensor::of<int64_t>({0, 5, -1, 99}, {1, 2, 2, 1})},
                  {{"ksize", Integers{1, 2, 2, 1}}, {"strides", Integers{1, 2, 2, 1}}, {"padding", "VALID"}});
    QVERIFY(!places.run({{places.node, 0}}).ok());
    Single borders("FractionalMaxPoolGrad", {image, pooled, pooled, Tensor::vector<int64_t>({0, 2, 400}), Tensor::vector<int64_t>({0, 2, 4})}, {});
    QVERIFY(!borders.run({{borders.node, 0}}).ok());
    Single window("MaxPool3D", {volume}, {{"ksize", Integers{1, int64_t(1) << 40, 1, 1, 1}}, {"strides", Integers{1, 1, 1, 1, 1}}, {"padding", "SAME"}});
    QVERIFY(!window.run({{window.node, 0}}).ok());
  }

  void boxesThatAreNoNumbersAreNotDrawn() {
    const float nan = std::nanf("");
    Single s("DrawBoundingBoxes", {Tensor::zeros(DType::Float, {1, 3, 3, 1}), Tensor::of<float>({nan, 0, 1, 1, 0, 0, 1e30f, 1}, {1, 2, 4})}, {});
    const auto r = s.run({{s.node, 0}});
    QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
    for (int64_t i = 0; i < 9; ++i) QCOMPARE((*r)[0].at<float>(i), 0.0f);
  }

  /// Written images are read back unchanged: 16-bit and transparent PNG; a partially decoded JPEG equals that part of the whole.
  void picturesThereAndBack() {
    Tensor image = Tensor::zeros(DType::UInt16, {3, 4, 4});
    for (int64_t i = 0; i < image.elements(); ++i) image.mutableData<uint16_t>()[i] = uint16_t(i * 1357);
    Single encode("EncodePng", {image}, {{"compression", 9}});
    const auto bytes = encode.run({{encode.node, 0}});
    QVERIFY2(bytes.ok(), bytes.ok() ? "" : bytes.error().toString().c_str());
    Single decode("DecodePng", {(*bytes)[0]}, {{"dtype", DType::UInt16}});
    const auto back = decode.run({{decode.node, 0}});
    QVERIFY2(back.ok(), back.ok() ? "" : back.error().toString().c_str());
    QVERIFY((*back)[0].identicalTo(image));
  }
};

QTEST_GUILESS_MAIN(TestImageOps)
#include "tst_image_ops.moc"
