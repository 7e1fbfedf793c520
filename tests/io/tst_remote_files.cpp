// Copies of files on another machine: addresses, the SFTP protocol against a server in memory, incremental copies, the cache.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include "support/fake_sftp.h"
#include "support/remote_address.h"
#include "support/remote_cache.h"
#include "support/remote_mirror.h"
#include "support/sftp.h"
#include "support/ssh_channel.h"

using namespace weft;

namespace {

std::string readBack(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : "none";
}

std::string patterned(size_t bytes, char first = 'a') {
  std::string s(bytes, ' ');
  for (size_t i = 0; i < bytes; ++i) s[i] = char(first + i % 23 + i / 4096 % 3);
  return s;
}

MirrorOptions eventFiles() {
  MirrorOptions options;
  options.wants = [](const std::string& name) { return name.find("tfevents") != std::string::npos; };
  return options;
}

}  // namespace

class RemoteFilesTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    local_ = folder_->filePath("copy").toStdString();
    QVERIFY(QDir().mkpath(folder_->filePath("copy")));
    server_ = FakeSftp();
  }

  void addressesAreRead_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("result");  // user|host|port|path, or a part of the error
    QTest::newRow("all parts") << "sftp://me@tower:2222/data/logs"
                               << "me|tower|2222|/data/logs";
    QTest::newRow("the home folder") << "sftp://tower"
                                     << "|tower|0|";
    QTest::newRow("below the home folder") << "sftp://tower/~/logs"
                                           << "|tower|0|logs";
    QTest::newRow("as scp writes it") << "me@tower:logs/a b"
                                      << "me|tower|0|logs/a b";
    QTest::newRow("scp, absolute") << "tower:/logs"
                                   << "|tower|0|/logs";
    QTest::newRow("IPv6") << "sftp://[::1]:22/x"
                          << "|::1|22|/x";
    QTest::newRow("an encoded space") << "sftp://h/a%20b%zz"
                                      << "|h|0|/a b%zz";
    QTest::newRow("an option as host") << "sftp://-oProxyCommand=x/y"
                                       << "not the name of a host";
    QTest::newRow("an option as user") << "sftp://-x@h/y"
                                       << "not the name of a user";
    QTest::newRow("a command as host") << "sftp://h;touch x/y"
                                       << "not the name of a host";
    QTest::newRow("a password") << "sftp://me:secret@h/y"
                                << "password";
    QTest::newRow("no host") << "sftp:///x"
                             << "host is missing";
    QTest::newRow("a high port") << "sftp://h:65536/x"
                                 << "between 1 and 65535";
    QTest::newRow("a port that is no number") << "sftp://h:22x/x"
                                              << "not a port";
    QTest::newRow("a local path") << "/home/me/logs"
                                  << "expected sftp://";
  }
  void addressesAreRead() {
    QFETCH(QString, typed);
    QFETCH(QString, result);
    const Result<RemoteAddress> read = readRemoteAddress(typed.toStdString());
    if (!read.ok()) {
      QVERIFY2(QString::fromStdString(read.error().message).contains(result), read.error().message.c_str());
      return;
    }
    QCOMPARE(QString::fromStdString(read->user + '|' + read->host + '|' + std::to_string(read->port) + '|' + read->path), result);
    const Result<RemoteAddress> again = readRemoteAddress(read->text());
    QVERIFY(again.ok() && *again == *read);
  }

  void hostsOfTheConfigurationAreOffered() {
    QCOMPARE(hostsOfSshConfig("# x\nHost tower gpu-? *.lab\n  HostName 10.0.0.1\nhost=desk # mine\nMatch host x\nHost tower\n"),
             (std::vector<std::string>{"tower", "desk"}));
    QCOMPARE(hostsOfKnownHosts("a.lab,10.0.0.7 ssh-ed25519 AAAA\n|1|hash|= ssh-rsa B\n[b.lab]:2222 ssh-rsa C\n@revoked x ssh-rsa D\n"),
             (std::vector<std::string>{"a.lab", "10.0.0.7", "b.lab"}));
  }

  void failuresOfSshAreToldApart_data() {
    QTest::addColumn<QByteArray>("messages");
    QTest::addColumn<int>("failure");
    QTest::newRow("name") << QByteArray("ssh: Could not resolve hostname nowhere: Name or service not known\r\n") << int(SshFailure::UnknownName);
    QTest::newRow("refused") << QByteArray("ssh: connect to host tower port 22: Connection refused\r\n") << int(SshFailure::Unreachable);
    QTest::newRow("key refused") << QByteArray("me@tower: Permission denied (publickey).\r\n") << int(SshFailure::NotAllowed);
    QTest::newRow("unknown key") << QByteArray(
                                        "No ED25519 host key is known for tower and you have requested strict checking.\r\nHost key verification failed.\r\n")
                                 << int(SshFailure::UnknownKey);
    QTest::newRow("changed key") << QByteArray("@@@\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\n@@@\nHost key verification failed.\r\n")
                                 << int(SshFailure::ChangedKey);
    QTest::newRow("no SFTP") << QByteArray("subsystem request failed on channel 0\r\n") << int(SshFailure::NoSftp);
    QTest::newRow("silence") << QByteArray() << int(SshFailure::None);
  }
  void failuresOfSshAreToldApart() {
    QFETCH(QByteArray, messages);
    QFETCH(int, failure);
    QCOMPARE(int(sshFailureOf(messages.toStdString())), failure);
  }

  void onlyNewBytesAreTransferred() {
    server_.files["/logs/train/events.out.tfevents.1"] = {patterned(200000)};
    server_.files["/logs/eval/events.out.tfevents.2"] = {patterned(500)};
    server_.files["/logs/model.ckpt.data"] = {patterned(1000)};
    Sftp sftp(server_);
    QVERIFY(sftp.start().ok());
    RemoteMirror mirror("/logs", local_, eventFiles());
    QCOMPARE(mirror.sync(sftp).toString(), std::string("OK"));
    QCOMPARE(server_.dataBytes, uint64_t(200500));
    QCOMPARE(copyOf("train/events.out.tfevents.1"), server_.files["/logs/train/events.out.tfevents.1"].bytes);
    QVERIFY(!QFile::exists(folder_->filePath("copy/model.ckpt.data")));
    QCOMPARE(mirror.state().files, size_t(2));
    // Nothing has changed: nothing is read.
    QVERIFY(mirror.sync(sftp).ok());
    QCOMPARE(server_.dataBytes, uint64_t(200500));
    // Growth, and the comparison of 64 bytes at both ends.
    grow("/logs/train/events.out.tfevents.1", patterned(1000, 'A'));
    QVERIFY(mirror.sync(sftp).ok());
    QCOMPARE(server_.dataBytes, uint64_t(200500 + 1000 + 128));
    QCOMPARE(copyOf("train/events.out.tfevents.1"), server_.files["/logs/train/events.out.tfevents.1"].bytes);
    QCOMPARE(mirror.state().held, mirror.state().bytes);
  }

  void aRestartTransfersNothingAgain() {
    server_.files["/logs/x.tfevents"] = {patterned(100000)};
    for (const uint64_t expected : {uint64_t(100000), uint64_t(100128)}) {
      FakeSftp again = server_;
      Sftp sftp(again);
      QVERIFY(sftp.start().ok());
      RemoteMirror mirror("/logs", local_, eventFiles());
      QVERIFY(mirror.sync(sftp).ok());
      server_.dataBytes = again.dataBytes;
      QCOMPARE(server_.dataBytes, expected);
      QCOMPARE(copyOf("x.tfevents"), server_.files["/logs/x.tfevents"].bytes);
    }
  }

  void aCutOrRewrittenFileIsReplacedInOneStep_data() {
    QTest::addColumn<QByteArray>("later");
    QTest::newRow("cut") << QByteArray::fromStdString(patterned(300));
    QTest::newRow("cut to nothing") << QByteArray();
    QTest::newRow("rewritten and longer") << QByteArray::fromStdString(patterned(9000, 'K'));
    QTest::newRow("rewritten, of equal size") << QByteArray::fromStdString(patterned(5000, 'K'));
  }
  void aCutOrRewrittenFileIsReplacedInOneStep() {
    QFETCH(QByteArray, later);
    const std::string name = "/logs/x.tfevents";
    server_.files[name] = {patterned(5000)};
    Sftp sftp(server_);
    QVERIFY(sftp.start().ok());
    RemoteMirror mirror("/logs", local_, eventFiles());
    QVERIFY(mirror.sync(sftp).ok());
    QFile reader(folder_->filePath("copy/x.tfevents"));
    QVERIFY(reader.open(QIODevice::ReadOnly));
    server_.files[name] = {later.toStdString(), 2000};
    QVERIFY(mirror.sync(sftp).ok());
    QCOMPARE(copyOf("x.tfevents"), later.toStdString());
    QCOMPARE(reader.readAll().toStdString(), patterned(5000));  // who has the old file open still sees it whole
    QVERIFY(!QFile::exists(folder_->filePath("copy/.part")));
  }

  void aLostConnectionLeavesWhatCameAndGoesOnThere_data() {
    QTest::addColumn<int>("after");
    for (const int bytes : {0, 5, 40, 300, 900, 40000, 90000}) QTest::addRow("after %d bytes", bytes) << bytes;
  }
  void aLostConnectionLeavesWhatCameAndGoesOnThere() {
    QFETCH(int, after);
    server_.files["/logs/x.tfevents"] = {patterned(150000)};
    RemoteMirror mirror("/logs", local_, eventFiles());
    {
      FakeSftp breaking = server_;
      breaking.breakAfter = size_t(after);
      Sftp sftp(breaking);
      const Status started = sftp.start();
      const Status synced = started.ok() ? mirror.sync(sftp) : started;
      QCOMPARE(synced.code(), Code::Unavailable);
      QCOMPARE(mirror.sync(sftp).code(), Code::Unavailable);  // and it stays so
    }
    const uint64_t before = uint64_t(QFileInfo(folder_->filePath("copy/x.tfevents")).size());
    QVERIFY(after < 40000 || before >= 32768);
    Sftp sftp(server_);
    QVERIFY(sftp.start().ok());
    QVERIFY(mirror.sync(sftp).ok());
    QCOMPARE(copyOf("x.tfevents"), server_.files["/logs/x.tfevents"].bytes);
    QVERIFY(server_.dataBytes <= 150000 - before + 128);
  }

  void aDeletedFileIsDeletedButNotOnError() {
    server_.files["/logs/a/x.tfevents"] = {patterned(100)};
    server_.files["/logs/b/y.tfevents"] = {patterned(100)};
    Sftp sftp(server_);
    QVERIFY(sftp.start().ok());
    RemoteMirror mirror("/logs", local_, eventFiles());
    QVERIFY(mirror.sync(sftp).ok());
    server_.forbidden.insert("/logs/a");
    server_.files.erase("/logs/b/y.tfevents");
    server_.files["/logs/c"] = {"x"};
    QTest::qWait(2100);  // until the next search
    QVERIFY(mirror.sync(sftp).ok());
    QVERIFY(QFile::exists(folder_->filePath("copy/a/x.tfevents")));
    QVERIFY(!QFile::exists(folder_->filePath("copy/b/y.tfevents")));
    QVERIFY2(mirror.state().problem.find("permission denied") != std::string::npos, mirror.state().problem.c_str());
  }

  void hostileNamesAndAnswersDoNoHarm() {
    server_.files["/logs/x.tfevents"] = {patterned(100)};
    server_.strayName = "../../tfevents";
    {
      Sftp sftp(server_);
      QVERIFY(sftp.start().ok());
      RemoteMirror mirror("/logs", local_, eventFiles());
      QVERIFY(mirror.sync(sftp).ok());
      QCOMPARE(mirror.state().files, size_t(1));
      QVERIFY(!QFile::exists(folder_->filePath("tfevents")));
    }
    server_.nonsense = true;
    Sftp sftp(server_);
    QCOMPARE(sftp.start().code(), Code::DataLoss);
    QCOMPARE(sftp.list("/logs").error().code, Code::DataLoss);
  }

  void shortAnswersLinksAndSingleFilesAreRead() {
    server_.mostData = 1000;
    server_.files["/other/real"] = {patterned(70000)};
    server_.files["/logs/z"] = {"x"};
    server_.links["/logs/linked.tfevents"] = "/other/real";
    server_.links["/logs/broken.tfevents"] = "/nowhere";
    Sftp sftp(server_);
    QVERIFY(sftp.start().ok());
    RemoteMirror mirror("/logs", local_, eventFiles());
    QVERIFY(mirror.sync(sftp).ok());
    QCOMPARE(copyOf("linked.tfevents"), server_.files["/other/real"].bytes);
    RemoteMirror one("/other/real", folder_->filePath("one").toStdString(), eventFiles());
    QVERIFY(one.sync(sftp).ok());
    QCOMPARE(readBack(folder_->filePath("one/real")), server_.files["/other/real"].bytes);
    RemoteMirror none("/nowhere", folder_->filePath("none").toStdString(), eventFiles());
    QCOMPARE(none.sync(sftp).code(), Code::NotFound);
    QCOMPARE(*sftp.realPath(""), std::string("/home/me"));
  }

  void theLimitsHold() {
    server_.files["/logs/x.tfevents"] = {patterned(3 << 20)};
    Sftp sftp(server_);
    QVERIFY(sftp.start().ok());
    MirrorOptions options = eventFiles();
    options.mostBytes = 2 << 20;
    RemoteMirror mirror("/logs", local_, options);
    const Status refused = mirror.sync(sftp);
    QCOMPARE(refused.code(), Code::ResourceExhausted);
    QVERIFY2(refused.error().message.find("3 MB") != std::string::npos, refused.error().message.c_str());
    options = eventFiles();
    options.stop = [this] { return server_.dataBytes > (1 << 20); };
    RemoteMirror stopping("/logs", local_, options);
    QCOMPARE(stopping.sync(sftp).code(), Code::Cancelled);
    options.stop = nullptr;
    RemoteMirror again("/logs", local_, options);
    QVERIFY(again.sync(sftp).ok());
    QCOMPARE(copyOf("x.tfevents"), server_.files["/logs/x.tfevents"].bytes);
  }

  void theCacheIsSharedAndBounded() {
    const std::string cache = folder_->filePath("cache").toStdString();
    const RemoteAddress a{"", "tower", 0, "/a"}, b{"", "tower", 0, "/b"};
    auto first = CachePlace::take(cache, a);
    QVERIFY(first.ok());
    const std::string place = (*first)->files();
    {
      auto second = CachePlace::take(cache, a);
      QVERIFY(second.ok() && (*second)->files() != place);
    }
    auto other = CachePlace::take(cache, b);
    QVERIFY(other.ok());
    for (const std::string& files : {place, (*other)->files()}) {
      QFile file(QString::fromStdString(files + "/x"));
      QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(5000, 'x')) == 5000);
    }
    trimCache(cache, 1000);  // both are in use
    QVERIFY(QFile::exists(QString::fromStdString(place + "/x")));
    first->reset();
    trimCache(cache, 6000);
    QVERIFY(!QFile::exists(QString::fromStdString(place + "/x")));
    QVERIFY(QFile::exists(QString::fromStdString((*other)->files() + "/x")));
    auto anew = CachePlace::take(cache, a);
    QVERIFY(anew.ok());
    QCOMPARE((*anew)->files(), place);
  }

 private:
  std::string copyOf(const char* name) { return readBack(folder_->filePath(QStringLiteral("copy/") + QLatin1String(name))); }
  void grow(const std::string& name, const std::string& more) {
    server_.files[name].bytes += more;
    ++server_.files[name].modified;
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::string local_;
  FakeSftp server_;
};

QTEST_GUILESS_MAIN(RemoteFilesTest)
#include "tst_remote_files.moc"
