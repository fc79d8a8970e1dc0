"""How many words of prose a text has."""

import re


def count_words(markdown: str) -> int:
    """Count the words of prose: a formula is one word; code blocks and tables count nothing."""
    prose = re.sub(r"^```.*?^```", "", markdown, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^\s*\|.*$", "", prose, flags=re.MULTILINE)
    prose = re.sub(r"\$\$.+?\$\$|\$[^$\n]+\$", "formula", prose, flags=re.DOTALL)
    prose = re.sub(r"\]\([^)]*\)", "]", prose)  # a link's address
    return len(re.findall(r"[^\s\W][^\s]*", prose))
