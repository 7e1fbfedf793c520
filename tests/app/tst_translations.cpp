// The Chinese translation is complete and up to date with the sources; English has its plural forms.
#include <QFile>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

class TranslationsTest : public QObject {
  Q_OBJECT

 private slots:
  void nothingIsUnfinished_data() { files(); }
  void nothingIsUnfinished() {
    QFETCH(QString, file);
    const QString text = read(path(file));
    QVERIFY(text.contains("<source>"));
    QVERIFY2(!text.contains("unfinished"), qPrintable(file));
    QVERIFY2(!text.contains("<translation></translation>"), qPrintable(file));
    QVERIFY2(!text.contains("<numerusform></numerusform>"), qPrintable(file));
  }
  void everyStringOfTheSourcesIsThere_data() { files(); }
  void everyStringOfTheSourcesIsThere() {
    QFETCH(QString, file);
    QTemporaryDir folder;
    const QString copy = folder.filePath(file);
    QVERIFY(QFile::copy(path(file), copy));
    QStringList arguments{WEFT_SOURCE_DIR "/app",
                          WEFT_SOURCE_DIR "/widgets",
                          WEFT_SOURCE_DIR "/engine/io/inspect",
                          WEFT_SOURCE_DIR "/engine/query",
                          WEFT_SOURCE_DIR "/engine/problems",
                          "-tr-function-alias",
                          "QT_TRANSLATE_NOOP+=WEFT_TRANSLATED",
                          "-no-obsolete",
                          "-locations",
                          "none"};
    if (file.contains("_en")) arguments << "-pluralonly";
    QProcess lupdate;
    lupdate.start(WEFT_LUPDATE, arguments << "-ts" << copy);
    QVERIFY(lupdate.waitForFinished());
    QCOMPARE(lupdate.exitCode(), 0);
    QVERIFY2(!read(copy).contains("unfinished"), "there are new strings: build update-translations, then translate them");
    QCOMPARE(read(copy).count("<source>"), read(path(file)).count("<source>"));
  }
  void placesStayInTheTranslation() {
    // Each %1, %2, %n of a source is in its translation.
    const QString text = read(path("weft_zh_CN.ts"));
    for (const QString& message : text.split("<message").mid(1)) {
      const QString source = between(message, "<source>", "</source>"), translation = between(message, "<translation>", "</translation>");
      for (const char* place : {"%1", "%2", "%3", "%n"}) {
        QVERIFY2(source.contains(place) == translation.contains(place), qPrintable(source));
      }
    }
  }

  void everyKindOfOpHasAHeading() {
    QProcess weft;
    weft.start(WEFT_PROGRAM, {"ops", "--json"});
    QVERIFY(weft.waitForFinished());
    const QString chinese = read(path("weft_zh_CN.ts"));
    const QString palette = between(chinese, "<name>Palette</name>", "</context>");
    QSet<QString> kinds;
    const QString ops = QString::fromUtf8(weft.readAllStandardOutput());
    for (const QString& op : ops.split("\"category\":\"").mid(1)) kinds << op.left(op.indexOf('"'));
    QVERIFY(kinds.size() > 10);
    for (const QString& kind : kinds) QVERIFY2(palette.contains("<source>" + kind + "</source>"), qPrintable(kind + " is no heading of the palette"));
  }

 private:
  static void files() {
    QTest::addColumn<QString>("file");
    QTest::newRow("Chinese") << "weft_zh_CN.ts";
    QTest::newRow("English plurals") << "weft_en.ts";
  }
  static QString path(const QString& file) { return QStringLiteral(WEFT_SOURCE_DIR "/translations/") + file; }
  static QString read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
  static QString between(const QString& text, const QString& from, const QString& to) {
    const qsizetype begin = text.indexOf(from) + from.size();
    return text.mid(begin, text.indexOf(to, begin) - begin);
  }
};

QTEST_GUILESS_MAIN(TranslationsTest)
#include "tst_translations.moc"
