"""`python -m config.embedded`: see supervisor."""

import sys

from config.embedded.supervisor import main

sys.exit(main())
