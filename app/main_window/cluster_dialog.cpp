#include "main_window/cluster_dialog.h"

#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QFile>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QStyle>
#include <QTableWidget>
#include <QVBoxLayout>

#include "common/theme.h"
#include "document/local_cluster.h"
#include "document/settings.h"
#include "shell/dialog_parts.h"
#include "shell/file_dialogs.h"

namespace weft::app {
namespace {

enum ClusterCell { kJobCell, kTaskCell, kAddressCell, kCells };
constexpr int kDialogWidth = 920, kDialogHeight = 540, kTableWidth = 380, kFirstPort = 2222;
constexpr int kTableShare = 4, kTextShare = 5;
const QString kImageKey = QStringLiteral("run/cluster-image");

QString plain(const std::string& s) { return QString::fromStdString(s); }

/// Words of a command line, as readClusterJson() does not take them.
Result<ClusterJobs> readWords(const QString& text) {
  ClusterJobs jobs;
  for (const QString& word : text.split(u' ', Qt::SkipEmptyParts)) {
    if (word == QLatin1String("--cluster")) continue;
    WEFT_TRY(addJob(word.toStdString(), jobs));
  }
  return jobs;
}

}  // namespace

ClusterDialog::ClusterDialog(Settings& settings, QWidget* parent) : QDialog(parent), settings_(settings) {
  setObjectName(QStringLiteral("cluster_dialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setProperty("helpPage", QStringLiteral("servers"));
  lead_ = new QLabel(this);
  lead_->setWordWrap(true);
  lead_->setProperty("kind", QStringLiteral("muted"));
  makeTable();
  makeTexts();
  serverLabel_ = new QLabel(this);
  server_ = new QComboBox(this);
  server_->setObjectName(QStringLiteral("cluster_server"));
  serverLabel_->setBuddy(server_);
  start_ = new QPushButton(this);
  start_->setObjectName(QStringLiteral("cluster_start"));
  use_ = new QPushButton(this);
  use_->setObjectName(QStringLiteral("cluster_use"));
  close_ = new QPushButton(this);
  for (QPushButton* button : {add_, remove_, paste_, copy_, save_, start_, use_, close_}) button->setAutoDefault(false);

  auto* tableButtons = new QHBoxLayout;
  for (QPushButton* button : {add_, remove_, paste_}) tableButtons->addWidget(button);
  tableButtons->addStretch(1);
  auto* left = new QVBoxLayout;
  left->addWidget(table_, 1);
  left->addLayout(tableButtons);
  left->addWidget(message_);
  auto* textButtons = new QHBoxLayout;
  textButtons->addWidget(kind_);
  textButtons->addWidget(imageLabel_);
  textButtons->addWidget(image_, 1);
  textButtons->addStretch(0);
  textButtons->addWidget(copy_);
  textButtons->addWidget(save_);
  auto* right = new QVBoxLayout;
  right->addLayout(textButtons);
  right->addWidget(text_, 1);
  auto* columns = new QHBoxLayout;
  columns->setSpacing(16);
  columns->addLayout(left, kTableShare);
  columns->addLayout(right, kTextShare);
  auto* bottom = new QHBoxLayout;
  bottom->addWidget(serverLabel_);
  bottom->addWidget(server_);
  bottom->addStretch(1);
  for (QPushButton* button : {start_, use_, close_}) bottom->addWidget(button);
  auto* layout = dialogColumn(this);
  layout->addWidget(lead_);
  layout->addLayout(columns, 1);
  layout->addLayout(bottom);

  connect(close_, &QPushButton::clicked, this, &QDialog::accept);
  connect(use_, &QPushButton::clicked, this, [this] { emit useWanted(server_->currentData().toString()); });
  connect(start_, &QPushButton::clicked, this, [this] {
    const QString name = server_->currentText().section(u' ', 0, 0);
    emit startWanted(jobs_, name.section(u':', 0, 0), name.section(u':', 1).toInt());
  });
  const ClusterJobs last = lastCluster(settings);
  setCluster(!last.empty() ? last : ClusterJobs{{"ps", {{0, "localhost:2222"}}}, {"worker", {{0, "localhost:2223"}, {1, "localhost:2224"}}}});
  retranslate();
  resize(kDialogWidth, kDialogHeight);
}

void ClusterDialog::makeTable() {
  table_ = new QTableWidget(0, kCells, this);
  table_->setObjectName(QStringLiteral("cluster_table"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setMinimumWidth(kTableWidth);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->horizontalHeader()->resizeSection(kJobCell, 96);
  table_->horizontalHeader()->resizeSection(kTaskCell, 60);
  message_ = new QLabel(this);
  message_->setObjectName(QStringLiteral("cluster_message"));
  message_->setWordWrap(true);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  add_ = new QPushButton(this);
  add_->setObjectName(QStringLiteral("cluster_add"));
  remove_ = new QPushButton(this);
  remove_->setObjectName(QStringLiteral("cluster_remove"));
  paste_ = new QPushButton(this);
  paste_->setObjectName(QStringLiteral("cluster_paste"));
  connect(table_, &QTableWidget::cellChanged, this, &ClusterDialog::cellChanged);
  connect(add_, &QPushButton::clicked, this, &ClusterDialog::addTask);
  connect(remove_, &QPushButton::clicked, this, &ClusterDialog::removeTask);
  connect(paste_, &QPushButton::clicked, this, &ClusterDialog::paste);
}

void ClusterDialog::makeTexts() {
  kind_ = new QComboBox(this);
  kind_->setObjectName(QStringLiteral("cluster_kind"));
  for (int i = 0; i < kTexts; ++i) kind_->addItem(QString());
  imageLabel_ = new QLabel(this);
  image_ = new QLineEdit(settings_.value(kImageKey, QStringLiteral("weft:latest")).toString(), this);
  image_->setObjectName(QStringLiteral("cluster_image"));
  imageLabel_->setBuddy(image_);
  text_ = new QPlainTextEdit(this);
  text_->setObjectName(QStringLiteral("cluster_text"));
  text_->setReadOnly(true);
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setFont(widgets::Theme::current().monoFont());
  copy_ = new QPushButton(this);
  copy_->setObjectName(QStringLiteral("cluster_copy"));
  save_ = new QPushButton(this);
  save_->setObjectName(QStringLiteral("cluster_save"));
  connect(kind_, &QComboBox::currentIndexChanged, this, &ClusterDialog::showText);
  connect(image_, &QLineEdit::textChanged, this, &ClusterDialog::showText);
  connect(copy_, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text_->toPlainText()); });
  connect(save_, &QPushButton::clicked, this, &ClusterDialog::save);
}

void ClusterDialog::retranslate() {
  setWindowTitle(tr("Cluster"));
  lead_->setText(tr(
      "The jobs and tasks of a TensorFlow cluster, and the texts that start them. For a trial, Weft starts the tasks as processes of this machine, on free ports that only this machine reaches."));
  table_->setHorizontalHeaderLabels({tr("Job"), tr("Task"), tr("Address")});
  table_->setAccessibleName(tr("Tasks of the cluster"));
  message_->setAccessibleName(tr("State of the table"));
  add_->setText(tr("&Add task"));
  add_->setToolTip(tr("Adds a task to the job of the selected row"));
  remove_->setText(tr("&Remove"));
  remove_->setToolTip(tr("Removes the selected tasks"));
  paste_->setText(tr("&Paste TF_CONFIG"));
  paste_->setToolTip(tr("Reads the cluster in the clipboard: a TF_CONFIG, its cluster, or ps=host:port worker=host:port,…"));
  const QStringList kinds{tr("TF_CONFIG of each task"), tr("weft server lines"), tr("Start script with ssh"), tr("Kubernetes manifest")};
  for (int i = 0; i < kTexts; ++i) kind_->setItemText(i, kinds[i]);
  kind_->setAccessibleName(tr("Text"));
  imageLabel_->setText(tr("&Image"));
  image_->setAccessibleName(tr("Container image"));
  image_->setToolTip(tr("A container image in which the program weft is installed"));
  text_->setAccessibleName(tr("Text that starts the cluster"));
  copy_->setText(tr("C&opy"));
  save_->setText(tr("Sa&ve…"));
  serverLabel_->setText(tr("&Server for runs"));
  server_->setAccessibleName(tr("Server for runs"));
  start_->setText(tr("Start &local tasks"));
  start_->setToolTip(tr("Starts each task as a process on this machine. It ends with this window."));
  use_->setText(tr("&Use this server"));
  use_->setToolTip(tr("Runs of the document in front are computed by it"));
  close_->setText(tr("&Close"));
  check();
}

void ClusterDialog::setCluster(const ClusterJobs& jobs) {
  filling_ = true;
  server_->clear();  // the usual one of the new cluster
  table_->setRowCount(0);
  for (const auto& [job, tasks] : jobs)
    for (const auto& [task, address] : tasks) addRow(plain(job), task, plain(address));
  filling_ = false;
  check();
}

ClusterJobs ClusterDialog::cluster() const { return jobs_; }

void ClusterDialog::addRow(const QString& job, int task, const QString& address) {
  const int row = table_->rowCount();
  table_->insertRow(row);
  table_->setItem(row, kJobCell, new QTableWidgetItem(job));
  table_->setItem(row, kTaskCell, new QTableWidgetItem(QString::number(task)));
  table_->setItem(row, kAddressCell, new QTableWidgetItem(address));
}

void ClusterDialog::addTask() {
  const int from = table_->currentRow() >= 0 ? table_->currentRow() : table_->rowCount() - 1;
  const QString job = from >= 0 ? table_->item(from, kJobCell)->text() : QStringLiteral("worker");
  const QString host = from >= 0 ? table_->item(from, kAddressCell)->text().section(u':', 0, -2) : QStringLiteral("localhost");
  int task = 0, port = kFirstPort;
  for (int row = 0; row < table_->rowCount(); ++row) {
    if (table_->item(row, kJobCell)->text() == job) task = std::max(task, table_->item(row, kTaskCell)->text().toInt() + 1);
    port = std::max(port, table_->item(row, kAddressCell)->text().section(u':', -1).toInt() + 1);
  }
  filling_ = true;
  addRow(job, task, QStringLiteral("%1:%2").arg(host.isEmpty() ? QStringLiteral("localhost") : host).arg(port));
  filling_ = false;
  table_->setCurrentCell(table_->rowCount() - 1, kJobCell);
  check();
}

void ClusterDialog::removeTask() {
  QList<int> rows;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows()) rows << index.row();
  std::sort(rows.begin(), rows.end(), std::greater<>());
  filling_ = true;
  for (const int row : rows) table_->removeRow(row);
  filling_ = false;
  check();
}

/// A task that moves to another job takes that job's next number.
void ClusterDialog::cellChanged(int row, int column) {
  if (filling_) return;
  if (column == kJobCell) {
    int next = 0;
    for (int other = 0; other < table_->rowCount(); ++other)
      if (other != row && table_->item(other, kJobCell)->text().trimmed() == table_->item(row, kJobCell)->text().trimmed())
        next = std::max(next, table_->item(other, kTaskCell)->text().toInt() + 1);
    filling_ = true;
    table_->item(row, kTaskCell)->setText(QString::number(next));
    filling_ = false;
  }
  check();
}

QString ClusterDialog::tableError(ClusterJobs* jobs) const {
  for (int row = 0; row < table_->rowCount(); ++row) {
    const QString job = table_->item(row, kJobCell)->text().trimmed(), number = table_->item(row, kTaskCell)->text().trimmed();
    bool isNumber = false;
    const int task = number.toInt(&isNumber);
    constexpr int kMostNumber = 1 << 20;
    if (!isNumber || task < 0 || task >= kMostNumber) return tr("Row %1: the task of job %2 is “%3”, expected a number from 0.").arg(row + 1).arg(job, number);
    if (!(*jobs)[job.toStdString()].try_emplace(task, table_->item(row, kAddressCell)->text().trimmed().toStdString()).second)
      return tr("Row %1: %2:%3 is there twice.").arg(row + 1).arg(job).arg(task);
  }
  const Status status = checkCluster(*jobs);
  return status.ok() ? QString() : plain(status.error().message);
}

void ClusterDialog::check() {
  ClusterJobs jobs;
  const QString error = tableError(&jobs);
  jobs_ = error.isEmpty() ? std::move(jobs) : ClusterJobs();
  if (!error.isEmpty()) {
    say(error);
  } else {
    int tasks = 0;
    for (const auto& [job, list] : jobs_) tasks += int(list.size());
    say({});
    message_->setText(tr("%n task(s)", nullptr, tasks));
  }
  const QString before = server_->currentText().section(u' ', 0, 0);
  server_->clear();
  const QString usual = usualMaster(jobs_);
  int chosen = 0, found = -1;
  for (const auto& [job, list] : jobs_) {
    for (const auto& [task, address] : list) {
      const QString name = plain(job) + u':' + QString::number(task);
      if (plain(address) == usual) chosen = server_->count();
      if (name == before) found = server_->count();
      server_->addItem(name + QStringLiteral("  ") + plain(address), plain(address));
    }
  }
  server_->setCurrentIndex(found >= 0 ? found : chosen);
  for (QWidget* widget : std::initializer_list<QWidget*>{server_, start_, use_, copy_, save_}) widget->setEnabled(!jobs_.empty());
  showText();
}

void ClusterDialog::say(const QString& error) {
  message_->setProperty("kind", error.isEmpty() ? QStringLiteral("muted") : QStringLiteral("error"));
  message_->style()->unpolish(message_);  // the property selects the rule
  message_->style()->polish(message_);
  message_->setText(error);
}

void ClusterDialog::showText() {
  const int kind = kind_->currentIndex();
  imageLabel_->setVisible(kind == kKubernetes);
  image_->setVisible(kind == kKubernetes);
  QString out;
  if (!jobs_.empty() && kind == kSsh) out = plain(sshLines(jobs_));
  else if (!jobs_.empty() && kind == kKubernetes) out = plain(kubernetesManifest(jobs_, "weft", image_->text().trimmed().toStdString()));
  else
    for (const auto& [job, tasks] : jobs_)
      for (const auto& [task, address] : tasks) {
        const QString start = kind == kTfConfig ? plain(tfConfig(jobs_, job, task)) : plain(serverLine(jobs_, job, task, {}));
        out += QStringLiteral("# %1:%2\n%3\n").arg(plain(job)).arg(task).arg(start);
      }
  text_->setPlainText(out);
}

void ClusterDialog::save() {
  const bool manifest = kind_->currentIndex() == kKubernetes, script = kind_->currentIndex() == kSsh;
  const QString name = manifest ? QStringLiteral("cluster.yaml") : script ? QStringLiteral("start-cluster.sh") : QStringLiteral("cluster.txt");
  const QString path = askForFileToSave(this, settings_, tr("Save the text"), name, tr("All files (*)"));
  if (path.isEmpty()) return;
  QSaveFile file(path);
  const QByteArray bytes = text_->toPlainText().toUtf8();
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
    return say(tr("%1 could not be written: %2").arg(path, file.errorString()));
  if (script) QFile::setPermissions(path, QFile::permissions(path) | QFile::ExeOwner);
}

void ClusterDialog::paste() {
  const QString text = QGuiApplication::clipboard()->text().trimmed();
  if (text.isEmpty()) return say(tr("The clipboard holds no text."));
  // Shells and start scripts write TF_CONFIG='{…}'.
  QString json = text.contains(u'{') ? text.mid(text.indexOf(u'{')) : QString();
  json.truncate(json.lastIndexOf(u'}') + 1);
  auto jobs = json.isEmpty() ? readWords(text) : readClusterJson(json.toStdString());
  if (!jobs.ok()) return say(tr("The clipboard holds no cluster: %1").arg(plain(jobs.error().message)));
  setCluster(*jobs);
}

void ClusterDialog::done(int result) {
  if (!jobs_.empty()) setLastCluster(settings_, jobs_);
  settings_.setValue(kImageKey, image_->text().trimmed());
  QDialog::done(result);
}

void ClusterDialog::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QDialog::changeEvent(event);
}

}  // namespace weft::app
