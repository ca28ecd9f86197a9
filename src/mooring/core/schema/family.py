"""Which kind of schema a model's API accepts."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Family", "family_of"]


class Family(StrEnum):
    PLAIN = "plain"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    MOONSHOT = "moonshot"


# The model's name comes first: resellers serve everybody's models under their own name.
_BY_MODEL = (("kimi", Family.MOONSHOT), ("gemini", Family.GEMINI), ("claude", Family.ANTHROPIC))
_BY_PROVIDER = {
    "anthropic": Family.ANTHROPIC,
    "azure": Family.OPENAI,
    "azure-openai": Family.OPENAI,
    "google": Family.GEMINI,
    "google-gla": Family.GEMINI,
    "google-vertex": Family.GEMINI,
    "moonshot": Family.MOONSHOT,
    "moonshotai": Family.MOONSHOT,
    "moonshotai-cn": Family.MOONSHOT,
    "openai": Family.OPENAI,
    "openai-chat": Family.OPENAI,
    "openai-responses": Family.OPENAI,
}


def family_of(provider: str, model: str) -> Family:
    """`PLAIN` for whoever is not known, OpenAI-compatible servers among them."""
    name = model.lower()
    for part, family in _BY_MODEL:
        if part in name:
            return family
    return _BY_PROVIDER.get(provider.lower().removeprefix("@ai-sdk/"), Family.PLAIN)
