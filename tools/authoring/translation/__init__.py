"""Catalogues of the course's texts for other languages: made, brought up to date, checked."""
