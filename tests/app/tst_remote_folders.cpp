// Event files on another machine, by mouse and keys: the other machine is an SSH server of this test on 127.0.0.1.
#include <QAbstractButton>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QToolButton>

#include "document/remote_folders.h"
#include "document/summaries.h"
#include "main_window/remote_folder_dialog.h"
#include "main_window/ssh_question_dialog.h"
#include "plot/series_store.h"
#include "shell/action_registry.h"
#include "support/own_sshd.h"
#include "weft/events.h"
#include "window_fixture.h"

using namespace weft::app;

namespace {
constexpr int kSshWait = 30000;
}

class RemoteFoldersTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() {
    if (const QString why = OwnSshd::missing(); !why.isEmpty()) QSKIP(qPrintable(why));
    sshd_ = std::make_unique<OwnSshd>();
    QCOMPARE(sshd_->prepare(), QString());
    far_ = std::make_unique<QTemporaryDir>();
    QDir(folder_.filePath("weft")).removeRecursively();  // the cache
    showWindow();
  }
  void cleanup() {
    if (!window_) return;
    folders().closeAll();
    closeWindow();
    writer_.reset();
    sshd_.reset();
  }

  void aFolderIsFoundInTheDialogAndItsCurvesGrow() {
    log(5);
    QVERIFY(QDir(far_->path()).mkpath("empty"));
    QVERIFY(run("panels.open-remote-logdir"));
    QVERIFY(dialog());
    QVERIFY(!button("remote_open")->isEnabled());
    QTest::keyClicks(host()->lineEdit(), "-oops");
    QVERIFY2(message().contains("not the name of a host"), qPrintable(message()));
    host()->lineEdit()->selectAll();
    QTest::keyClicks(host()->lineEdit(), "tower");
    type("remote_path", far_->path());
    QTest::mouseClick(button("remote_browse"), Qt::LeftButton);
    auto* list = dialog()->findChild<QListWidget*>("remote_list");
    QTRY_COMPARE_WITH_TIMEOUT(list->count(), 3, kSshWait);  // .., empty, logs
    QCOMPARE(list->item(2)->text(), QStringLiteral("logs"));
    // Into the folder by a double click, and up again with a key.
    const QRect row = list->visualItemRect(list->item(2));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, row.center());
    QCOMPARE(dialog()->findChild<QLineEdit*>("remote_path")->text(), far_->filePath("logs"));
    QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, row.center());
    QTRY_VERIFY2_WITH_TIMEOUT(message().contains("No event files directly"), qPrintable(message()), kSshWait);
    QTest::mouseClick(button("remote_open"), Qt::LeftButton);
    QTRY_VERIFY(!dialog());
    QTRY_COMPARE_WITH_TIMEOUT(count(), 5, kSshWait);
    const SummaryRun* curves = window_->workspace().summaries().run("tower:logs/train");
    QCOMPARE(curves->source, QStringLiteral("sftp://tower") + far_->filePath("logs"));
    QCOMPARE(RemoteFolders::recent(window_->workspace().settings()), QStringList{curves->source});
    QVERIFY2(state().startsWith("connected · 1 event file"), qPrintable(state()));
    QCOMPARE(sshd_->connections(), 1);  // browsing and copying share it
    const qint64 before = folders().folders()[0].copy.transferred;
    log(7);
    QTRY_COMPARE_WITH_TIMEOUT(count(), 12, kSshWait);
    QVERIFY(folders().folders()[0].copy.transferred - before < 1000);
    // Closed with its button.
    QTest::mouseClick(strip()->findChild<QToolButton*>("remote_close"), Qt::LeftButton);
    QTRY_VERIFY(!window_->workspace().summaries().run("tower:logs/train"));
    QVERIFY(folders().folders().isEmpty());
  }

  void aCutFileStartsItsRunOver() {
    log(20);
    openLogs();
    QTRY_COMPARE_WITH_TIMEOUT(count(), 20, kSshWait);
    const QString path = QString::fromStdString(writer_->path());
    writer_.reset();
    QFile file(path);
    QVERIFY(file.resize(file.size() * 2 / 3));
    QTRY_VERIFY_WITH_TIMEOUT(count() > 5 && count() < 20, kSshWait);
  }

  void aLostConnectionComesBack() {
    log(5);
    openLogs();
    QTRY_COMPARE_WITH_TIMEOUT(count(), 5, kSshWait);
    sshd_->cutConnections();
    log(5);
    QTRY_COMPARE_WITH_TIMEOUT(count(), 10, kSshWait);
    // And when the machine is away for longer.
    sshd_->stop();
    QTRY_VERIFY2_WITH_TIMEOUT(state().startsWith("reconnecting in"), qPrintable(state()), kSshWait);
    log(5);
    QTest::qWait(1500);
    QCOMPARE(count(), 10);
    QCOMPARE(sshd_->start(), QString());
    QTRY_VERIFY_WITH_TIMEOUT(strip()->findChild<QToolButton*>("remote_connect")->isVisible(), kSshWait);
    QTest::mouseClick(strip()->findChild<QToolButton*>("remote_connect"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(count(), 15, kSshWait);
    QVERIFY2(state().startsWith("connected"), qPrintable(state()));
  }

  void aRestartShowsTheCopyWithoutAConnection() {
    log(8);
    openLogs();
    QTRY_COMPARE_WITH_TIMEOUT(count(), 8, kSshWait);
    folders().closeAll();
    closeWindow();
    sshd_->stop();
    showWindow();
    openLogs();
    QTRY_COMPARE_WITH_TIMEOUT(count(), 8, kSshWait);
    QTRY_VERIFY2_WITH_TIMEOUT(state().contains("cannot be reached"), qPrintable(state()), kSshWait);
    QCOMPARE(sshd_->start(), QString());
    log(2);
    folders().connectNow(folders().folders()[0].address);
    QTRY_COMPARE_WITH_TIMEOUT(count(), 10, kSshWait);
    QVERIFY(folders().folders()[0].copy.transferred < 1000);
  }

  void failuresSayWhatToDo_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("says");
    QTest::newRow("a host that does not exist") << "host"
                                                << "There is no host nowhere.invalid";
    QTest::newRow("a refused key") << "key"
                                   << "does not let you in (";
    QTest::newRow("a changed host key") << "changed"
                                        << "ssh-keygen -R tower";
    QTest::newRow("a folder that does not exist") << "folder"
                                                  << "does not exist";
  }
  void failuresSayWhatToDo() {
    QFETCH(QString, what);
    QFETCH(QString, says);
    log(1);
    if (what == "key") sshd_->useKey("otherkey");
    if (what == "changed") sshd_->trust("otherkey.pub");
    QString error;
    const QString address = what == "host"     ? "sftp://nowhere.invalid/logs"
                            : what == "folder" ? "sftp://tower/nowhere"
                                               : "sftp://tower" + far_->filePath("logs");
    folders().open(address, [&error](const QString& e) { error = e.isEmpty() ? QStringLiteral("none") : e; });
    QTRY_VERIFY_WITH_TIMEOUT(!error.isEmpty(), kSshWait);
    QVERIFY2(error.contains(says), qPrintable(error));
    QVERIFY(!question());
    QTRY_VERIFY2(state().contains(says), qPrintable(state()));
  }

  void anUnknownHostKeyIsTrustedOnlyByTheUser() {
    log(3);
    sshd_->trustNone();
    openLogs();
    QTRY_VERIFY_WITH_TIMEOUT(question(), kSshWait);
    QStringList texts;
    for (const QLabel* label : question()->findChildren<QLabel*>()) texts << label->text();
    QVERIFY2(texts.join(u'\n').contains("SHA256:"), qPrintable(texts.join(u'\n')));
    QTest::keyClick(question(), Qt::Key_Return);  // the default is no
    QTRY_VERIFY2_WITH_TIMEOUT(state().contains("was not accepted"), qPrintable(state()), kSshWait);
    QCOMPARE(count(), -1);
    QCOMPARE(sshd_->knownHosts(), QByteArray());
    QTest::mouseClick(strip()->findChild<QToolButton*>("remote_connect"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(question(), kSshWait);
    QTest::mouseClick(question()->findChild<QAbstractButton*>("ssh_yes"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(count(), 3, kSshWait);
    QVERIFY(sshd_->knownHosts().contains("ssh-ed25519"));
  }

  void aPassphraseIsAskedForAndNotAgainBehindTheUsersBack() {
    log(3);
    QVERIFY(sshd_->protectKey("open sesame"));
    openLogs();
    QTRY_VERIFY_WITH_TIMEOUT(question(), kSshWait);
    QTest::keyClicks(question()->findChild<QLineEdit*>("ssh_secret"), "open sesame");
    QTest::keyClick(question()->findChild<QLineEdit*>("ssh_secret"), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(count(), 3, kSshWait);
    sshd_->cutConnections();
    QTRY_VERIFY2_WITH_TIMEOUT(state().contains("Click Connect"), qPrintable(state()), kSshWait);
    QVERIFY(!question());
  }

  void closingWhileSshAsksEndsTheQuestion() {
    log(1);
    sshd_->trustNone();
    openLogs();
    QTRY_VERIFY_WITH_TIMEOUT(question(), kSshWait);
    QVERIFY(run("panels.close-logdir"));
    QTRY_VERIFY_WITH_TIMEOUT(!question(), kSshWait);
  }

  void badAddressesAreRefused() {
    QVERIFY(!run("panels.open-remote-logdir", {"sftp://-x/y"}));
    QVERIFY(!run("panels.open-remote-logdir", {"/home/me"}));
    QVERIFY(folders().folders().isEmpty());
    QCOMPARE(RemoteFolders::addressOf("tower:22", "me", "~/logs"), QStringLiteral("sftp://me@tower:22/~/logs"));
    QCOMPARE(RemoteFolders::addressOf("you@tower", "me", "/logs"), QStringLiteral("sftp://me@tower/logs"));
  }

 private:
  RemoteFolders& folders() { return RemoteFolders::of(window_->workspace()); }
  /// Adds losses to the event file on the other machine.
  void log(int values) {
    if (!writer_) {
      auto made = weft::EventWriter::create(far_->filePath("logs/train").toStdString());
      QVERIFY(made.ok());
      writer_ = std::move(*made);
      step_ = 0;
    }
    for (int i = 0; i < values; ++i, ++step_) QVERIFY(writer_->addScalar("loss", 1.0f / float(step_ + 1), step_).ok());
    QVERIFY(writer_->flush().ok());
  }
  void openLogs() {
    window_->showView("runs");
    folders().open("sftp://tower" + far_->filePath("logs"));
  }
  int count() {
    const SummaryRun* run = window_->workspace().summaries().run("tower:logs/train");
    return run && run->scalars.contains("loss") ? int(run->scalars.at("loss")->size()) : -1;
  }
  RemoteFolderDialog* dialog() { return visible<RemoteFolderDialog>(); }
  SshQuestionDialog* question() { return visible<SshQuestionDialog>(); }
  template <typename T>
  T* visible() {
    for (T* widget : window_->findChildren<T*>())
      if (widget->isVisible()) return widget;
    return nullptr;
  }
  QComboBox* host() { return dialog()->findChild<QComboBox*>("remote_host"); }
  QAbstractButton* button(const char* name) { return dialog()->findChild<QAbstractButton*>(name); }
  QString message() { return dialog() ? dialog()->findChild<QLabel*>("remote_message")->text() : QString(); }
  void type(const char* field, const QString& text) {
    auto* edit = dialog()->findChild<QLineEdit*>(field);
    edit->selectAll();
    QTest::keyClicks(edit, text);
  }
  QWidget* strip() { return window_->findChild<QWidget*>("remote_strip"); }
  QString state() {
    QLabel* label = strip() ? strip()->findChild<QLabel*>("remote_state") : nullptr;
    return label ? label->text() : QString();
  }

  std::unique_ptr<OwnSshd> sshd_;
  std::unique_ptr<QTemporaryDir> far_;
  std::unique_ptr<weft::EventWriter> writer_;
  int step_ = 0;
};

QTEST_MAIN(RemoteFoldersTest)
#include "tst_remote_folders.moc"
