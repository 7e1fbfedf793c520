"""tf.app: parses the flags and calls main()."""

import logging
import sys

from ..exports import export
from . import flags


@export("app.run")
def run(main=None, argv=None):
    """Parses the command line (other arguments remain), calls main(argv) and exits with its result. From here on tf.logging shows
    messages from level INFO, unless the program has set a level."""
    main = main or sys.modules["__main__"].main
    rest = flags.FLAGS(sys.argv if argv is None else argv, known_only=True)
    if logging.root.level == logging.WARNING:  # the initial level
        logging.root.setLevel(logging.INFO)
    sys.exit(main(rest))
