"""The command line: one file per command, and the reading of any table that somebody may have."""
