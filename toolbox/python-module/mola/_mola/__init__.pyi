"""The native part of the package."""
