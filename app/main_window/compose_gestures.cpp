#include "main_window/compose_gestures.h"

#include <QLineEdit>
#include <QTimer>

#include "adapters/annotations.h"
#include "adapters/canvas_edits.h"
#include "adapters/gradient_norms.h"
#include "adapters/graph_edit.h"
#include "adapters/heat_values.h"
#include "adapters/palette_items.h"
#include "adapters/port_rules.h"
#include "adapters/type_starters.h"
#include "common/discard.h"
#include "document/document.h"
#include "document/group_store.h"
#include "document/step_estimate.h"
#include "document/workspace.h"
#include "main_window/probes.h"
#include "palette/add_menu.h"
#include "shell/action_registry.h"
#include "shell/fuzzy.h"
#include "shell/palette_memory.h"

namespace weft::app {
namespace {

using widgets::CanvasPlace;
using widgets::GraphView;
using widgets::Item;
using widgets::Port;

constexpr double kBesideSelection = 56;  // between the selection and a node added to it, on screen at 100 %
constexpr int kTries = 24;

QString pointText(QPointF at) { return QStringLiteral("%1,%2").arg(qRound(at.x())).arg(qRound(at.y())); }

}  // namespace

ComposeGestures::ComposeGestures(Document* document, GraphView* canvas, ActionRegistry& actions, Workspace& workspace)
    : QObject(canvas), document_(document), canvas_(canvas), actions_(actions), workspace_(workspace) {
  connect(canvas, &GraphView::connectRequested, this, &ComposeGestures::connectPorts);
  connect(canvas, &GraphView::wireDropped, this, [this](Port port, QPoint at, int) { openAddMenu(at, port); });
  connect(canvas, &GraphView::addRequested, this, [this](QPointF, QPoint at) { openAddMenu(at); });
  connect(canvas, &GraphView::cutRequested, this, &ComposeGestures::cut);
  connect(canvas, &GraphView::moveRequested, this, &ComposeGestures::move);
  connect(canvas, &GraphView::insertRequested, this, &ComposeGestures::insert);
  connect(canvas, &GraphView::renameRequested, this, &ComposeGestures::rename);
  connect(canvas, &GraphView::typeDropped, this, &ComposeGestures::dropType);
  connect(canvas, &GraphView::rerouteRequested, this, [this](int edge, const CanvasPlace& place) {
    const widgets::EdgeEnds ends = document_->model()->edge(edge);
    const QString input = document_->model()->nodeName(ends.to) + QStringLiteral(":%1").arg(ends.toInput);
    apply(addReroute(input, place.scope < 0 ? QString() : document_->model()->scopeName(place.scope), place.position));
  });
  connect(canvas, &GraphView::frameMoveRequested, this, &ComposeGestures::moveFrame);
  connect(canvas, &GraphView::annotationResized, this, [this](const QString& id, const QRectF& rect) { apply(resizeAnnotation(id, rect)); });
  connect(canvas, &GraphView::bookmarkRequested, this, [this](int number, const widgets::CanvasBookmark& bookmark) { apply(setBookmark(number, bookmark)); });
  connect(canvas, &GraphView::annotationMoved, this, [this](const QString& id, const CanvasPlace& place) { apply(moveAnnotation(id, place.position)); });
  connect(canvas, &GraphView::annotationEdited, this, [this](const QString& id, const QString& text) { apply(setAnnotationText(id, text)); });
  connect(canvas, &GraphView::annotationRemoved, this, [this](const QString& id) { apply(removeAnnotation(id)); });
  connect(document, &Document::contentsChanged, this, [this] {
    heat();
    canvas_->setBookmarks(bookmarksOf(*document_->contents()));
  });
  canvas->setBookmarks(bookmarksOf(*document->contents()));
  connect(&StepEstimate::of(*document), &StepEstimate::changed, this, [this] {
    if (measure_ == QLatin1String("compute") || measure_ == QLatin1String("memory")) heat();
  });
  connect(&workspace.runs(), &RunController::runChanged, this, [this] {
    if (measure_ == QLatin1String("gradient") && workspace_.runs().document() == document_) measureGradients();
  });
  connect(canvas, &GraphView::deleteRequested, this, [this] { run("graph.delete", {}); });
}

bool ComposeGestures::run(const char* action, const QStringList& arguments) {
  const CommandResult result = actions_.run(QLatin1String(action), arguments);
  if (!result.ok && !result.message.isEmpty()) emit actions_.failed(result.message);
  return result.ok;
}

void ComposeGestures::runTogether(const QString& text, const QVector<QStringList>& commands) {
  if (commands.size() == 1) {
    run(qPrintable(commands[0][0]), commands[0].mid(1));
    return;
  }
  QVector<GraphEdit> edits;
  for (const QStringList& command : commands) {
    ParsedEdit parsed = editFromWords(command[0], command.mid(1), {}, document_->folder());
    if (!parsed.error.isEmpty()) {
      emit actions_.failed(parsed.error);
      return;
    }
    edits << std::move(parsed.edit);
  }
  document_->apply(chainEdits(text, std::move(edits)), [this](const QString& error) {
    if (!error.isEmpty()) emit actions_.failed(error);
  });
}

QString ComposeGestures::nameOf(Item item) const {
  return item.isNode() ? document_->model()->nodeName(item.index) : document_->model()->scopeName(item.index);
}

void ComposeGestures::connectPorts(Port from, Port to, int replaced) {
  const QString source = tensorName(*document_->contents(), from), target = inputName(*document_->contents(), to);
  const QString old =
      replaced >= 0 ? inputName(*document_->contents(), {document_->model()->edge(replaced).to, document_->model()->edge(replaced).toInput, false}) : QString();
  QVector<QStringList> commands;
  if (!old.isEmpty() && old != target) commands << QStringList{QStringLiteral("graph.disconnect"), old};
  commands << QStringList{QStringLiteral("graph.connect"), source, target};
  runTogether(tr("Move a wire to %1").arg(target), commands);
}

void ComposeGestures::cut(const QVector<int>& edges) {
  QVector<QStringList> commands;
  for (const int e : edges) {
    const widgets::EdgeEnds ends = document_->model()->edge(e);
    QStringList command{QStringLiteral("graph.disconnect")};
    if (ends.kind == widgets::EdgeKind::Control) command << QLatin1Char('^') + document_->model()->nodeName(ends.from) << document_->model()->nodeName(ends.to);
    else command << inputName(*document_->contents(), {ends.to, ends.toInput, false});
    if (!commands.contains(command)) commands << command;
  }
  runTogether(tr("Cut %1 wires").arg(commands.size()), commands);
}

void ComposeGestures::move(const QVector<widgets::Placement>& moved) {
  QStringList words;
  for (const widgets::Placement& p : moved) words << nameOf(p.item) << pointText(p.position);
  run("graph.move", words);
}

void ComposeGestures::moveFrame(const QString& id, const CanvasPlace& place, const QVector<widgets::Placement>& moved) {
  QStringList words;
  for (const widgets::Placement& p : moved) words << nameOf(p.item) << pointText(p.position);
  QVector<GraphEdit> parts{moveAnnotation(id, place.position)};
  if (!words.isEmpty()) parts << editFromWords(QStringLiteral("graph.move"), words, {}, document_->folder()).edit;
  apply(chainEdits(tr("Move a frame"), std::move(parts)));
}

void ComposeGestures::insert(Item item, int edge) {
  const widgets::EdgeEnds ends = document_->model()->edge(edge);
  if (!item.isNode() && !item.isScope()) return;
  const QString from = tensorName(*document_->contents(), {ends.from, ends.fromOutput, true});
  const QString to = inputName(*document_->contents(), {ends.to, ends.toInput, false});
  QString input, output;
  for (const GraphView::ShownPort& port : canvas_->portsOf(item)) {
    if (port.port.output && output.isEmpty()) output = tensorName(*document_->contents(), port.port);
    if (!port.port.output && input.isEmpty() && !port.connected) input = inputName(*document_->contents(), port.port);
  }
  if (input.isEmpty() || output.isEmpty()) return;
  runTogether(tr("Insert %1").arg(nameOf(item)), {{QStringLiteral("graph.connect"), from, input}, {QStringLiteral("graph.connect"), output, to}});
}

void ComposeGestures::rename(Item item, const QString& name) {
  const QString old = nameOf(item);
  const qsizetype slash = old.lastIndexOf(u'/');
  const QString full = slash < 0 ? name : old.left(slash + 1) + name;
  if (full != old) run("graph.rename", {old, full});
}

CanvasPlace ComposeGestures::freePlace(QPointF screen) const {
  QPointF at = screen;
  const QSizeF room = QSizeF(110, 44) * canvas_->zoom();
  for (int i = 0; i < kTries; ++i) {
    const auto taken = [this](QPointF p) {
      const Item item = canvas_->itemAt(p);
      return item.isNode() || (item.isScope() && !canvas_->isExpanded(item.index));
    };
    if (!taken(at) && !taken(at + QPointF(room.width(), 0)) && !taken(at + QPointF(0, room.height())) && !taken(at + QPointF(room.width(), room.height())))
      break;
    at.ry() += 34 * canvas_->zoom();
  }
  return canvas_->placeAt(at);
}

void ComposeGestures::add(const QString& type, const CanvasPlace& place, const QStringList& more, bool there) {
  QStringList words{type};
  if (there) words << QStringLiteral("--at") << pointText(place.position);
  if (place.scope >= 0) words << QStringLiteral("--into") << document_->model()->scopeName(place.scope);
  if (run("graph.add", words + more)) PaletteMemory(workspace_.settings()).used(type);
}

QString ComposeGestures::selectedTensor() const {
  const QVector<Item> selected = canvas_->selection();
  if (selected.size() != 1 || canvas_->itemRect(selected.front()).isEmpty()) return {};
  // For a layer, its declared output: inner tensors that nothing reads are outputs as well.
  if (selected.front().isScope())
    if (const QString result = outputOfLayer(*document_->contents(), nameOf(selected.front())); !result.isEmpty()) return result;
  for (const GraphView::ShownPort& port : canvas_->portsOf(selected.front()))
    if (port.port.output) return tensorName(*document_->contents(), port.port);
  return {};
}

QString ComposeGestures::addHere(const QString& type, const QStringList& more) {
  TypeFacts facts;
  if (!typeFacts(type, &facts)) return tr("There is no op or layer %1.").arg(type);
  QStringList words, typed;
  for (qsizetype i = 0; i < more.size(); ++i) {
    if (!more[i].startsWith(QLatin1String("--"))) {
      typed << more[i];
      continue;
    }
    words << more[i];
    if (i + 1 < more.size()) words << more[++i];
  }
  QPointF at = QRectF(canvas_->rect()).center();
  const QVector<Item> selected = canvas_->selection();
  const QRectF rect = selected.size() == 1 ? canvas_->itemRect(selected.front()) : QRectF();
  QString tensor;
  if (!rect.isEmpty()) {
    at = QPointF(rect.right() + kBesideSelection * canvas_->zoom(), rect.center().y() - 22 * canvas_->zoom());
    if (facts.inputs > 0) tensor = selectedTensor();
    if (!words.contains(QStringLiteral("--from"))) words << wiresFor(*document_->contents(), type, tensor);
  }
  QString error;
  const QStringList settings = settingsFor(*document_->contents(), type, typed.join(u' '), tensor, &error);
  if (!error.isEmpty()) return error;
  CanvasPlace place = freePlace(at);
  // Next to its source the layout places the node, which makes the wire straight whatever the two sizes are.
  const bool beside = !rect.isEmpty() && words.contains(QStringLiteral("--from")) && place.scope == canvas_->placeOf(selected.front()).scope;
  add(type, place, words + settings, !beside);
  return {};
}

void ComposeGestures::apply(GraphEdit edit) {
  document_->apply(std::move(edit), [this](const QString& error) {
    if (!error.isEmpty()) emit actions_.failed(error);
  });
}

void ComposeGestures::frame(const QString& title) {
  QRectF around;
  int scope = -1;
  for (const Item item : canvas_->selection()) {
    const CanvasPlace place = canvas_->placeOf(item);
    scope = place.scope;
    around = around.united(QRectF(place.position, canvas_->itemRect(item).size() / canvas_->zoom()));
  }
  if (around.isEmpty()) return;
  addNote(addFrame(title.isEmpty() ? tr("Frame") : title, scope < 0 ? QString() : document_->model()->scopeName(scope), around.adjusted(-14, -30, 14, 14)),
          title.isEmpty());
}

void ComposeGestures::addNote(GraphEdit edit, bool editText) {
  document_->apply(std::move(edit), [this, editText](const QString& error) {
    if (!error.isEmpty()) emit actions_.failed(error);
    else if (editText && !document_->model()->annotations.empty()) canvas_->editAnnotation(document_->model()->annotations.back().id);
  });
}

void ComposeGestures::comment(const QString& text, const QString& at) {
  CanvasPlace place;
  const QPointF pointer = canvas_->mapFromGlobal(QPointF(QCursor::pos()));
  place = canvas_->placeAt(canvas_->rect().contains(pointer.toPoint()) ? pointer : QRectF(canvas_->rect()).center());
  if (const QStringList parts = at.split(u','); parts.size() == 2) place = {-1, {parts[0].toDouble(), parts[1].toDouble()}};
  addNote(addComment(text.isEmpty() ? tr("Comment") : text, place.scope < 0 ? QString() : document_->model()->scopeName(place.scope), place.position),
          text.isEmpty());
}

QString ComposeGestures::colorMode() const {
  static const char* const kModes[] = {"category", "device", "structure", "type", "values"};
  return canvas_->colorMode() == widgets::ColorMode::Values ? measure_ : QLatin1String(kModes[int(canvas_->colorMode())]);
}

QString ComposeGestures::legendText(const QString& label) const { return measure_.isEmpty() || !heatText_ ? label : heatText_(label.toDouble()); }

QString ComposeGestures::colorBy(const QString& mode) {
  static const QStringList kModes = {QStringLiteral("category"), QStringLiteral("device"), QStringLiteral("structure"), QStringLiteral("type")};
  const qsizetype at = kModes.indexOf(mode);
  if (at >= 0) {
    measure_.clear();
    signed_ = document_->model()->signedHeat = false;
    canvas_->setColorMode(widgets::ColorMode(at));
    return {};
  }
  const QStringList measures = {QStringLiteral("compute"), QStringLiteral("memory"), QStringLiteral("gradient")};
  if (!measures.contains(mode)) return tr("%1 is not a colour mode; there are %2.").arg(mode, (kModes + measures).join(QStringLiteral(", ")));
  if (mode == QLatin1String("gradient") && !document_->contents()->training.present) return tr("This graph has no gradients: add training first.");
  measure_ = mode;
  signed_ = false;
  applyHeat_ = nullptr;
  heat();
  canvas_->setColorMode(widgets::ColorMode::Values);
  return {};
}

void ComposeGestures::showValues(const QString& measure, std::function<void()> apply, std::function<QString(double)> textOf, bool isSigned) {
  measure_ = measure;
  signed_ = document_->model()->signedHeat = isSigned;
  applyHeat_ = std::move(apply);
  heatText_ = std::move(textOf);
  applyHeat_();
  canvas_->setColorMode(widgets::ColorMode::Values);
  emit canvas_->legendChanged();
}

// Values belong to the contents, so new contents need new values.
void ComposeGestures::heat() {
  if (measure_.isEmpty()) return;
  document_->model()->signedHeat = signed_;
  if (applyHeat_) return applyHeat_();
  if (measure_ == QLatin1String("gradient")) return measureGradients();
  const StepEstimate& estimate = StepEstimate::of(*document_);
  const StepCostsPtr costs = estimate.costs() ? estimate.costs() : stepCosts(*document_->contents(), estimate.batch());
  showHeat(std::make_shared<HeatValues>(heatValues(*document_->contents(), *costs, measure_)));
}

// Uses the variables of the newest checkpoint; a running training writes new ones now and then.
void ComposeGestures::measureGradients() {
  struct Work {
    ProbeRequest request;
    GradientNorms norms;
    HeatValues heat;
  };
  if (gradientTask_ != 0) workspace_.tasks().cancel(gradientTask_);
  auto work = std::make_shared<Work>();
  work->request = {document_->contents(), {}, document_->folder(), newestCheckpoint(workspace_, *document_), 0};
  gradientTask_ = workspace_.tasks().start(
      tr("Gradient norms"),
      [work](TaskState&) {
        work->norms = gradientNorms(work->request);
        if (work->norms.error.isEmpty()) work->heat = gradientHeat(*work->request.contents, work->norms);
      },
      [this, guard = QPointer<ComposeGestures>(this), work] {
        if (!guard) return;
        gradientTask_ = 0;
        if (measure_ != QLatin1String("gradient") || work->request.contents->engine != document_->contents()->engine) return;
        if (!work->norms.error.isEmpty()) emit actions_.failed(work->norms.error);
        else showHeat(std::make_shared<HeatValues>(std::move(work->heat)));
      });
}

void ComposeGestures::showHeat(const std::shared_ptr<HeatValues>& values) {
  widgets::MemoryGraphModel& model = *document_->model();
  for (size_t i = 0; i < model.nodes.size() && i < values->heat.size(); ++i) model.nodes[i].heat = values->heat[i];
  heatText_ = [values](double t) { return values->textOf(t); };
  emit model.statusChanged();
}

void ComposeGestures::tidy() {
  if (document_->contents()->arrays.nodes.empty()) return;
  document_->apply(unplaceEdit(document_->selection()), [this](const QString& error) {
    if (!error.isEmpty()) emit actions_.failed(error);
    else canvas_->tidy();
  });
}

void ComposeGestures::toggleIsolated() {
  isolated_ = !isolated_ && !canvas_->selection().isEmpty();
  canvas_->setHighlight(isolated_ ? canvas_->selection() : QVector<Item>());
}

void ComposeGestures::dropType(const QString& type, QPointF screen, int edge) {
  if (edge < 0) {
    QString error;
    CanvasPlace place = canvas_->placeAt(screen);
    // Data nodes are always at the top level, whatever is beneath the pointer.
    if (type == QLatin1String("data")) place = {-1, (screen - canvas_->placeToScreen({-1, {}})) / canvas_->zoom()};
    add(type, place, settingsFor(*document_->contents(), type, {}, {}, &error));
    return;
  }
  const widgets::EdgeEnds ends = document_->model()->edge(edge);
  QString error;
  const QStringList settings = settingsFor(*document_->contents(), type, {}, tensorName(*document_->contents(), {ends.from, ends.fromOutput, true}), &error);
  if (run("graph.insert", QStringList{inputName(*document_->contents(), {ends.to, ends.toInput, false}), type} + settings))
    PaletteMemory(workspace_.settings()).used(type);
}

// During fast typing, a node is connected to the one typed before, which is selected once its edit has ended.
void ComposeGestures::afterEdits(std::function<void()> then) {
  if (!document_->isEditing()) return then();
  QTimer::singleShot(10, this, [this, then = std::move(then)] { afterEdits(then); });
}

void ComposeGestures::openAddMenu(QPoint globalPos, Port port, const QString& typed) {
  const PaletteMemory memory(workspace_.settings());
  widgets::discard(menu_);
  menu_ = new widgets::AddMenu(canvas_->window());
  widgets::PaletteModel& model = *menu_->model();
  model.setMatcher([](const QString& typed) { return [pattern = FuzzyPattern(typed)](QStringView name) { return name.isEmpty() ? 0 : pattern.score(name); }; });
  model.setFavourites(memory.favourites());
  model.setRecent(memory.recent());
  const QVector<widgets::PaletteItem> items = GroupStore::of(workspace_).items() + paletteItems();
  model.setItems(items);
  const CanvasPlace place = canvas_->placeAt(canvas_->mapFromGlobal(QPointF(globalPos)));
  QString tensor, input;
  if (port.isValid()) {
    const widgets::PortInfo info = portInfo(*document_->contents(), port);
    QVector<widgets::PaletteFit> fits;
    if (port.output) {
      tensor = tensorName(*document_->contents(), port);
      for (const FittingType& fit : fittingTypes(*document_->contents(), tensor)) fits.append({fit.type, fit.port, fit.shape});
      for (const widgets::PaletteItem& item : GroupStore::of(workspace_).items()) fits.append({item.type, {}, {}});
      menu_->setWords(tr("Add after %1").arg(tensor), tr("Accepts %1 %2").arg(info.dtype, info.shape.isEmpty() ? QStringLiteral("?") : info.shape));
    } else {
      input = inputName(*document_->contents(), port);
      for (const widgets::PaletteItem& item : items) {
        TypeFacts facts;
        if (typeFacts(item.type, &facts) && facts.outputs > 0) fits.append({item.type, {}, {}});
      }
      menu_->setWords(tr("Add before %1").arg(input), tr("Gives %1").arg(info.dtype.isEmpty() ? tr("any type") : info.dtype));
    }
    model.setFits(fits, true);
  } else if (const QString selected = selectedTensor(); !selected.isEmpty()) {
    menu_->setWords(tr("Add after %1").arg(selected), {});
  }
  const bool free = !port.isValid();
  const QString into =
      place.scope < 0 ? QString() : document_->model()->scopeName(place.scope);  // stored by name, because its index may have changed when the user chooses
  const auto chosen = [this, free, place, into, tensor, input, count = std::make_shared<int>(0)](const QString& type, const QString& typed) {
    QString error;
    if (free && !selectedTensor().isEmpty()) {
      error = addHere(type, typed.split(u' ', Qt::SkipEmptyParts));
    } else {
      QStringList more = settingsFor(*document_->contents(), type, typed, tensor, &error);
      if (!tensor.isEmpty()) {
        const QStringList wires = wiresFor(*document_->contents(), type, tensor);
        more << (wires.isEmpty() ? QStringList{QStringLiteral("--from"), tensor} : wires);
      }
      if (!input.isEmpty()) more << QStringLiteral("--to") << input;
      CanvasPlace at = place;
      at.position += QPointF(0, 64 * (*count)++);
      at.scope = into.isEmpty() ? -1 : document_->scopeIndex(into);
      if (error.isEmpty()) add(type, at, more);
    }
    if (!error.isEmpty()) emit actions_.failed(error);
    canvas_->setFocus();
  };
  connect(menu_, &widgets::AddMenu::chosen, this,
          [this, chosen](const QString& type, const QString& typed) { afterEdits([chosen, type, typed] { chosen(type, typed); }); });
  menu_->popup(globalPos);
  menu_->field()->setText(typed);
}

}  // namespace weft::app
