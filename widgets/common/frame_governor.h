#pragma once

#include <map>

namespace weft::widgets {

/// Decides which of the growing items on screen (curves, lists, numbers) is updated, and when, so that the GUI thread keeps within its share of the processors.
/// Two rules:
///
/// - The whole thread has an allowance, filled at `share` of the processors and reduced by the processor time that the thread really used, for whatever
/// purpose. While it is exhausted nothing is drawn, for `slowestMs` at most: then items are drawn at this lowest rate.
/// - No member takes more than an equal part of the share that the thread's other work leaves; unused parts go to the others. So expensive items are drawn less
/// often than cheap ones and do not delay them. Cheap items are drawn together at one rate, so that the window is painted once for all of them.
///
/// No member is called more often than every `fastestMs`. Decisions only: this class knows no clock, widget or thread. Times are in milliseconds.
class FrameGovernor {
 public:
  struct Rules {
    double share = 0.02;  ///< of all processors
    int processors = 1;
    double fastestMs = 33, slowestMs = 500;
  };
  /// Sources come first in a frame, because they cause drawings.
  enum class Stage { Source, Drawing };

  explicit FrameGovernor(const Rules& rules);

  /// Adds a member that is called at most every `fastestMs` (0: the rules' value). Returns its id.
  int add(Stage stage, double fastestMs = 0);
  void remove(int member);
  /// The member has work for its next frame.
  void want(int member);
  bool wants(int member) const;
  /// Whether any member has work.
  bool anyPending() const;
  /// Adds to the cost of a member: its work in a frame, or the painting that followed.
  void charge(int member, double costMs);

  /// Starts a frame at `nowMs`; `usedMs` is the processor time that the thread has used since its start.
  void begin(double nowMs, double usedMs);
  /// The next member to run in this frame; -1: the frame is complete.
  int next();
  /// Time until a frame has work; negative: no member wants one.
  double waitMs(double nowMs, double usedMs);

  /// Processor time in milliseconds that may be spent (negative: debt), as of the last begin() or waitMs().
  double allowanceMs() const { return allowance_; }
  /// Shortest interval between two drawings of a member, from its cost so far.
  double intervalMs(int member) const;

 private:
  struct Member {
    Stage stage = Stage::Drawing;
    double fastest = 0, last = -1e18, lastWanted = -1e18, cost = -1, charged = 0;
    bool wanted = false;
  };
  bool isCheap(const Member& member) const;
  double interval(const Member& member) const;
  /// Shortest interval of the active drawings; negative: there are none.
  double shortest() const;
  void account(double nowMs, double usedMs);
  void share();

  Rules rules_;
  double rate_;  // allowance per millisecond
  std::map<int, Member> members_;
  int nextId_ = 0;
  double now_ = 0, used_ = 0, allowance_ = 0;
  double charged_ = 0, otherRate_ = 0;    // by drawings since the last account; recent rate of the thread's other work, per ms
  double part_ = 0;                       // of the processor, maximum for each drawing
  double cheapMs_ = 0;                    // interval of the cheap members
  bool started_ = false, asked_ = false;  // asked_: a member has run in this frame
};

}  // namespace weft::widgets
