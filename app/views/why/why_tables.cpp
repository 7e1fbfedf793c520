#include "views/why/why_view.h"

#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/name_delegate.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/why_store.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

using widgets::formatValue;
using widgets::Role;
using widgets::Theme;

QJsonValue numberOf(double v) { return std::isfinite(v) ? QJsonValue(v) : QJsonValue(); }

const char* ruleWord(WhyLink::Rule r) {
  static constexpr const char* kWords[] = {"given", "copy", "sum", "products", "slope", "update", "kept", "position"};
  return kWords[int(r)];
}

constexpr int kMargin = 6, kBarWidth = 120, kOpWidth = 110, kLeastRows = 4;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(WhyView)
};

void prepare(QTreeWidget* table, int columns, int stretched) {
  table->setColumnCount(columns);
  table->setRootIsDecorated(false);
  table->setUniformRowHeights(true);
  table->setAllColumnsShowFocus(true);
  table->setFrameShape(QFrame::NoFrame);
  table->setMinimumWidth(1);
  table->setMinimumHeight(kLeastRows * Theme::current().metrics().rowHeight);
  widgets::elideNames(table);
  QHeaderView* header = table->header();
  header->setStretchLastSection(false);
  header->setMinimumSectionSize(40);
  for (int c = 0; c < columns; ++c) header->setSectionResizeMode(c, c == stretched ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
}

/// Names of ops may be long, and those of tensors matter more: ops get a quarter of the width at most.
void limitOps(QTreeWidget* table, int column) {
  table->header()->setSectionResizeMode(column, QHeaderView::Interactive);
  table->header()->resizeSection(column, kOpWidth);
}

void fitOps(QTreeWidget* table, int column) {
  table->resizeColumnToContents(column);
  const int wanted = table->header()->sectionSize(column);
  table->header()->resizeSection(column, std::min(wanted, std::max(kOpWidth, table->viewport()->width() / 4)));
}

void setNumber(QTreeWidgetItem* item, int column, double value, int digits = 5) {
  item->setText(column, std::isnan(value) ? QStringLiteral("NaN") : formatValue(value, digits));
  item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  item->setToolTip(column, QString::number(value, 'g', 17));
}

void setBar(QTreeWidgetItem* item, int column, double value, double most) {
  if (std::isnan(value)) return;
  setNumber(item, column, value);
  item->setData(column, kBarRole, most > 0 ? std::clamp(value / most, -1.0, 1.0) : 0);
}

QString whereText(const QVector<qint64>& index) {
  QStringList words;
  for (const qint64 i : index) words << QString::number(i);
  return words.isEmpty() ? QString() : QStringLiteral("[%1]").arg(words.join(u','));
}

}  // namespace

QString reportOf(const WhyStore& store) {
  QJsonArray links, rows, causes, others;
  for (const OtherTraining& o : store.others()) others << o.title;
  for (const WhyLink& l : store.path().links)
    links << QJsonObject{{QStringLiteral("element"), l.self.text()},
                         {QStringLiteral("step"), l.self.step},
                         {QStringLiteral("value"), numberOf(l.self.value)},
                         {QStringLiteral("op"), l.self.op},
                         {QStringLiteral("rule"), QLatin1String(ruleWord(l.rule))},
                         {QStringLiteral("parts"), l.count}};
  for (const WhyRow& r : store.rows().rows)
    rows << QJsonObject{
        {QStringLiteral("row"), r.row}, {QStringLiteral("value"), numberOf(r.value)}, {QStringLiteral("contribution"), numberOf(r.contribution)}};
  for (const WhyDiffering& t : store.difference().tensors)
    if (t.cause) causes << t.tensor;
  return QString::fromUtf8(QJsonDocument(QJsonObject{{QStringLiteral("question"), store.question()},
                                                     {QStringLiteral("step"), store.step()},
                                                     {QStringLiteral("seconds"), store.seconds()},
                                                     {QStringLiteral("busy"), store.isBusy()},
                                                     {QStringLiteral("error"), store.error()},
                                                     {QStringLiteral("links"), links},
                                                     {QStringLiteral("rows"), rows},
                                                     {QStringLiteral("causes"), causes},
                                                     {QStringLiteral("other"), store.otherTitle()},
                                                     {QStringLiteral("others"), others},
                                                     {QStringLiteral("differing"), store.difference().differing}})
                               .toJson(QJsonDocument::Compact));
}

QString momentOf(const WhyPart& part) {
  if (part.kind != WhyPart::Kind::Variable) return Words::tr("step %1").arg(part.step);
  return part.step == 0 ? Words::tr("before the first step") : Words::tr("after step %1").arg(part.step);
}

QString sentenceOf(const WhyLink& link) {
  switch (link.rule) {
    case WhyLink::Rule::Given:
      switch (link.self.kind) {
        case WhyPart::Kind::Data: return link.dataRow >= 0 ? Words::tr("It is row %1 of the data.").arg(link.dataRow) : Words::tr("It comes from the data.");
        case WhyPart::Kind::Setting: return Words::tr("It was fed as a setting.");
        case WhyPart::Kind::Constant: return Words::tr("It is a constant.");
        case WhyPart::Kind::Random: return Words::tr("It was drawn at random.");
        case WhyPart::Kind::Variable: return Words::tr("It is the variable's value %1. Double-click it to see what set it.").arg(momentOf(link.self));
        case WhyPart::Kind::Computed: return Words::tr("What it was computed from is not known.");
      }
      return {};
    case WhyLink::Rule::Copy: return Words::tr("It is the same number, passed on by %1.").arg(link.self.op);
    case WhyLink::Rule::Sum: return Words::tr("It is the sum of %n contribution(s).", nullptr, int(link.count));
    case WhyLink::Rule::Products: return Words::tr("It is a sum of products; %n factor(s) take part.", nullptr, int(link.count));
    case WhyLink::Rule::Slope: return Words::tr("It follows from %n element(s). A slope says how much it changes with one of them.", nullptr, int(link.count));
    case WhyLink::Rule::Update: return Words::tr("%1 changed the variable: its value before, and what the gradient added.").arg(link.self.op);
    case WhyLink::Rule::Kept: return Words::tr("This step did not change it.");
    case WhyLink::Rule::Position: return Words::tr("%1 has no gradient here. These are its inputs, at the same position where there is one.").arg(link.self.op);
  }
  return {};
}

void BarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem plain = option;
  initStyleOption(&plain, index);
  const QString text = std::exchange(plain.text, QString());
  const QStyle* style = plain.widget ? plain.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &plain, painter, plain.widget);
  const QVariant share = index.data(kBarRole);
  const QRectF area = QRectF(option.rect).adjusted(2, 3, -2, -3);
  if (share.isValid()) {
    const double middle = area.center().x(), length = share.toDouble() * area.width() / 2;
    QColor color = Theme::current().color(length < 0 ? Role::Warning : Role::Accent);
    color.setAlphaF(0.35f);
    painter->fillRect(QRectF(std::min(middle, middle + length), area.top(), std::abs(length), area.height()), color);
    painter->setPen(Theme::current().color(Role::Border));
    painter->drawLine(QPointF(middle, area.top()), QPointF(middle, area.bottom()));
  }
  painter->setPen(plain.palette.color(option.state & QStyle::State_Selected ? QPalette::HighlightedText : QPalette::Text));
  painter->drawText(area.adjusted(4, 0, -4, 0), Qt::AlignRight | Qt::AlignVCenter, text);
}

PathTable::PathTable(QWidget* parent) : QTreeWidget(parent) {
  prepare(this, 3, 0);
  limitOps(this, 2);
}

void PathTable::retranslate() {
  setHeaderLabels({tr("Element"), tr("Value"), tr("Op")});
  setAccessibleName(tr("Path"));
}

void PathTable::setLinks(const QVector<WhyLink>& links) {
  clear();
  for (const WhyLink& link : links) {
    auto* item = new QTreeWidgetItem(this, {link.self.text(), {}, link.self.op == QLatin1String("variable") ? tr("variable") : link.self.op});
    item->setToolTip(2, item->text(2));
    item->setToolTip(0, link.self.text() + QStringLiteral("\n") + momentOf(link.self) + QStringLiteral("\n") + sentenceOf(link));
    if (!link.self.whole) setNumber(item, 1, link.self.value);
  }
  fitOps(this, 2);
}

PartTable::PartTable(QWidget* parent) : QTreeWidget(parent) {
  prepare(this, 5, 1);
  setItemDelegateForColumn(4, new BarDelegate(this));
  header()->setSectionResizeMode(4, QHeaderView::Fixed);
  header()->resizeSection(4, kBarWidth);
}

void PartTable::retranslate() {
  setHeaderLabels({tr("Input"), tr("Element"), tr("Value"), tr("Slope"), tr("Contribution")});
  setAccessibleName(tr("Parts"));
  headerItem()->setToolTip(3, tr("How much the number changes if the element grows by one"));
  headerItem()->setToolTip(4, tr("Slope × value; of an update, what was added"));
}

void PartTable::setLink(const WhyLink& link) {
  clear();
  double most = 0;
  for (const WhyPart& p : link.parts)
    if (!std::isnan(p.contribution) && !(link.rule == WhyLink::Rule::Update && p.input.isEmpty())) most = std::max(most, std::abs(p.contribution));
  for (const WhyPart& p : link.parts) {
    const bool before = link.rule == WhyLink::Rule::Update && p.input.isEmpty();
    auto* item = new QTreeWidgetItem(this, {before ? tr("before") : p.input, p.text()});
    item->setToolTip(1, p.text() + QStringLiteral("\n") + momentOf(p));
    if (p.whole) item->setText(2, tr("all of it"));
    else setNumber(item, 2, p.value);
    if (!std::isnan(p.slope) && !before) setNumber(item, 3, p.slope);
    // Beside what was added, the value before would fill the column.
    if (before) setNumber(item, 4, p.contribution);
    else setBar(item, 4, p.contribution, most);
  }
  if (link.count <= link.parts.size()) return;
  auto* more = new QTreeWidgetItem(this, {QString(), tr("%n more", nullptr, int(link.count - link.parts.size()))});
  more->setDisabled(true);
  if (!std::isnan(link.rest)) setBar(more, 4, link.rest, std::max(most, std::abs(link.rest)));
}

RowTable::RowTable(QWidget* parent) : QTreeWidget(parent) {
  prepare(this, 3, 2);
  setItemDelegateForColumn(2, new BarDelegate(this));
}

void RowTable::retranslate() {
  setHeaderLabels({tr("Row"), tr("Alone"), tr("Contribution")});
  setAccessibleName(tr("Rows of data"));
  headerItem()->setToolTip(1, tr("The number, computed from this row of the data alone"));
}

void RowTable::setRows(const WhyRows& rows) {
  clear();
  double most = 0;
  for (const WhyRow& r : rows.rows)
    if (!std::isnan(r.contribution)) most = std::max(most, std::abs(r.contribution));
  for (const WhyRow& r : rows.rows) {
    auto* item = new QTreeWidgetItem(this, {QString::number(r.row)});
    item->setToolTip(0, tr("Row %1 of the data, %2 in the batch").arg(r.row).arg(r.batchRow));
    setNumber(item, 1, r.value);
    setBar(item, 2, r.contribution, most);
  }
}

DifferenceTable::DifferenceTable(QWidget* parent) : QTreeWidget(parent) {
  prepare(this, 6, 0);
  limitOps(this, 1);
}

void DifferenceTable::retranslate() {
  setHeaderLabels({tr("Tensor"), tr("Op"), tr("Differing elements"), tr("Most at"), trainings_ ? tr("This training") : tr("First step"),
                   trainings_ ? tr("Other training") : tr("Second step")});
  setAccessibleName(tr("Differences"));
}

void DifferenceTable::setDifference(const WhyDifference& difference, bool trainings) {
  if (trainings != std::exchange(trainings_, trainings)) retranslate();
  clear();
  for (const WhyDiffering& t : difference.tensors) {
    auto* item = new QTreeWidgetItem(this, {t.tensor, t.op == QLatin1String("variable") ? tr("variable") : t.op});
    item->setToolTip(0, t.cause ? tr("%1\nDiffers although everything that it is computed from is equal").arg(t.tensor) : t.tensor);
    if (t.cause) {
      QFont strong = font();
      strong.setBold(true);
      item->setFont(0, strong);
    }
    if (t.why == QLatin1String("missing")) item->setText(2, tr("only in one"));
    else if (t.why == QLatin1String("shape")) item->setText(2, tr("another shape"));
    else if (t.why == QLatin1String("dtype")) item->setText(2, tr("another type"));
    else item->setText(2, widgets::formatCount(t.elements));
    item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
    if (!t.why.isEmpty() && t.why != QLatin1String("nan")) continue;
    item->setText(3, whereText(t.index));
    setNumber(item, 4, t.first);
    setNumber(item, 5, t.second);
  }
  fitOps(this, 1);
}

void EarlierValues::setValues(const QVector<QPointF>& values) {
  values_ = values;
  update();
}

void EarlierValues::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& theme = Theme::current();
  painter.setPen(theme.color(Role::Text2));
  if (values_.size() < 2) {
    painter.drawText(rect().adjusted(kMargin, kMargin, -kMargin, -kMargin), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("A variable's element shows its values over the recorded steps here."));
    return;
  }
  double low = values_[0].y(), high = low;
  for (const QPointF& p : values_) {
    if (!std::isfinite(p.y())) continue;
    low = std::min(low, p.y());
    high = std::max(high, p.y());
  }
  const int line = fontMetrics().height();
  const QRectF area = QRectF(rect()).adjusted(kMargin, kMargin + line, -kMargin, -kMargin - line);
  const double range = high > low ? high - low : 1, span = std::max(1.0, values_.last().x() - values_.first().x());
  painter.drawText(QRectF(kMargin, 0, width() - 2 * kMargin, line), Qt::AlignLeft, formatValue(high));
  const QRectF below(kMargin, height() - line, width() - 2 * kMargin, line);
  painter.drawText(below, Qt::AlignLeft, formatValue(low));
  painter.drawText(below, Qt::AlignRight, tr("steps %1 to %2").arg(qint64(values_.first().x())).arg(qint64(values_.last().x())));
  QPolygonF curve;
  for (const QPointF& p : values_)
    if (std::isfinite(p.y()))
      curve << QPointF(area.left() + (p.x() - values_.first().x()) / span * area.width(), area.bottom() - (p.y() - low) / range * area.height());
  painter.setPen(QPen(theme.color(Role::Accent), 1.5));
  painter.drawPolyline(curve);
}

// The page that compares.

/// Two steps of this training, or a step of this training and of another one.
QWidget* WhyView::makeCompareBar(QWidget* parent) {
  auto* bar = new QWidget(parent);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  with_ = new QComboBox(bar);
  with_->setObjectName(QStringLiteral("why_with"));
  with_->setMaximumWidth(320);
  with_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  with_->setMinimumContentsLength(14);
  setting_ = new QComboBox(bar);
  setting_->setObjectName(QStringLiteral("why_setting"));
  setting_->setEditable(true);
  setting_->setInsertPolicy(QComboBox::NoInsert);
  setting_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setting_->setMinimumContentsLength(10);
  equalsWord_ = new QLabel(QStringLiteral("="), bar);
  value_ = new QLineEdit(bar);
  value_->setObjectName(QStringLiteral("why_value"));
  value_->setMaximumWidth(110);
  compareWord_ = new QLabel(bar);
  withWord_ = new QLabel(bar);
  for (QSpinBox** box : {&first_, &second_}) {
    *box = new QSpinBox(bar);
    (*box)->setRange(1, 1);
    (*box)->setMinimumWidth(72);
  }
  compare_ = new QPushButton(bar);
  for (QWidget* w : std::initializer_list<QWidget*>{with_, setting_, equalsWord_, value_, compareWord_, first_, withWord_, second_, compare_})
    row->addWidget(w);
  row->setStretchFactor(with_, 1);
  row->addStretch();
  connect(with_, &QComboBox::currentIndexChanged, this, &WhyView::showKind);
  connect(value_, &QLineEdit::returnPressed, this, &WhyView::compare);
  return bar;
}

/// This training, those before, a change of it, and the other open documents.
void WhyView::fillOthers() {
  const QVariant chosen = with_->currentData();
  const QString chosenText = with_->currentText();
  const QSignalBlocker quiet(with_);
  with_->clear();
  with_->addItem(tr("another step of this training"), QStringLiteral("steps"));
  for (int i = 0; i < store_.others().size(); ++i) with_->addItem(store_.others()[i].title, QStringLiteral("other %1").arg(i + 1));
  with_->addItem(tr("this training with another setting…"), QStringLiteral("setting"));
  for (const Document* document : context_.workspace.documents())
    if (document != context_.workspace.runs().document() && document->contents()->training.present)
      with_->addItem(tr("a training of %1").arg(document->title()),
                     QStringLiteral("document %1").arg(document->path().isEmpty() ? document->title() : document->path()));
  // Trainings before are told by their titles: a newer one moves them down the list.
  const bool other = chosen.toString().startsWith(QLatin1String("other"));
  with_->setCurrentIndex(std::max(0, other ? with_->findText(chosenText) : with_->findData(chosen)));
  if (const int shown = with_->findText(store_.otherTitle()); shown > 0) with_->setCurrentIndex(shown);
  if (const Document* document = context_.workspace.runs().document(); document && document != settingsOf_) {
    settingsOf_ = document;
    setting_->clear();
    for (const TrainingInfo::Live& l : document->contents()->training.live) setting_->addItem(l.name);
    for (const char* name : {"seed", "batch_size"}) setting_->addItem(QLatin1String(name));
  }
  showKind();
}

void WhyView::showKind() {
  const QString kind = with_->currentData().toString();
  const bool steps = kind == QLatin1String("steps"), setting = kind == QLatin1String("setting");
  for (QWidget* w : std::initializer_list<QWidget*>{setting_, equalsWord_, value_}) w->setVisible(setting);
  for (QWidget* w : std::initializer_list<QWidget*>{withWord_, second_}) w->setVisible(steps);
  // Of two trainings, the first step that differs is what one wants to see.
  const int least = std::max(1, second_->minimum());
  const bool chosen = kind == kind_ && first_->value() != first_->minimum();
  kind_ = kind;
  first_->setSpecialValueText(steps ? QString() : tr("first to differ"));
  first_->setMinimum(steps ? least : least - 1);
  if (!steps && !chosen) first_->setValue(first_->minimum());
}

void WhyView::compare() {
  const QString kind = with_->currentData().toString(), word = kind.section(u' ', 1);
  const QString step = first_->value() == first_->minimum() ? QStringLiteral("first") : QString::number(first_->value());
  if (kind == QLatin1String("steps")) {
    run(QStringLiteral("why.compare"), {QString::number(first_->value()), QString::number(second_->value())});
  } else if (kind == QLatin1String("setting")) {
    if (setting_->currentText().trimmed().isEmpty() || value_->text().trimmed().isEmpty()) return value_->setFocus(Qt::OtherFocusReason);
    run(QStringLiteral("why.compare-setting"), {QStringLiteral("%1=%2").arg(setting_->currentText().trimmed(), value_->text().trimmed()), step});
  } else {
    run(kind.startsWith(QLatin1String("other")) ? QStringLiteral("why.compare-training") : QStringLiteral("why.compare-document"), {word, step});
  }
}

QString WhyView::differenceText() const {
  const WhyDifference& d = store_.difference();
  if (d.same) return tr("No step that is recorded of both trainings differs.");
  const QString values = d.differing == 0 ? tr("All %1 values are the same.").arg(widgets::formatCount(d.compared))
                                          : tr("%1 of %2 values differ. Bold: everything that they are computed from is equal.")
                                                .arg(widgets::formatCount(d.differing), widgets::formatCount(d.compared));
  if (store_.otherTitle().isEmpty()) return values;
  return widgets::joinSentences({tr("Step %1 of %2 and of %3.").arg(d.firstStep).arg(store_.title(), store_.otherTitle()), values});
}

}  // namespace weft::app
