# SPDX-License-Identifier: MIT
"""g6plot: pictures of the runs of g6run.  main.py is the program; no other module imports it."""
