"""tensorflow.python.debug.lib.common: names of feeds and fetches."""

import collections
import json

GRPC_URL_PREFIX = "grpc://"

RunKey = collections.namedtuple("RunKey", ["feed_names", "fetch_names"])


def get_graph_element_name(elem):
    """The name of a graph element, or its text if it has none."""
    return elem.name if hasattr(elem, "name") else str(elem)


def get_flattened_names(feeds_or_fetches):
    """The names in a structure of feeds or fetches, in order; of a dictionary its values."""
    if isinstance(feeds_or_fetches, dict):
        feeds_or_fetches = list(feeds_or_fetches.values())
    if isinstance(feeds_or_fetches, (list, tuple)):
        return [name for item in feeds_or_fetches for name in get_flattened_names(item)]
    return [get_graph_element_name(feeds_or_fetches)]


def get_run_key(feed_dict, fetches):
    """JSON that tells runs with other feeds or fetches apart."""
    return json.dumps(RunKey(get_flattened_names(feed_dict), get_flattened_names(fetches)))
