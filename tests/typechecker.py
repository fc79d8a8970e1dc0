"""The checker of annotated types that the tests run with: a whole number passes for a float."""

from beartype import BeartypeConf, beartype

check = beartype(conf=BeartypeConf(is_pep484_tower=True))
