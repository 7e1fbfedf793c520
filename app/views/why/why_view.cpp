#include "views/why/why_view.h"

#include <QComboBox>
#include <QCompleter>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QStringListModel>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <cmath>

#include "common/empty_state.h"
#include "common/format.h"
#include "document/document.h"
#include "document/why_store.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

constexpr int kMostSteps = 1 << 30;
enum Tab { kPartsTab, kRowsTab, kEarlierTab };

}  // namespace

WhyView::WhyView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), store_(WhyStore::of(context.workspace)) {
  setProperty("helpPage", QStringLiteral("why"));
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("help"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(8, 6, 8, 6);
  column->setSpacing(6);
  column->addWidget(makeBar(page));

  pages_ = new QStackedWidget(page);
  splitter_ = new QSplitter(Qt::Horizontal, pages_);
  path_ = new PathTable(splitter_);
  more_ = new QTabWidget(splitter_);
  more_->setDocumentMode(true);
  const auto addPage = [this](QLabel*& word, QWidget* table) {
    auto* inside = new QWidget(more_);
    auto* box = new QVBoxLayout(inside);
    box->setContentsMargins(0, 4, 0, 0);
    box->setSpacing(4);
    word = new QLabel(inside);
    word->setWordWrap(true);
    word->setTextFormat(Qt::PlainText);
    word->setTextInteractionFlags(Qt::TextSelectableByMouse);
    word->setMinimumWidth(1);
    word->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    box->addWidget(word);
    box->addWidget(table, 1);
    more_->addTab(inside, {});
  };
  parts_ = new PartTable(more_);
  rows_ = new RowTable(more_);
  earlier_ = new EarlierValues(more_);
  addPage(sentence_, parts_);
  addPage(rowsWord_, rows_);
  more_->addTab(earlier_, {});
  splitter_->addWidget(path_);
  splitter_->addWidget(more_);
  splitter_->setChildrenCollapsible(false);
  splitter_->setStretchFactor(0, 5);
  splitter_->setStretchFactor(1, 6);
  difference_ = new DifferenceTable(pages_);
  pages_->addWidget(splitter_);
  pages_->addWidget(difference_);
  column->addWidget(pages_, 1);
  state_ = new QLabel(page);
  state_->setProperty("kind", "muted");
  state_->setTextFormat(Qt::PlainText);
  state_->setMinimumWidth(1);
  column->addWidget(state_);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);

  connect(&store_, &WhyStore::changed, this, &WhyView::refill);
  connect(&store_, &WhyStore::asked, this, [this](bool comparison) { kinds_->setCurrentIndex(comparison ? 1 : 0); });
  connect(&store_, &WhyStore::rangeChanged, this, &WhyView::updateRange);
  connect(&store_, &WhyStore::othersChanged, this, &WhyView::fillOthers);
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] { run(QStringLiteral("run.train"), {}); });
  connect(path_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) { showLink(item ? path_->indexOfTopLevelItem(item) : -1); });
  connect(path_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
    const int link = path_->indexOfTopLevelItem(item);
    if (link < store_.path().links.size() && context_.shell.canvas()) context_.shell.canvas()->selectNames({store_.path().links[link].self.node()});
  });
  connect(parts_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
    const int part = parts_->indexOfTopLevelItem(item);
    if (!hasPart(link_, part) || !context_.shell.canvas()) return;
    context_.shell.canvas()->selectNames({store_.path().links[link_].parts[part].node()});
  });
  connect(parts_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    const int part = parts_->indexOfTopLevelItem(item);
    if (hasPart(link_, part)) run(QStringLiteral("why.follow"), {QString::number(link_ + 1), QString::number(part + 1)});
  });
  connect(path_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    // The end of a path: a variable, whose last change is a path of its own.
    const int link = path_->indexOfTopLevelItem(item);
    if (link < 0 || link + 1 != store_.path().links.size() || store_.path().links[link].self.kind != WhyPart::Kind::Variable) return;
    run(QStringLiteral("why.ask"), {store_.path().links[link].self.text(), QString::number(store_.path().links[link].self.step)});
  });
  connect(difference_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
    const int at = difference_->indexOfTopLevelItem(item);
    if (at < store_.difference().tensors.size() && context_.shell.canvas())
      context_.shell.canvas()->selectNames({store_.difference().tensors[at].tensor.section(u':', 0, 0)});
  });
  connect(more_, &QTabWidget::currentChanged, this, &WhyView::askRows);
  connect(&context_.workspace, &Workspace::currentSelectionChanged, this, &WhyView::offerNames);
  connect(&context_.workspace, &Workspace::currentChanged, this, [this] {
    offerNames();
    if (isVisible()) fillOthers();
    light();
  });
  retranslate();
  updateRange();
  refill();
}

/// While an answer is computed, the tables may show an earlier one.
bool WhyView::hasPart(int link, int part) const {
  const QVector<WhyLink>& links = store_.path().links;
  return link >= 0 && link < links.size() && part >= 0 && part < links[link].parts.size();
}

QWidget* WhyView::makeBar(QWidget* parent) {
  auto* bar = new QWidget(parent);
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  kinds_ = new QTabBar(bar);
  kinds_->setDrawBase(false);
  kinds_->setExpanding(false);
  kinds_->setUsesScrollButtons(false);
  kinds_->addTab({});
  kinds_->addTab({});
  layout->addWidget(kinds_);
  const auto spin = [](QWidget* owner) {
    auto* box = new QSpinBox(owner);
    box->setRange(1, 1);
    box->setMinimumWidth(72);
    return box;
  };
  askBar_ = new QWidget(bar);
  auto* asks = new QHBoxLayout(askBar_);
  asks->setContentsMargins(0, 0, 0, 0);
  asks->setSpacing(6);
  element_ = new QLineEdit(askBar_);
  element_->setClearButtonEnabled(true);
  element_->setMinimumWidth(120);
  auto* completer = new QCompleter(new QStringListModel(this), this);
  completer->setFilterMode(Qt::MatchContains);
  completer->setCaseSensitivity(Qt::CaseInsensitive);
  element_->setCompleter(completer);
  stepWord_ = new QLabel(askBar_);
  step_ = spin(askBar_);
  ask_ = new QPushButton(askBar_);
  asks->addWidget(element_, 1);
  asks->addWidget(stepWord_);
  asks->addWidget(step_);
  asks->addWidget(ask_);
  compareBar_ = makeCompareBar(bar);
  compareBar_->hide();
  layout->addWidget(askBar_, 1);
  layout->addWidget(compareBar_, 1);
  connect(kinds_, &QTabBar::currentChanged, this, [this](int kind) {
    askBar_->setVisible(kind == 0);
    compareBar_->setVisible(kind == 1);
    pages_->setCurrentIndex(kind);
    light();
    refill();
  });
  connect(element_, &QLineEdit::returnPressed, this, &WhyView::ask);
  connect(element_, &QLineEdit::textEdited, this, [this] { named_ = true; });
  connect(ask_, &QPushButton::clicked, this, &WhyView::ask);
  connect(compare_, &QPushButton::clicked, this, &WhyView::compare);
  return bar;
}

void WhyView::run(const QString& id, const QStringList& words) {
  const CommandResult result = context_.actions.run(id, words);
  if (!result.ok) emit context_.actions.failed(result.message);
}

void WhyView::ask() {
  if (!element_->text().trimmed().isEmpty()) run(QStringLiteral("why.ask"), {element_->text().trimmed(), QString::number(step_->value())});
}

void WhyView::updateRange() {
  if (!isVisible()) return;
  const QString whyNot = store_.whyNot();
  stack_->setCurrentIndex(whyNot.isEmpty() ? 1 : 0);
  if (!whyNot.isEmpty()) {
    empty_->setText(whyNot + QStringLiteral("\n") +
                    tr("While a graph trains, its last steps are recorded. Any number in them can then be followed back to the data."));
    return;
  }
  const WhyRange range = store_.range();
  const auto set = [&](QSpinBox* box, bool last) {
    const bool atEnd = last && box->value() == box->maximum();
    box->setRange(int(std::min<qint64>(range.first, kMostSteps)), int(std::min<qint64>(range.last, kMostSteps)));
    if (atEnd) box->setValue(box->maximum());
  };
  set(step_, true);
  set(second_, true);
  first_->setMaximum(second_->maximum());
  showKind();
  state_->setToolTip(tr("Steps %1 to %2 are recorded, with %n copies of the variables (%3)", nullptr, int(range.copies))
                         .arg(range.first)
                         .arg(range.last)
                         .arg(widgets::formatBytes(range.bytes)));
}

/// The selected node's name stands in the field until the user writes another one.
void WhyView::offerNames() {
  const Document* document = context_.workspace.current();
  if (!document || !isVisible()) return;
  if (named_ && !element_->text().isEmpty()) return;
  named_ = false;
  const QStringList selected = document->selection();
  if (selected.size() == 1 && document->hasNode(selected[0])) element_->setText(selected[0]);
}

void WhyView::refill() {
  const WhyPath& path = store_.path();
  const bool compares = kinds_->currentIndex() == 1;
  if (!store_.isBusy() && !compares) {
    if (!path.links.isEmpty()) {
      element_->setText(store_.question());
      named_ = true;
      step_->setValue(int(path.links.first().self.step));
    }
    const int keep = link_;
    path_->setLinks(path.links);
    link_ = -1;
    if (path.links.isEmpty()) showLink(-1);
    else path_->setCurrentItem(path_->topLevelItem(std::clamp(keep, 0, int(path.links.size()) - 1)));
    earlier_->setValues(path.history);
    showRows();
    light();
  }
  const WhyDifference& d = store_.difference();
  if (compares && !store_.isBusy()) {
    difference_->setDifference(d, !store_.otherTitle().isEmpty());
    if (const int shown = with_->findText(store_.otherTitle()); shown > 0) with_->setCurrentIndex(shown);
    if (d.secondStep > 0 && store_.otherTitle().isEmpty()) {
      updateRange();
      first_->setValue(int(d.firstStep));
      second_->setValue(int(d.secondStep));
    }
    light();
  }
  if (store_.isBusy()) state_->setText(tr("Steps are computed again…"));
  else if (!store_.error().isEmpty()) state_->setText(store_.error());
  else if (compares && (d.secondStep > 0 || d.same)) state_->setText(differenceText());
  else if (!compares && !path.links.isEmpty()) state_->setText(tr("Answered in %1").arg(widgets::formatSeconds(store_.seconds())));
  else
    state_->setText(compares ? tr("Two steps of this training, or a step of two trainings, value by value.")
                             : tr("Name a tensor or a variable, such as fc1/weights[3,5]."));
  updateRange();
}

void WhyView::showLink(int link) {
  if (link == link_ && link >= 0) return;
  link_ = link;
  if (link < 0 || link >= store_.path().links.size()) {
    sentence_->clear();
    parts_->clear();
    return;
  }
  const WhyLink& shown = store_.path().links[link];
  const QString name = shown.self.text().replace(u'/', QStringLiteral("/\u200B"));
  const QString what = shown.self.whole ? tr("%1, %2.").arg(name, momentOf(shown.self))
                                        : tr("%1 = %2, %3.").arg(name, widgets::formatValue(shown.self.value, 6), momentOf(shown.self));
  sentence_->setText(widgets::joinSentences({what, sentenceOf(shown)}));
  parts_->setLink(shown);
  if (path_->hasFocus() && context_.shell.canvas()) context_.shell.canvas()->selectNames({shown.self.node()});
}

void WhyView::showRows() {
  const WhyRows& rows = store_.rows();
  rows_->setRows(rows);
  if (!rows.error.isEmpty()) rowsWord_->setText(rows.error);
  else if (rows.rows.isEmpty()) rowsWord_->setText(tr("What each row of the batch contributes."));
  else switch (rows.kind) {
      case WhyRows::Kind::One: rowsWord_->setText(tr("It depends on one row of the batch.")); break;
      case WhyRows::Kind::Mean: rowsWord_->setText(tr("%1 is the mean of what each row gives alone.").arg(rows.tensor)); break;
      case WhyRows::Kind::Sum: rowsWord_->setText(tr("%1 is the sum of what each row gives alone.").arg(rows.tensor)); break;
      case WhyRows::Kind::Together: rowsWord_->setText(tr("Rows act on each other in %1, so that their contributions are not known.").arg(rows.tensor)); break;
    }
  askRows();
}

/// Rows are computed when they are looked at.
void WhyView::askRows() {
  if (!isVisible() || more_->currentIndex() != kRowsTab || store_.isBusy() || store_.path().links.isEmpty() || !store_.rows().rows.isEmpty() ||
      !store_.rows().error.isEmpty())
    return;
  if (!store_.error().isEmpty() || !store_.whyNot().isEmpty()) return;
  QMetaObject::invokeMethod(
      &store_,
      [store = &store_] {
        if (!store->isBusy() && store->whyNot().isEmpty()) store->askRows();
      },
      Qt::QueuedConnection);
}

/// Lights the path, or the way of a difference between trainings, on the canvas while this dock shows it.
void WhyView::light() {
  widgets::GraphView* canvas = context_.shell.canvas();
  const Document* document = context_.workspace.current();
  if (!canvas || !document) return;
  QVector<widgets::Item> items;
  const auto add = [&](const QString& name) {
    if (const int node = document->nodeIndex(name); node >= 0) items << widgets::Item::node(node);
  };
  if (isVisible() && context_.workspace.runs().document() == document) {
    if (kinds_->currentIndex() == 0)
      for (const WhyLink& link : store_.path().links) add(link.self.node());
    // The way of the difference: what caused it, and all that it reached.
    else if (!store_.otherTitle().isEmpty())
      for (const WhyDiffering& t : store_.difference().tensors) add(t.tensor.section(u':', 0, 0));
  }
  if (items.isEmpty() && !lit_) return;
  lit_ = !items.isEmpty();
  canvas->setHighlight(items);
}

void WhyView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  updateRange();
  offerNames();
  light();
  askRows();
  fillNames();
  fillOthers();
}

/// Names that the field completes. Of a larger graph, listing them would take longer than a handler may.
void WhyView::fillNames() {
  constexpr qsizetype kMostNames = 20000;
  const Document* document = context_.workspace.current();
  auto* names = qobject_cast<QStringListModel*>(element_->completer()->model());
  if (!document || !names || document->contents() == completed_) return;
  completed_ = document->contents();
  QStringList all = completed_->arrays.nodeIndex.size() <= kMostNames ? completed_->arrays.nodeIndex.keys() : QStringList();
  all.sort();
  names->setStringList(all);
}

void WhyView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  light();
}

QString WhyView::report() const { return reportOf(store_); }

void WhyView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    retranslate();
    refill();
  }
  QWidget::changeEvent(event);
}

void WhyView::retranslate() {
  empty_->setTitle(tr("Why is this number what it is?"));
  empty_->setButton(tr("Train"), QStringLiteral("play"));
  kinds_->setTabText(0, tr("Why"));
  kinds_->setTabText(1, tr("Difference"));
  kinds_->setAccessibleName(tr("Question"));
  element_->setPlaceholderText(tr("Tensor or variable, such as fc1/weights[3,5]"));
  element_->setAccessibleName(tr("Element"));
  element_->setToolTip(tr("An element of a tensor or variable; without an index, its largest element"));
  stepWord_->setText(tr("in step"));
  for (QSpinBox* box : {step_, first_, second_}) box->setToolTip(tr("A recorded step of the training"));
  step_->setAccessibleName(tr("Step"));
  first_->setAccessibleName(tr("First step"));
  second_->setAccessibleName(tr("Second step"));
  ask_->setText(tr("Ask"));
  ask_->setToolTip(tr("Follows the number back to the data"));
  with_->setAccessibleName(tr("What to compare with"));
  with_->setToolTip(tr("Another step, an earlier training, this training with another setting, or a training of another document"));
  setting_->setAccessibleName(tr("Setting"));
  setting_->setToolTip(tr("The setting, live scalar or tensor that is changed"));
  value_->setAccessibleName(tr("Value of the setting"));
  value_->setToolTip(tr("Its value in the other training, which is computed for the comparison; nothing is saved"));
  compareWord_->setText(tr("Step"));
  withWord_->setText(tr("and step"));
  compare_->setText(tr("Compare"));
  compare_->setToolTip(tr("Computes both steps again and compares all their values"));
  fillOthers();
  more_->setAccessibleName(tr("Answer"));
  sentence_->setAccessibleName(tr("Computed from"));
  rowsWord_->setAccessibleName(tr("Rows of data"));
  more_->setTabText(kPartsTab, tr("Computed from"));
  more_->setTabText(kRowsTab, tr("Rows of data"));
  more_->setTabText(kEarlierTab, tr("Earlier values"));
  path_->retranslate();
  parts_->retranslate();
  rows_->retranslate();
  difference_->retranslate();
}

const ViewRecord whyView = {"why",
                            QT_TRANSLATE_NOOP("Views", "Why"),
                            QT_TRANSLATE_NOOP("Views", "Where a number of a training comes from"),
                            "help",
                            Qt::BottomDockWidgetArea,
                            "debug",
                            [](const ViewContext& context, QWidget* parent) -> QWidget* { return new WhyView(context, parent); }};

}  // namespace weft::app
