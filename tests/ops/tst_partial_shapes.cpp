#include <QTest>

#include "weft/builder.h"

using namespace weft;

namespace {

constexpr int64_t kAny = Shape::kUnknownDim;
const Shape kUnknown = Shape::unknown();

/// An input: a placeholder of a shape that is known in part, or a constant.
struct Input {
  DType type = DType::Float;
  Shape shape;
  Tensor value;
};
Input floats(const Shape& s) { return {DType::Float, s, {}}; }
Input ints(const Shape& s) { return {DType::Int32, s, {}}; }
Input strings(const Shape& s) { return {DType::String, s, {}}; }
Input constant(std::vector<int32_t> v) { return {DType::Int32, {}, Tensor::vector(v)}; }
Input scalar(int32_t v) { return {DType::Int32, {}, Tensor::scalar(v)}; }

struct Case {
  const char* name;
  const char* op;
  std::vector<Input> inputs;
  AttrMap attrs;
  const char* wanted;  ///< The shapes as TensorFlow 1.15.5 infers them, or a part of its error.
};

std::vector<Case> cases() {
  return {
      {"a matrix times what is not known", "BatchMatMul", {floats(kUnknown), floats({3, 4})}, {}, "(?, 4)"},
      {"solve: rows from the right side", "MatrixSolve", {floats(kUnknown), floats({2, kAny, 3})}, {}, "(2, ?, 3)"},
      {"solve: all rows are one number", "MatrixSolve", {floats({kAny, kAny}), floats({2, 1})}, {}, "(2, 1)"},
      {"triangles", "MatrixTriangularSolve", {floats({3, 3}), floats(kUnknown)}, {}, "(3, ?)"},
      {"rank of multiples", "Tile", {floats(kUnknown), constant({1, 2})}, {}, "(?, ?)"},
      {"rank of an order", "Transpose", {floats(kUnknown), ints({3})}, {}, "(?, ?, ?)"},
      {"one element orders a scalar or a list", "Transpose", {floats(kUnknown), ints({1})}, {}, "<unknown>"},
      {"an order is a list", "Transpose", {floats({2, 3}), ints({kAny, 2})}, {}, "Shape must be rank 1 but is rank 2"},
      {"pictures have four dims", "SpaceToDepth", {floats(kUnknown)}, {{"block_size", 2}}, "(?, ?, ?, ?)"},
      {"the batch follows from the blocks", "SpaceToBatchND", {floats({1, 1, 2, kAny}), constant({3}), ints({kAny, kAny})}, {}, "(3, ?, 2, ?)"},
      {"two paddings for each dim",
       "SpaceToBatchND",
       {floats({1, 1, 2, 1}), constant({3}), ints({3, kAny})},
       {},
       "Dimension 0 in both shapes must be equal, but are 3 and 1"},
      {"colours are three", "RGBToHSV", {floats({kAny, kAny})}, {}, "(?, 3)"},
      {"a factor that only the kernel looks at", "AdjustSaturation", {floats({kAny, 4, 4, 3}), floats({2})}, {}, "(?, 4, 4, 3)"},
      {"a factor that is looked at", "AdjustContrastv2", {floats({kAny, 4, 4, 3}), floats({2})}, {}, "Shape must be rank 0 but is rank 1"},
      {"several open dims", "Reshape", {floats({kAny, kAny}), constant({-1, -1})}, {}, "(?, ?)"},
      {"no size of an open dim fits", "Reshape", {floats({kAny, 2}), constant({3, 3})}, {}, "Dimension size must be evenly divisible by 2 but is 9"},
      {"nor makes it a scalar", "Reshape", {floats({kAny, 2}), constant({})}, {}, "Dimension size must be evenly divisible by 2 but is 1"},
      {"nothing makes no nine", "Reshape", {floats({kAny, 0}), constant({3, 3})}, {}, "Cannot reshape a tensor with 0 elements to shape [3,3] (9 elements)"},
      {"an open dim that fits", "Reshape", {floats({kAny, 3}), constant({3, 3})}, {}, "(3, 3)"},
      {"an open dim that is nothing", "Reshape", {floats({kAny, 3}), constant({0, 3})}, {}, "(0, 3)"},
      {"sizes are a list", "Reshape", {floats({kAny}), ints({})}, {}, "Shape must be rank 1 but is rank 0"},
      {"a scalar has no dims to reverse", "ReverseV2", {floats({}), constant({0})}, {}, "out of valid range"},
      {"a piece that does not fit", "Slice", {floats({3, 5}), constant({1, 0}), constant({3, 2})}, {}, "(3, 2)"},
      {"nothing is left", "Slice", {floats({3, 5}), constant({4, 0}), constant({-1, 2})}, {}, "Negative dimension size caused by subtracting 4 from 3"},
      {"backwards along a dim that is not known",
       "StridedSlice",
       {floats({kAny, 5}), constant({1}), ints(kUnknown), constant({-1})},
       {{"shrink_axis_mask", 1}},
       "(5,)"},
      {"an axis behind the last", "OneHot", {ints({1}), scalar(2), floats({}), floats({})}, {{"axis", 3}}, "(1, 2)"},
      {"places of a depth that is not known", "ScatterNd", {ints({2, kAny}), floats({3, 2}), ints({3})}, {}, "(?, ?, ?)"},
      {"one value for each place", "SparseSoftmax", {{DType::Int64, Shape{kAny, 2}, {}}, floats(kUnknown), {DType::Int64, Shape{2}, {}}}, {}, "(?,)"},
      {"texts of one shape", "StringJoin", {strings(kUnknown), strings({}), strings({3})}, {}, "(3,)"},
      {"bounds are scalars", "RandomUniformInt", {ints({kAny}), ints({kAny}), scalar(3)}, {}, "Shape must be rank 0 but is rank 1"},
      {"names are scalars", "ShardedFilename", {strings({kAny}), ints({}), scalar(2)}, {}, "Shape must be rank 0 but is rank 1"},
      {"gradients have the shape of results", "TanhGrad", {floats({kAny, 3}), floats({2, kAny})}, {}, "(?, 3)"},
  };
}

}  // namespace

/// Shapes of results where those of the arguments are known in part.
class PartialShapesTest : public QObject {
  Q_OBJECT

 private slots:
  void inferred_data() {
    QTest::addColumn<int>("index");
    const auto all = cases();
    for (size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name) << int(i);
  }

  void inferred() {
    QFETCH(int, index);
    const Case c = cases()[size_t(index)];
    MetaGraph meta;
    GraphBuilder b(meta);
    Inputs inputs;
    for (const Input& in : c.inputs) inputs.add(in.value.hasValue() ? b.constant(in.value) : b.placeholder(in.type, in.shape));
    const int id = b.node(c.op, inputs, c.attrs);
    const QString wanted = c.wanted;
    if (!b.ok()) {
      QVERIFY2(QString::fromStdString(b.status().error().message).contains(wanted), b.status().error().toString().c_str());
      return;
    }
    QCOMPARE(QString::fromStdString(b.shape({id, 0}).toPythonString()), wanted);
  }
};

QTEST_GUILESS_MAIN(PartialShapesTest)
#include "tst_partial_shapes.moc"
