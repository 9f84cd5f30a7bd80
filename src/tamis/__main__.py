"""`python -m tamis` is the command `tamis`."""

from .cli.main import main

main()
