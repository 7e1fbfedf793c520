// Meshes and point clouds: joining of their parts, projection, drawing, camera, grid.
#include <QApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPointer>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <ctime>
#include <limits>

#include "common/card_grid.h"
#include "common/theme.h"
#include "mesh/mesh_grid.h"
#include "mesh/mesh_plot.h"

using namespace weft::widgets;

namespace {

using Kind = MeshPart::Kind;

MeshPart part(Kind kind, double step, int samples, int count) {
  MeshPart out;
  out.kind = kind;
  out.step = step;
  out.mesh = "shape";
  out.samples = samples;
  out.count = count;
  return out;
}
MeshPart vertices(std::vector<float> values, double step = 0, int samples = 1) {
  MeshPart out = part(Kind::Vertices, step, samples, int(values.size()) / 3 / samples);
  out.positions = std::move(values);
  return out;
}
MeshPart faces(std::vector<std::int32_t> values, double step = 0, int samples = 1) {
  MeshPart out = part(Kind::Faces, step, samples, int(values.size()) / 3 / samples);
  out.indices = std::move(values);
  return out;
}
MeshPart colors(std::vector<std::uint8_t> values, double step = 0) {
  MeshPart out = part(Kind::Colors, step, 1, int(values.size()) / 3);
  out.channels = std::move(values);
  return out;
}

std::shared_ptr<MeshSeries> series(std::initializer_list<MeshPart> list) {
  auto out = std::make_shared<MeshSeries>();
  for (const MeshPart& p : list) out->append(MeshPart(p));
  return out;
}

const std::vector<float> kSquare = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
const std::vector<std::int32_t> kTwoFaces = {0, 1, 2, 0, 2, 3};

std::shared_ptr<const Mesh> square() { return meshAt({series({vertices(kSquare)}), series({faces(kTwoFaces)}), nullptr}, {}, 0); }

/// What is wrong with the square with these faces and colours.
QString problemOf(const std::shared_ptr<MeshSeries>& f, const std::shared_ptr<MeshSeries>& c = nullptr, int sample = 0) {
  return meshAt({series({vertices(kSquare)}), f, c}, {}, sample)->problem;
}

/// Straight from the front, so that results can be computed by hand.
MeshCamera front(const Mesh& mesh, double fieldOfView = 0) {
  MeshCamera out;
  out.center = mesh.center;
  out.radius = mesh.radius;
  out.fieldOfView = fieldOfView;
  return out;
}

QImage drawn(const std::shared_ptr<const Mesh>& mesh, const MeshCamera& camera, QSize size = {100, 100}) {
  MeshDrawing drawing(mesh, camera, size, 1, qRgb(200, 100, 50));
  if (!drawing.advance(1e9)) qFatal("not complete");
  return drawing.image();
}

/// A bumpy ball of 2·n·n triangles.
std::shared_ptr<const Mesh> ball(int n) {
  std::vector<float> v;
  std::vector<std::int32_t> f;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j < n; ++j) {
      const float a = float(i) * 3.14159F / float(n), b = float(j) * 6.28318F / float(n), r = 1 + 0.1F * std::sin(9 * a) * std::sin(7 * b);
      v.insert(v.end(), {r * std::sin(a) * std::cos(b), r * std::cos(a), r * std::sin(a) * std::sin(b)});
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int p = i * n + j, q = i * n + (j + 1) % n;
      f.insert(f.end(), {p, q, p + n, q, q + n, p + n});
    }
  return meshAt({series({vertices(std::move(v))}), series({faces(std::move(f))}), nullptr}, {}, 0);
}

}  // namespace

class MeshTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(*qApp, Theme::Kind::Light); }

  // ---- parts

  void partsOfOneStepAreJoined() {
    const MeshParts parts{series({vertices(kSquare, 1), vertices({0, 0, 0}, 5)}), series({faces(kTwoFaces, 1)}), nullptr};
    QCOMPARE(meshAt(parts, 3, 0)->step, 1.0);
    QCOMPARE(meshAt(parts, 3, 0)->faces.size(), size_t{2});
    // Step 5 has vertices alone: a point cloud, as in TensorBoard.
    QVERIFY(meshAt(parts, {}, 0)->isCloud());
    QVERIFY(!meshAt({nullptr, parts.faces, nullptr}, {}, 0));
  }
  void badFacesAreNamed() {
    QCOMPARE(problemOf(series({faces({0, 1, 2, 0, 4, 3})})), QString("Face 1 refers to vertex 4, but there are only the vertices 0 to 3."));
    QCOMPARE(problemOf(series({faces({0, 1, -1})})), QString("Face 0 refers to vertex -1, but there are only the vertices 0 to 3."));
    QVERIFY(meshAt({series({vertices(kSquare)}), series({faces({0, 1, 9})}), nullptr}, {}, 0)->vertices.empty());
  }
  void badColorsAndVerticesAreNamed() {
    QCOMPARE(problemOf(nullptr, series({colors({1, 2, 3})})), QString("There are 1 colours for 4 vertices."));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    QCOMPARE(meshAt({series({vertices({0, 0, 0, 1, nan, 0})}), nullptr, nullptr}, {}, 0)->problem, QString("Vertex 1 is not finite."));
    const float huge = std::numeric_limits<float>::max();
    QVERIFY(!meshAt({series({vertices({huge, huge, 0, -huge, -huge, 0})}), nullptr, nullptr}, {}, 0)->problem.isEmpty());
  }
  void eachSampleOfTheBatchIsAMesh() {
    const MeshParts parts{series({vertices({0, 0, 0, 1, 1, 1, 2, 2, 2, 4, 4, 4}, 0, 2)}), nullptr, nullptr};
    QCOMPARE(meshAt(parts, {}, 0)->vertices[1], QVector3D(1, 1, 1));
    QCOMPARE(meshAt(parts, {}, 1)->vertices[1], QVector3D(4, 4, 4));
    QVERIFY2(meshAt(parts, {}, 2)->problem.contains("none with the index 2"), qPrintable(meshAt(parts, {}, 2)->problem));
    // Faces of fewer samples than the vertices have.
    QVERIFY(meshAt({parts.vertices, series({faces({0, 1, 1})}), nullptr}, {}, 1)->problem.contains("index 1"));
  }

  // ---- projection

  void theMiddleIsInTheMiddle() {
    const auto mesh = square();
    for (const double field : {0.0, 45.0, 75.0}) {
      const auto at = MeshProjection(front(*mesh, field), QSizeF(200, 100)).place(mesh->center);
      QCOMPARE(at.x, 100.0F);
      QCOMPARE(at.y, 50.0F);
    }
  }
  void parallelProjectionKeepsDistances() {
    const auto mesh = square();
    const MeshProjection p(front(*mesh), QSizeF(100, 100));
    const float half = 46 / std::sqrt(2.0F);
    QVERIFY(std::abs(p.place({1, 1, 0}).x - (50 + half)) < 1e-3F);
    QVERIFY(std::abs(p.place({1, 1, 0}).y - (50 - half)) < 1e-3F);  // up is up
    QCOMPARE(p.place({1, 1, 5}).x, p.place({1, 1, -5}).x);
    QVERIFY(p.place({0, 0, 1}).depth > p.place({0, 0, 0}).depth);
  }
  void nearThingsAreLargerInPerspective() {
    const auto mesh = square();
    const MeshProjection p(front(*mesh, 45), QSizeF(100, 100));
    QVERIFY(p.place({1, 0, 0.5F}).x > p.place({1, 0, -0.5F}).x);
    QVERIFY(p.place({0, 0, 0.5F}).depth > p.place({0, 0, -0.5F}).depth);
    QVERIFY(std::isnan(p.place({0, 0, 100}).depth));  // behind the eye
  }
  void turningTurnsAroundTheMiddle() {
    const auto mesh = square();
    MeshCamera camera = front(*mesh);
    camera.rotation = QQuaternion::fromAxisAndAngle(0, 1, 0, 90);
    const auto at = MeshProjection(camera, QSizeF(100, 100)).place({-1, 0, 0});
    QVERIFY(std::abs(at.x - 50) < 1e-3F && at.depth > 0.5F);
  }

  // ---- drawing

  void aSquareIsFilledOnceAndWhole() {
    const QImage image = drawn(square(), front(*square()));
    const QRgb color = image.pixel(50, 50);
    QCOMPARE(qAlpha(color), 255);
    int inside = 0;
    for (int y = 0; y < 100; ++y)
      for (int x = 0; x < 100; ++x) {
        const bool in = x >= 18 && x < 82 && y >= 18 && y < 82;
        if (in) QCOMPARE(image.pixel(x, y), color);  // no seam between the triangles
        inside += qAlpha(image.pixel(x, y)) > 0;
      }
    QVERIFY2(inside >= 64 * 64 && inside <= 67 * 67, qPrintable(QString::number(inside)));
  }
  void nearFacesHideFarOnesInAnyOrder() {
    const std::vector<float> v = {-1, -1, -0.5F, 1, -1, -0.5F, 0, 1, -0.5F, -1, -1, 0.5F, 1, -1, 0.5F, 0, 1, 0.5F};
    const auto c = series({colors({255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255, 0, 0, 255})});
    for (const auto& f : {std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}, std::vector<std::int32_t>{3, 4, 5, 0, 1, 2}}) {
      const auto mesh = meshAt({series({vertices(v)}), series({faces(f)}), c}, {}, 0);
      const QRgb middle = drawn(mesh, front(*mesh)).pixel(50, 50);
      QVERIFY(qBlue(middle) > 100 && qRed(middle) == 0);
    }
  }
  void facesTurnedAwayFromTheLightAreDarker() {
    const auto mesh = square();
    MeshCamera camera = front(*mesh);
    const int lit = qRed(drawn(mesh, camera).pixel(50, 50));
    camera.rotation = QQuaternion::fromAxisAndAngle(0, 1, 0, 70);
    QVERIFY(qRed(drawn(mesh, camera).pixel(50, 50)) < lit);
  }
  void pointsWithoutFacesKeepTheirColors() {
    const auto mesh = meshAt({series({vertices({-1, 0, 0, 1, 0, 0})}), nullptr, series({colors({10, 20, 30, 200, 100, 0})})}, {}, 0);
    const QImage image = drawn(mesh, front(*mesh));
    QCOMPARE(image.pixel(4, 50), qRgb(10, 20, 30));
    QCOMPARE(image.pixel(96, 50), qRgb(200, 100, 0));
    QCOMPARE(qAlpha(image.pixel(50, 50)), 0);
  }
  void zoomingFarInStaysInsideThePicture() {
    const auto mesh = ball(20);
    MeshCamera camera = front(*mesh, 75);
    camera.zoom = 100;
    camera.shift = {30, -20};
    drawn(mesh, camera);
    drawn(mesh, camera, {1, 1});
    const auto line = meshAt({series({vertices(kSquare)}), series({faces({0, 0, 1, 2, 2, 2})}), nullptr}, {}, 0);
    QCOMPARE(qAlpha(drawn(line, front(*line)).pixel(50, 82)), 0);  // no area
  }
  void anUnfinishedPictureIsSpreadOverTheMesh() {
    const auto mesh = ball(300);  // 180,000 triangles
    MeshDrawing drawing(mesh, front(*mesh), {300, 300}, 1, qRgb(200, 200, 200));
    QVERIFY(!drawing.advance(0));
    QVERIFY(drawing.share() > 0 && drawing.share() < 1);
    int slices = 1;
    for (; !drawing.advance(1); ++slices) QVERIFY(slices < 100000);
    QCOMPARE(drawing.share(), 1.0);
    MeshDrawing once(mesh, front(*mesh), {300, 300}, 1, qRgb(200, 200, 200));
    QVERIFY(once.advance(1e9));
    QCOMPARE(drawing.image(), once.image());
    QCOMPARE(drawing.halved().size(), QSize(150, 150));
  }

  // ---- the widget

  void anEmptyPlaceHasNoVertex() {
    MeshPlot plot;
    plot.resize(300, 300);
    QCOMPARE(plot.vertexAt({150, 150}), -1);
    QCOMPARE(plot.describe(-1), QString());
    plot.show(square(), 0);
    QCOMPARE(plot.vertexAt({2, 2}), -1);
    const auto at = MeshProjection(plot.camera(), plot.size()).place({1, 1, 0});
    QCOMPARE(plot.vertexAt(QPointF(at.x, at.y)), 2);
    QCOMPARE(plot.describe(2).section('\n', 0, 0), QString("vertex 2"));
    QCOMPARE(plot.describe(4), QString());
  }
  void problemsAndEmptyMeshesAreWrittenInPlace() {
    MeshPlot plot;
    plot.resize(300, 200);
    const QImage nothing = plot.grab().toImage();
    plot.show(meshAt({series({vertices({})}), nullptr, nullptr}, {}, 0), 0);
    const QImage empty = plot.grab().toImage();
    plot.show(meshAt({series({vertices(kSquare)}), series({faces({0, 1, 9})}), nullptr}, {}, 0), 0);
    const QImage problem = plot.grab().toImage();
    QVERIFY(nothing != empty && empty != problem && nothing != problem);
  }
  void theMouseTurnsMovesZoomsAndResets() {
    MeshPlot plot;
    plot.resize(300, 300);
    plot.show(square(), 0);
    const MeshCamera first = plot.camera();
    QTest::mousePress(&plot, Qt::LeftButton, {}, {100, 100});
    QTest::mouseMove(&plot, {150, 110});
    QVERIFY(plot.camera().rotation != first.rotation);
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, {150, 110});
    const QQuaternion turned = plot.camera().rotation;
    QTest::mouseMove(&plot, {10, 10});
    QCOMPARE(plot.camera().rotation, turned);
    QMouseEvent press(QEvent::MouseButtonPress, QPointF(100, 100), QPointF(100, 100), Qt::LeftButton, Qt::LeftButton, Qt::ShiftModifier);
    QMouseEvent drag(QEvent::MouseMove, QPointF(130, 85), QPointF(130, 85), Qt::NoButton, Qt::LeftButton, Qt::ShiftModifier);
    QApplication::sendEvent(&plot, &press);
    QApplication::sendEvent(&plot, &drag);
    QCOMPARE(plot.camera().shift, QPointF(0.2, -0.1));
    QCOMPARE(plot.camera().rotation, turned);
    QWheelEvent wheel(QPointF(50, 50), QPointF(50, 50), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&plot, &wheel);
    QCOMPARE(plot.camera().zoom, 1.0);  // it scrolls the panel
    QVERIFY(!wheel.isAccepted());
    QWheelEvent zooming(QPointF(50, 50), QPointF(50, 50), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&plot, &zooming);
    QVERIFY(plot.camera().zoom > 1 && zooming.isAccepted());
    QTest::mouseDClick(&plot, Qt::LeftButton, {}, {100, 100});
    QCOMPARE(plot.camera().rotation, first.rotation);
    QCOMPARE(plot.camera().shift, QPointF());
    QCOMPARE(plot.camera().zoom, 1.0);
  }
  void keysDoTheSame() {
    MeshPlot plot;
    plot.show(square(), 0);
    const MeshCamera first = plot.camera();
    QTest::keyClick(&plot, Qt::Key_Left);
    QVERIFY(plot.camera().rotation != first.rotation);
    QTest::keyClick(&plot, Qt::Key_Right);
    QVERIFY(qFuzzyCompare(plot.camera().rotation, first.rotation));
    QTest::keyClick(&plot, Qt::Key_Down, Qt::ShiftModifier);
    QVERIFY(plot.camera().shift.y() > 0);
    QTest::keyClick(&plot, Qt::Key_Plus);
    QTest::keyClick(&plot, Qt::Key_Plus);
    QTest::keyClick(&plot, Qt::Key_Minus);
    QCOMPARE(plot.camera().zoom, 1.25);
    QTest::keyClick(&plot, Qt::Key_Home);
    QCOMPARE(plot.camera().zoom, 1.0);
  }
  void theScaleOfTheFirstStepStays() {
    MeshPlot plot;
    const auto sized = [](float s) { return meshAt({series({vertices({-s, 0, 0, s, 0, 0})}), nullptr, nullptr}, {}, 0); };
    plot.show(sized(1), 0);
    plot.show(sized(1.2F), 0);
    QCOMPARE(plot.camera().radius, 1.0F);
    plot.show(sized(50), 0);  // out of view
    QCOMPARE(plot.camera().radius, 50.0F);
  }
  void aLargeMeshTurnsWithoutAPause() {
    MeshPlot plot;
    plot.resize(1200, 800);
    const auto mesh = ball(224);  // 100,352 triangles
    plot.QWidget::show();
    plot.show(mesh, 0);
    QImage target(plot.size(), QImage::Format_ARGB32_Premultiplied);
    std::vector<double> times;
    for (int i = 0; i < 40; ++i) {
      plot.turn(5, 2);
      const std::clock_t start = std::clock();  // of the processor: other programs do not count
      plot.render(&target, {}, {}, {});
      times.push_back(double(std::clock() - start) * 1e3 / CLOCKS_PER_SEC);
    }
    std::sort(times.begin(), times.end());
    qInfo("median %.2f ms, longest %.2f ms", times[20], times.back());
    QVERIFY2(times[20] < 16, qPrintable(QString::number(times[20])));
    QTRY_VERIFY_WITH_TIMEOUT(plot.isComplete(), 20000);
  }

  // ---- the panel

  void thePanelAsksForTheSampleOnlyIfThereIsAChoice() {
    MeshGrid grid;
    grid.resize(900, 600);
    grid.show();
    auto* spin = grid.findChild<QSpinBox*>("mesh_sample");
    grid.setPart("a", 0, series({vertices(kSquare)}));
    grid.refreshNow();
    QVERIFY(!spin->isVisible());
    MeshPart two = vertices({0, 0, 0, 1, 1, 1}, 0, 2);
    two.mesh = "two";
    grid.setPart("a", 0, series({two}));
    grid.refreshNow();
    QVERIFY(spin->isVisible());
    QCOMPARE(spin->maximum(), 1);
    grid.setSample(1);
    QCOMPARE(grid.plot("a", "two")->mesh()->vertices[0], QVector3D(1, 1, 1));
    QVERIFY(grid.plot("a", "shape")->mesh()->problem.contains("none with the index 1"));
  }
  void facesThatComeLaterAreDrawn() {
    MeshGrid grid;
    grid.resize(900, 600);
    grid.show();
    grid.setPart("a", 0, series({vertices(kSquare, 1), vertices(kSquare, 2)}));
    grid.refreshNow();
    const MeshPlot* plot = grid.plot("a", "shape");
    QVERIFY(plot->mesh()->isCloud());
    grid.setPart("a", 0, series({faces(kTwoFaces, 1), faces({0, 1, 2}, 2)}));
    grid.refreshNow();
    QCOMPARE(plot->mesh()->faces.size(), size_t{1});
    grid.setStep(1);
    QCOMPARE(plot->mesh()->faces.size(), size_t{2});
    grid.removeRun("a");
    QVERIFY(!grid.plot("a", "shape") && grid.meshes().isEmpty());
  }
  void aCardThatComesBackHasItsView() {
    MeshGrid grid;
    grid.resize(900, 600);
    grid.show();
    grid.setPart("a", 0, series({vertices(kSquare)}));
    grid.refreshNow();
    const QPointer<MeshPlot> plot = grid.plot("a", "shape");
    plot->turn(40, 10);
    plot->zoomBy(2);
    const MeshCamera camera = plot->camera();
    auto* cards = grid.findChild<CardGrid*>();
    cards->dropCard(cards->keys().first());  // as when it is far out of view
    QTRY_VERIFY(!plot);
    const MeshPlot* again = grid.plot("a", "shape");
    QCOMPARE(again->camera().rotation, camera.rotation);
    QCOMPARE(again->camera().zoom, 2.0);
    grid.removeRun("a");
    grid.setPart("a", 0, series({vertices(kSquare)}));
    QCOMPARE(grid.plot("a", "shape")->camera().zoom, 1.0);
  }
  void cardsAreWritten() {
    MeshGrid grid;
    grid.resize(900, 600);
    grid.show();
    grid.setPart("a", 0, series({vertices(kSquare)}));
    grid.setPart("a", 0, series({faces(kTwoFaces)}));
    const QTemporaryDir folder;
    QCOMPARE(grid.exportMesh("shape", folder.filePath("shape.json")), QString());
    QFile file(folder.filePath("shape.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
    QCOMPARE(json["faces"].toArray()[1].toArray(), (QJsonArray{0, 2, 3}));
    QCOMPARE(grid.exportMesh("shape", folder.filePath("shape.csv")), QString());
    QFile table(folder.filePath("shape.csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    QCOMPARE(table.readAll().split('\n')[3], QByteArray("2,1,1,0,,,"));
    QCOMPARE(grid.exportMesh("shape", folder.filePath("shape.png")), QString());
    QVERIFY(grid.exportMesh("other", folder.filePath("x.png")).contains("There is no mesh other"));
    grid.setPart("a", 0, series({faces({0, 1, 7})}));
    QVERIFY(grid.exportMesh("shape", folder.filePath("shape.csv")).contains("vertex 7"));
    grid.setRunVisible("a", false);
    QVERIFY(grid.exportMesh("shape", folder.filePath("shape.csv")).contains("hidden"));
  }
};

QTEST_MAIN(MeshTest)
#include "tst_mesh.moc"
