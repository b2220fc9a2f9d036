"""A small program to look at, run and change."""

from utils import greet

if __name__ == "__main__":
    print(greet("Loopglass"))
