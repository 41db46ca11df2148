"""Loads SQL from standard input into SQLite, and prints the rows of each query that is given."""
import sqlite3
import sys

base = sqlite3.connect(":memory:")
base.executescript(sys.stdin.read())
for query in sys.argv[1:]:
    for row in base.execute(query):
        print(*row, sep="  ")
