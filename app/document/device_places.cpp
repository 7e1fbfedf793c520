#include "document/device_places.h"

#include "adapters/machine.h"
#include "document/device_search.h"
#include "document/document.h"
#include "document/workspace.h"

namespace weft::app {
namespace {
constexpr int kPauseMs = 300;  // after an edit
}

DevicePlaces& DevicePlaces::of(Workspace& workspace) {
  if (auto* known = workspace.findChild<DevicePlaces*>(QString(), Qt::FindDirectChildrenOnly)) return *known;
  return *new DevicePlaces(workspace);
}

DevicePlaces::DevicePlaces(Workspace& workspace) : QObject(&workspace), workspace_(workspace) {
  soon_.setSingleShot(true);
  soon_.setInterval(kPauseMs);
  connect(&soon_, &QTimer::timeout, this, &DevicePlaces::look);
  connect(&workspace, &Workspace::currentChanged, this, &DevicePlaces::follow);
  connect(&DeviceNews::instance(), &DeviceNews::found, this, &DevicePlaces::look);
  connect(&workspace.runs(), &RunController::nextRunChanged, &soon_, qOverload<>(&QTimer::start));
  follow();
}

QString DevicePlaces::nextDevice(const Document* document) const {
  const QString chosen = document ? workspace_.runs().nextRun(document).set.value(QStringLiteral("device")) : QString();
  if (!chosen.isEmpty()) return chosen;
  const auto gpus = foundGpus();
  return gpus.isEmpty() ? QStringLiteral("CPU:0") : gpus.first().first;
}

NodePlacementPtr DevicePlaces::places() const { return document_ && document_->contents() == contents_ ? places_ : nullptr; }

QString DevicePlaces::words(const QString& node) const {
  const NodePlacementPtr places = this->places();
  if (!places) return {};
  if (!places->error.isEmpty()) return tr("cannot be placed: %1").arg(places->error);
  const int i = document_->nodeIndex(node);
  if (i < 0 || places->device[std::size_t(i)].isEmpty()) return {};
  const QString device = places->device[std::size_t(i)].section(QStringLiteral("/device:"), 1), reason = places->reason[std::size_t(i)];
  return reason.isEmpty() ? tr("on %1").arg(device) : tr("on %1: %2").arg(device, reason);
}

void DevicePlaces::follow() {
  Document* document = workspace_.current();
  if (document == document_) return;
  if (document_) document_->disconnect(this);
  document_ = document;
  if (!document) return;
  connect(document, &Document::contentsChanged, &soon_, qOverload<>(&QTimer::start));
  look();
}

void DevicePlaces::look() {
  if (!document_ || foundGpus().isEmpty()) return;
  const GraphContentsPtr contents = document_->contents();
  const QString device = nextDevice(document_);
  if (!contents || (contents == contents_ && device == device_) || contents->arrays.nodes.size() > kMostNodes || device.startsWith(QLatin1String("grpc:")))
    return;
  const auto made = std::make_shared<NodePlacementPtr>();
  workspace_.tasks().start(
      tr("Placing nodes on devices"), [made, contents, device](TaskState&) { *made = placeNodes(contents, device); },
      [this, made, contents, device] {
        if (!document_ || document_->contents() != contents) return;  // a newer one is on its way
        contents_ = contents;
        device_ = device;
        places_ = *made;
        emit changed();
      });
}

}  // namespace weft::app
