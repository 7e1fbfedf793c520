"""tensorflow.python.tools.saved_model_utils: the meta graphs of a SavedModel."""

from ..public_names import as_text
from ..saved import saved_model


def read_saved_model(saved_model_dir):
    """The SavedModel message. IOError if there is none or it cannot be read."""
    folder = as_text(saved_model_dir)
    if not saved_model.maybe_saved_model_directory(folder):
        raise IOError("SavedModel file does not exist at: %s" % saved_model_dir)
    return saved_model.parse_saved_model(folder)


def get_saved_model_tag_sets(saved_model_dir):
    """The tags of each meta graph."""
    return [list(m.meta_info_def.tags) for m in read_saved_model(saved_model_dir).meta_graphs]


def get_meta_graph_def(saved_model_dir, tag_set):
    """The meta graph with exactly the tags in `tag_set`, separated by commas."""
    wanted = set(tag_set.split(","))
    for meta_graph_def in read_saved_model(saved_model_dir).meta_graphs:
        if set(meta_graph_def.meta_info_def.tags) == wanted:
            return meta_graph_def
    raise RuntimeError("MetaGraphDef associated with tag-set %s could not be found in SavedModel" % tag_set)
