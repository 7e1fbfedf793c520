// Files of the machine: what replacing one leaves as it was.
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
#include "tst_files.moc"
