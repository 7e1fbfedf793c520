// Colours and measures for all widgets. No widget hard-codes a colour.
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>
#include <QStringList>
#include <array>
#include <vector>

class QApplication;

namespace weft::widgets {

/// The purpose of a colour. theme.json uses these names with a lower-case initial.
enum class Role {
  Surface0,  ///< canvas and wells
  Surface1,  ///< panels and toolbars
  Surface2,  ///< nodes, cards, inputs
  Surface3,  ///< hover, chips, table grid
  Border,
  BorderStrong,
  Grid,
  Text1,
  Text2,
  Text3,
  TextDisabled,
  Accent,
  AccentHover,
  AccentText,
  AccentSoft,
  Selection,
  SelectionText,
  Focus,
  Ok,
  OkSoft,
  Warning,
  WarningSoft,
  Error,
  ErrorSoft,
  Info,
  InfoSoft,
  Breakpoint,
  Executing,
  ExecutingSoft,
  Done,
  Ready,
  Pending,
  Dead,
  Muted,
  Nan,
  Tooltip,
  TooltipText,
  Shadow,
  kCount
};

/// Measures in pixels at 100 %, named as in theme.json.
struct Metrics {
  int grid = 8, halfGrid = 4, radius = 6, radiusControl = 4, focusRing = 2;
  int runBar = 40, modeStrip = 64, modeButton = 64, tabBar = 32, breadcrumbBar = 32, dockHeader = 28, statusBar = 24, menuBar = 28;
  int rowHeight = 24, rowHeightCompact = 20, controlHeight = 24, buttonHeight = 28, menuRow = 28, tableHeader = 24, scrollBar = 10, splitter = 4;
  int fontSmall = 11, fontNormal = 13, fontLarge = 16, fontMono = 12, fontMonoSmall = 11, fontCanvas = 12, fontCanvasLabel = 11;
  int nodePaddingX = 10, nodePaddingY = 6, nodeTitleHeight = 16, nodeLineHeight = 14, nodeMinWidth = 56, nodeMaxWidth = 176, nodeEdgeBar = 3, nodeGapX = 48,
      nodeGapY = 24;
  int scopeRadius = 8, scopeHeader = 24, scopePadding = 16, scopeOpMixBar = 4;
  int badge = 12;
  double portRadius = 4, portHit = 12, portSpacing = 16;
  double wireMin = 1, wireMax = 5, wireControl = 1, wireBroken = 2, wireCorner = 8, wireHit = 6;
  double tierHeat = 3, tierRect = 12, tierName = 28, tierNormal = 96;
  int motionMs = 120;
};

/// One theme. Instances are created once from the embedded table and never change; after that any thread may call all members.
class Theme {
 public:
  enum class Kind { Light, Dark, HighContrast };

  /// The theme of that kind.
  static const Theme& get(Kind kind);
  /// The application's current theme (Light before `apply`). GUI thread.
  static const Theme& current();
  /// Makes `kind` current and sets the application's palette, fonts and style sheet. Widgets receive a PaletteChange event. GUI thread.
  static void apply(QApplication& app, Kind kind);

  Kind kind() const { return kind_; }
  bool isDark() const { return kind_ != Kind::Light; }
  /// "light", "dark" or "highContrast", as in settings and scripts.
  QString name() const;
  /// The kind of that name; Light for an unknown name.
  static Kind kindOf(const QString& name);

  QColor color(Role role) const { return roles_[static_cast<size_t>(role)]; }
  /// By the role's name in theme.json; invalid if there is none.
  QColor color(const QString& roleName) const;
  static QStringList roleNames();

  /// Data hue number `index` (modulo their count), in the fixed order in which series get colours.
  QColor categorical(int index) const;
  int categoricalCount() const { return static_cast<int>(categorical_.size()); }
  /// The hue of an op category: math, nn, array, variable, controlFlow, ioSummary, random, gradientUpdate.
  QColor opCategory(const QString& category) const;
  /// The hue of a dtype by its TensorFlow name; `_ref` is ignored, an unknown dtype gets the hue of `unknown`.
  QColor dtype(const QString& dtype) const;
  /// Perceptual ramp, `t` in 0…1.
  QColor sequential(double t) const;
  /// Ramp for signed values, `t` in -1…1, 0 in the middle.
  QColor diverging(double t) const;

  const Metrics& metrics() const { return metrics_; }
  QPalette palette() const;
  /// The style sheet of the whole application.
  QString styleSheet() const;

  QFont uiFont() const;
  QFont smallFont() const;
  /// Monospace font for tensor names and numbers; no ligatures.
  QFont monoFont() const;
  QFont monoSmallFont() const;

 private:
  explicit Theme(Kind kind);

  Kind kind_;
  std::array<QColor, static_cast<size_t>(Role::kCount)> roles_;
  std::vector<QColor> categorical_, sequential_, diverging_;
  std::vector<std::pair<QString, QColor>> opCategory_, dtype_;
  Metrics metrics_;
};

/// `a` over `b` with the opacity `alpha` (0…1), as an opaque colour.
QColor mix(const QColor& a, const QColor& b, double alpha);
/// Black or white, whichever has more contrast on `background`.
QColor readableOn(const QColor& background);

}  // namespace weft::widgets
