#!/usr/bin/env python3
"""Makes the drawings of the help pages: images/NAME.svg and images/NAME.zh_CN.svg. Colours are written as roles of the theme, `@Accent`, which the help window puts in."""

import math
import os

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "images")
FONT = "font-family='sans-serif' font-size='%d'"


def text(x, y, words, role="Text1", size=13, anchor="start", weight=""):
    words = words.replace("&", "&amp;").replace("<", "&lt;")
    return "<text x='%g' y='%g' fill='@%s' text-anchor='%s' %s%s>%s</text>" % (x, y, role, anchor, FONT % size, " font-weight='bold'" if weight else "", words)


def write(name, language, width, height, parts):
    suffix = "" if language == "en" else "." + language
    with open(os.path.join(OUT, name + suffix + ".svg"), "w", encoding="utf-8") as f:
        f.write("<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d'>\n" % (width, height, width, height))
        f.write("<rect width='%d' height='%d' rx='8' fill='@Surface1'/>\n" % (width, height))
        f.write("\n".join(parts) + "\n</svg>\n")


class Chart:
    """Axes with curves; the picture has y upwards."""

    def __init__(self, x, y, width, height, xs, ys):
        self.box, self.xs, self.ys, self.parts = (x, y, width, height), xs, ys, []
        self.parts.append("<rect x='%g' y='%g' width='%g' height='%g' fill='@Surface0' stroke='@Border'/>" % (x, y, width, height))

    def at(self, x, y):
        bx, by, w, h = self.box
        return bx + (x - self.xs[0]) / (self.xs[1] - self.xs[0]) * w, by + h - (y - self.ys[0]) / (self.ys[1] - self.ys[0]) * h

    def curve(self, f, role, lo=None, hi=None, dash=""):
        lo, hi = self.xs[0] if lo is None else lo, self.xs[1] if hi is None else hi
        points = []
        for i in range(161):
            x = lo + (hi - lo) * i / 160
            y = f(x)
            if self.ys[0] <= y <= self.ys[1]:
                points.append("%.1f,%.1f" % self.at(x, y))
        self.parts.append("<polyline fill='none' stroke='@%s' stroke-width='2'%s points='%s'/>" % (role, " stroke-dasharray='5 4'" if dash else "", " ".join(points)))

    def line(self, x0, y0, x1, y1, role="Grid", dash=""):
        a, b = self.at(x0, y0), self.at(x1, y1)
        self.parts.append("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='@%s'%s/>" % (a + b + (role, " stroke-dasharray='4 3'" if dash else "")))

    def dot(self, x, y, role):
        self.parts.append("<circle cx='%.1f' cy='%.1f' r='4.5' fill='@%s'/>" % (self.at(x, y) + (role,)))

    def label(self, x, y, words, role="Text1", anchor="start", dx=0, dy=0, size=12):
        px, py = self.at(x, y)
        self.parts.append(text(px + dx, py + dy, words, role, size, anchor))

    def ticks(self, xs, ys):
        for x in xs:
            self.label(x, self.ys[0], "%g" % x, "Text2", "middle", dy=16, size=11)
        for y in ys:
            self.label(self.xs[0], y, "%g" % y, "Text2", "end", dx=-6, dy=4, size=11)


def likelihood(language):
    w = {"en": ["p is known: probability of each result", "the result is known: likelihood of p", "heads in 10 throws, p = 0.5", "p of the coin, after 7 heads in 10", "largest at 0.7"],
         "zh_CN": ["p 已知：各个结果的概率", "结果已知：p 的似然", "掷 10 次中正面的次数，p = 0.5", "硬币的 p，已掷 10 次得 7 次正面", "在 0.7 处最大"]}[language]
    left = Chart(44, 34, 280, 170, (-0.6, 10.6), (0, 0.3))
    for k in range(11):
        p = math.comb(10, k) * 0.5 ** 10
        x0, y0 = left.at(k - 0.38, p)
        x1, y1 = left.at(k + 0.38, 0)
        left.parts.append("<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='@%s'/>" % (x0, y0, x1 - x0, y1 - y0, "Accent" if k == 7 else "Text3"))
    left.ticks([0, 5, 7, 10], [0, 0.1, 0.2])
    right = Chart(392, 34, 280, 170, (0, 1), (0, 0.3))
    right.line(0.7, 0, 0.7, 0.2668, "Accent", "dash")
    right.curve(lambda p: math.comb(10, 7) * p ** 7 * (1 - p) ** 3, "Accent")
    right.dot(0.7, math.comb(10, 7) * 0.7 ** 7 * 0.3 ** 3, "Accent")
    right.dot(0.5, math.comb(10, 7) * 0.5 ** 10, "Text3")
    right.label(0.7, 0.275, w[4], "Text2", "middle")
    right.ticks([0, 0.5, 0.7, 1], [0, 0.1, 0.2])
    write("likelihood", language, 700, 250, left.parts + right.parts + [text(44, 22, w[0], weight="b"), text(392, 22, w[1], weight="b"), text(184, 240, w[2], "Text2", 12, "middle"), text(532, 240, w[3], "Text2", 12, "middle")])


def odds(language):
    w = {"en": ["odds = p / (1 − p)", "logit = log odds", "p = sigmoid(logit)", "0 … ∞, one-sided", "−∞ … ∞, symmetric: what Wx + b gives", "back to 0 … 1"],
         "zh_CN": ["几率 odds = p / (1 − p)", "logit = 对数几率", "p = sigmoid(logit)", "0 … ∞，不对称", "−∞ … ∞，对称：正是 Wx + b 给出的量", "回到 0 … 1"]}[language]
    a = Chart(36, 52, 190, 150, (0, 1), (0, 8))
    a.curve(lambda p: p / (1 - p) if p < 1 else 99, "Accent")
    a.dot(0.5, 1, "Accent")
    a.label(0.5, 1, "p = 0.5: 1", "Text2", "end", dx=-6, dy=-6)
    a.ticks([0, 0.5, 1], [0, 4, 8])
    b = Chart(282, 52, 190, 150, (0, 1), (-4, 4))
    b.line(0, 0, 1, 0, "BorderStrong")
    b.curve(lambda p: math.log(p / (1 - p)) if 0 < p < 1 else 99, "Accent")
    b.dot(0.5, 0, "Accent")
    b.ticks([0, 0.5, 1], [-4, 0, 4])
    c = Chart(528, 52, 190, 150, (-6, 6), (0, 1))
    c.line(-6, 0.5, 6, 0.5, "BorderStrong")
    c.curve(lambda x: 1 / (1 + math.exp(-x)), "Accent")
    c.dot(0, 0.5, "Accent")
    c.ticks([-6, 0, 6], [0, 0.5, 1])
    parts = a.parts + b.parts + c.parts
    for x, title, under in ((36, w[0], w[3]), (282, w[1], w[4]), (528, w[2], w[5])):
        parts += [text(x, 24, title, weight="b"), text(x, 42, under, "Text2", 11)]
    write("odds", language, 740, 236, parts)


def entropy(language):
    w = {"en": ["entropy of a coin", "cross entropy, when the class is true", "p of heads", "p that the model gives to the true class", "1 bit: most uncertain", "sure and right: 0", "sure and wrong: grows without limit", "bits", "−log p"],
         "zh_CN": ["硬币的熵", "类别为真时的交叉熵", "正面的概率 p", "模型给真实类别的概率 p", "1 bit：最不确定", "确信且正确：0", "确信却错误：无限增大", "bit", "−log p"]}[language]
    left = Chart(44, 34, 280, 170, (0, 1), (0, 1.1))
    h = lambda p: 0 if p in (0, 1) else -(p * math.log2(p) + (1 - p) * math.log2(1 - p))
    left.line(0.5, 0, 0.5, 1, "BorderStrong", "dash")
    left.curve(h, "Accent")
    left.dot(0.5, 1, "Accent")
    left.label(0.5, 0.5, w[4], "Text2", "middle", dy=4)
    left.ticks([0, 0.5, 1], [0, 0.5, 1])
    right = Chart(392, 34, 280, 170, (0, 1), (0, 5))
    right.curve(lambda p: -math.log(p) if p > 0 else 99, "Accent", 0.006)
    right.dot(1, 0, "Ok")
    right.label(0.97, 0.35, w[5], "Text2", "end")
    right.label(0.08, 4.1, w[6], "Text2")
    right.ticks([0, 0.5, 1], [0, 2, 4])
    write("entropy", language, 700, 250, left.parts + right.parts + [text(44, 22, w[0], weight="b"), text(392, 22, w[1], weight="b"), text(184, 240, w[2], "Text2", 12, "middle"), text(532, 240, w[3], "Text2", 12, "middle")])


def posterior(language):
    w = {"en": ["class 0", "class 1", "what each class looks like: p(x | y)", "what x says of the class: p(y = 1 | x) = sigmoid(Wx + b)", "decides here"],
         "zh_CN": ["类别 0", "类别 1", "每个类别的样子：p(x | y)", "x 说明的类别：p(y = 1 | x) = sigmoid(Wx + b)", "在此分界"]}[language]
    g = lambda m: (lambda x: math.exp(-(x - m) ** 2 / 2) / math.sqrt(2 * math.pi))
    top = Chart(44, 34, 620, 100, (-4, 4), (0, 0.45))
    top.curve(g(-1), "Text3")
    top.curve(g(1), "Accent")
    top.label(-1, 0.41, w[0], "Text2", "middle")
    top.label(1, 0.41, w[1], "Accent", "middle")
    low = Chart(44, 166, 620, 110, (-4, 4), (0, 1))
    low.line(0, 0, 0, 1, "BorderStrong", "dash")
    low.line(-4, 0.5, 4, 0.5, "Grid")
    low.curve(lambda x: 1 / (1 + math.exp(-2 * x)), "Accent")
    low.dot(0, 0.5, "Accent")
    low.label(0, 0.5, w[4], "Text2", dx=10, dy=16)
    low.ticks([-4, -1, 0, 1, 4], [0, 0.5, 1])
    write("posterior", language, 700, 306, top.parts + low.parts + [text(44, 22, w[2], weight="b"), text(44, 156, w[3], weight="b")])


def lifecycle(language):
    en = language == "en"
    rows = [("hook.begin()", "each hook, in order; the graph may still grow" if en else "依次调用每个 hook；图还可以增加节点", "hooks"),
            ("Scaffold.finalize()", "makes what was not given: init_op, ready_op, local_init_op, saver, summary_op" if en else "补上未给出的：init_op、ready_op、local_init_op、saver、summary_op", "scaffold"),
            ("graph.finalize()", "from now on no node can be added" if en else "此后不能再增加节点", "session"),
            ("restore  /  init_op, init_fn", "a checkpoint in the folder is restored; without one init_op runs, then init_fn" if en else "文件夹中有 checkpoint 则恢复；没有则运行 init_op，再调用 init_fn", "manager"),
            ("ready_for_local_init_op, local_init_op", "local variables and tables; the chief and each worker for itself" if en else "局部变量与查找表；chief 和每个 worker 各自运行", "manager"),
            ("ready_op", "lists variables without a value; workers wait here until the chief is done" if en else "列出没有值的变量；worker 在此等待 chief 完成", "manager"),
            ("start_queue_runners", "threads of the Coordinator" if en else "由 Coordinator 管理的线程", "session"),
            ("hook.after_create_session(session, coord)", "each hook, in order; again after a lost session was made anew" if en else "依次调用每个 hook；会话丢失重建后再调用一次", "hooks")]
    loop = [("hook.before_run(context)", "each hook may add fetches and feeds" if en else "每个 hook 可增加 fetch 和 feed", "hooks"),
            ("session.run(train_op)", "one step, with all that the hooks asked for" if en else "一个 step，连同各 hook 要求的内容", "session"),
            ("hook.after_run(context, values)", "saves, logs, counts; context.request_stop() ends the loop" if en else "保存、记录、计数；context.request_stop() 结束循环", "hooks")]
    end = [("hook.end(session)", "only if no exception ended the loop; CheckpointSaverHook saves once more" if en else "仅在循环没有因异常结束时；CheckpointSaverHook 再保存一次", "hooks"),
           ("coord.request_stop(), join, session.close()", "always" if en else "总会执行", "session")]
    who = {"hooks": ("Accent", "hooks" if en else "hooks"), "scaffold": ("Warning", "Scaffold"), "manager": ("Ok", "SessionManager"), "session": ("Text3", "MonitoredSession")}
    parts, y = [], 40
    parts.append(text(20, 26, "with tf.train.MonitoredTrainingSession(…) as session:", weight="b"))

    def row(call, what, kind, indent=0):
        nonlocal y
        role, name = who[kind]
        x = 20 + indent
        parts.append("<rect x='%g' y='%g' width='%g' height='40' rx='6' fill='@Surface2' stroke='@Border'/>" % (x, y, 700 - indent))
        parts.append("<rect x='%g' y='%g' width='4' height='40' rx='2' fill='@%s'/>" % (x, y, role))
        parts.append(text(x + 14, y + 17, call, "Text1", 13, weight="b"))
        parts.append(text(x + 14, y + 33, what, "Text2", 12))
        parts.append(text(710, y + 17, name, "Text2", 11, "end"))
        y += 48

    for r in rows:
        row(*r)
    parts.append(text(20, y + 16, "while not session.should_stop():  session.run(train_op)", weight="b"))
    y += 28
    top = y
    for r in loop:
        row(*r, indent=36)
    parts.append("<path d='M 50 %g H 34 V %g H 50' fill='none' stroke='@Accent' stroke-width='2'/><path d='M 44 %g L 52 %g L 44 %g' fill='none' stroke='@Accent' stroke-width='2'/>" %
                 (y - 28, top + 20, top + 15, top + 20, top + 25))
    parts.append(text(20, y + 16, "end of the with block" if en else "with 块结束", weight="b"))
    y += 28
    for r in end:
        row(*r)
    write("lifecycle", language, 740, y + 8, parts)


def cluster_lifecycle(language):
    """Three lanes, chief, workers and parameter servers, from start to loss and recovery. A box holds lines of text; None: nothing of its own in this row."""
    en = language == "en"
    lanes = [("chief", "Accent"), ("other workers" if en else "其他 worker", "Ok"), ("parameter servers" if en else "参数服务器 (ps)", "Text3")]
    rows = [
        (["hook.begin() of each hook", "graph.finalize()"] if en else ["依次调用 hook.begin()", "graph.finalize()"],
         ["hook.begin() of each hook", "graph.finalize()"] if en else ["依次调用 hook.begin()", "graph.finalize()"],
         ["server.join()", "hold the variables and queues"] if en else ["server.join()", "保存变量和队列"]),
        (["opens a session", "waits until all tasks answer"] if en else ["打开会话", "等待所有任务应答"],
         ["open a session", "wait until all tasks answer"] if en else ["打开会话", "等待所有任务应答"],
         ["answer the masters"] if en else ["应答各 master"]),
        (["restores the last checkpoint,", "or runs init_op, then init_fn"] if en else ["恢复最后的 checkpoint，", "没有则运行 init_op、init_fn"],
         ["wait: ready_op is run again", "every 30 s until it is empty"] if en else ["等待：每 30 s 运行一次", "ready_op，直到结果为空"],
         ["variables get their values"] if en else ["变量得到初值"]),
        (["local_init_op, queue runners", "hook.after_create_session()"] if en else ["local_init_op、queue runner", "hook.after_create_session()"],
         ["local_init_op, queue runners", "hook.after_create_session()"] if en else ["local_init_op、queue runner", "hook.after_create_session()"], None),
        (["with SyncReplicasOptimizer:", "first tokens, chief's queue runner"] if en else ["用 SyncReplicasOptimizer 时：", "初始 token、chief 的 queue runner"],
         ["wait for a token after each step"] if en else ["每步之后等待一个 token"],
         ["gather gradients, hand out tokens"] if en else ["汇总梯度，发放 token"]),
        (["steps; saves checkpoints", "and summaries (hooks)"] if en else ["训练；由 hook 保存", "checkpoint 和摘要"], ["steps; save nothing"] if en else ["训练；不保存文件"], ["apply the gradients"] if en else ["应用梯度"])]
    losses = [
        ("a worker is lost" if en else "失去一个 worker",
         ["go on without it; with tokens,", "if enough replicas are left"] if en else ["其余继续；用 token 时", "须有足够的副本"],
         ["restarted: waits for ready_op,", "then steps again"] if en else ["重启后等待 ready_op，", "然后继续训练"],
         ["keep the variables"] if en else ["变量保留"]),
        ("a parameter server is lost" if en else "失去一个参数服务器",
         ["step fails; opens a new session,", "restores the last checkpoint"] if en else ["当前步失败；新建会话，", "恢复最后的 checkpoint"],
         ["step fails; open new sessions,", "wait for ready_op"] if en else ["当前步失败；新建会话，", "等待 ready_op"],
         ["restarted: its variables", "have no values until then"] if en else ["重启后，在此之前", "变量没有值"]),
        ("the chief is lost" if en else "失去 chief",
         ["restarted: restores the last", "checkpoint; later steps are lost"] if en else ["重启后恢复最后的", "checkpoint，之后的步丢失"],
         ["go on; with tokens, wait:", "nobody applies the gradients"] if en else ["继续；用 token 时等待：", "没有任务应用梯度"],
         ["keep the variables"] if en else ["变量保留"])]
    width, gap, left = 226, 11, 20
    parts, y = [], 34
    for i, (name, role) in enumerate(lanes):
        x = left + i * (width + gap)
        parts.append("<rect x='%g' y='14' width='%g' height='26' rx='6' fill='@Surface2' stroke='@%s'/>" % (x, width, role))
        parts.append(text(x + width / 2, 32, name, "Text1", 13, "middle", weight="b"))
    y = 52

    def row(boxes):
        nonlocal y
        for i, lines in enumerate(boxes):
            if not lines:
                continue
            x, role = left + i * (width + gap), lanes[i][1]
            parts.append("<rect x='%g' y='%g' width='%g' height='44' rx='6' fill='@Surface2' stroke='@Border'/>" % (x, y, width))
            parts.append("<rect x='%g' y='%g' width='4' height='44' rx='2' fill='@%s'/>" % (x, y, role))
            first = y + (19 if len(lines) == 2 else 27)
            for n, line in enumerate(lines):
                parts.append(text(x + 14, first + 16 * n, line, "Text1" if n == 0 else "Text2", 12))
        y += 52

    for boxes in rows:
        row(boxes)
    y += 6
    parts.append(text(left, y + 14, "Recovery" if en else "恢复", weight="b"))
    y += 26
    for title, chief, workers, servers in losses:
        parts.append(text(left, y + 12, title, "Warning", 12, weight="b"))
        y += 20
        row((chief, workers, servers))
    write("cluster-lifecycle", language, 740, y + 6, parts)


for each in ("en", "zh_CN"):
    for draw in (likelihood, odds, entropy, posterior, lifecycle, cluster_lifecycle):
        draw(each)
