"""The subcommands of `modexplorer`, one a file; they import what they run only when run."""
