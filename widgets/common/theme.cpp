#include "common/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStyleFactory>
#include <algorithm>
#include <cmath>

#include "common/stylesheet.h"

// The library is static: the linker drops the resource's initializer unless it is referenced. (Must be outside any namespace.)
static void initWeftResources() { Q_INIT_RESOURCE(weft_widgets); }

namespace weft::widgets {
namespace {

constexpr const char* kRoleNames[] = {"surface0",      "surface1", "surface2",     "surface3",  "border",        "borderStrong", "grid",       "text1",
                                      "text2",         "text3",    "textDisabled", "accent",    "accentHover",   "accentText",   "accentSoft", "selection",
                                      "selectionText", "focus",    "ok",           "okSoft",    "warning",       "warningSoft",  "error",      "errorSoft",
                                      "info",          "infoSoft", "breakpoint",   "executing", "executingSoft", "done",         "ready",      "pending",
                                      "dead",          "muted",    "nan",          "tooltip",   "tooltipText",   "shadow"};
static_assert(std::size(kRoleNames) == static_cast<size_t>(Role::kCount));

Theme::Kind currentKind = Theme::Kind::Light;

// theme.json writes #RRGGBBAA, QColor reads #AARRGGBB.
QColor parseColor(const QString& text) {
  if (text.size() == 9) return QColor(u'#' + text.mid(7, 2) + text.mid(1, 6));
  return QColor(text);
}

const QJsonObject& table() {
  static const QJsonObject object = [] {
    initWeftResources();
    QFile file(QStringLiteral(":/weft/themes/theme.json"));
    if (!file.open(QIODevice::ReadOnly)) return QJsonObject();
    return QJsonDocument::fromJson(file.readAll()).object();
  }();
  return object;
}

void readInt(const QJsonObject& object, const char* key, int& value) {
  const auto it = object.find(QLatin1String(key));
  if (it != object.end()) value = it->toInt(value);
}

void readReal(const QJsonObject& object, const char* key, double& value) {
  const auto it = object.find(QLatin1String(key));
  if (it != object.end()) value = it->toDouble(value);
}

Metrics readMetrics(const QJsonObject& m) {
  Metrics r;
  const std::pair<const char*, int*> ints[] = {{"grid", &r.grid},
                                               {"halfGrid", &r.halfGrid},
                                               {"radius", &r.radius},
                                               {"radiusControl", &r.radiusControl},
                                               {"focusRing", &r.focusRing},
                                               {"runBar", &r.runBar},
                                               {"modeStrip", &r.modeStrip},
                                               {"modeButton", &r.modeButton},
                                               {"tabBar", &r.tabBar},
                                               {"breadcrumbBar", &r.breadcrumbBar},
                                               {"dockHeader", &r.dockHeader},
                                               {"statusBar", &r.statusBar},
                                               {"menuBar", &r.menuBar},
                                               {"rowHeight", &r.rowHeight},
                                               {"rowHeightCompact", &r.rowHeightCompact},
                                               {"controlHeight", &r.controlHeight},
                                               {"buttonHeight", &r.buttonHeight},
                                               {"menuRow", &r.menuRow},
                                               {"tableHeader", &r.tableHeader},
                                               {"scrollBar", &r.scrollBar},
                                               {"splitter", &r.splitter},
                                               {"motionMs", &r.motionMs}};
  for (const auto& [key, value] : ints) readInt(m, key, *value);
  const QJsonObject font = m["font"].toObject();
  readInt(font, "small", r.fontSmall);
  readInt(font, "normal", r.fontNormal);
  readInt(font, "large", r.fontLarge);
  readInt(font, "canvasLabel", r.fontCanvasLabel);
  readInt(font, "mono", r.fontMono);
  readInt(font, "monoSmall", r.fontMonoSmall);
  const QJsonObject node = m["node"].toObject();
  readInt(node, "paddingX", r.nodePaddingX);
  readInt(node, "paddingY", r.nodePaddingY);
  readInt(node, "titleHeight", r.nodeTitleHeight);
  readInt(node, "lineHeight", r.nodeLineHeight);
  readInt(node, "minWidth", r.nodeMinWidth);
  readInt(node, "maxWidth", r.nodeMaxWidth);
  readInt(node, "edgeBar", r.nodeEdgeBar);
  readInt(node, "badge", r.badge);
  readInt(node, "gapX", r.nodeGapX);
  readInt(node, "gapY", r.nodeGapY);
  const QJsonObject scope = m["scope"].toObject();
  readInt(scope, "radius", r.scopeRadius);
  readInt(scope, "header", r.scopeHeader);
  readInt(scope, "padding", r.scopePadding);
  readInt(scope, "opMixBar", r.scopeOpMixBar);
  const QJsonObject port = m["port"].toObject();
  readReal(port, "radius", r.portRadius);
  readReal(port, "hit", r.portHit);
  readReal(port, "spacing", r.portSpacing);
  const QJsonObject wire = m["wire"].toObject();
  readReal(wire, "min", r.wireMin);
  readReal(wire, "max", r.wireMax);
  readReal(wire, "control", r.wireControl);
  readReal(wire, "broken", r.wireBroken);
  readReal(wire, "corner", r.wireCorner);
  readReal(wire, "hit", r.wireHit);
  const QJsonObject tiers = m["tiers"].toObject();
  readReal(tiers, "heat", r.tierHeat);
  readReal(tiers, "rect", r.tierRect);
  readReal(tiers, "name", r.tierName);
  readReal(tiers, "normal", r.tierNormal);
  return r;
}

QColor rampAt(const std::vector<QColor>& stops, double t) {
  if (stops.empty()) return {};
  if (!(t > 0)) return stops.front();
  if (t >= 1) return stops.back();
  const double at = t * static_cast<double>(stops.size() - 1);
  const auto i = static_cast<size_t>(at);
  return mix(stops[i + 1], stops[i], at - static_cast<double>(i));
}

QString fontFamily(const QStringList& wanted, QFontDatabase::SystemFont fallback) {
  const QStringList families = QFontDatabase::families();
  for (const QString& family : wanted)
    if (families.contains(family)) return family;
  return QFontDatabase::systemFont(fallback).family();
}

/// The Chinese font family, set explicitly so that Qt does not fall back to the bold face of another family. Empty: none is installed.
const QString& chineseFamily(bool mono) {
  static const auto first = [](const QStringList& wanted) {
    const QStringList families = QFontDatabase::families();
    for (const QString& family : wanted)
      if (families.contains(family)) return family;
    return QString();
  };
  static const QString sans = first(
      {QStringLiteral("Noto Sans CJK SC"), QStringLiteral("Source Han Sans SC"), QStringLiteral("WenQuanYi Micro Hei"), QStringLiteral("Droid Sans Fallback")});
  static const QString fixed = first({QStringLiteral("Noto Sans Mono CJK SC"), QStringLiteral("WenQuanYi Micro Hei Mono")});
  return mono && !fixed.isEmpty() ? fixed : sans;
}

QFont withChinese(const QString& family, bool mono) {
  QFont font(family);
  if (const QString& chinese = chineseFamily(mono); !chinese.isEmpty()) font.setFamilies({family, chinese});
  // With shaping, Inter turns 7x7 into 7×7 and JetBrains Mono merges "==": names would be shown wrongly.
  font.setStyleStrategy(QFont::PreferNoShaping);
  return font;
}

QFont sized(QFont font, int pixels) {
  font.setPixelSize(pixels);
  return font;
}

}  // namespace

QColor mix(const QColor& a, const QColor& b, double alpha) {
  const auto part = [alpha](int x, int y) { return static_cast<int>(std::lround(x * alpha + y * (1 - alpha))); };
  return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

QColor readableOn(const QColor& background) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  const double y = 0.2126 * linear(background.redF()) + 0.7152 * linear(background.greenF()) + 0.0722 * linear(background.blueF());
  return (1.05 / (y + 0.05)) > ((y + 0.05) / 0.05) ? QColor(Qt::white) : QColor(Qt::black);
}

Theme::Theme(Kind kind) : kind_(kind) {
  const QString key = name();
  const QJsonObject& t = table();
  const QJsonObject roles = t["roles"].toObject();
  for (size_t i = 0; i < roles_.size(); ++i) roles_[i] = parseColor(roles[QLatin1String(kRoleNames[i])].toObject()[key].toString());
  for (const auto& entry : t["categorical"].toArray()) categorical_.push_back(parseColor(entry.toObject()[key].toString()));
  const QJsonObject categories = t["opCategory"].toObject(), dtypes = t["dtype"].toObject();
  for (auto it = categories.begin(); it != categories.end(); ++it) opCategory_.emplace_back(it.key(), categorical(it->toObject()["index"].toInt()));
  for (auto it = dtypes.begin(); it != dtypes.end(); ++it) dtype_.emplace_back(it.key(), categorical(it->toObject()["index"].toInt()));
  for (const auto& stop : t["sequential"].toObject()["stops"].toArray()) sequential_.push_back(parseColor(stop.toString()));
  for (const auto& stop : t["diverging"].toObject()[kind == Kind::Light ? "light" : "dark"].toArray()) diverging_.push_back(parseColor(stop.toString()));
  metrics_ = readMetrics(t["metrics"].toObject());
}

const Theme& Theme::get(Kind kind) {
  static const Theme themes[] = {Theme(Kind::Light), Theme(Kind::Dark), Theme(Kind::HighContrast)};
  return themes[static_cast<size_t>(kind)];
}

const Theme& Theme::current() { return get(currentKind); }

void Theme::apply(QApplication& app, Kind kind) {
  currentKind = kind;
  const Theme& theme = get(kind);
  static bool styled = false;
  if (!styled) {
    styled = true;
    if (QStyle* fusion = QStyleFactory::create(QStringLiteral("Fusion"))) QApplication::setStyle(fusion);
  }
  QApplication::setFont(theme.uiFont());
  QApplication::setPalette(theme.palette());
  app.setStyleSheet(theme.styleSheet());
}

QString Theme::name() const {
  switch (kind_) {
    case Kind::Light: return QStringLiteral("light");
    case Kind::Dark: return QStringLiteral("dark");
    case Kind::HighContrast: break;
  }
  return QStringLiteral("highContrast");
}

Theme::Kind Theme::kindOf(const QString& name) {
  for (const Kind kind : {Kind::Dark, Kind::HighContrast})
    if (get(kind).name().compare(name, Qt::CaseInsensitive) == 0) return kind;
  return Kind::Light;
}

QColor Theme::color(const QString& roleName) const {
  for (size_t i = 0; i < roles_.size(); ++i)
    if (roleName == QLatin1String(kRoleNames[i])) return roles_[i];
  return {};
}

QStringList Theme::roleNames() {
  QStringList names;
  for (const char* name : kRoleNames) names << QLatin1String(name);
  return names;
}

QColor Theme::categorical(int index) const {
  if (categorical_.empty()) return {};
  const int n = static_cast<int>(categorical_.size());
  return categorical_[static_cast<size_t>(((index % n) + n) % n)];
}

QColor Theme::opCategory(const QString& category) const {
  for (const auto& [name, color] : opCategory_)
    if (name == category) return color;
  return color(Role::Text3);
}

QColor Theme::dtype(const QString& dtype) const {
  QString plain = dtype.endsWith(QLatin1String("_ref")) ? dtype.chopped(4) : dtype;
  if (plain == QLatin1String("half")) plain = QStringLiteral("float16");
  if (plain == QLatin1String("complex128")) plain = QStringLiteral("complex64");
  if (plain == QLatin1String("int8") || plain == QLatin1String("uint16") || plain == QLatin1String("int16")) plain = QStringLiteral("uint8");
  QColor unknown;
  for (const auto& [name, color] : dtype_) {
    if (name == plain) return color;
    if (name == QLatin1String("unknown")) unknown = color;
  }
  return unknown;
}

QColor Theme::sequential(double t) const { return rampAt(sequential_, t); }
QColor Theme::diverging(double t) const { return rampAt(diverging_, (t + 1) / 2); }

QPalette Theme::palette() const {
  QPalette p;
  p.setColor(QPalette::Window, color(Role::Surface1));
  p.setColor(QPalette::WindowText, color(Role::Text1));
  p.setColor(QPalette::Base, color(Role::Surface2));
  p.setColor(QPalette::AlternateBase, color(Role::Surface1));
  p.setColor(QPalette::Text, color(Role::Text1));
  p.setColor(QPalette::PlaceholderText, color(Role::Text3));
  p.setColor(QPalette::Button, color(Role::Surface2));
  p.setColor(QPalette::ButtonText, color(Role::Text1));
  p.setColor(QPalette::BrightText, color(Role::Error));
  p.setColor(QPalette::Highlight, color(Role::Selection));
  p.setColor(QPalette::HighlightedText, color(Role::SelectionText));
  p.setColor(QPalette::Link, color(Role::Accent));
  p.setColor(QPalette::LinkVisited, color(Role::AccentHover));
  p.setColor(QPalette::ToolTipBase, color(Role::Tooltip));
  p.setColor(QPalette::ToolTipText, color(Role::TooltipText));
  p.setColor(QPalette::Light, color(Role::Surface2));
  p.setColor(QPalette::Midlight, color(Role::Surface3));
  p.setColor(QPalette::Mid, color(Role::Border));
  p.setColor(QPalette::Dark, color(Role::BorderStrong));
  p.setColor(QPalette::Shadow, color(Role::BorderStrong));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) p.setColor(QPalette::Disabled, role, color(Role::TextDisabled));
  return p;
}

QString Theme::styleSheet() const { return makeStyleSheet(*this); }

QFont Theme::uiFont() const {
  static const QString family = fontFamily({QStringLiteral("Inter"), QStringLiteral("Cantarell"), QStringLiteral("Noto Sans"), QStringLiteral("DejaVu Sans")},
                                           QFontDatabase::GeneralFont);
  return sized(withChinese(family, false), metrics_.fontNormal);
}

QFont Theme::smallFont() const { return sized(uiFont(), metrics_.fontSmall); }

QFont Theme::monoFont() const {
  // The monospace companion of the UI font comes first: numbers beside words align only if both fonts have the same ascent and descent.
  static const QString sister = uiFont().families().first() + QStringLiteral(" Mono");
  static const QString family =
      fontFamily({QStringLiteral("JetBrains Mono"), sister, QStringLiteral("Noto Sans Mono"), QStringLiteral("DejaVu Sans Mono")}, QFontDatabase::FixedFont);
  QFont font = withChinese(family, true);
  font.setStyleHint(QFont::Monospace);
  return sized(font, metrics_.fontMono);
}

QFont Theme::monoSmallFont() const { return sized(monoFont(), metrics_.fontMonoSmall); }

}  // namespace weft::widgets
