"""Scripts that make the vendored files again from the packages they came from.

They need packages the course itself does not: each script names its own. Nobody who learns
runs them; they say exactly where every byte comes from.
"""
