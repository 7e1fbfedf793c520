#include "views/projector/projector_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPixmap>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "common/format.h"
#include "common/theme.h"

namespace weft::app {
namespace {

constexpr int kMostListed = 200, kSwatch = 10, kRowRole = Qt::UserRole;
enum Field { kSource, kMethod, kDimensions, kPerplexity, kNeighbors, kDistance, kSteps, kMetric, kColumn };

QIcon swatch(const QColor& color) {
  QPixmap dot(kSwatch, kSwatch);
  dot.fill(color);
  QIcon icon(dot);
  icon.addPixmap(dot, QIcon::Selected);
  return icon;
}

QTreeWidget* makeList(QWidget* parent, const char* name) {
  auto* list = new QTreeWidget(parent);
  list->setObjectName(QLatin1String(name));
  list->setRootIsDecorated(false);
  list->setUniformRowHeights(true);
  list->setFrameShape(QFrame::NoFrame);
  list->setHeaderHidden(true);
  return list;
}

}  // namespace

ProjectorChoices::ProjectorChoices(QWidget* parent) : QWidget(parent) {
  const auto combo = [this](const char* name) {
    auto* box = new QComboBox(this);
    box->setObjectName(QLatin1String(name));
    box->setMinimumContentsLength(6);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    return box;
  };
  source_ = combo("projector_source");
  method_ = combo("projector_method");
  dimensions_ = combo("projector_dimensions");
  metric_ = combo("projector_metric");
  column_ = combo("projector_color");
  method_->addItems({QStringLiteral("PCA"), QStringLiteral("t-SNE"), QStringLiteral("UMAP")});
  dimensions_->addItems({QStringLiteral("2"), QStringLiteral("3")});
  perplexity_ = new QDoubleSpinBox(this);
  perplexity_->setObjectName(QStringLiteral("projector_perplexity"));
  perplexity_->setRange(1, 1000);
  perplexity_->setDecimals(1);
  distance_ = new QDoubleSpinBox(this);
  distance_->setRange(0, 1);
  distance_->setSingleStep(0.05);
  neighbors_ = new QSpinBox(this);
  neighbors_->setRange(2, 1000);
  steps_ = new QSpinBox(this);
  steps_->setRange(0, 100000);
  steps_->setSingleStep(50);
  run_ = new QPushButton(this);
  run_->setObjectName(QStringLiteral("projector_run"));
  follow_ = new QCheckBox(this);
  follow_->setObjectName(QStringLiteral("projector_follow"));
  state_ = new QLabel(this);
  state_->setObjectName(QStringLiteral("projector_state"));
  state_->setProperty("kind", QStringLiteral("muted"));
  state_->setWordWrap(true);
  state_->setTextFormat(Qt::PlainText);
  search_ = new QLineEdit(this);
  search_->setObjectName(QStringLiteral("projector_search"));
  search_->setClearButtonEnabled(true);
  legend_ = makeList(this, "projector_legend");
  legend_->setColumnCount(2);
  legend_->header()->setStretchLastSection(false);
  legend_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  legend_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  form_ = new QFormLayout;
  form_->setHorizontalSpacing(8);
  form_->setVerticalSpacing(4);
  QWidget* const fields[] = {source_, method_, dimensions_, perplexity_, neighbors_, distance_, steps_, metric_, column_};
  for (int i = 0; i < kColumn; ++i) {
    names_[i] = new QLabel(this);
    names_[i]->setBuddy(fields[i]);
    form_->addRow(names_[i], fields[i]);
  }
  names_[kColumn] = new QLabel(this);
  names_[kColumn]->setBuddy(column_);
  auto* colors = new QFormLayout;
  colors->setHorizontalSpacing(8);
  colors->addRow(names_[kColumn], column_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->setSpacing(6);
  layout->addLayout(form_);
  layout->addWidget(run_);
  layout->addWidget(follow_);
  layout->addWidget(state_);
  layout->addLayout(colors);
  layout->addWidget(search_);
  layout->addWidget(legend_, 1);
  legend_->setMinimumHeight(120);
  setMinimumWidth(216);
  connect(source_, &QComboBox::activated, this, [this](int i) {
    if (i >= 0 && i < sources_.size()) emit sourceChosen(sources_[i]);
  });
  for (QComboBox* box : {method_, dimensions_, metric_}) connect(box, &QComboBox::currentIndexChanged, this, &ProjectorChoices::readOptions);
  for (QDoubleSpinBox* box : {perplexity_, distance_}) connect(box, &QDoubleSpinBox::valueChanged, this, &ProjectorChoices::readOptions);
  for (QSpinBox* box : {neighbors_, steps_}) connect(box, &QSpinBox::valueChanged, this, &ProjectorChoices::readOptions);
  connect(run_, &QPushButton::clicked, this, [this] { running_ ? emit stopWanted() : emit runWanted(); });
  connect(follow_, &QCheckBox::clicked, this, &ProjectorChoices::followsChosen);
  connect(column_, &QComboBox::activated, this, [this](int i) { emit columnChosen(i - 1); });
  connect(search_, &QLineEdit::returnPressed, this, [this] { emit searched(search_->text()); });
  connect(legend_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
    if (item->data(0, kRowRole).isValid()) emit groupChosen(item->data(0, kRowRole).toString());
  });
  retranslate();
  showOptions();
}

void ProjectorChoices::setSources(const QVector<ProjectorSource>& sources, const ProjectorSource& shown) {
  if (sources == sources_ && source_->count() > 0 && sources.indexOf(shown) == source_->currentIndex()) return;
  const QSignalBlocker quiet(source_);
  sources_ = sources;
  source_->clear();
  for (const ProjectorSource& s : sources) {
    source_->addItem(s.isOutput ? tr("%1 (test samples)").arg(s.tensor) : s.path.isEmpty() ? tr("%1 (training)").arg(s.tensor) : s.tensor);
    source_->setItemData(source_->count() - 1, s.path.isEmpty() ? s.tensor : s.tensor + u'\n' + s.path, Qt::ToolTipRole);
  }
  source_->setCurrentIndex(int(sources.indexOf(shown)));
  source_->setToolTip(shown.tensor);
}

void ProjectorChoices::setColumns(const QStringList& columns, int current) {
  const QSignalBlocker quiet(column_);
  column_->clear();
  column_->addItem(tr("none"));
  column_->addItems(columns);
  column_->setCurrentIndex(current + 1);
  column_->setEnabled(!columns.isEmpty());
}

void ProjectorChoices::setHues(const LabelHues& hues, const std::function<QColor(int)>& colorOf) {
  legend_->clear();
  const auto add = [this](const QString& text, const QString& count, const QColor& color) {
    auto* item = new QTreeWidgetItem(legend_, {text, count});
    item->setIcon(0, swatch(color));
    item->setToolTip(0, text);
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    return item;
  };
  if (hues.isRamp) {
    for (int k = 0; k <= 4; ++k) add(widgets::formatValue(hues.low + (hues.high - hues.low) * k / 4), {}, colorOf(k * 255 / 4));
    return;
  }
  for (const LabelHues::Group& g : hues.groups) {
    auto* item = add(g.label.isEmpty() ? tr("(empty)") : g.label, widgets::formatCount(g.count), colorOf(g.hue));
    item->setData(0, kRowRole, g.label);
  }
  if (hues.words > hues.groups.size()) new QTreeWidgetItem(legend_, {tr("%n more", nullptr, hues.words - int(hues.groups.size()))});
}

void ProjectorChoices::setRunning(bool running, const QString& state) {
  running_ = running;
  run_->setText(running ? tr("Stop") : tr("Project"));
  state_->setText(state);
}

void ProjectorChoices::setFollows(bool canFollow, bool follows) {
  follow_->setVisible(canFollow);
  follow_->setChecked(follows);
}

void ProjectorChoices::setOptions(const ProjectionOptions& options) {
  options_ = options;
  showOptions();
}

void ProjectorChoices::showOptions() {
  filling_ = true;
  method_->setCurrentIndex(int(options_.method));
  dimensions_->setCurrentIndex(options_.dimensions - 2);
  metric_->setCurrentIndex(options_.cosine ? 1 : 0);
  perplexity_->setValue(options_.perplexity);
  neighbors_->setValue(options_.neighbors);
  distance_->setValue(options_.minimumDistance);
  steps_->setValue(options_.steps);
  filling_ = false;
  using Method = ProjectionOptions::Method;
  const bool tsne = options_.method == Method::Tsne, umap = options_.method == Method::Umap;
  const std::pair<Field, bool> shown[] = {{kPerplexity, tsne}, {kNeighbors, umap}, {kDistance, umap}, {kSteps, tsne || umap}, {kMetric, tsne || umap}};
  QWidget* const fields[] = {source_, method_, dimensions_, perplexity_, neighbors_, distance_, steps_, metric_};
  for (const auto& [field, visible] : shown) {
    names_[field]->setVisible(visible);
    fields[field]->setVisible(visible);
  }
}

void ProjectorChoices::readOptions() {
  if (filling_) return;
  options_.method = ProjectionOptions::Method(std::max(0, method_->currentIndex()));
  options_.dimensions = std::max(0, dimensions_->currentIndex()) + 2;
  options_.cosine = metric_->currentIndex() == 1;
  options_.perplexity = perplexity_->value();
  options_.neighbors = neighbors_->value();
  options_.minimumDistance = distance_->value();
  options_.steps = steps_->value();
  showOptions();
  emit optionsChanged();
}

void ProjectorChoices::retranslate() {
  const QString texts[] = {tr("Points"),   tr("Method"), tr("Dimensions"), tr("Perplexity"), tr("Neighbours"),
                           tr("Distance"), tr("Steps"),  tr("Metric"),     tr("Colour")};
  for (int i = 0; i <= kColumn; ++i) names_[i]->setText(texts[i]);
  source_->setAccessibleName(texts[kSource]);
  method_->setAccessibleName(texts[kMethod]);
  perplexity_->setToolTip(tr("About how many neighbours count for a point"));
  neighbors_->setToolTip(tr("How many neighbours count for a point"));
  distance_->setToolTip(tr("How near points may come to one another"));
  steps_->setSpecialValueText(tr("automatic"));
  filling_ = true;
  metric_->clear();
  metric_->addItems({tr("Euclidean"), tr("cosine")});
  filling_ = false;
  if (column_->count() > 0) column_->setItemText(0, tr("none"));
  run_->setText(running_ ? tr("Stop") : tr("Project"));
  follow_->setText(tr("Follow the training"));
  follow_->setToolTip(tr("Projects again at each evaluation, from the present positions"));
  search_->setPlaceholderText(tr("Search labels, #row"));
  search_->setAccessibleName(tr("Search labels"));
  legend_->setAccessibleName(tr("Legend"));
  showOptions();
}

void ProjectorChoices::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

ProjectorSelection::ProjectorSelection(QWidget* parent) : QWidget(parent) {
  title_ = new QLabel(this);
  title_->setProperty("kind", QStringLiteral("heading"));
  picture_ = new QLabel(this);
  about_ = new QLabel(this);
  about_->setObjectName(QStringLiteral("projector_about"));
  about_->setWordWrap(true);
  about_->setTextFormat(Qt::PlainText);
  cell_ = new QPushButton(this);
  cell_->setObjectName(QStringLiteral("projector_cell"));
  selected_ = makeList(this, "projector_selected");
  neighborsTitle_ = new QLabel(this);
  neighborsTitle_->setProperty("kind", QStringLiteral("heading"));
  metric_ = new QComboBox(this);
  metric_->setObjectName(QStringLiteral("projector_neighbor_metric"));
  neighbors_ = makeList(this, "projector_neighbors");
  for (QTreeWidget* list : {selected_, neighbors_}) {
    list->setColumnCount(2);
    list->header()->setStretchLastSection(false);
    list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    connect(list, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
      if (item->data(0, kRowRole).isValid()) emit rowChosen(item->data(0, kRowRole).toInt());
    });
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->setSpacing(6);
  for (QWidget* widget : std::initializer_list<QWidget*>{title_, picture_, about_, cell_}) layout->addWidget(widget);
  layout->addWidget(selected_, 1);
  layout->addWidget(neighborsTitle_);
  layout->addWidget(metric_);
  layout->addWidget(neighbors_, 2);
  selected_->setMinimumHeight(60);
  neighbors_->setMinimumHeight(120);
  setMinimumWidth(170);
  connect(metric_, &QComboBox::activated, this, &ProjectorSelection::metricChanged);
  connect(cell_, &QPushButton::clicked, this, [this] {
    if (points_ && current_ >= 0 && current_ < points_->actual.size()) emit cellWanted(points_->actual[current_], points_->predicted[current_]);
  });
  retranslate();
}

bool ProjectorSelection::usesCosine() const { return metric_->currentIndex() == 1; }
void ProjectorSelection::setCosine(bool cosine) { metric_->setCurrentIndex(cosine ? 1 : 0); }

void ProjectorSelection::setSelection(const ProjectedPointsPtr& points, const std::vector<int32_t>& rows, int current) {
  points_ = points;
  current_ = current;
  count_ = qsizetype(rows.size());
  QVector<PointNeighbor> listed;
  for (size_t i = 0; i < std::min(rows.size(), size_t(kMostListed)); ++i) listed << PointNeighbor{rows[i], 0};
  fill(selected_, listed, false);
  const QImage picture = points && current >= 0 ? points->pictureOf(current) : QImage();
  picture_->setVisible(!picture.isNull());
  if (!picture.isNull())
    picture_->setPixmap(
        QPixmap::fromImage(picture.scaled(72, 72, Qt::KeepAspectRatio, picture.height() < 72 ? Qt::FastTransformation : Qt::SmoothTransformation)));
  cell_->setVisible(points && current >= 0 && current < points->actual.size());
  if (current < 0) setNeighbors({}, {});
  retranslate();
}

void ProjectorSelection::fill(QTreeWidget* list, const QVector<PointNeighbor>& rows, bool withDistance) {
  list->clear();
  for (const PointNeighbor& n : rows) {
    const QString number = QStringLiteral("#%1").arg(n.row), label = points_ && !points_->labels.isEmpty() ? points_->label(n.row, 0) : number;
    auto* item = new QTreeWidgetItem(list, {label, withDistance ? widgets::formatValue(n.distance) : label == number ? QString() : number});
    item->setData(0, kRowRole, n.row);
    item->setToolTip(0, points_ ? points_->text(n.row) + u'\n' + number : number);
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setFont(1, widgets::Theme::current().monoSmallFont());
  }
}

void ProjectorSelection::setNeighbors(const QVector<PointNeighbor>& neighbors, const QString& error) {
  fill(neighbors_, neighbors, true);
  if (!error.isEmpty()) new QTreeWidgetItem(neighbors_, {error});
}

void ProjectorSelection::retranslate() {
  title_->setText(count_ == 0 ? tr("Nothing selected") : tr("%n point(s) selected", nullptr, int(count_)));
  QStringList lines;
  if (points_ && current_ >= 0) {
    lines << tr("Row %1").arg(current_);
    for (int c = 0; c < points_->labelColumns.size(); ++c) lines << points_->labelColumns[c] + QStringLiteral(": ") + points_->label(current_, c);
  } else {
    lines << tr("Click a point, or drag with Ctrl to select a rectangle, with Ctrl and Shift for a lasso.");
  }
  about_->setText(lines.join(u'\n'));
  cell_->setText(tr("Confusion matrix"));
  cell_->setToolTip(tr("Shows the cell of this sample in the confusion matrix"));
  neighborsTitle_->setText(tr("Nearest in all columns"));
  const int metric = std::max(0, metric_->currentIndex());
  const QSignalBlocker quiet(metric_);
  metric_->clear();
  metric_->addItems({tr("Euclidean"), tr("cosine")});
  metric_->setCurrentIndex(metric);
  metric_->setAccessibleName(tr("Metric"));
  selected_->setAccessibleName(tr("Selected points"));
  neighbors_->setAccessibleName(tr("Nearest points"));
}

void ProjectorSelection::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace weft::app
