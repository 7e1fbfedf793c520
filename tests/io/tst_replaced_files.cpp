// Real files: properties kept when a file is replaced.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <thread>

#include "weft/file_system.h"

using namespace weft;

class TestFiles : public QObject {
  Q_OBJECT

 private slots:
  void aLinkStaysALink() {
    QVERIFY(QDir(folder_.path()).mkpath("store"));
    write("store/real.txt", "old");
    QVERIFY(QFile::link(at("store/real.txt"), at("link.txt")));
    QVERIFY(posixFileSystem().writeAtomically(at("link.txt").toStdString(), "new").ok());
    QVERIFY(QFileInfo(at("link.txt")).isSymLink());
    QCOMPARE(read("store/real.txt"), QByteArray("new"));
  }
  void aLinkToNothingBecomesAFile() {
    QVERIFY(QFile::link(at("nowhere.txt"), at("broken.txt")));
    QVERIFY(posixFileSystem().writeAtomically(at("broken.txt").toStdString(), "text").ok());
    QCOMPARE(read("broken.txt"), QByteArray("text"));
  }
  void accessRightsStay() {
    write("secret.txt", "old");
    QVERIFY(::chmod(qPrintable(at("secret.txt")), 0600) == 0);
    QVERIFY(posixFileSystem().writeAtomically(at("secret.txt").toStdString(), "new").ok());
    QCOMPARE(QFile::permissions(at("secret.txt")) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    QCOMPARE(read("secret.txt"), QByteArray("new"));
  }
  void aPipeIsWrittenTo() {
    const QString pipe = at("pipe");
    QVERIFY(::mkfifo(qPrintable(pipe), 0600) == 0);
    QByteArray got;
    std::thread reader([&] {
      QFile file(pipe);
      if (file.open(QIODevice::ReadOnly)) got = file.readAll();
    });
    const Status status = posixFileSystem().writeAtomically(pipe.toStdString(), "through the pipe");
    reader.join();
    QVERIFY(status.ok());
    QCOMPARE(got, QByteArray("through the pipe"));
    struct stat info;
    QVERIFY(::stat(qPrintable(pipe), &info) == 0 && S_ISFIFO(info.st_mode));
  }
  void aFolderIsRefused() {
    QVERIFY(QDir(folder_.path()).mkpath("folder"));
    QVERIFY(!posixFileSystem().writeAtomically(at("folder").toStdString(), "text").ok());
    QVERIFY(QFileInfo(at("folder")).isDir());
    QCOMPARE(QDir(folder_.path()).entryList({"*.tmp*"}), QStringList());
  }
  void fileUrisArePaths() {
    FileSystem& files = posixFileSystem();
    for (const std::string host : {"", "localhost"}) {
      const std::string folder = "file://" + host + at("uri").toStdString(), file = folder + "/a.txt";
      QVERIFY(files.makeFolders(folder).ok());
      QVERIFY(files.writeAtomically(file, "one").ok());
      QVERIFY(files.exists(file));
      QCOMPARE(read("uri/a.txt"), QByteArray("one"));
      QCOMPARE(*files.readAll(file), std::string("one"));
      QCOMPARE(files.list(folder)->size(), size_t(1));
      auto more = files.openForAppending(file);
      QVERIFY(more.ok() && (*more)->append(" two").ok() && (*more)->close().ok());
      QVERIFY(files.rename(file, folder + "/b.txt").ok());
      QCOMPARE(read("uri/b.txt"), QByteArray("one two"));
      QVERIFY(files.syncFolder(folderOf(file)).ok());
      QVERIFY(files.remove(folder + "/b.txt").ok());
      QCOMPARE(files.list(folder)->size(), size_t(0));
    }
    QVERIFY(!QFileInfo::exists("file:"));
    const auto missing = files.openForReading("file://" + at("none").toStdString());
    QCOMPARE(missing.error().code, Code::NotFound);
    QVERIFY(missing.error().message.starts_with("file:///"));  // as it was asked for
  }
  void otherSchemesAreRefused() {
    const auto opened = posixFileSystem().openForReading("hdfs://host/a");
    QCOMPARE(opened.error().code, Code::Unimplemented);
    QCOMPARE(opened.error().message, std::string("File system scheme 'hdfs' not implemented (file: 'hdfs://host/a')"));
    QCOMPARE(posixFileSystem().makeFolders("gs://bucket/a").error().code, Code::Unimplemented);
    QCOMPARE(posixFileSystem().openForReading(":no//scheme").error().code, Code::NotFound);
    QCOMPARE(posixFileSystem().openForReading("file:/one/slash").error().code, Code::NotFound);
  }
  void foldersOfPaths() {
    QCOMPARE(folderOf("a/b/c.txt"), std::string("a/b"));
    QCOMPARE(folderOf("a/c.txt"), std::string("a"));
    QCOMPARE(folderOf("c.txt"), std::string("."));
    QCOMPARE(folderOf("/c.txt"), std::string("/"));
    QCOMPARE(folderOf("file:///c.txt"), std::string("file:///"));
    QCOMPARE(folderOf("file:///a/c.txt"), std::string("file:///a"));
    QCOMPARE(folderOf("file://host/c.txt"), std::string("file://host/"));
  }

 private:
  QString at(const QString& name) const { return folder_.filePath(name); }
  void write(const QString& name, const QByteArray& bytes) {
    QFile file(at(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }
  QByteArray read(const QString& name) {
    QFile file(at(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(TestFiles)
#include "tst_replaced_files.moc"
