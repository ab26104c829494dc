"""The rules of Royal Tee."""
