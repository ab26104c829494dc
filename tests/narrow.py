"""What a test knows of a value and its type does not say."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def there(value: T | None) -> T:
    """Return a value that has to be there."""
    assert value is not None
    return value


def narrowed(value: object, kind: type[T]) -> T:
    """Return a value that has to be of a kind."""
    assert isinstance(value, kind), value
    return value
