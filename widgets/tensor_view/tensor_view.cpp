#include "tensor_view/tensor_view.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStyle>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "common/discard.h"
#include "common/flow_layout.h"
#include "common/format.h"
#include "common/theme.h"
#include "tensor_view/heat_map.h"
#include "tensor_view/tensor_table_model.h"

namespace weft::widgets {
namespace {

constexpr int kMostSpins = 4, kLeastPage = 96;  // pixels
constexpr qint64 kMostCounted = 2'000'000;

QLineEdit* field(QWidget* parent, int width) {
  auto* edit = new QLineEdit(parent);
  edit->setFont(Theme::current().monoFont());
  edit->setMinimumWidth(width);
  return edit;
}

}  // namespace

TensorView::TensorView(QWidget* parent) : QWidget(parent) {
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, 0, 0, 0);
  page->setSpacing(6);

  auto* top = new FlowLayout(nullptr, 0, 0);
  looks_ = new QButtonGroup(this);
  for (int i = 0; i < 5; ++i) {
    auto* button = new QToolButton(this);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    looks_->addButton(button, i);
    top->addWidget(button);
  }
  connect(looks_, &QButtonGroup::idClicked, this, [this](int id) {
    setLook(Look(id));
    emit lookChosen(Look(id));
  });
  page->addLayout(top);

  pages_ = new QStackedWidget(this);
  table_ = new QTableView(pages_);
  model_ = new TensorTableModel(this);
  table_->setModel(model_);
  table_->setFrameShape(QFrame::NoFrame);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->verticalHeader()->setDefaultSectionSize(Theme::current().metrics().rowHeight);
  table_->verticalHeader()->setMinimumWidth(36);
  table_->horizontalHeader()->setDefaultSectionSize(72);
  table_->setWordWrap(false);
  table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
  table_->installEventFilter(this);
  connect(model_, &TensorTableModel::edited, this, &TensorView::cellEdited);
  connect(table_, &QTableView::doubleClicked, this, [this] { refuseEdit(); });
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(table_, &QTableView::customContextMenuRequested, this, &TensorView::showCellMenu);
  map_ = new HeatMap(pages_);
  histogram_ = new ValueHistogram(pages_);
  curve_ = new ValueCurve(pages_);
  for (QWidget* widget : std::initializer_list<QWidget*>{table_, map_, histogram_, curve_}) pages_->addWidget(widget);
  pages_->setMinimumHeight(kLeastPage);
  page->addWidget(pages_, 1);

  sliceBar_ = new QWidget(this);
  auto* slice = new FlowLayout(sliceBar_, 0, 4);
  sliceLabel_ = new QLabel(sliceBar_);
  sliceLabel_->setProperty("kind", QStringLiteral("muted"));
  sliceText_ = field(sliceBar_, 90);
  slice->addWidget(sliceLabel_);
  slice->addWidget(sliceText_);
  page->addWidget(sliceBar_);

  auto* marks = new QHBoxLayout;
  marks->setSpacing(6);
  highlightText_ = field(this, 90);
  highlightLabel_ = new QLabel(this);
  highlightLabel_->setProperty("kind", QStringLiteral("muted"));
  goTo_ = field(this, 84);
  goTo_->setMaximumWidth(130);
  marks->addWidget(goTo_);
  marks->addWidget(highlightText_, 1);
  marks->addWidget(highlightLabel_);
  page->addLayout(marks);
  error_ = new QLabel(this);
  error_->setProperty("kind", QStringLiteral("error"));
  error_->setWordWrap(true);
  error_->hide();
  page->addWidget(error_);

  bottom_ = new QWidget(this);
  bottom_->setMinimumHeight(1);  // in a low dock the values need the space more
  bottom_->installEventFilter(this);
  auto* bottom = new QHBoxLayout(bottom_);
  bottom->setContentsMargins(0, 0, 0, 0);
  bottom->setSpacing(12);
  facts_ = new QLabel(this);
  facts_->setTextFormat(Qt::RichText);
  facts_->setAlignment(Qt::AlignTop);
  facts_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  small_ = new ValueHistogram(this);
  bottom->addWidget(facts_);
  bottom->addWidget(small_, 1);
  page->addWidget(bottom_, 1);  // at most as high as all facts

  connect(goTo_, &QLineEdit::returnPressed, this, [this] { goTo(goTo_->text()); });
  connect(sliceText_, &QLineEdit::returnPressed, this, [this] { setSliceText(sliceText_->text()); });
  connect(highlightText_, &QLineEdit::textChanged, this, [this](const QString& text) { setHighlight(text); });
  connect(map_, &HeatMap::cellClicked, this, &TensorView::markCell);
  connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
    if (now.isValid()) map_->setMarked(now.row(), now.column());
  });
  retranslate();
  setLook(Look::Map);
}

void TensorView::setSource(std::shared_ptr<const TensorSource> source) {
  const bool sameShape = source && source_ && source->shape() == slice_.shape();
  source_ = std::move(source);
  showEditError({});
  if (source_ && !sameShape) {
    slice_ = TensorSlice(source_->shape());
    map_->setMarked(-1, -1);
    buildSliceBar();
  }
  // Strings have no colours.
  const bool numeric = source_ && source_->facts().isNumeric;
  for (int i = 1; i < 5; ++i) looks_->button(i)->setEnabled(numeric);
  if (source_ && !numeric) setLook(Look::Table);
  showSlice();
  showFacts();
}

void TensorView::setMoments(const QVector<ValueMoment>& moments) { curve_->setMoments(moments); }

void TensorView::setLook(Look look) {
  look_ = look;
  looks_->button(int(look))->setChecked(true);
  static constexpr int pages[] = {0, 1, 1, 2, 3};
  pages_->setCurrentIndex(pages[int(look)]);
  small_->setVisible(look != Look::Histogram);
  showSlice();
}

void TensorView::showSlice() {
  if (!source_) {
    model_->setContent(nullptr, {}, {});
    map_->setContent(nullptr, {}, HeatMap::Look::Map, {});
    return;
  }
  if (look_ == Look::Table) model_->setContent(source_, slice_, highlight_);
  if (look_ == Look::Map || look_ == Look::Picture)
    map_->setContent(source_, slice_, look_ == Look::Map ? HeatMap::Look::Map : HeatMap::Look::Picture, highlight_);
  sliceText_->setText(slice_.text());
  highlighted_ = 0;
  QString count;
  if (highlight_ && source_->facts().isNumeric) {
    if (slice_.rows() * slice_.columns() <= kMostCounted) {
      for (qint64 r = 0; r < slice_.rows(); ++r)
        for (qint64 c = 0; c < slice_.columns(); ++c) highlighted_ += highlight_(source_->number(slice_.flat(r, c)));
      count = tr("%n cell(s)", nullptr, int(highlighted_));
    }
  }
  highlightLabel_->setText(count);
  highlightLabel_->setVisible(!count.isEmpty());
}

/// Shows as many facts as fit, none of them cut off.
void TensorView::fitFacts() {
  const int rows = int(facts_->text().count(QStringLiteral("<tr>")));
  if (rows == 0) return;
  facts_->setMaximumHeight(QWIDGETSIZE_MAX);
  const int all = facts_->sizeHint().height(), high = std::max(1, all / rows);
  bottom_->setMaximumHeight(std::max(all, kLeastPage));
  if (bottom_->height() < all) facts_->setMaximumHeight(std::max(1, bottom_->height() / high * high));
}

bool TensorView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == bottom_ && event->type() == QEvent::Resize) fitFacts();
  if (watched == table_ && event->type() == QEvent::KeyPress && table_->currentIndex().isValid()) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool types = !key->text().isEmpty() && key->text().front().isPrint() && !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
    if (key->key() == Qt::Key_F2 || types) refuseEdit();
  }
  return QWidget::eventFilter(watched, event);
}

void TensorView::showFacts() {
  if (!source_) {
    facts_->clear();
    return;
  }
  const TensorFacts& f = source_->facts();
  small_->setFacts(f);
  histogram_->setFacts(f);
  const Theme& theme = Theme::current();
  QString rows;
  const auto row = [&](const QString& name, const QString& value, const QColor& color = {}) {
    rows +=
        QStringLiteral(
            "<tr><td style=\"color:%1; padding-right:14px; vertical-align:bottom\">%2</td><td align=\"right\" style=\"vertical-align:bottom; font-family:'%3'; color:%4\">%5</td></tr>")
            .arg(theme.color(Role::Text3).name(), name, theme.monoFont().family(), (color.isValid() ? color : theme.color(Role::Text1)).name(),
                 value.toHtmlEscaped());
  };
  // On separate lines, because the histogram stands beside them in a narrow dock.
  row(tr("shape"), formatShape(source_->shape()));
  row(tr("type"), source_->dtype());
  row(tr("bytes"), formatBytes(f.bytes));
  if (f.isNumeric) {
    if (f.finite() > 0) {
      row(tr("min"), formatValue(f.min));
      row(tr("max"), formatValue(f.max));
      row(tr("mean"), formatValue(f.mean));
      row(tr("std"), formatValue(f.std));
    }
    row(tr("zeros"), formatCount(f.zeros));
    row(tr("NaN"), formatCount(f.nans), f.nans > 0 ? theme.color(Role::Nan) : QColor());
    row(tr("+inf / −inf"), QStringLiteral("%1 / %2").arg(formatCount(f.positiveInfinities), formatCount(f.negativeInfinities)),
        f.positiveInfinities + f.negativeInfinities > 0 ? theme.color(Role::Warning) : QColor());
  }
  facts_->setText(QStringLiteral("<table cellspacing=\"0\" cellpadding=\"1\">%1</table>").arg(rows));
  fitFacts();
}

void TensorView::buildSliceBar() {
  for (QSpinBox* old : sliceBar_->findChildren<QSpinBox*>()) {
    sliceBar_->layout()->removeWidget(old);
    old->disconnect(this);
    discard(old);
  }
  sliceBar_->setVisible(slice_.shape().size() > 2);
  const QVector<int> axes = slice_.fixedAxes();
  for (qsizetype i = 0; i < std::min<qsizetype>(axes.size(), kMostSpins); ++i) {
    auto* spin = new QSpinBox(sliceBar_);
    spin->setRange(0, int(std::min<qint64>(slice_.shape()[axes[i]] - 1, INT_MAX)));
    spin->setValue(int(slice_.fixed(axes[i])));
    spin->setWrapping(true);
    spin->setToolTip(tr("Position on axis %1, of %2").arg(axes[i]).arg(slice_.shape()[axes[i]]));
    spin->setAccessibleName(tr("Position on axis %1").arg(axes[i]));
    connect(spin, &QSpinBox::valueChanged, this, [this, axis = axes[i]](int at) {
      slice_.setFixed(axis, at);
      showSlice();
    });
    sliceBar_->layout()->addWidget(spin);
  }
}

bool TensorView::setSliceText(const QString& text) {
  QString error;
  if (source_ && slice_.setText(text, &error)) {
    buildSliceBar();
    showSlice();
  }
  tell(sliceText_, error);
  return error.isEmpty();
}

bool TensorView::goTo(const QString& text) {
  QString error;
  qint64 row = 0, column = 0;
  if (source_ && slice_.goTo(text, &row, &column, &error)) {
    buildSliceBar();
    showSlice();
    markCell(row, column);
  }
  tell(goTo_, error);
  return error.isEmpty();
}

void TensorView::markCell(qint64 row, qint64 column) {
  map_->setMarked(row, column);
  if (look_ != Look::Table) return;
  const QModelIndex cell = model_->index(int(row), int(column));
  table_->setCurrentIndex(cell);
  table_->scrollTo(cell, QAbstractItemView::PositionAtCenter);
}

bool TensorView::setHighlight(const QString& text) {
  if (highlightText_->text() != text) {
    highlightText_->setText(text);
    return highlightText_->property("invalid").toBool() == false;
  }
  const auto test = highlightOf(text);
  highlight_ = test.value_or(nullptr);
  tell(highlightText_, !test && !text.trimmed().isEmpty() ? tr("Expected > 3, <= -1, |x| > 3, [-1, 1], nan or inf.") : QString());
  showSlice();
  return test.has_value() || text.trimmed().isEmpty();
}

void TensorView::setEditable(bool on, const QString& whyNot) {
  if (on != editable_) showEditError({});
  editable_ = on;
  whyNotEditable_ = whyNot;
  model_->setEditable(on);
}

void TensorView::showCellMenu(const QPoint& at) {
  const QModelIndex cell = table_->indexAt(at);
  if (!cell.isValid()) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  QAction* why = menu->addAction(tr("Why is this number what it is?"));
  why->setEnabled(whyNotAsked_.isEmpty());
  why->setToolTip(whyNotAsked_.isEmpty() ? tr("Follows it back to the data, the settings and earlier values") : whyNotAsked_);
  connect(why, &QAction::triggered, this, [this, positions = slice_.indices(cell.row(), cell.column())] { emit cellAsked(positions); });
  QAction* copy = menu->addAction(tr("Copy value"));
  connect(copy, &QAction::triggered, this, [text = model_->data(cell, Qt::EditRole).toString()] { QGuiApplication::clipboard()->setText(text); });
  menu->popup(table_->viewport()->mapToGlobal(at));
}

void TensorView::refuseEdit() {
  if (!editable_ && !whyNotEditable_.isEmpty()) showEditError(whyNotEditable_);
}

void TensorView::showEditError(const QString& error) {
  if (error.isEmpty() && !editFailed_) return;  // another field's error stays
  editFailed_ = !error.isEmpty();
  showError(error);
}

void TensorView::showError(const QString& error) {
  error_->setText(error);
  error_->setVisible(!error.isEmpty());
}

void TensorView::tell(QLineEdit* field, const QString& error) {
  field->setProperty("invalid", !error.isEmpty());
  field->style()->unpolish(field);
  field->style()->polish(field);
  showError(error);
}

void TensorView::retranslate() {
  const QString names[] = {tr("Table"), tr("Heat map"), tr("Image"), tr("Histogram"), tr("Curve")};
  const QString tips[] = {tr("The values as numbers"), tr("The values as colours"), tr("The values as grey levels"), tr("Frequency of the values"),
                          tr("Minimum, mean and maximum over the iterations of the loop")};
  for (int i = 0; i < 5; ++i) {
    looks_->button(i)->setText(names[i]);
    looks_->button(i)->setToolTip(tips[i]);
    looks_->button(i)->setAccessibleName(names[i]);
  }
  fitLooks();
  goTo_->setPlaceholderText(tr("go to [i, j]"));
  goTo_->setAccessibleName(tr("Go to position"));
  goTo_->setToolTip(tr("Goes to the cell at this position and marks it"));
  sliceLabel_->setText(tr("slice"));
  sliceText_->setAccessibleName(tr("Slice"));
  sliceText_->setToolTip(tr("One entry per axis; : for the one or two axes that are shown"));
  highlightText_->setPlaceholderText(tr("mark |x| > 3"));
  highlightText_->setAccessibleName(tr("Mark values"));
  highlightText_->setToolTip(tr("Marks cells whose value lies in a range: > 3, <= -1, |x| > 3, [-1, 1], nan, inf"));
  table_->setAccessibleName(tr("Values"));
  map_->setAccessibleName(tr("Values as colours"));
  histogram_->setAccessibleName(tr("Histogram of the values"));
  small_->setAccessibleName(tr("Histogram of the values"));
  curve_->setAccessibleName(tr("Values over iterations"));
  showFacts();
}

/// In a narrow dock the buttons use a smaller font instead of two lines.
void TensorView::fitLooks() {
  const auto widthIn = [this](const QFont& font, int padding) {
    int all = 0;
    for (const QAbstractButton* b : looks_->buttons()) all += QFontMetrics(font).horizontalAdvance(b->text()) + padding;
    return all;
  };
  const Theme& theme = Theme::current();
  const bool roomy = widthIn(theme.uiFont(), 18) <= width();
  const QFont font = roomy ? theme.uiFont() : theme.smallFont();
  for (QAbstractButton* b : looks_->buttons()) {
    const QString sheet = roomy ? QString() : QStringLiteral("QToolButton { padding: 0 2px; font-size: %1px; }").arg(theme.metrics().fontSmall);
    if (b->styleSheet() != sheet) b->setStyleSheet(sheet);
    b->setFixedWidth(QFontMetrics(font).horizontalAdvance(b->text()) + (roomy ? 18 : 10));
  }
}

void TensorView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitLooks();
}

void TensorView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) {
    retranslate();
    showSlice();
  }
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
