#include "views/evaluation/sample_list.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"

namespace weft::app {
namespace {

using widgets::Role;
using widgets::Theme;

constexpr int kCellWidth = 84, kCellHeight = 104, kPicture = 60;

}  // namespace

QSize sampleSize(const QVector<int>& shape) {
  if (shape.size() == 1) {
    const int side = int(std::lround(std::sqrt(double(std::max(0, shape[0])))));
    return side > 1 && side * side == shape[0] ? QSize(side, side) : QSize(0, 0);
  }
  const bool image = shape.size() == 2 || (shape.size() == 3 && (shape[2] == 1 || shape[2] == 3));
  return image && shape[0] > 0 && shape[1] > 0 ? QSize(shape[1], shape[0]) : QSize(0, 0);
}

QImage sampleImage(const QVector<float>& values, const QVector<int>& shape) {
  const QSize size = sampleSize(shape);
  const int channels = shape.size() == 3 ? shape[2] : 1;
  if (size.isEmpty() || values.size() != qsizetype(size.width()) * size.height() * channels) return {};
  float least = 0, most = 1;
  for (const float v : values) {
    if (std::isfinite(v)) least = std::min(least, v), most = std::max(most, v);
  }
  QImage image(size, QImage::Format_RGB32);
  const auto level = [&](float v) { return std::isfinite(v) ? int(std::lround(255 * (v - least) / (most - least))) : 0; };
  for (int y = 0; y < size.height(); ++y) {
    for (int x = 0; x < size.width(); ++x) {
      const float* p = values.constData() + (qsizetype(y) * size.width() + x) * channels;
      image.setPixel(x, y, channels == 3 ? qRgb(level(p[0]), level(p[1]), level(p[2])) : qRgb(level(*p), level(*p), level(*p)));
    }
  }
  return image;
}

SampleList::SampleList(QWidget* parent) : QWidget(parent) {}

void SampleList::setReport(const ClassReport& report) {
  samples_ = report.worst;
  images_.clear();
  for (const ClassReport::Sample& sample : samples_) images_ << sampleImage(sample.values, report.sampleShape);
  setCell(-1, -1);
}

void SampleList::setCell(int label, int predicted) {
  label_ = label;
  predicted_ = predicted;
  shown_.clear();
  for (int i = 0; i < int(samples_.size()); ++i) {
    if (label < 0 || (samples_[i].label == label && samples_[i].predicted == predicted)) shown_ << i;
  }
  QStringList words;
  for (const int i : std::as_const(shown_)) words << tr("%1 taken for %2").arg(samples_[i].label).arg(samples_[i].predicted);
  setAccessibleDescription(words.mid(0, 20).join(QStringLiteral(", ")));
  arrange();
  update();
}

int SampleList::columns() const { return std::max(1, width() / kCellWidth); }

void SampleList::arrange() {
  const int rows = (int(shown_.size()) + columns() - 1) / columns();
  setMinimumHeight(std::max(1, rows) * kCellHeight);
}

void SampleList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void SampleList::paintEvent(QPaintEvent* event) {
  const Theme& theme = Theme::current();
  QPainter painter(this);
  painter.setFont(theme.smallFont());
  for (int i = 0; i < int(shown_.size()); ++i) {
    const QRect cell(i % columns() * kCellWidth, i / columns() * kCellHeight, kCellWidth, kCellHeight);
    if (!cell.intersects(event->rect())) continue;
    const ClassReport::Sample& sample = samples_[shown_[i]];
    const QImage& image = images_[shown_[i]];
    const QRect picture(cell.left() + (kCellWidth - kPicture) / 2, cell.top() + 4, kPicture, kPicture);
    painter.fillRect(picture, theme.color(Role::Surface3));
    if (!image.isNull()) painter.drawImage(picture, image);
    else painter.drawText(picture, Qt::AlignCenter | Qt::TextWordWrap, tr("sample %1").arg(sample.row));
    const bool right = sample.label == sample.predicted;
    painter.setPen(theme.color(right ? Role::Text1 : Role::Error));
    painter.drawText(QRect(cell.left(), picture.bottom() + 2, kCellWidth, 18), Qt::AlignCenter,
                     right ? tr("%1, correct").arg(sample.label) : QStringLiteral("%1 → %2").arg(sample.label).arg(sample.predicted));
    painter.setPen(theme.color(Role::Text3));
    painter.drawText(QRect(cell.left(), picture.bottom() + 18, kCellWidth, 16), Qt::AlignCenter,
                     QStringLiteral("%1 %").arg(sample.labelProbability * 100, 0, 'f', 1));
  }
  if (shown_.isEmpty()) {
    painter.setPen(theme.color(Role::Text3));
    painter.drawText(rect().adjusted(0, 8, -8, -8), Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap,
                     label_ < 0             ? tr("Samples appear here after an evaluation.")
                     : label_ == predicted_ ? tr("Correct samples are not listed among the worst.")
                                            : tr("No sample of class %1 was predicted as %2.").arg(label_).arg(predicted_));
  }
}

bool SampleList::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int column = help->pos().x() / kCellWidth, i = help->pos().y() / kCellHeight * columns() + column;
    if (column < columns() && i >= 0 && i < int(shown_.size())) {
      const ClassReport::Sample& s = samples_[shown_[i]];
      QToolTip::showText(help->globalPos(), tr("test sample %1: actual %2 (%3 %), predicted %4 (%5 %), loss %6")
                                                .arg(s.row)
                                                .arg(s.label)
                                                .arg(s.labelProbability * 100, 0, 'f', 1)
                                                .arg(s.predicted)
                                                .arg(s.probability * 100, 0, 'f', 1)
                                                .arg(widgets::formatValue(s.loss)));
      return true;
    }
  }
  return QWidget::event(event);
}

}  // namespace weft::app
