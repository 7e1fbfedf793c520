#include "main_window/shuffle_window.h"

#include <QComboBox>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "common/format.h"
#include "common/theme.h"

namespace weft::app {

using widgets::Role;

ShufflePlot::ShufflePlot(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Order of the elements"));
  setToolTip(tr(
      "Each point is an element: its input position horizontally, its output position vertically. A diagonal means no shuffling, a uniform cloud a perfect shuffle."));
}

void ShufflePlot::setOrder(const QVector<int>& order, int batch) {
  order_ = order;
  batch_ = std::max(1, batch);
  update();
}

void ShufflePlot::paintEvent(QPaintEvent*) {
  const widgets::Theme& theme = widgets::Theme::current();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), theme.color(Role::Surface0));
  painter.setFont(theme.smallFont());
  const int text = painter.fontMetrics().height();
  const QRectF area(text + 12, 8, width() - text - 20, height() - text - 20);
  painter.setPen(theme.color(Role::Text2));
  painter.drawText(QRectF(area.left(), area.bottom() + 4, area.width(), text + 4), Qt::AlignCenter, tr("position in"));
  painter.save();
  painter.translate(6, area.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-area.height() / 2, 0, area.height(), text + 2), Qt::AlignCenter, tr("position out"));
  painter.restore();
  painter.setPen(QPen(theme.color(Role::Border), 1));
  painter.drawRect(area);
  if (order_.isEmpty()) return;
  const double n = double(order_.size());
  if (n / batch_ <= 60) {  // lines between batches
    painter.setPen(QPen(theme.color(Role::Grid), 1));
    for (double i = batch_; i < n; i += batch_)
      painter.drawLine(QPointF(area.left(), area.bottom() - i / n * area.height()), QPointF(area.right(), area.bottom() - i / n * area.height()));
  }
  painter.setPen(QPen(theme.color(Role::BorderStrong), 1, Qt::DashLine));
  painter.drawLine(area.bottomLeft(), area.topRight());
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.color(Role::Accent));
  const double r = n > 2000 ? 1 : n > 300 ? 1.6 : 2.6;
  const qsizetype step = std::max<qsizetype>(1, order_.size() / 6000);
  for (qsizetype i = 0; i < order_.size(); i += step)
    painter.drawEllipse(QPointF(area.left() + (order_[i] + 0.5) / n * area.width(), area.bottom() - (double(i) + 0.5) / n * area.height()), r, r);
}

void ShufflePlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) update();
  QWidget::changeEvent(event);
}

ShuffleWindow::ShuffleWindow(QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("shuffle_window"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Shuffle quality"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(16, 14, 16, 14);
  row->setSpacing(16);
  auto* left = new QVBoxLayout;
  form_ = new QFormLayout;
  kind_ = new QComboBox(this);
  kind_->addItem(QStringLiteral("tf.train.shuffle_batch"));
  kind_->addItem(QStringLiteral("Dataset.shuffle"));
  form_->addRow(tr("&Kind"), kind_);
  const auto number = [&](const QString& label, const QString& tip, int least, int most) {
    auto* box = new QSpinBox(this);
    box->setRange(least, most);
    box->setGroupSeparatorShown(true);
    box->setToolTip(tip);
    form_->addRow(label, box);
    connect(box, &QSpinBox::valueChanged, this, &ShuffleWindow::compute);
    return box;
  };
  elements_ = number(tr("&Elements"), tr("Number of elements in the data"), 1, 200'000);
  capacity_ = number(QStringLiteral("capacity"), tr("Maximum number of elements in the queue"), 1, 200'000);
  least_ = number(QStringLiteral("min_after_dequeue"), tr("Minimum number of elements left after a dequeue: larger values mix better but take longer to start"),
                  0, 200'000);
  buffer_ = number(QStringLiteral("buffer_size"), tr("Number of elements in the shuffle buffer"), 1, 200'000);
  batch_ = number(QStringLiteral("batch_size"), tr("Elements per batch"), 1, 100'000);
  seed_ = number(QStringLiteral("seed"), tr("A different seed gives a different order"), 0, 1'000'000'000);
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("shuffle_words"));
  words_->setWordWrap(true);
  words_->setFixedWidth(280);
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  left->addLayout(form_);
  left->addSpacing(8);
  left->addWidget(words_);
  left->addStretch(1);
  plot_ = new ShufflePlot(this);
  row->addLayout(left);
  row->addWidget(plot_, 1);
  connect(kind_, &QComboBox::currentIndexChanged, this, &ShuffleWindow::compute);
  setSetup({});
}

void ShuffleWindow::setSetup(const ShuffleSetup& setup) {
  const QSignalBlocker quiet[] = {QSignalBlocker(kind_),   QSignalBlocker(elements_), QSignalBlocker(capacity_), QSignalBlocker(least_),
                                  QSignalBlocker(buffer_), QSignalBlocker(batch_),    QSignalBlocker(seed_)};
  kind_->setCurrentIndex(setup.kind == ShuffleSetup::Kind::Dataset ? 1 : 0);
  elements_->setValue(setup.elements);
  capacity_->setValue(setup.capacity);
  least_->setValue(setup.minAfterDequeue);
  buffer_->setValue(setup.buffer);
  batch_->setValue(setup.batch);
  seed_->setValue(int(setup.seed));
  compute();
}

ShuffleSetup ShuffleWindow::setup() const {
  return {kind_->currentIndex() == 1 ? ShuffleSetup::Kind::Dataset : ShuffleSetup::Kind::Queue,
          elements_->value(),
          capacity_->value(),
          least_->value(),
          buffer_->value(),
          batch_->value(),
          seed_->value()};
}

void ShuffleWindow::compute() {
  const ShuffleSetup s = setup();
  const bool queue = s.kind == ShuffleSetup::Kind::Queue;
  for (QSpinBox* box : {capacity_, least_, buffer_}) {
    const bool shown = (box == buffer_) != queue;
    box->setVisible(shown);
    form_->labelForField(box)->setVisible(shown);
  }
  order_ = shuffleOrder(s);
  plot_->setOrder(order_.order, s.batch);
  words_->setText(words());
}

QString ShuffleWindow::words() const {
  const ShuffleSetup s = setup();
  if (!s.problem().isEmpty()) return s.problem();
  const double mixed = std::clamp(order_.meanShift, 0.0, 1.0);
  QStringList lines;
  lines << (mixed > 0.9   ? tr("Well mixed: elements move %1 % as far as in a perfect shuffle.")
            : mixed > 0.4 ? tr("Partly mixed: elements move %1 % as far as in a perfect shuffle.")
                          : tr("Poorly mixed: elements move %1 % as far as in a perfect shuffle. If the data is sorted by class, batches are unbalanced."))
               .arg(mixed * 100, 0, 'f', 0);
  lines << tr("Correlation of input and output positions: %1 (1: not shuffled, 0: perfect).").arg(widgets::formatValue(order_.correlation, 2));
  lines << tr("No element comes out more than %1 positions early.").arg(order_.earliest);
  lines << tr("The first batch waits for %n element(s).", nullptr, order_.waitForFirst);
  if (s.kind == ShuffleSetup::Kind::Queue && s.capacity < s.minAfterDequeue + 3 * s.batch)
    lines << tr("A typical capacity is min_after_dequeue + 3 × batch: %1. With less, readers often wait for training.").arg(s.minAfterDequeue + 3 * s.batch);
  return lines.join(QStringLiteral("\n\n"));
}

}  // namespace weft::app
