#pragma once

#include <map>

namespace weft::widgets {

/// Decides which of the things that grow on the screen (curves, lists, numbers) is brought up to date, and when, so that the GUI thread keeps within
/// its share of the processors. Two rules:
///
/// - The thread as a whole has an allowance that fills at `share` of the processors and is emptied by what the thread really used, whatever for. While
///   it is used up nothing is drawn, for `slowestMs` at most: then the rate has fallen to its least, and what has grown is drawn all the same.
/// - Nobody takes more than an equal part of what is left of that share beside everything else that the thread does; what one does not need the others
///   may have. So what costs much is drawn less often than what costs little, and does not hold it up. What costs little is drawn together, at one
///   rate: the window is painted once for all of it.
///
/// Nobody is asked more often than every `fastestMs`. Only a decision: it knows no clock, no widget and no thread. Times are milliseconds.
class FrameGovernor {
 public:
  struct Rules {
    double share = 0.02;  ///< of all processors
    int processors = 1;
    double fastestMs = 33, slowestMs = 500;
  };
  /// Sources go first in a frame: they make others want to draw.
  enum class Stage { Source, Drawing };

  explicit FrameGovernor(const Rules& rules);

  /// A new member, which is never asked more often than every `fastestMs` (0: that of the rules).
  int add(Stage stage, double fastestMs = 0);
  void remove(int member);
  /// It has something to do in the next frame in which it may.
  void want(int member);
  bool wants(int member) const;
  /// Somebody wants something.
  bool anyWant() const;
  /// What a member has cost: its part in a frame, the painting that came of it.
  void charge(int member, double costMs);

  /// A frame begins at `nowMs`; the thread has used `usedMs` of processor time since its start.
  void begin(double nowMs, double usedMs);
  /// The next member of this frame, which does its work now; -1: the frame is complete.
  int next();
  /// How long until a frame has something to do; negative: nobody wants anything.
  double waitMs(double nowMs, double usedMs);

  /// Milliseconds of processor time that may be spent (negative: are owed), as of the last begin() or waitMs().
  double allowanceMs() const { return allowance_; }
  /// How often a member is drawn at most, as of its cost so far.
  double intervalMs(int member) const;

 private:
  struct Member {
    Stage stage = Stage::Drawing;
    double fastest = 0, last = -1e18, lastWanted = -1e18, cost = -1, charged = 0;
    bool wanted = false;
  };
  bool isCheap(const Member& member) const;
  double interval(const Member& member) const;
  /// Of those who draw; negative: nobody does.
  double shortest() const;
  void account(double nowMs, double usedMs);
  void share();

  Rules rules_;
  double rate_;  // allowance per millisecond
  std::map<int, Member> members_;
  int nextId_ = 0;
  double now_ = 0, used_ = 0, allowance_ = 0;
  double charged_ = 0, otherRate_ = 0;    // by drawings since the last account; what the thread does beside those, per ms, lately
  double part_ = 0;                       // of the processor, at most, for each drawing
  double cheapMs_ = 0;                    // how often those that cost little are drawn
  bool started_ = false, asked_ = false;  // somebody in this frame
};

}  // namespace weft::widgets
