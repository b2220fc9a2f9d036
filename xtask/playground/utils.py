"""What app.py needs."""


def greet(name):
    return f"Hello, {name}!"
