// The menu of the table, its export, and the options that scripts set.
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMenu>
#include <QTabWidget>
#include <QTableView>
#include <cmath>

#include "common/card_export.h"
#include "common/icons.h"
#include "document/experiments.h"
#include "views/experiments/experiments_view.h"
#include "views/experiments/run_table.h"

namespace weft::app {
namespace {

const char* const kPages[] = {"form", "curves", "parallel", "scatter", "importance"};

QString csvOf(const QString& text) { return u'"' + QString(text).replace(u'"', QStringLiteral("\"\"")) + u'"'; }

}  // namespace

QByteArray ExperimentsView::csv() const {
  const ExperimentPage& page = *experiments_.page();
  QString out = QStringLiteral("run,status");
  for (const auto& c : page.columns) out += u',' + csvOf(c->name);
  out += u'\n';
  for (const int run : page.rows) {
    out += csvOf(page.runs[size_t(run)].name) + u',' + csvOf(RunTable::statusText(page.runs[size_t(run)].status));
    for (const auto& c : page.columns) out += u',' + (c->isMetric || !std::isnan(c->numbers[size_t(run)]) ? c->text(run) : csvOf(c->text(run)));
    out += u'\n';
  }
  return out.toUtf8();
}

QByteArray ExperimentsView::json() const {
  const ExperimentPage& page = *experiments_.page();
  QJsonArray list;
  for (const int run : page.rows) {
    QJsonObject parameters, metrics;
    for (const auto& c : page.columns) {
      if (c->text(run).isEmpty()) continue;
      if (c->isMetric) metrics.insert(c->name, c->numbers[size_t(run)]);
      else parameters.insert(c->name, c->text(run));
    }
    list << QJsonObject{{QStringLiteral("run"), page.runs[size_t(run)].name},
                        {QStringLiteral("status"), RunTable::statusText(page.runs[size_t(run)].status)},
                        {QStringLiteral("parameters"), parameters},
                        {QStringLiteral("metrics"), metrics}};
  }
  return QJsonDocument(list).toJson();
}

void ExperimentsView::showMenu(QPoint at) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const QModelIndex index = table_->indexAt(at);
  const int run = index.isValid() ? model_->runAt(index.row()) : -1;
  if (run >= 0) {
    const QString name = model_->page().runs[size_t(run)].name;
    connect(menu->addAction(widgets::icon(QStringLiteral("check")), tr("Use the parameters of %1").arg(name)), &QAction::triggered, this,
            [this, name] { this->run(QStringLiteral("sweep.promote"), {name}); });
    const QString folder = model_->page().runs[size_t(run)].folder;
    connect(menu->addAction(widgets::icon(QStringLiteral("chart")), tr("Show its curves in the panels")), &QAction::triggered, this,
            [this, folder] { this->run(QStringLiteral("panels.open-logdir"), {folder}); });
    menu->addSeparator();
  }
  connect(menu->addAction(widgets::icon(QStringLiteral("folder")), tr("Read runs from event files…")), &QAction::triggered, this,
          [this] { this->run(QStringLiteral("sweep.import")); });
  connect(menu->addAction(widgets::icon(QStringLiteral("copy")), tr("Copy the table as CSV")), &QAction::triggered, this,
          [this] { QApplication::clipboard()->setText(QString::fromUtf8(csv())); });
  widgets::addExportActions(
      menu, this, [] { return QStringLiteral("experiments"); }, [this] { return csv(); }, [this] { return json(); });
  menu->popup(table_->viewport()->mapToGlobal(at));
}

QString ExperimentsView::exportTag(const QString&, const QString& path) {
  if (experiments_.page()->runs.empty()) return tr("There are no runs of sweeps yet.");
  return widgets::exportCard(
      this, path, [this] { return csv(); }, [this] { return json(); });
}

bool ExperimentsView::setOption(const QString& option) {
  const QString what = option.section(u' ', 0, 0);
  QString value = option.section(u' ', 1);
  if (what == QLatin1String("page")) {
    for (int i = 0; i < int(std::size(kPages)); ++i)
      if (value == QLatin1String(kPages[i])) return tabs_->setCurrentIndex(i), true;
    return false;
  }
  if (what == QLatin1String("filter")) {
    filter_->setText(value);
    filterSoon_.stop();
    return ask(), true;
  }
  if (what == QLatin1String("group")) {
    const int at = value.isEmpty() ? 0 : group_->findData(value);
    if (at < 0) return false;
    group_->setCurrentIndex(at);
    return ask(), true;
  }
  if (what == QLatin1String("sweep")) {
    for (int i = 0; i < sweeps_->count(); ++i)
      if (experiments_.page()->sweeps[i].name == value) return sweeps_->setCurrentIndex(i), ask(), true;
    return false;
  }
  if (what != QLatin1String("sort")) return false;
  const bool down = value.endsWith(QLatin1String(" down"));
  if (down) value.chop(5);
  for (int i = 0; i < model_->columnCount(); ++i) {
    if (model_->headerData(i, Qt::Horizontal, Qt::DisplayRole).toString() != value && model_->sortName(i) != value) continue;
    table_->horizontalHeader()->setSortIndicator(i, down ? Qt::DescendingOrder : Qt::AscendingOrder);
    return true;
  }
  return false;
}

}  // namespace weft::app
