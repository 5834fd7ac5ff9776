"""The rules of a variant in words: a page for people, a section where a verdict's rule is opened, and all pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.lang import say, tell
from companion.rules import HEADINGS, MODULES, VARIANTS, Section, find_variant, module_book, rulebook
from maps import LANGUAGES, LOCOMOTIVES, WildCard


def section_title(rule: str, language: str, wild: WildCard = LOCOMOTIVES) -> str:
    """The name that players give a heading, as a title."""
    key = f"verdict.rule.{rule}" if rule in HEADINGS else f"rules.title.{rule}"
    name = say(key, language, wild)
    return name[:1].upper() + name[1:]


def rule_told(section: Section, language: str, wild: WildCard = LOCOMOTIVES) -> list[str]:
    """The sentences under a heading."""
    return [tell(sentence, language, wild) for sentence in section.told]


def rules_text(sections: Sequence[Section], language: str, wild: WildCard = LOCOMOTIVES) -> str:
    """Sections as a page of Markdown, which is plain enough for a terminal."""
    parts = []
    for section in sections:
        told = "\n".join(f"- {sentence}" for sentence in rule_told(section, language, wild))
        parts.append(f"## {section_title(section.rule, language, wild)}\n\n{told}")
    return "\n\n".join(parts)


def rules_pages() -> Iterator[tuple[str, str]]:
    """Every page of the rules: its path in the folder, and its text."""
    for language in LANGUAGES:
        listed = []
        for variant_id in VARIANTS:
            variant, board = find_variant(variant_id)
            name, text = variant.name(language), rules_text(rulebook(variant, board), language, board.cards.wild)
            listed.append(f"- [{name}]({variant_id}.md)")
            yield f"{language}/{variant_id}.md", _page(name, text, language)
        for module in MODULES.values():
            name = module.name(language)
            listed.append(f"- [{name}]({module.id}.md): {module.about(language)}")
            text = rules_text(module_book(module), language)
            yield f"{language}/{module.id}.md", _page(name, text, language)
        about = say("rules.index-about", language, title=section_title("choices", language))
        index = [f"# {say('rules.index', language)}", about, "\n".join(listed), say("rules.own-board", language)]
        yield f"{language}/README.md", "\n\n".join(index) + "\n"


def _page(name: str, text: str, language: str) -> str:
    return f"# {say('rules.book', language, name=name)}\n\n{say('rules.about', language)}\n\n{text}\n"
