#include "views/profile/devices_page.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "adapters/device_comparison.h"
#include "common/empty_state.h"
#include "common/format.h"
#include "common/name_delegate.h"
#include "document/profile_store.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "views/profile/profile_table.h"

namespace weft::app {
namespace {

constexpr int kTimeWidth = 170, kFastestWidth = 150;
constexpr int kLeastHeight = 40;
constexpr double kAlike = 1.1;       // times within this factor are shown as alike
constexpr double kTiny = 1 / 1000.;  // of a step: too short to compare
constexpr int kNodes = Qt::UserRole + 20;

QString passWord(PassPart::Way way) {
  switch (way) {
    case PassPart::Way::Forward: return QStringLiteral("forward");
    case PassPart::Way::Backward: return QStringLiteral("backward");
    case PassPart::Way::Update: break;
  }
  return QStringLiteral("updates");
}

}  // namespace

DevicesPage::DevicesPage(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), store_(ProfileStore::of(context.workspace)) {
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("layers"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  advice_ = new QLabel(page);
  advice_->setWordWrap(true);
  about_ = new QLabel(page);
  about_->setProperty("kind", QStringLiteral("muted"));
  again_ = new QPushButton(page);
  table_ = new QTreeWidget(page);
  table_->setObjectName(QStringLiteral("devices_table"));
  table_->setUniformRowHeights(true);
  table_->setAllColumnsShowFocus(true);
  table_->setMinimumHeight(kLeastHeight);
  table_->header()->setStretchLastSection(false);
  table_->header()->setMinimumSectionSize(48);
  widgets::elideNames(table_);
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(advice_);
  words->addWidget(about_);
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(12, 6, 8, 6);
  bar->addLayout(words, 1);
  bar->addWidget(again_, 0, Qt::AlignTop);
  auto* inside = new QVBoxLayout(page);
  inside->setContentsMargins(0, 0, 0, 0);
  inside->setSpacing(0);
  inside->addLayout(bar);
  inside->addWidget(table_, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);

  connect(empty_, &widgets::EmptyState::buttonClicked, this, &DevicesPage::measure);
  connect(again_, &QPushButton::clicked, this, &DevicesPage::measure);
  connect(&store_, &ProfileStore::devicesCompared, this, &DevicesPage::refill);
  connect(table_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    const QStringList nodes = item ? item->data(0, kNodes).toStringList() : QStringList();
    Document* document = context_.workspace.current();
    QStringList known;
    for (const QString& node : nodes)
      if (document && document->hasNode(node)) known << node;
    if (!known.isEmpty()) document->setSelection(known);
  });
  retranslate();
  refill();
}

void DevicesPage::measure() {
  const CommandResult result = context_.actions.run(QStringLiteral("profile.compare-devices"));
  if (!result.ok) emit context_.actions.failed(result.message);
}

void DevicesPage::refill() {
  const DeviceComparisonPtr& shown = store_.devices();
  stack_->setCurrentIndex(shown ? 1 : 0);
  table_->clear();
  if (!shown) return;
  advice_->setText(shown->advice);
  QStringList names{tr("layer")};
  QStringList about{shown->document, tr("median of %n step(s) on each device", nullptr, int(shown->steps))};
  for (const DeviceComparison::Device& d : shown->devices) {
    names << d.name;
    if (!d.description.isEmpty()) about << QStringLiteral("%1: %2").arg(d.name, d.description);
  }
  names << tr("fastest");
  about_->setText(about.join(QStringLiteral(" · ")));
  const int devices = int(shown->devices.size());
  table_->setColumnCount(devices + 2);
  table_->setHeaderLabels(names);
  table_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  for (int d = 0; d < devices; ++d) {
    table_->header()->resizeSection(d + 1, kTimeWidth);
    table_->headerItem()->setTextAlignment(d + 1, Qt::AlignRight | Qt::AlignVCenter);
    table_->setItemDelegateForColumn(d + 1, new ShareDelegate(table_));
  }
  table_->header()->resizeSection(devices + 1, kFastestWidth);

  double longest = 1;
  for (const DeviceComparison::Layer& l : shown->layers) longest = std::max(longest, *std::max_element(l.ns.begin(), l.ns.end()));
  QVector<double> steps, copies;
  for (const DeviceComparison::Device& d : shown->devices) {
    steps << d.stepNs;
    copies << (d.copiesNs > 0 ? d.copiesNs : -1);
  }
  const double step = std::max(1.0, *std::max_element(steps.begin(), steps.end()));
  const auto fill = [&](QTreeWidgetItem* item, const QVector<double>& ns, double all) {
    int best = -1;
    double next = -1;
    for (int d = 0; d < devices; ++d) {
      if (ns[d] < 0) continue;
      item->setText(d + 1, widgets::formatSeconds(ns[d] / 1e9));
      item->setTextAlignment(d + 1, Qt::AlignRight | Qt::AlignVCenter);
      item->setData(d + 1, ProfileTable::ShareRole, ns[d] / all);
      if (best < 0 || ns[d] < ns[best]) best = d;
    }
    for (int d = 0; d < devices; ++d)
      if (d != best && ns[d] >= 0 && (next < 0 || ns[d] < next)) next = ns[d];
    if (best < 0 || next < kTiny * step) return;
    const double ratio = next / std::max(1.0, ns[best]);
    item->setText(devices + 1,
                  ratio < kAlike ? tr("alike") : tr("%1, %2 times").arg(shown->devices[best].name, QString::number(ratio, 'f', ratio < 10 ? 1 : 0)));
  };
  auto* whole = new QTreeWidgetItem(table_, {tr("whole step")});
  fill(whole, steps, step);
  QFont bold = whole->font(0);
  bold.setBold(true);
  for (int c = 0; c < devices + 2; ++c) whole->setFont(c, bold);
  if (*std::max_element(copies.begin(), copies.end()) > 0) {
    auto* item = new QTreeWidgetItem(table_, {tr("copies between devices")});
    fill(item, copies, longest);
    item->setText(devices + 1, {});
  }
  QTreeWidgetItem* group = nullptr;
  int way = -1;
  for (const DeviceComparison::Layer& l : shown->layers) {
    const QString title = l.way == PassPart::Way::Forward    ? tr("forward pass")
                          : l.way == PassPart::Way::Backward ? tr("backward pass")
                                                             : tr("updates of variables");
    QTreeWidgetItem* item = nullptr;
    if (l.way == PassPart::Way::Update) {
      item = new QTreeWidgetItem(table_, {title});
    } else {
      if (int(l.way) != way) {
        group = new QTreeWidgetItem(table_, {title});
        QVector<double> sums(devices, 0);
        for (const DeviceComparison::Layer& other : shown->layers)
          for (int d = 0; d < devices && other.way == l.way; ++d) sums[d] += std::max(0.0, other.ns[d]);
        fill(group, sums, step);
        group->setExpanded(true);
      }
      way = int(l.way);
      item = new QTreeWidgetItem(group, {l.scope.isEmpty() ? tr("gradients of no layer") : l.scope});
    }
    fill(item, l.ns, longest);
    item->setData(0, kNodes, l.nodes);
    item->setToolTip(0, l.scope);
  }
}

void DevicesPage::retranslate() {
  empty_->setTitle(tr("Which device is faster?"));
  empty_->setText(tr("Trains a few steps of the document on each device of this machine and shows the time of each layer. Nothing is saved."));
  empty_->setButton(tr("Compare devices"), QStringLiteral("record"));
  again_->setText(tr("Measure again"));
  again_->setToolTip(tr("Trains the same steps again on each device"));
  table_->setAccessibleName(tr("Times of layers by device"));
}

void DevicesPage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    retranslate();
    refill();
  }
  QWidget::changeEvent(event);
}

QJsonObject DevicesPage::report() const {
  const DeviceComparisonPtr& shown = store_.devices();
  if (!shown) return {};
  QJsonArray devices, layers;
  for (const DeviceComparison::Device& d : shown->devices) {
    devices << QJsonObject{{QStringLiteral("device"), d.name},
                           {QStringLiteral("step_ns"), d.stepNs},
                           {QStringLiteral("copies_ns"), d.copiesNs},
                           {QStringLiteral("elsewhere"), d.elsewhere}};
  }
  for (const DeviceComparison::Layer& l : shown->layers) {
    QJsonArray ns;
    for (const double n : l.ns) ns << (n < 0 ? QJsonValue() : QJsonValue(n));
    layers << QJsonObject{{QStringLiteral("pass"), passWord(l.way)}, {QStringLiteral("layer"), l.scope}, {QStringLiteral("ns"), ns}};
  }
  return {{QStringLiteral("document"), shown->document},
          {QStringLiteral("advice"), shown->advice},
          {QStringLiteral("devices"), devices},
          {QStringLiteral("layers"), layers}};
}

}  // namespace weft::app
