"""tf.app: reads the flags and calls main()."""

import logging
import sys

from ..exports import export
from . import flags


@export("app.run")
def run(main=None, argv=None):
    """Reads the command line (what is no flag stays), calls main(argv) and ends the program with what it gives. From here on messages of
    tf.logging are shown from INFO on, unless the program has said otherwise."""
    main = main or sys.modules["__main__"].main
    rest = flags.FLAGS(sys.argv if argv is None else argv, known_only=True)
    if logging.root.level == logging.WARNING:  # as it is from the start
        logging.root.setLevel(logging.INFO)
    sys.exit(main(rest))
