#include <QTest>
#include <set>

#include "partitions.h"
#include "weft/mutex.h"

using namespace weft;
using namespace weft::tests;

namespace {

/// A rendezvous that remembers the keys of sends, and which were dead.
class Recorded final : public Rendezvous {
 public:
  Status send(const std::string& key, Tensor value, bool dead) override {
    {
      const MutexLock lock(mutex_);
      const size_t tensor = key.rfind(';', key.rfind(';') - 1) + 1;
      keys_.insert(key.substr(tensor) + (dead ? " dead" : ""));
    }
    return inner_.send(key, std::move(value), dead);
  }
  Cancel receive(const std::string& key, Done done) override { return inner_.receive(key, std::move(done)); }
  void abort(Error why) override { inner_.abort(std::move(why)); }
  /// Keys from the tensor's name on, sorted.
  QStringList sent() {
    const MutexLock lock(mutex_);
    QStringList out;
    for (const std::string& key : keys_) out << QString::fromStdString(key);
    return out;
  }

 private:
  LocalRendezvous inner_;
  Mutex mutex_;
  std::set<std::string> keys_ WEFT_GUARDED_BY(mutex_);
};

std::string emptyConst(const std::string& name, const std::vector<std::string>& controls = {}) {
  return node(name, "Const", controls, typed("dtype") + attr("value", "tensor { dtype: DT_FLOAT tensor_shape { dim {} } }"));
}
std::string boolean(const std::string& name, const std::string& kind, const std::vector<std::string>& inputs) {
  return node(name, kind, inputs, typed("T", "DT_BOOL"));
}
std::string enter(const std::string& name, const std::string& input, const std::string& frame, const std::string& more = "") {
  return op(name, "Enter", {input}, attr("frame_name", "s: '" + frame + "'") + more);
}

// tf.cond on the server with its pivots' Switch on the worker, as TensorFlow 1.15.5 divided it.
std::string condWorker() {
  return feed("_recv_p_0", "p:0", 'w', "DT_BOOL") + boolean("cond/Switch", "Switch", {"_recv_p_0", "_recv_p_0"}) +
         send("s20", "_recv_p_0", "edge_20__recv_p_0", 'w', 'p', "DT_BOOL") + send("s5", "cond/Switch", "edge_5_cond/Switch", 'w', 'p', "DT_BOOL") +
         send("s6", "cond/Switch:1", "edge_6_cond/Switch", 'w', 'p', "DT_BOOL") + recv("r", "edge_21_cond/Merge", 'p', 'w') +
         fetch("f", "r", "cond/Merge:0", 'w');
}
std::string condServer() {
  return scalar("b", 10) + recv("_recv_p_0_S21", "edge_20__recv_p_0", 'w', 'p', "DT_BOOL") +
         recv("cond/Switch_S23", "edge_5_cond/Switch", 'w', 'p', "DT_BOOL") + recv("cond/Switch_S25", "edge_6_cond/Switch", 'w', 'p', "DT_BOOL") +
         boolean("cond/switch_f", "Identity", {"cond/Switch_S23"}) + boolean("cond/switch_t", "Identity", {"cond/Switch_S25"}) +
         op("cond/add/Switch", "Switch", {"b", "_recv_p_0_S21"}) + scalar("cond/sub/y", 2, {"^cond/switch_f"}) + scalar("cond/add/y", 1, {"^cond/switch_t"}) +
         op("cond/sub", "Sub", {"cond/add/Switch", "cond/sub/y"}) + op("cond/add", "AddV2", {"cond/add/Switch:1", "cond/add/y"}) +
         op("cond/Merge", "Merge", {"cond/sub", "cond/add"}, attr("N", "i: 2")) + send("s26", "cond/Merge", "edge_21_cond/Merge", 'p', 'w');
}

/// A control loop: it makes the receives of a task run once for each iteration of a loop whose condition is computed by another task.
std::string controlLoop(const std::string& loop, const std::string& frame, const std::string& condition, const std::string& start,
                        const std::string& enterMore = "") {
  return enter(loop + "_enter", start, frame, enterMore) + op(loop + "_merge", "Merge", {loop + "_enter", loop + "_next"}, attr("N", "i: 2")) +
         op(loop + "_switch", "Switch", {loop + "_merge", condition}) + op(loop + "_next", "NextIteration", {loop + "_switch:1"});
}

// tf.while_loop over i < 3 with x + 1 on the worker, as TensorFlow 1.15.5 divided it.
std::string whileServer() {
  const std::string frame = "while/while_context";
  return scalar("Const_2", 0) + scalar("Const_3", 0) + enter("while/Enter", "Const_2", frame) + enter("while/Enter_1", "Const_3", frame) +
         op("while/Merge", "Merge", {"while/Enter", "while/NextIteration"}, attr("N", "i: 2")) +
         op("while/Merge_1", "Merge", {"while/Enter_1", "while/NextIteration_1"}, attr("N", "i: 2")) + scalar("while/Less/y", 3, {"^while/Merge"}) +
         op("while/Less", "Less", {"while/Merge", "while/Less/y"}) + node("while/LoopCond", "LoopCond", {"while/Less"}) +
         op("while/Switch", "Switch", {"while/Merge", "while/LoopCond"}) + op("while/Switch_1", "Switch", {"while/Merge_1", "while/LoopCond"}) +
         op("while/Identity", "Identity", {"while/Switch:1"}) + op("while/Exit_1", "Exit", {"while/Switch_1"}) +
         emptyConst("while/Identity_S38", {"^while/Identity"}) + send("while/Identity_S39", "while/Identity_S38", "edge_17_while/Identity", 'p', 'w') +
         scalar("while/add_1/y", 1, {"^while/Identity"}) + send("while/Switch_1_S42", "while/Switch_1:1", "edge_19_while/Switch_1", 'p', 'w') +
         op("while/add_1", "AddV2", {"while/Identity", "while/add_1/y"}) + op("while/NextIteration_1", "NextIteration", {"while/add_S45"}) +
         recv("while/add_S45", "edge_23_while/add", 'w', 'p', "DT_FLOAT", {"^cl_merge"}) + op("while/NextIteration", "NextIteration", {"while/add_1"}) +
         send("while/Exit_1_S46", "while/Exit_1", "edge_30_while/Exit_1", 'p', 'w') +
         send("while/LoopCond_S48", "while/LoopCond", "edge_33_while/LoopCond", 'p', 'w', "DT_BOOL") + controlLoop("cl", frame, "while/LoopCond", "S37") +
         emptyConst("S37");
}
std::string whileWorker() {
  return recv("while/LoopCond_S49", "edge_33_while/LoopCond", 'p', 'w', "DT_BOOL", {"^cl_merge"}) +
         controlLoop("cl", "while/while_context", "while/LoopCond_S49", "S29") + emptyConst("S29") +
         recv("while/Identity_S40", "edge_17_while/Identity", 'p', 'w', "DT_FLOAT", {"^cl_merge"}) +
         recv("while/Switch_1_S43", "edge_19_while/Switch_1", 'p', 'w', "DT_FLOAT", {"^cl_merge"}) +
         op("while/Identity_1", "Identity", {"while/Switch_1_S43"}) + op("while/Identity_S41", "Identity", {"while/Identity_S40"}) +
         scalar("while/add/y", 1, {"^while/Identity_S41"}) + op("while/add", "AddV2", {"while/Identity_1", "while/add/y"}) +
         send("while/add_S44", "while/add", "edge_23_while/add", 'w', 'p') + recv("while/Exit_1_S47", "edge_30_while/Exit_1", 'p', 'w') +
         fetch("f", "while/Exit_1_S47", "while/Exit_1:0", 'w');
}

/// Two nested loops of two iterations each; the inner body sends its variable.
std::string nestedSender() {
  const auto loop = [](const std::string& name, const std::string& from, const std::string& body, const std::vector<std::string>& after) {
    const std::string n = name + "/";
    return enter(n + "Enter", from, n + "while_context") + op(n + "Merge", "Merge", {n + "Enter", n + "Next"}, attr("N", "i: 2")) +
           scalar(n + "Less/y", 2, {"^" + n + "Merge"}) + op(n + "Less", "Less", {n + "Merge", n + "Less/y"}) + node(n + "LoopCond", "LoopCond", {n + "Less"}) +
           op(n + "Switch", "Switch", {n + "Merge", n + "LoopCond"}) + op(n + "Identity", "Identity", {n + "Switch:1"}) + scalar(n + "one", 1, after) +
           op(n + "add", "AddV2", {n + "Identity", n + "one"}) + op(n + "Next", "NextIteration", {n + "add"}) + op(n + "Exit", "Exit", {n + "Switch"}) + body;
  };
  return scalar("zero", 0) + scalar("out/zero", 0, {"^out/Identity"}) +
         loop("out/in", "out/zero", send("s", "out/in/Identity", "edge_32_out/in/Identity", 'p', 'w'), {"^out/in/Identity"}) +
         // The outer loop's next iteration waits for the inner loop.
         node("out/wait", "NoOp", {"^out/in/Exit"}) + loop("out", "zero", fetch("f", "out/Exit", "out/Exit:0", 'p'), {"^out/Identity", "^out/wait"});
}

}  // namespace

/// Branches and loops that several tasks share.
class PartitionFlowTest : public QObject {
  Q_OBJECT

 private slots:
  void condAcrossTasks() {
    Tasks tasks("pw");
    const auto p = tasks.add('p', condServer()), w = tasks.add('w', condWorker());
    for (const bool taken : {true, false, true}) {
      const auto rendezvous = std::make_shared<Recorded>();
      const auto out = together({{p.get()}, {w.get(), {{w->feedKeys()[0], Tensor::scalar(taken)}}, w->fetchKeys()}}, rendezvous);
      QCOMPARE(out[0] + "|" + out[1], QString(taken ? "|11" : "|8"));
      const QStringList want = {"edge_20__recv_p_0;0:0", "edge_21_cond/Merge;0:0", QString("edge_5_cond/Switch;0:0") + (taken ? " dead" : ""),
                                QString("edge_6_cond/Switch;0:0") + (taken ? "" : " dead")};
      QCOMPARE(rendezvous->sent(), want);
    }
  }

  /// Dead tensors pass through tasks without branches of their own, over data and control edges, and end effects and fetches there.
  void deadTensorsAcrossTasks() {
    Tasks tasks("pwx");
    const auto init =
        tasks.add('w', node("v", "VariableV2", {}, typed("dtype") + attr("shape", "shape {}")) + scalar("k", 1) + op("set", "Assign", {"v", "k"}));
    const auto p = tasks.add('p', feed("f", "p:0", 'p', "DT_BOOL") + scalar("c", 5) + op("switch", "Switch", {"c", "f"}) +
                                      send("s", "switch:1", "e", 'p', 'w') + op("n", "Neg", {"switch:1"}) + fetch("g", "n", "n:0", 'p'));
    const auto w = tasks.add('w', recv("r", "e", 'p', 'w') + node("v", "VariableV2", {}, typed("dtype") + attr("shape", "shape {}")) +
                                      op("i", "Identity", {"r"}) + scalar("k", 1, {"^i"}) + op("up", "AssignAdd", {"v", "k"}) + scalar("alone", 3, {"^i"}) +
                                      send("s", "alone", "e2", 'w', 'x') + op("m", "Neg", {"r"}) + fetch("g", "m", "m:0", 'w'));
    const auto x = tasks.add('x', recv("r", "e2", 'w', 'x') + fetch("g", "r", "r:0", 'x'));
    const auto read = tasks.add('w', node("v", "VariableV2", {}, typed("dtype") + attr("shape", "shape {}")) + fetch("g", "v", "v:0", 'w'));
    QCOMPARE(together({{init.get()}})[0], QString());
    const auto step = [&](bool taken) {
      const auto out =
          together({{p.get(), {{p->feedKeys()[0], Tensor::scalar(taken)}}, p->fetchKeys()}, {w.get(), {}, w->fetchKeys()}, {x.get(), {}, x->fetchKeys()}});
      return out[0] + ", " + out[1] + ", " + out[2] + "; " + inWords(read->run({1, nullptr}, {}, read->fetchKeys()));
    };
    QCOMPARE(step(true), QString("-5, -5, 3; 2"));
    QCOMPARE(step(false), QString("dead, dead, dead; 2"));
    QCOMPARE(step(true), QString("-5, -5, 3; 3"));
  }

  /// The keys are those of a step of TensorFlow 1.15.5, the frame's other number one of 2.21.
  void bodyOnAnotherTask() {
    for (const bool later : {false, true}) {
      const int producer = later ? 2474 : 134;
      const QString frame = later ? ";18186195969791715286:" : ";1496156560211570566:";
      Tasks tasks("pw");
      const auto p = tasks.add('p', whileServer(), producer), w = tasks.add('w', whileWorker(), producer);
      const auto rendezvous = std::make_shared<Recorded>();
      const auto out = together({{p.get()}, {w.get(), {}, w->fetchKeys()}}, rendezvous);
      QCOMPARE(out[0] + "|" + out[1], QString("|3"));
      QStringList want;
      for (int i = 0; i < 4; ++i) {
        const QString at = frame + QString::number(i), dead = i == 3 ? " dead" : "";
        want << "edge_17_while/Identity" + at + dead << "edge_19_while/Switch_1" + at + dead << "edge_23_while/add" + at + dead
             << "edge_33_while/LoopCond" + at;
      }
      want << "edge_30_while/Exit_1;0:0";
      want.sort();
      QCOMPARE(rendezvous->sent(), want);
    }
  }

  void manyIterations() {
    Tasks tasks("pw");
    std::string server = whileServer();
    const std::string limit = scalar("while/Less/y", 3, {"^while/Merge"});
    server.replace(server.find(limit), limit.size(), scalar("while/Less/y", 500, {"^while/Merge"}));
    const auto p = tasks.add('p', server), w = tasks.add('w', whileWorker());
    const auto out = together({{p.get()}, {w.get(), {}, w->fetchKeys()}});
    QCOMPARE(out[0] + "|" + out[1], QString("|500"));
  }

  /// The numbers are TensorFlow's for the same loops; the last, dead iteration sends too.
  void nestedLoops() {
    Tasks tasks("p");
    const std::map<int, QStringList> frames = {{134, {"8938996621691498761", "14165726676734493473"}}, {2474, {"419804632738088497", "419804632738087474"}}};
    for (const auto& [producer, inner] : frames) {
      const auto p = tasks.add('p', nestedSender(), producer);
      const auto rendezvous = std::make_shared<Recorded>();
      QCOMPARE(together({{p.get(), {}, p->fetchKeys()}}, rendezvous)[0], QString("2"));
      const QStringList sent = rendezvous->sent();
      for (const QString& frame : inner) {
        for (const char* end : {":0", ":1", ":2 dead"}) {
          const QString key = "edge_32_out/in/Identity;" + frame + end;
          QVERIFY2(sent.contains(key), qPrintable(sent.join(' ')));
        }
      }
    }
  }

  /// A loop within one task stays one op although other edges leave the task.
  void loopsWithinATask() {
    Tasks tasks("pw");
    std::string text = nestedSender();
    const std::string inner = send("s", "out/in/Identity", "edge_32_out/in/Identity", 'p', 'w');
    text.erase(text.find(inner), inner.size());
    const auto p = tasks.add('p', text + send("s", "out/Exit", "e", 'p', 'w'));
    const auto w = tasks.add('w', recv("r", "e", 'p', 'w') + fetch("f", "r", "r:0", 'w'));
    const auto out = together({{p.get(), {}, p->fetchKeys()}, {w.get(), {}, w->fetchKeys()}});
    QCOMPARE(out[0] + "|" + out[1], QString("2|2"));
  }
};

QTEST_APPLESS_MAIN(PartitionFlowTest)
#include "tst_partition_flow.moc"
