#include "views/files/tensor_detail.h"

#include <QButtonGroup>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "common/empty_state.h"
#include "common/format.h"
#include "common/theme.h"
#include "document/file_tab.h"
#include "shell/action_registry.h"
#include "tensor_view/filter_mosaic.h"
#include "tensor_view/tensor_view.h"
#include "views/files/tensor_media.h"
#include "views/files/tensor_together.h"

namespace weft::app {

TensorDetail::TensorDetail(FileTab* file, ActionRegistry& actions, Workspace& workspace, QWidget* parent) : QWidget(parent), file_(file) {
  setObjectName(QStringLiteral("tensor_detail"));
  name_ = new QLabel(this);
  name_->setTextFormat(Qt::PlainText);
  name_->setMinimumWidth(1);
  descriptionLabel_ = new QLabel(this);
  descriptionLabel_->setProperty("kind", QStringLiteral("muted"));
  descriptionLabel_->setMinimumWidth(1);
  descriptionLabel_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  descriptionLabel_->installEventFilter(this);
  group_ = new QButtonGroup(this);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(12, 6, 12, 6);
  row->setSpacing(8);
  row->addWidget(name_);
  row->addWidget(descriptionLabel_, 1);
  for (int i = 0; i < 3; ++i) {
    buttons_[i] = new QToolButton(this);
    buttons_[i]->setCheckable(true);
    group_->addButton(buttons_[i], i);
    row->addWidget(buttons_[i]);
  }
  buttons_[0]->setChecked(true);
  asMedia_ = new QToolButton(this);
  asMedia_->setObjectName(QStringLiteral("show_media"));
  asMedia_->setCheckable(true);
  asMedia_->setChecked(true);
  row->addWidget(asMedia_);
  filters_ = new QToolButton(this);
  filters_->setObjectName(QStringLiteral("show_filters"));
  filters_->setCheckable(true);
  filters_->setChecked(true);
  row->addWidget(filters_);
  export_ = new QToolButton(this);
  export_->setDefaultAction(actions.action(QStringLiteral("inspect.export")));
  export_->setToolButtonStyle(Qt::ToolButtonIconOnly);
  row->addWidget(export_);
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("histogram"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  view_ = new widgets::TensorView(page);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(12, 0, 12, 8);
  column->addWidget(view_);
  page_ = page;
  together_ = new TensorTogether(file, workspace, stack_);
  stack_->addWidget(empty_);
  stack_->addWidget(page_);
  stack_->addWidget(together_);
  media_ = new TensorMedia(stack_);
  stack_->addWidget(media_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(row);
  layout->addWidget(stack_, 1);
  connect(asMedia_, &QToolButton::toggled, this, &TensorDetail::refill);
  connect(filters_, &QToolButton::toggled, this, &TensorDetail::refill);
  connect(group_, &QButtonGroup::idClicked, this, [this](int id) { show(Which(id)); });
  connect(file_, &FileTab::valuesChanged, this, &TensorDetail::refill);
  connect(file_, &FileTab::comparisonChanged, this, &TensorDetail::retranslate);
  retranslate();
}

void TensorDetail::show(Which which) {
  which_ = which;
  buttons_[int(which)]->setChecked(true);
  refill();
}

void TensorDetail::showFilters(bool show) {
  asMedia_->setChecked(false);
  filters_->setChecked(show);
}

void TensorDetail::showMedia(bool show) { asMedia_->setChecked(show); }

bool TensorDetail::hasFilters() const { return !filters_->isHidden() && widgets::FilterMosaic::fits(*file_->values()); }

void TensorDetail::refill() {
  const int index = file_->selection();
  const bool compared = file_->otherValues() != nullptr;
  for (int i = 0; i < 3; ++i) buttons_[i]->setVisible(compared);
  export_->setVisible(index >= 0);
  name_->setVisible(index >= 0);
  descriptionLabel_->setVisible(index >= 0);
  asMedia_->setVisible(index >= 0 && file_->values() && mediaLookOf(*file_->contents(), file_->tensors()->entries()[index]) != MediaLook::None);
  if (asMedia_->isHidden() || !asMedia_->isChecked()) media_->show(file_->contents(), MediaLook::None, nullptr);
  filters_->setVisible(index >= 0 && file_->values() && TensorTogether::fits(*file_->values()));
  if (index < 0) {
    empty_->setTitle(tr("Nothing is selected"));
    empty_->setText(file_->holdsVariables() ? tr("Choose a variable above to see its values as a table, a heat map and a histogram.")
                                            : tr("Choose an array above to see its values as a table, a heat map and a histogram."));
    stack_->setCurrentWidget(empty_);
    return;
  }
  const TensorEntry& e = file_->tensors()->entries()[index];
  name_->setFont(widgets::Theme::current().monoFont());
  name_->setText(e.name);
  descriptionLabel_->setToolTip({});
  description_ = e.dtype + u' ' + widgets::formatShape(e.shape) + (e.bytes < 0 ? QString() : QStringLiteral(" · ") + widgets::formatBytes(e.bytes));
  if (!e.origin.isEmpty()) description_ += QStringLiteral(" · ") + e.origin;
  showDescription();
  if (!file_->values()) {
    const bool failed = !file_->valuesError().isEmpty();
    empty_->setTitle(failed ? tr("The values cannot be read") : tr("Reading the values"));
    empty_->setText(file_->valuesError());
    stack_->setCurrentWidget(empty_);
    return;
  }
  const Which which = compared && (which_ != Which::Difference || file_->difference()) ? which_ : Which::Here;
  const TensorSourcePtr& shown = which == Which::Here ? file_->values() : which == Which::There ? file_->otherValues() : file_->difference();
  if (showAsMedia(shown)) return;
  const bool together = filters_->isChecked() && TensorTogether::fits(*shown);
  if (together) {
    together_->show(which == Which::There);
    // The difference is shown beside the values, so it needs no button.
    buttons_[int(Which::Difference)]->setVisible(compared && !file_->difference());
    if (which == Which::Difference) buttons_[int(Which::Here)]->setChecked(true);
    if (widgets::FilterMosaic::fits(*shown)) {
      descriptionLabel_->setToolTip(together_->mosaic()->description() + u'\n' + together_->mosaic()->explanation());
      description_ += QStringLiteral(" · ") + together_->mosaic()->description();
      showDescription();
    }
  } else {
    view_->setSource(shown);
    // Pixels are shown as a picture, until the user chooses another look.
    const bool pixels = e.dtype == QLatin1String("uint8") && e.shape.size() >= 3 && (e.shape.last() == 1 || e.shape.last() == 3 || e.shape.last() == 4);
    if (pixels && lookedAt_ != index) view_->setLook(widgets::TensorView::Look::Picture);
    else if (!pixels && lookedAt_ != index && view_->look() == widgets::TensorView::Look::Picture) view_->setLook(widgets::TensorView::Look::Map);
    lookedAt_ = index;
  }
  stack_->setCurrentWidget(together ? static_cast<QWidget*>(together_) : page_);
}

/// Shows pictures or a sound, if these values are and the user has not chosen their numbers. Differences are numbers.
bool TensorDetail::showAsMedia(const TensorSourcePtr& shown) {
  const MediaLook look = mediaLookOf(*file_->contents(), file_->tensors()->entries()[file_->selection()]);
  if (look == MediaLook::None || !asMedia_->isChecked() || shown == file_->difference()) return false;
  asMedia_->setText(look == MediaLook::Sound ? tr("Sound") : tr("Images"));
  asMedia_->setToolTip(look == MediaLook::Sound ? tr("Shows the samples as a waveform; otherwise as values")
                                                : tr("Shows the pixels as pictures; otherwise as values"));
  asMedia_->setAccessibleName(asMedia_->text());
  filters_->hide();
  media_->show(file_->contents(), look, shown);
  stack_->setCurrentWidget(media_);
  return true;
}

/// Elides the text at its end.
void TensorDetail::showDescription() {
  descriptionLabel_->setText(descriptionLabel_->fontMetrics().elidedText(description_, Qt::ElideRight, descriptionLabel_->width()));
}

bool TensorDetail::eventFilter(QObject* watched, QEvent* event) {
  if (watched == descriptionLabel_ && event->type() == QEvent::Resize) showDescription();
  return QWidget::eventFilter(watched, event);
}

void TensorDetail::retranslate() {
  const QString other = file_->comparison() ? QFileInfo(file_->comparison()->otherPath).fileName() : QString();
  const QString texts[] = {tr("Here"), tr("There"), tr("Difference")};
  const QString tips[] = {tr("The values of %1").arg(file_->title()), tr("The values of %1").arg(other), tr("%1 minus %2").arg(other, file_->title())};
  for (int i = 0; i < 3; ++i) {
    buttons_[i]->setText(texts[i]);
    buttons_[i]->setToolTip(tips[i]);
    buttons_[i]->setAccessibleName(tips[i]);
  }
  filters_->setText(tr("Together"));
  filters_->setToolTip(tr("Shows values as images, their difference, histogram and place in the graph on one page; otherwise the numbers"));
  filters_->setAccessibleName(tr("All on one page"));
  together_->setAccessibleName(tr("All on one page"));
  refill();
}

void TensorDetail::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace weft::app
