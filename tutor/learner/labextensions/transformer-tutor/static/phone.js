// JupyterLab on a phone: its list of files would lie over the notebook.
"use strict";
const PHONE = 600; // px: a narrower window has no room for both

// Start with the list closed; whoever opens it keeps it open.
function closeFilesOnPhone({ restored, shell }) {
  if (innerWidth < PHONE) restored.then(() => shell.collapseLeft());
}
