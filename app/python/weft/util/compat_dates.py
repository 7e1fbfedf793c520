"""Which features of later versions may be used (tensorflow.python.compat.compat): those introduced before a date."""

import datetime
import os

from ..exports import export
from .tf_contextlib import contextmanager

_FORWARD_COMPATIBILITY_HORIZON = datetime.date(2019, 8, 21)  # of version 1.15.5
_FORWARD_COMPATIBILITY_DELTA_DAYS_VAR_NAME = "TF_FORWARD_COMPATIBILITY_DELTA_DAYS"
_FORWARD_COMPATIBILITY_DATE_NUMBER = None


def _date_to_date_number(year, month, day):
    return (year << 9) | (month << 5) | day


def _update_forward_compatibility_date_number(date_to_override=None):
    """Sets the date that forward_compatible() compares with: the given one, or the version's, plus the days of the environment variable."""
    global _FORWARD_COMPATIBILITY_DATE_NUMBER
    date = date_to_override
    if not date:
        date = _FORWARD_COMPATIBILITY_HORIZON + datetime.timedelta(days=int(os.getenv(_FORWARD_COMPATIBILITY_DELTA_DAYS_VAR_NAME) or 0))
    _FORWARD_COMPATIBILITY_DATE_NUMBER = _date_to_date_number(date.year, date.month, date.day)


_update_forward_compatibility_date_number()


@export("compat.forward_compatible")
def forward_compatible(year, month, day):
    """Whether features introduced on that date may be used."""
    return _FORWARD_COMPATIBILITY_DATE_NUMBER > _date_to_date_number(year, month, day)


@export("compat.forward_compatibility_horizon")
@contextmanager
def forward_compatibility_horizon(year, month, day):
    """Context manager: features introduced before that date may be used."""
    try:
        _update_forward_compatibility_date_number(datetime.date(year, month, day))
        yield
    finally:
        _update_forward_compatibility_date_number()
