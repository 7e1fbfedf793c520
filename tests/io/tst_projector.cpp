// TensorBoard's projector: what a configuration names is found and compared, and what is written can be read.
#include <QTest>

#include "memory_files.h"
#include "weft/checkpoint.h"
#include "weft/projector.h"

using namespace weft;
using Source = ProjectorEmbedding::Source;

namespace {

const std::string kFolder = WEFT_SOURCE_DIR "/tests/golden/files/projector/";

class ProjectorTest : public QObject {
  Q_OBJECT

  MemoryFiles files_;

  void put(const std::string& path, const std::string& bytes) { files_.files[path] = std::make_shared<std::string>(bytes); }
  std::string content(const std::string& path) { return files_.readAll(path).value(); }
  /// A log folder with the files of the golden one, whose embedding has 15 rows.
  void putGolden() {
    for (const char* name : {"labels.tsv", "two_columns.tsv", "sprite.png", "tensor.tsv", "tensor.bytes", "model.ckpt.index", "model.ckpt.data-00000-of-00001"})
      put(std::string("log/") + name, posixFileSystem().readAll(kFolder + name).value());
  }
  ProjectorSettings settingsOf(const std::string& text) {
    put("log/projector_config.pbtxt", text);
    return readProjectorSettings("log/projector_config.pbtxt", &files_).value();
  }
  /// The kinds of the problems of the only embedding.
  std::string problemsOf(const std::string& text) {
    std::string out;
    const ProjectorSettings settings = settingsOf("model_checkpoint_path: 'model.ckpt' embeddings { " + text + " }");
    for (const auto& [kind, message] : settings.embeddings.at(0).problems) out += (out.empty() ? "" : " ") + kind;
    return out;
  }

 private slots:
  void init() {
    files_ = MemoryFiles();
    putGolden();
  }

  void embeddingsAreFound() {
    const ProjectorSettings settings = readProjectorSettings(kFolder + "projector_config.pbtxt").value();
    QVERIFY(settings.problems.empty());
    QCOMPARE(settings.embeddings.size(), size_t(3));
    const Source sources[] = {Source::Checkpoint, Source::Table, Source::Bytes};
    for (size_t i = 0; i < 3; ++i) {
      const ProjectorEmbedding& e = settings.embeddings[i];
      QCOMPARE(e.source, sources[i]);
      QVERIFY2(e.problems.empty(), e.problems.empty() ? "" : e.problems[0].second.c_str());
      QVERIFY(e.shape == Shape({15, 4}));
    }
    const ProjectorEmbedding& first = settings.embeddings[0];
    QCOMPARE(first.labelRows, 15);
    QCOMPARE(first.labelColumns, (std::vector<std::string>{"word", "count"}));
    QCOMPARE(first.spriteWidth, 32);
    QCOMPARE(settings.embeddings[1].labelColumns, (std::vector<std::string>{"label"}));
  }
  void whatDoesNotFitIsNamed_data() {
    QTest::addColumn<QString>("entry");
    QTest::addColumn<QString>("problems");
    QTest::newRow("fits") << "tensor_name: 'embedding:0' metadata_path: 'labels.tsv'"
                          << "";
    QTest::newRow("no such tensor") << "tensor_name: 'none' metadata_path: 'labels.tsv'"
                                    << "missing_tensor";
    QTest::newRow("no such files") << "tensor_name: 'a' tensor_path: 'no.tsv' metadata_path: 'no' sprite { image_path: 'no.png' } bookmarks_path: 'no'"
                                   << "missing_file missing_file missing_file missing_file";
    QTest::newRow("too few labels") << "tensor_name: 'embedding' metadata_path: 'short.tsv'"
                                    << "row_count";
    QTest::newRow("sprite too small") << "tensor_name: 'embedding' sprite { image_path: 'sprite.png' single_image_dim: 16 single_image_dim: 16 }"
                                      << "sprite_size";
    QTest::newRow("sprite without a size") << "tensor_name: 'embedding' sprite { image_path: 'sprite.png' }"
                                           << "sprite_size";
    QTest::newRow("sprite is no picture") << "tensor_name: 'embedding' sprite { image_path: 'labels.tsv' single_image_dim: 8 single_image_dim: 8 }"
                                          << "malformed";
    QTest::newRow("wrong shape") << "tensor_name: 'embedding' tensor_shape: 15 tensor_shape: 5"
                                 << "tensor_shape";
    QTest::newRow("no matrix") << "tensor_name: 'x' tensor_path: 'labels.tsv'"
                               << "malformed";
    QTest::newRow("bytes of another length") << "tensor_name: 'x' tensor_path: 'tensor.bytes' tensor_shape: 15 tensor_shape: 5"
                                             << "malformed";
  }
  void whatDoesNotFitIsNamed() {
    QFETCH(QString, entry);
    QFETCH(QString, problems);
    put("log/short.tsv", "a\nb\n\n");
    QCOMPARE(QString::fromStdString(problemsOf(entry.toStdString())), problems);
  }
  void theCheckpointIsFound() {
    QCOMPARE(settingsOf("model_checkpoint_path: 'gone' embeddings { tensor_name: 'embedding' }").problems.at(0).first, std::string("missing_file"));
    QCOMPARE(settingsOf("embeddings { tensor_name: 'embedding' }").problems.size(), size_t(1));
    QVERIFY(settingsOf("embeddings { tensor_path: 'tensor.tsv' }").problems.empty());
    put("log/checkpoint", "model_checkpoint_path: \"model.ckpt\"\n");
    QCOMPARE(settingsOf("embeddings { tensor_name: 'embedding' }").embeddings[0].source, Source::Checkpoint);
    // A plugin's assets belong to the log folder two levels up.
    const std::string asset = "log/plugins/org_tensorflow_tensorboard_projector/projector_config.pbtxt";
    put(asset, "embeddings { tensor_name: 'embedding' }");
    QCOMPARE(readProjectorSettings(asset, &files_).value().embeddings[0].source, Source::Checkpoint);
    put("log/model.ckpt.index", "damaged");
    QCOMPARE(settingsOf("embeddings { tensor_name: 'embedding' }").problems.at(0).first, std::string("malformed"));
    QCOMPARE(readProjectorSettings("none", &files_).error().code, Code::NotFound);
    put("log/projector_config.pbtxt", "embeddings { tensor_name: ");
    QVERIFY(!readProjectorSettings("log/projector_config.pbtxt", &files_).ok());
  }
  void labelsAreReadAsTensorBoardDoes() {
    put("t", "a\tb\r\n1\t2\r\n\n3\t");
    const ProjectorLabels two = readProjectorLabels("t", 1, &files_).value();
    QCOMPARE(two.columns, (std::vector<std::string>{"a", "b"}));
    QCOMPARE(two.count, 2);
    QCOMPARE(two.rows, (std::vector<std::vector<std::string>>{{"1", "2"}}));
    put("t", "first\nsecond");
    QCOMPARE(readProjectorLabels("t", 9, &files_).value().count, 2);
    put("t", "");
    QCOMPARE(readProjectorLabels("t", 9, &files_).value().count, 0);
    put("t", std::string(17 << 20, 'x'));
    QCOMPARE(readProjectorLabels("t", 9, &files_).error().code, Code::DataLoss);
  }
  void whatIsWrittenIsRead() {
    QVERIFY(writeProjector("log/model.ckpt", {"embedding"}, "log/two_columns.tsv", "out", &files_).ok());
    const ProjectorSettings settings = readProjectorSettings("out/projector_config.pbtxt", &files_).value();
    QCOMPARE(settings.embeddings.size(), size_t(1));
    QVERIFY(settings.embeddings[0].problems.empty() && settings.problems.empty());
    QCOMPARE(settings.embeddings[0].tensor, std::string("embedding"));
    QVERIFY(settings.embeddings[0].shape == Shape({15, 4}));
    QCOMPARE(settings.embeddings[0].labelRows, 15);
    QCOMPARE(content("out/embedding.values.tsv").substr(0, 10), std::string("-1.7515074"));
  }
  void nothingIsWrittenOfWhatDoesNotFit() {
    const auto refused = [&](const std::vector<std::string>& variables, const std::string& labels) {
      const Status status = writeProjector("log/model.ckpt", variables, labels, "out", &files_);
      return status.ok() ? std::string() : status.error().message;
    };
    QVERIFY(refused({}, "").find("there are embedding") != std::string::npos);
    QVERIFY(refused({"none"}, "").find("no variable is named none") != std::string::npos);
    put("log/short.tsv", "a\nb\n");
    QCOMPARE(refused({"embedding"}, "log/short.tsv"), std::string("the variable embedding has 15 rows, and short.tsv has 2 labels"));
    QVERIFY(refused({"embedding", "embedding"}, "").find("two variables would be written to") != std::string::npos);
    QVERIFY(!refused({"embedding"}, "log/none").empty());
    QVERIFY(!files_.files.count("out/projector_config.pbtxt") && !files_.files.count("out/embedding.values.tsv"));
  }
};

}  // namespace

QTEST_GUILESS_MAIN(ProjectorTest)
#include "tst_projector.moc"
