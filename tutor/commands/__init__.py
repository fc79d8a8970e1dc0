"""The command ``tutor``: ``cli`` finds the module of the command that was asked for."""
