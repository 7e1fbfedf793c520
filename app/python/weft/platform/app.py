"""tf.app: reads the flags and calls main()."""

import sys

from ..exports import export
from . import flags


@export("app.run")
def run(main=None, argv=None):
    """Reads the command line (what is no flag stays), calls main(argv) and ends the program with what it gives."""
    main = main or sys.modules["__main__"].main
    rest = flags.FLAGS(sys.argv if argv is None else argv, known_only=True)
    sys.exit(main(rest))
