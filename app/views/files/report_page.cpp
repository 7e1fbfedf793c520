#include "views/files/report_page.h"

#include <QDateTime>
#include <QDir>
#include <QEvent>
#include <QHeaderView>
#include <QJsonArray>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "common/name_delegate.h"
#include "common/theme.h"
#include "document/file_tab.h"
#include "views/files/report_words.h"

namespace weft::app {
namespace {

constexpr int kShown = 500;  // entries of one list
constexpr int kKeyRole = Qt::UserRole, kListRole = Qt::UserRole + 1;

/// A date for keys that hold seconds since 1970; empty for other keys.
QString dateText(const QString& key, const QJsonValue& v) {
  static const QStringList keys = {QStringLiteral("first_wall_time"),
                                   QStringLiteral("last_wall_time"),
                                   QStringLiteral("wall_time"),
                                   QStringLiteral("timestamp"),
                                   QStringLiteral("timestamps"),
                                   QStringLiteral("last_preserved_timestamp"),
                                   QStringLiteral("all_model_checkpoint_timestamps")};
  const bool nanoseconds = key == QLatin1String("time_ns");
  if (!(nanoseconds || keys.contains(key)) || !v.isDouble() || v.toDouble() <= 0) return {};
  const QDateTime at = QDateTime::fromMSecsSinceEpoch(qint64(v.toDouble() * (nanoseconds ? 1e-6 : 1e3)));
  return at.isValid() ? at.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) : QString();
}

/// A short value in one line; empty if it needs a branch.
QString scalarText(const QJsonValue& v, const QString& key = {}) {
  if (const QString date = dateText(key, v); !date.isEmpty()) return date;
  if (v.isString()) return v.toString();
  if (v.isBool()) return v.toBool() ? QStringLiteral("true") : QStringLiteral("false");
  if (v.isDouble()) return v.toInteger(-1) != -1 ? QString::number(v.toInteger()) : QString::number(v.toDouble(), 'g', 12);
  if (v.isNull()) return QStringLiteral("—");
  if (v.isArray()) {
    QStringList parts;
    for (const QJsonValue& e : v.toArray()) {
      if (e.isObject() || e.isArray()) return {};
      parts << scalarText(e, key);
      if (parts.size() > 64) return {};
    }
    return QStringLiteral("[") + parts.join(QStringLiteral(", ")) + QStringLiteral("]");
  }
  return {};
}

/// The name of an element in a list of objects.
QString titleOf(const QJsonObject& object) {
  for (const char* key : {"name", "tag", "run", "op", "type", "key", "device"})
    if (object.value(QLatin1String(key)).isString()) return object.value(QLatin1String(key)).toString();
  return {};
}

/// The scalars of an object in one line.
QString lineOf(const QJsonObject& object, const QString& title) {
  QStringList parts;
  for (auto it = object.begin(); it != object.end(); ++it) {
    const QString text = scalarText(it.value(), it.key());
    if (!text.isEmpty() && text != title) parts << reportKeyText(it.key()) + u' ' + text;
  }
  return parts.join(QStringLiteral("   "));
}

}  // namespace

ReportPage::ReportPage(FileTab* file, QWidget* parent) : QWidget(parent), file_(file), tree_(new QTreeWidget(this)) {
  tree_->setObjectName(QStringLiteral("file_report"));
  tree_->setColumnCount(2);
  tree_->setUniformRowHeights(true);
  tree_->setAlternatingRowColors(false);
  tree_->setFrameShape(QFrame::NoFrame);
  widgets::elideNames(tree_);
  tree_->header()->setStretchLastSection(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(tree_);
  connect(tree_, &QTreeWidget::itemActivated, this, &ReportPage::activate);
  refill();
}

/// Tags of session runs can be opened; nothing else reacts.
void ReportPage::activate(QTreeWidgetItem* item) {
  const QTreeWidgetItem* list = item->parent();
  if (!list || list->data(0, kKeyRole).toString() != QLatin1String("run_metadata")) return;
  const QTreeWidgetItem* run = list->parent();  // of a log folder
  emit sessionRunWanted(item->text(1), run ? QDir::cleanPath(file_->contents()->path + u'/' + run->data(0, kKeyRole).toString()) : QString());
}

void ReportPage::add(QTreeWidgetItem* parent, const QString& key, const QJsonValue& value, int depth) {
  static const QStringList maps = {QStringLiteral("signatures"),  QStringLiteral("inputs"), QStringLiteral("outputs"), QStringLiteral("tags"),
                                   QStringLiteral("collections"), QStringLiteral("runs"),   QStringLiteral("features")};
  auto* item = parent ? new QTreeWidgetItem(parent) : new QTreeWidgetItem(tree_);
  // Names from the file must not be translated, even if they look like our keys.
  const bool named = parent && (parent->data(0, kListRole).toBool() || maps.contains(parent->data(0, kKeyRole).toString()));
  item->setText(0, named ? key : reportKeyText(key));
  item->setToolTip(0, item->text(0));
  item->setData(0, kKeyRole, key);
  item->setFont(1, widgets::Theme::current().monoFont());
  const bool isRuns = key == QLatin1String("run_metadata") && value.isArray() && !value.toArray().isEmpty();
  const QString text = isRuns ? QString() : scalarText(value, key);
  if (!text.isEmpty() || !(value.isObject() || value.isArray())) {
    item->setText(1, text);
    item->setToolTip(1, text.left(2000));
    if (parent && parent->data(0, kKeyRole).toString() == QLatin1String("run_metadata"))
      item->setToolTip(1, tr("%1\nDouble click or Enter: show this session run in the timeline").arg(text.left(2000)));
    return;
  }
  if (value.isObject()) {
    const QJsonObject object = value.toObject();
    item->setText(1, lineOf(object, key));
    item->setToolTip(1, item->text(1).left(2000));
    for (auto it = object.begin(); it != object.end(); ++it) {
      if (it.value().isObject() || it.value().isArray()) add(item, it.key(), it.value(), depth + 1);
    }
  } else {
    const QJsonArray list = value.toArray();
    item->setData(0, kListRole, true);
    item->setText(1, tr("%n entries", nullptr, int(list.size())));
    int shown = 0;
    for (const QJsonValue& e : list) {
      if (++shown > kShown) {
        auto* more = new QTreeWidgetItem(item);
        more->setText(0, tr("… %n more", nullptr, int(list.size()) - kShown));
        break;
      }
      const QString title = e.isObject() ? titleOf(e.toObject()) : QString();
      add(item, title.isEmpty() ? QString::number(shown - 1) : title, e, depth + 1);
    }
  }
  static const QStringList open = {QStringLiteral("signatures"), QStringLiteral("inputs"), QStringLiteral("outputs"), QStringLiteral("tags")};
  const bool fewGraphs = parent && parent->data(0, kKeyRole).toString() == QLatin1String("meta_graphs") && parent->childCount() <= 2;
  item->setExpanded((depth == 0 && (value.isObject() || value.toArray().size() <= 50)) || fewGraphs || open.contains(key) ||
                    (parent && open.contains(parent->data(0, kKeyRole).toString())));
}

void ReportPage::refill() {
  tree_->clear();
  tree_->setAccessibleName(tr("Contents of the file"));
  tree_->setHeaderLabels({tr("Part"), tr("Content")});
  tree_->header()->resizeSection(0, 280);
  const QJsonObject& report = file_->contents()->report;
  static const QStringList hidden = {QStringLiteral("inspect_version"), QStringLiteral("file"), QStringLiteral("error"), QStringLiteral("kind")};
  // The most wanted keys come first.
  QStringList keys = {QStringLiteral("problems"), QStringLiteral("meta_graphs"), QStringLiteral("signatures"),
                      QStringLiteral("runs"),     QStringLiteral("tags"),        QStringLiteral("run_metadata")};
  for (auto it = report.begin(); it != report.end(); ++it)
    if (!keys.contains(it.key()) && !hidden.contains(it.key())) keys << it.key();
  for (const QString& key : std::as_const(keys))
    if (report.contains(key)) add(nullptr, key, report.value(key), 0);
}

void ReportPage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refill();
  QWidget::changeEvent(event);
}

}  // namespace weft::app
