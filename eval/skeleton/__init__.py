"""The small design that `modexplorer new` copies under another name; it works as it stands."""
