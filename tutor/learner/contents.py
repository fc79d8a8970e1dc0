"""How a saved notebook opens when the kernel that made its sliders is gone.

A saved explorer holds both a live view, which needs its kernel, and a still picture. JupyterLab
would rather show an error in place of the view than the picture; so a notebook without a running
kernel is handed out without its views. The file itself is left as it is.
"""

from collections.abc import Mapping
from typing import Any

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

_VIEW = "application/vnd.jupyter.widget-view+json"


class CourseContents(AsyncLargeFileManager):
    """Jupyter's own access to files, except that dead views of sliders are left out."""

    async def get(self, path: str, *args: Any, **options: Any) -> dict[str, Any]:
        """Return a file or folder as Jupyter does; a notebook without views that nobody keeps."""
        model = await super().get(path, *args, **options)
        notebook = model["content"] if model["type"] == "notebook" else None
        if notebook and not await self._has_kernel(model["path"]):
            leave_out_views(notebook)
        return model

    async def _has_kernel(self, path: str) -> bool:
        server: Any = self.parent
        sessions = await server.session_manager.list_sessions()
        return any(session["path"].strip("/") == path.strip("/") for session in sessions)


def leave_out_views(notebook: Mapping[str, Any]) -> None:
    """Remove the live view from each output that can also be shown in another way.

    Example:
        >>> data = {"application/vnd.jupyter.widget-view+json": {}, "text/plain": "A bar."}
        >>> leave_out_views({"cells": [{"outputs": [{"data": data}]}]})
        >>> data
        {'text/plain': 'A bar.'}
    """
    for cell in notebook.get("cells", []):
        for output in cell.get("outputs", []):
            if len(output.get("data", {})) > 1:
                output["data"].pop(_VIEW, None)
