from .cli.parser import main

main()
