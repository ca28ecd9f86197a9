"""Secrets and control characters never reach output."""

from __future__ import annotations

from mooring.core.redact.arguments import mask_argument, mask_arguments
from mooring.core.redact.known import hidden, secret_values, with_bare
from mooring.core.redact.launch import show_launch, show_variable, steers
from mooring.core.redact.line import source_line
from mooring.core.redact.secrets import HIDDEN, mask
from mooring.core.redact.shapes import mask_shapes, names_secret
from mooring.core.redact.text import clean, findings, visible
from mooring.core.redact.tree import mask_tree
from mooring.core.redact.values import mask_url, mask_value
from mooring.core.redact.wire import mask_headers, mask_message

__all__ = [
    "HIDDEN",
    "clean",
    "findings",
    "hidden",
    "mask",
    "mask_argument",
    "mask_arguments",
    "mask_headers",
    "mask_message",
    "mask_shapes",
    "mask_tree",
    "mask_url",
    "mask_value",
    "names_secret",
    "secret_values",
    "show_launch",
    "show_variable",
    "source_line",
    "steers",
    "visible",
    "with_bare",
]
