"""What a crash, a sync or another program can leave in the place of a file that commands read."""

NO_JSON = (b"", b"{", b"\xff\xfe", b"\0" * 40, b"[" * 100_000)
NO_MAPPINGS = (b"null", b"3", b"[]", b'"x"')

NO_NOTEBOOKS = [
    *(*NO_JSON, *NO_MAPPINGS, b"{}"),
    *(b'{"cells": null}', b'{"cells": 3}', b'{"cells": [null]}', b'{"cells": ["x"]}'),
    *(b'{"cells": [{}]}', b'{"cells": [{"cell_type": "code"}]}'),
    b'{"cells": [{"cell_type": "code", "source": null}]}',
    b'{"cells": [{"cell_type": "code", "source": [1]}]}',
]

NO_RECORDS = [
    *(*NO_JSON, *NO_MAPPINGS, b"{}"),
    *(b'{"right": null}', b'{"right": []}', b'{"right": {}}', b'{"right": {"embed": null}}'),
]


def by_content(content: bytes) -> str:
    """Name a case by what the file holds."""
    return str(content[:50])
