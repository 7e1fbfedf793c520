#include "main_window/run_progress.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QProgressBar>
#include <algorithm>

#include "common/card_texts.h"
#include "common/format.h"
#include "common/progress.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/workspace.h"

namespace weft::app {
namespace {
constexpr int kBarHeight = 4, kLineHeight = 15, kLeftShare = 45;  // percent of the width

/// Small words on the left, or small right-aligned numbers.
class SmallText : public widgets::StableWidthLabel {
 public:
  SmallText(Kind kind, QWidget* parent) : StableWidthLabel(kind, parent), isNumber_(kind == Kind::Mono) {}

 protected:
  void paintEvent(QPaintEvent*) override {
    const widgets::Theme& theme = widgets::Theme::current();
    const QFont font = isNumber_ ? theme.monoSmallFont() : theme.smallFont();
    QPainter painter(this);
    painter.setFont(font);
    painter.setPen(theme.color(widgets::Role::Text1));
    const QString shown = isNumber_ ? text() : QFontMetricsF(font).elidedText(text(), Qt::ElideRight, width());
    painter.drawText(rect(), (isNumber_ ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter | Qt::TextSingleLine, shown);
  }

 private:
  bool isNumber_;
};

}  // namespace

RunProgressBox::RunProgressBox(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
  using Kind = widgets::StableWidthLabel::Kind;
  epoch_ = new SmallText(Kind::Plain, this);
  time_ = new SmallText(Kind::Mono, this);
  steps_ = new SmallText(Kind::Plain, this);
  rate_ = new SmallText(Kind::Mono, this);
  bar_ = new QProgressBar(this);
  bar_->setTextVisible(false);
  bar_->setFixedHeight(kBarHeight);
  bar_->setStyleSheet(QStringLiteral("QProgressBar { min-height: %1px; max-height: %1px; }").arg(kBarHeight));
  connect(&workspace.runs(), &RunController::progressChanged, this, &RunProgressBox::refresh);
  connect(&workspace.runs(), &RunController::stateChanged, this, &RunProgressBox::refresh);
  refresh();
}

void RunProgressBox::refresh() {
  const RunController& runs = workspace_.runs();
  const RunProgress& p = runs.progress();
  const Document* front = workspace_.currentFile() ? nullptr : workspace_.current();
  const bool ours = runs.document() && runs.document() == front;
  // A present run is shown whatever its document; an ended one only with its own document.
  const bool shown = runs.state() != RunController::State::Idle && (runs.isActive() || ours);
  for (QWidget* w : std::initializer_list<QWidget*>{epoch_, time_, steps_, rate_, bar_}) w->setVisible(shown);
  if (!shown) return;
  QString place = runs.currentRun() ? runs.currentRun()->name : QString();
  if (p.totalEpochs > 0) {
    const int total = int(p.totalEpochs + 0.5);
    place = tr("epoch %1 / %2").arg(std::min(int(p.epoch) + 1, total)).arg(total);
  }
  epoch_->setText(ours || !runs.currentRun() ? place : tr("%1: %2").arg(runs.currentRun()->document, place));
  const QString server = waitsFor();
  if (!server.isEmpty()) epoch_->setText(tr("Waiting for %1…").arg(server));
  for (QWidget* w : std::initializer_list<QWidget*>{time_, steps_, rate_}) w->setVisible(server.isEmpty());
  QString time = widgets::formatClock(p.elapsed), state;
  if (runs.state() == RunController::State::Running && p.left >= 0) state = tr("%1 left").arg(widgets::formatClock(p.left));
  if (runs.state() == RunController::State::Paused) state = tr("paused");
  if (!runs.isActive() && runs.currentRun()) state = endWord(runs.currentRun()->end);
  if (!state.isEmpty()) time += QStringLiteral(" · ") + state;
  time_->setText(time);
  steps_->setText(p.totalSteps > 0 ? QStringLiteral("%1 / %2").arg(widgets::formatCount(p.step), widgets::formatCount(p.totalSteps))
                                   : widgets::formatCount(p.step));
  rate_->setText(p.samplesPerSecond > 0 ? tr("%1 samples/s").arg(widgets::formatCountShort(qint64(p.samplesPerSecond))) : QString());
  widgets::showProgress(bar_, p.totalSteps > 0 ? double(p.step) / double(p.totalSteps) : 0);
  const QString tip = server.isEmpty() ? QStringList{epoch_->text(), steps_->text(), rate_->text(), time_->text()}.join(QStringLiteral("  ")) : epoch_->text();
  if (toolTip() != tip) setToolTip(tip);
  arrange();
}

void RunProgressBox::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

QString RunProgressBox::waitsFor() const { return workspace_.debugger().holdsTraining() ? QString() : workspace_.runs().waitsFor(); }

void RunProgressBox::arrange() {
  // Beside the server's name there are no numbers yet.
  const int left = waitsFor().isEmpty() ? width() * kLeftShare / 100 : width(), top = (height() - 2 * kLineHeight - kBarHeight) / 2;
  epoch_->setGeometry(0, top, left, kLineHeight);
  time_->setGeometry(left, top, width() - left, kLineHeight);
  steps_->setGeometry(0, top + kLineHeight, left, kLineHeight);
  rate_->setGeometry(left, top + kLineHeight, width() - left, kLineHeight);
  bar_->setGeometry(0, top + 2 * kLineHeight, width(), kBarHeight);
}

}  // namespace weft::app
