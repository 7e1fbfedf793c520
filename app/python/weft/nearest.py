"""Suggests an existing name for a missing one."""

import difflib

# Names before 1.0 and replacements for names that Weft lacks.
_FORMER = {
    "concat_v2": "concat", "merge_summary": "summary.merge", "scalar_summary": "summary.scalar", "histogram_summary": "summary.histogram", "image_summary": "summary.image",
    "audio_summary": "summary.audio", "nn.rnn": "nn.static_rnn", "nn.bidirectional_rnn": "nn.static_bidirectional_rnn", "nn.state_saving_rnn": "nn.static_state_saving_rnn",
    "nn.seq2seq": "contrib.legacy_seq2seq",
}
# These need a server or files that Weft does not have; the text debugger replaces them.
for _kind in ("TensorBoardDebug", "GrpcDebug", "DumpingDebug"):
    _FORMER["python.debug.%sWrapperSession" % _kind] = "python.debug.LocalCLIDebugWrapperSession"
    _FORMER["python.debug.%sHook" % _kind] = "python.debug.LocalCLIDebugHook"
MOST_NAMES = 4
_BESIDE, _ELSEWHERE = 0.78, 0.86  # minimal similarity of names: in the same folder, anywhere


def _leaf(path):
    return path.rpartition(".")[2]


def _best(paths):
    """The most common path: few dots; raw ops and contrib last."""
    return min(paths, key=lambda p: (p.startswith(("raw_ops.", "compat.", "operators.", "python.")), p.startswith("contrib."), p.startswith("keras.backend."), p.count("."), len(p), p))


def nearest(folder, name, beside, everything):
    """For `name` missing in tf.FOLDER: a similar name in `beside`, or "tf.PATH" from `everything` (dotted paths below tf); None if none is similar."""
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
    """Names of a program similar to `name`, or with the same last part; the most similar first."""
    close = difflib.get_close_matches(name, names, MOST_NAMES, 0.5)
    last = name.rpartition("/")[2]
    return close or sorted(n for n in names if n.rpartition("/")[2] == last)[:MOST_NAMES]
