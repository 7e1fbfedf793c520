#include "main_window/menus.h"

#include <QtGlobal>

namespace weft::app {

const QVector<MenuRecord>& menuRecords() {
  static const auto ids = [](const char* text) { return QString::fromLatin1(text).split(u' '); };
  static const QVector<MenuRecord> menus = {
      {QT_TRANSLATE_NOOP("Menus", "&File"),
       ids("file.new-empty file.new program.new file.open panels.open-logdir panels.open-remote-logdir recent file.recover session.restore - file.save file.save-as file.reload file.compare file.compare-with file.compare-run file.compare-structure file.compare-clear - inspect.compare inspect.statistics inspect.export >weights inspect.copy-writer projector.open - "
           "file.close file.quit")},
      {QT_TRANSLATE_NOOP("Menus", "&Edit"),
       ids("edit.undo edit.redo - edit.cut edit.copy edit.paste edit.duplicate graph.rename-in-place graph.keep-snippet edit.copy-names edit.copy-commands graph.delete - edit.select-all graph.select-alike - edit.find edit.replace problems.next problems.fix - find.anything find.commands query.show - settings.open")},
      {QT_TRANSLATE_NOOP("Menus", "&Graph"),
       ids("graph.add-menu graph.frame graph.comment - graph.fit graph.fit-selection graph.tidy >zoom - graph.expand graph.collapse graph.expand-all graph.collapse-all graph.go-gradient graph.tower - >group "
           "graph.mute graph.explode graph.extract graph.probe - graph.add-training graph.strip-training graph.schedule >data graph.freeze graph.export - >colour graph.minimap")},
      {QT_TRANSLATE_NOOP("Menus", "&Run"),
       ids("run.train run.pause run.step run.steps run.stop run.apply - >sweep >server >checks run.evaluate run.go-back run.open-folder - program.run program.debug >program program.stop - console.show console.restart console.take-over - profile.trace profile.compare-devices profile.open profile.save "
           ">steps >questions")},
      {QT_TRANSLATE_NOOP("Menus", "&Debug"),
       ids("debug.train debug.start debug.feeds debug.forced - debug.continue debug.step-op debug.step-into debug.step-over debug.step-out debug.step-back debug.run-to debug.pause debug.stop - debug.toggle-breakpoint "
           "debug.watch debug.show debug.find-nan")},
      {QT_TRANSLATE_NOOP("Menus", "&View"),
       ids("layout.compose layout.train layout.debug layout.profile layout.inspect layouts - >drawing >docks - >theme >language")},
      {QT_TRANSLATE_NOOP("Menus", "&Window"), ids("view.start-page - window.next window.previous - window.next-pane window.previous-pane")},
      {QT_TRANSLATE_NOOP("Menus", "&Help"), ids("help.here help.first-steps help.tour help.keys help.actions - help.bug-report help.about")},
  };
  return menus;
}

const QVector<MenuRecord>& submenuRecords() {
  static const auto ids = [](const char* text) { return QString::fromLatin1(text).split(u' '); };
  static const QVector<MenuRecord> menus = {
      {QT_TRANSLATE_NOOP("Menus", "&Variables of the checkpoint"),
       ids("inspect.save-copy inspect.propose-names inspect.undo-map inspect.copy-saver inspect.write-mapped"), "weights"},
      {QT_TRANSLATE_NOOP("Menus", "&Zoom"), ids("graph.zoom-in graph.zoom-out graph.zoom-reset"), "zoom"},
      {QT_TRANSLATE_NOOP("Menus", "&Graph"),
       ids("graph.view-choose - graph.view-scopes graph.view-layers graph.view-ops graph.view-devices - graph.view-deeper graph.view-shallower - graph.view-text - graph.show-hidden-wires graph.to-helpers graph.to-network graph.helper-rules"),
       "drawing"},
      {QT_TRANSLATE_NOOP("Menus", "&Group"),
       ids("graph.group graph.ungroup - group.make group.update group.restore group.detach - group.fold group.to-function group.inline - group.save-library group.add-library view.dock-groups view.dock-parameters"),
       "group"},
      {QT_TRANSLATE_NOOP("Menus", "Colour &by"),
       ids("graph.color-category graph.color-device graph.color-structure graph.color-type graph.color-compute graph.color-memory graph.color-gradient"),
       "colour"},
      {QT_TRANSLATE_NOOP("Menus", "&Input data"), ids("data.columns data.advice data.shuffle data.to-records"), "data"},
      {QT_TRANSLATE_NOOP("Menus", "Trace&d steps"), ids("profile.step-before profile.step-after profile.step-slowest profile.step-all - profile.watch-slow"),
       "steps"},
      {QT_TRANSLATE_NOOP("Menus", "Questions to the trac&e"),
       ids("profile.compare profile.compare-earlier profile.compare-clear - profile.find-idle profile.idle-times profile.what-if - profile.color-time profile.color-memory profile.color-difference"),
       "questions"},
      {QT_TRANSLATE_NOOP("Menus", "P&ython program"), ids("program.names program.restart program.pause program.break"), "program"},
      {QT_TRANSLATE_NOOP("Menus", "E&xperiments"), ids("sweep.start sweep.pause sweep.stop sweep.continue - sweep.promote - sweep.import"), "sweep"},
      {QT_TRANSLATE_NOOP("Menus", "C&hecks"), ids("doctor.examine doctor.watch why.ask run.watch-nan panels.saturation"), "checks"},
      {QT_TRANSLATE_NOOP("Menus", "TensorFlow ser&vers"), ids("run.choose-server cluster.edit cluster.stop-local"), "server"},
      {QT_TRANSLATE_NOOP("Menus", "&Docks"), ids("docks >summaries >tables"), "docks"},
      {QT_TRANSLATE_NOOP("Menus", "&Tables"), ids("view.dock-sheet view.dock-query view.dock-experiments"), "tables"},
      {QT_TRANSLATE_NOOP("Menus", "Of &event files"),
       ids("view.dock-scalars view.dock-histograms view.dock-images view.dock-text view.dock-pr_curves view.dock-meshes view.dock-hparams view.dock-custom_scalars view.dock-projector"),
       "summaries"},
      {QT_TRANSLATE_NOOP("Menus", "&Colours"), ids("view.theme-light view.theme-dark view.theme-contrast view.theme-system"), "theme"},
      {QT_TRANSLATE_NOOP("Menus", "Lan&guage"), ids("view.language-en view.language-zh view.language-system"), "language"},
  };
  return menus;
}

}  // namespace weft::app
