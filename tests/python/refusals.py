# SPDX-License-Identifier: MIT
"""Calls that must raise."""
import pytest


def refused(error, words, call, *arguments, **named):
    """Returns the error that the call raises, which has these words."""
    with pytest.raises(error, match=words) as caught:
        call(*arguments, **named)
    return caught.value
