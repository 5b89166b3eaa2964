#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# g6plot, the program: its modules are in share/g6plot beside the folder of this file, in the build folder as
# where make install puts them.
import os
import sys

sys.dont_write_bytecode = True  # uninstall finds no files that install did not put there
here = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(here, "..", "share", "g6plot"))

from g6plot.main import main

sys.exit(main(sys.argv[1:]))
