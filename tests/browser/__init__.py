"""The tests in a browser: a package, so that what it shares is ended after its last test."""
