#include "views/files/tensor_together.h"

#include <QBoxLayout>
#include <QFileInfo>
#include <QLabel>
#include <QPointer>
#include <QStackedWidget>
#include <algorithm>
#include <cmath>
#include <memory>

#include "adapters/variable_excerpt.h"
#include "common/background.h"
#include "common/format.h"
#include "common/theme.h"
#include "document/checkpoint_graph.h"
#include "document/document.h"
#include "document/workspace.h"
#include "tensor_view/filter_mosaic.h"
#include "tensor_view/heat_map.h"
#include "tensor_view/value_plots.h"
#include "views/files/graph_excerpt.h"

namespace weft::app {
namespace {
constexpr int kAbreast = 720, kWithSide = 520;  // widths from which everything is side by side, or the statistics are beside the pictures
constexpr int kHistogramHeight = 112, kLeastMap = 96, kBand = 40, kSideWidth = 276, kSpaces = 76;
}  // namespace

TensorTogether::TensorTogether(FileTab* file, Workspace& workspace, QWidget* parent) : QScrollArea(parent), file_(file), workspace_(workspace) {
  setObjectName(QStringLiteral("tensor_together"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);  // otherwise height and width would depend on each other
  auto* inset = new QWidget;
  root_ = new QBoxLayout(QBoxLayout::LeftToRight, inset);
  root_->setContentsMargins(12, 0, 12, 8);
  root_->setSpacing(16);
  pictures_ = new QBoxLayout(QBoxLayout::LeftToRight);
  pictures_->setSpacing(16);
  values_ = makePicture(inset);
  difference_ = makePicture(inset);
  difference_.box->setObjectName(QStringLiteral("kernel_difference"));
  root_->addLayout(pictures_, 6);
  side_ = new QWidget(inset);
  side_->setObjectName(QStringLiteral("kernel_histogram"));
  auto* column = new QVBoxLayout(side_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  const auto title = [&](QLabel*& label) {
    label = new QLabel(side_);
    label->setProperty("kind", QStringLiteral("muted"));
    label->setMinimumWidth(1);
    label->setTextFormat(Qt::RichText);
    column->addWidget(label);
  };
  title(histogramTitle_);
  histogram_ = new widgets::ValueHistogram(side_);
  histogram_->setFixedHeight(kHistogramHeight);
  column->addWidget(histogram_);
  graphPart_ = new QWidget(side_);
  column->addWidget(graphPart_);
  column->addSpacing(4);
  figures_ = new QLabel(side_);
  figures_->setObjectName(QStringLiteral("tensor_figures"));
  figures_->setTextFormat(Qt::RichText);
  figures_->setMinimumWidth(1);
  column->addWidget(figures_);
  auto* graph = new QVBoxLayout(graphPart_);
  graph->setContentsMargins(0, 0, 0, 0);
  graph->setSpacing(4);
  graphTitle_ = new QLabel(graphPart_);
  graphTitle_->setProperty("kind", QStringLiteral("muted"));
  graphTitle_->setMinimumWidth(1);
  excerpt_ = new GraphExcerpt(graphPart_);
  graphText_ = new QLabel(graphPart_);
  graphText_->setWordWrap(true);
  graphText_->setProperty("kind", QStringLiteral("muted"));
  graphText_->setTextFormat(Qt::PlainText);
  for (QWidget* w : std::initializer_list<QWidget*>{graphTitle_, excerpt_, graphText_}) graph->addWidget(w);
  column->addStretch(1);
  root_->addWidget(side_);
  setWidget(inset);
  graphPart_->hide();
  isCheckpoint_ = file->contents()->kind == QLatin1String("checkpoint");
  if (!isCheckpoint_) return;  // arrays do not belong to a graph
  CheckpointGraph& held = CheckpointGraph::of(*file, workspace);
  connect(&held, &CheckpointGraph::changed, this, &TensorTogether::showExcerpt);
  // The checkpoint may be compared with the graph on the canvas, which can change.
  connect(&workspace, &Workspace::contentsChanged, this, &TensorTogether::showExcerpt);
  connect(excerpt_, &GraphExcerpt::chosen, this, [this](const QString& node) {
    Document* document = CheckpointGraph::of(*file_, workspace_).document();
    const QString path = CheckpointGraph::of(*file_, workspace_).path();
    if (document) {
      workspace_.setCurrent(document);
      if (document->hasNode(node)) document->requestSelection({node});
      return;
    }
    if (!path.isEmpty()) workspace_.open(path);
  });
}

bool TensorTogether::fits(const widgets::TensorSource& source) { return source.facts().isNumeric && source.facts().elements > 1 && !source.shape().isEmpty(); }

TensorTogether::Picture TensorTogether::makePicture(QWidget* parent) {
  Picture out;
  out.box = new QWidget(parent);
  auto* column = new QVBoxLayout(out.box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  out.title = new QLabel(out.box);
  out.title->setProperty("kind", QStringLiteral("muted"));
  out.title->setMinimumWidth(1);
  out.title->setTextFormat(Qt::PlainText);
  column->addWidget(out.title);
  out.stack = new QStackedWidget(out.box);
  out.mosaic = new widgets::FilterMosaic(out.stack);
  out.map = new widgets::HeatMap(out.stack);
  out.stack->addWidget(out.mosaic);
  out.stack->addWidget(out.map);
  column->addWidget(out.stack, 1);
  pictures_->addWidget(out.box, 1);
  return out;
}

void TensorTogether::fill(const Picture& picture, const TensorSourcePtr& source, const QString& title) {
  picture.title->setText(title);
  picture.title->setToolTip(title);
  if (widgets::FilterMosaic::fits(*source)) {
    picture.mosaic->setSource(source);
    picture.mosaic->setAccessibleName(title + u' ' + picture.mosaic->description());
    picture.mosaic->setAccessibleDescription(picture.mosaic->explanation());
    picture.stack->setMinimumHeight(0);
    picture.stack->setMaximumHeight(QWIDGETSIZE_MAX);
    picture.stack->setCurrentWidget(picture.mosaic);
    return;
  }
  picture.mosaic->setSource(nullptr);  // it would keep the page at its size
  const widgets::TensorSlice slice(source->shape());
  picture.map->setContent(source, slice, widgets::HeatMap::Look::Map, {});
  picture.map->setAccessibleName(title);
  const bool band = slice.rows() == 1;
  picture.stack->setMinimumHeight(band ? kBand : kLeastMap);
  picture.stack->setMaximumHeight(band ? kBand : QWIDGETSIZE_MAX);
  picture.stack->setCurrentWidget(picture.map);
}

void TensorTogether::show(bool there) {
  const TensorSourcePtr &here = file_->values(), &other = file_->otherValues(), &difference = file_->difference();
  const TensorSourcePtr& shown = there && other ? other : here;
  const QString otherName = file_->comparison() ? QFileInfo(file_->comparison()->otherPath).fileName() : QString();
  const QString name = there && other ? otherName : file_->title();
  const bool sliced = !widgets::FilterMosaic::fits(*shown) && shown->shape().size() > 2;
  fill(values_, shown, sliced ? tr("%1, slice %2").arg(name, widgets::TensorSlice(shown->shape()).text()) : name);
  const bool differs = difference && difference->facts().elements > 1;
  difference_.box->setVisible(differs);
  if (differs) {
    const double most = std::max(std::abs(difference->facts().min), std::abs(difference->facts().max));
    fill(difference_, difference, tr("Difference, %1 minus %2").arg(otherName, file_->title()) + QStringLiteral(" · ±") + widgets::formatValue(most, 3));
  }
  const widgets::TensorFacts* second = other && fits(*other) ? &other->facts() : nullptr;
  histogram_->setFacts(here->facts());
  histogram_->setOther(second ? std::optional(*second) : std::nullopt);
  histogram_->setAccessibleName(tr("Histogram of the values"));
  const widgets::Theme& theme = widgets::Theme::current();
  QString head = tr("All %1 elements").arg(widgets::formatCount(here->facts().elements));
  if (second)
    head += QStringLiteral("<br><span style='color:%1'>■</span> %2 &nbsp; <span style='color:%3'>━</span> %4")
                .arg(theme.color(widgets::Role::Accent).name(), file_->title().toHtmlEscaped(), theme.color(widgets::Role::Warning).name(),
                     otherName.toHtmlEscaped());
  histogramTitle_->setText(head);
  showFigures(here->facts(), second);
  showExcerpt();
  arrange();
}

void TensorTogether::showFigures(const widgets::TensorFacts& here, const widgets::TensorFacts* other) {
  const widgets::Theme& theme = widgets::Theme::current();
  const QString muted = theme.color(widgets::Role::Text2).name(), mono = theme.monoSmallFont().family();
  QString html = QStringLiteral("<table width='100%' cellspacing='0' cellpadding='1'>");
  const auto cell = [&](const QString& text) {
    return QStringLiteral("<td align='right' style='font-family:\"%1\"; font-size:%2px'>%3</td>")
        .arg(mono)
        .arg(theme.metrics().fontMonoSmall)
        .arg(text.toHtmlEscaped());
  };
  const auto row = [&](const QString& word, const QString& a, const QString& b) {
    html +=
        QStringLiteral("<tr><td style='color:%1'>%2</td>").arg(muted, word.toHtmlEscaped()) + cell(a) + (other ? cell(b) : QString()) + QStringLiteral("</tr>");
  };
  const auto value = [&](const QString& word, double widgets::TensorFacts::*field) {
    row(word, widgets::formatValue(here.*field), other ? widgets::formatValue(other->*field) : QString());
  };
  const auto count = [&](const QString& word, qint64 a, qint64 b) { row(word, widgets::formatCount(a), widgets::formatCount(b)); };
  if (other) row({}, tr("here"), tr("there"));
  value(tr("mean"), &widgets::TensorFacts::mean);
  value(tr("std"), &widgets::TensorFacts::std);
  value(tr("min"), &widgets::TensorFacts::min);
  value(tr("max"), &widgets::TensorFacts::max);
  count(tr("zeros"), here.zeros, other ? other->zeros : 0);
  const auto odd = [](const widgets::TensorFacts& f) { return f.nans + f.positiveInfinities + f.negativeInfinities; };
  if (odd(here) > 0 || (other && odd(*other) > 0)) count(tr("NaN and infinite"), odd(here), other ? odd(*other) : 0);
  const int index = file_->selection();
  if (other && file_->comparison() && index >= 0 && index < file_->comparison()->changes.size()) {
    const TensorChange& change = file_->comparison()->changes[index];
    if (change.kind == TensorChange::Kind::Changed) {
      row(tr("change ‖Δ‖/‖W‖"), {}, widgets::formatValue(change.relative, 3));
      row(tr("cosine"), {}, widgets::formatValue(change.cosine));
    }
  }
  figures_->setText(html + QStringLiteral("</table>"));
}

/// Shows the graph around the variable, if the compared graph has it.
void TensorTogether::showExcerpt() {
  const int index = file_->selection(), asked = ++asked_;
  const GraphContentsPtr graph = index >= 0 && isCheckpoint_ ? CheckpointGraph::of(*file_, workspace_).graph() : nullptr;
  if (!graph) return graphPart_->hide();
  const QString name = file_->tensors()->entries()[index].name;
  auto made = std::make_shared<VariableExcerpt>();
  widgets::inBackground(
      this, [graph, name, made] { *made = excerptOf(*graph, name); },
      [this, asked, made] {
        if (asked != asked_) return;
        graphPart_->setVisible(!made->chain.isEmpty());
        if (made->chain.isEmpty()) return;
        graphTitle_->setText(tr("In %1").arg(CheckpointGraph::of(*file_, workspace_).title()));
        excerpt_->setExcerpt(*made);
        QStringList titles;
        for (const ExcerptNode& node : std::as_const(made->chain)) titles << node.title;
        excerpt_->setAccessibleName(tr("The graph around the variable: %1").arg(titles.join(QStringLiteral(" → "))));
        QStringList sentences;
        sentences << (made->chain.size() < 2         ? tr("No op reads it.")
                      : made->otherReaders.isEmpty() ? tr("%1 reads it.").arg(made->chain[1].title)
                                                     : tr("%1 reads it, and %n more.", nullptr, int(made->otherReaders.size())).arg(made->chain[1].title));
        if (!made->optimizer.isEmpty()) sentences << tr("%1 updates it in each step.").arg(made->optimizer);
        graphText_->setText(widgets::joinSentences(sentences));
        graphText_->setToolTip(made->otherReaders.mid(0, 12).join(u'\n'));
      });
}

void TensorTogether::arrange() {
  const int room = width();
  const bool beside = room >= kWithSide;
  root_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  if (beside) side_->setFixedWidth(kSideWidth);
  else side_->setMinimumWidth(0), side_->setMaximumWidth(QWIDGETSIZE_MAX);
  // Pictures too wide to be side by side are stacked.
  const int widest = std::max(values_.mosaic->minimumWidth(), difference_.mosaic->minimumWidth());
  const bool abreast = room >= kAbreast && 2 * widest + kSideWidth + kSpaces <= room;
  pictures_->setDirection(abreast ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void TensorTogether::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  arrange();
}

}  // namespace weft::app
