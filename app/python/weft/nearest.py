"""Suggests the name that was probably meant by a missing one."""

import difflib

# What versions before 1.0 called it, and what stands in for something that cannot be had.
_FORMER = {
    "concat_v2": "concat", "merge_summary": "summary.merge", "scalar_summary": "summary.scalar", "histogram_summary": "summary.histogram", "image_summary": "summary.image",
    "audio_summary": "summary.audio", "nn.rnn": "nn.static_rnn", "nn.bidirectional_rnn": "nn.static_bidirectional_rnn", "nn.state_saving_rnn": "nn.static_state_saving_rnn",
    "nn.seq2seq": "contrib.legacy_seq2seq",
}
# What needs a server or files that are not there; the text debugger does it here.
for _kind in ("TensorBoardDebug", "GrpcDebug", "DumpingDebug"):
    _FORMER["python.debug.%sWrapperSession" % _kind] = "python.debug.LocalCLIDebugWrapperSession"
    _FORMER["python.debug.%sHook" % _kind] = "python.debug.LocalCLIDebugHook"
MOST_NAMES = 4
_BESIDE, _ELSEWHERE = 0.78, 0.86  # how alike names must be: of one folder, of all


def _leaf(path):
    return path.rpartition(".")[2]


def _best(paths):
    """The one that programs write: few dots; the ops themselves and contrib last."""
    return min(paths, key=lambda p: (p.startswith(("raw_ops.", "compat.", "operators.", "python.")), p.startswith("contrib."), p.startswith("keras.backend."), p.count("."), len(p), p))


def nearest(folder, name, beside, everything):
    """For `name` asked of the folder tf.FOLDER: a name of `beside`, or "tf.PATH" of `everything` (dotted paths below tf); None if nothing is alike."""
    former = _FORMER.get(folder + "." + name if folder else name)
    if former is not None:
        return "tf." + former
    beside = sorted(n for n in beside if not n.startswith("_"))
    for n in beside:
        if n.lower() == name.lower():
            return n
    same = [p for p in everything if _leaf(p) == name] or [p for p in everything if _leaf(p).lower() == name.lower()]
    if same:
        return "tf." + _best(same)
    close = difflib.get_close_matches(name, beside, 1, _BESIDE)
    if close:
        return close[0]
    leaves = {}
    for p in everything:
        leaves.setdefault(_leaf(p), []).append(p)
    close = difflib.get_close_matches(name, sorted(n for n in leaves if not n.startswith("_")), 1, _ELSEWHERE)
    return "tf." + _best(leaves[close[0]]) if close else None


def ending(found):
    return "; the nearest that exists is '%s'" % found if found else ""


def close_names(name, names):
    """The names of a program that are like `name`, or end as it does; the closest first."""
    close = difflib.get_close_matches(name, names, MOST_NAMES, 0.5)
    last = name.rpartition("/")[2]
    return close or sorted(n for n in names if n.rpartition("/")[2] == last)[:MOST_NAMES]
