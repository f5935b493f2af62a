"""The documentation: its tables are what the specs and decks say, its code runs, its links lead somewhere."""

import contextlib
import io
import re
import runpy
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Literal

import pytest
from pydantic import Field

from deckwood import dependencies, docs
from deckwood.core.decks import Part
from deckwood.core.jit import COMPILED
from deckwood.core.spec import Feature

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GENERATED = [page for page in docs.pages(ROOT) if docs.OPENING.search(page.read_text(encoding="utf-8"))]
TINY = {"400_000": "8", "n_steps=128": "n_steps=4", "batch_size=1024": "batch_size=8", '-v1", 64': '-v1", 2', "range(100)": "range(5)"}
UNCOMPILED = {"1024": "4"}  # as many games at once would take long


def name(page):
    return page.relative_to(ROOT).as_posix()


def snippets(page):
    """The page's Python blocks, each with the output that the page says it has, or None."""
    blocks = FENCED.findall(page.read_text(encoding="utf-8"))
    for (language, text), (following, output) in pairwise([*blocks, ("", "")]):
        if language == "python":
            yield text, output if following == "text" else None


def plain(output):
    """Output without what a change elsewhere in a deck file moves."""
    return re.sub(r"line \d+", "line N", output.strip())


def anchors(page):
    """What GitHub makes of the page's headings."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


@pytest.mark.parametrize("page", GENERATED, ids=name)
def test_tables_are_up_to_date(page):
    text, new = docs.renew(page, ROOT)
    assert text == new, f"{name(page)} is stale: run `make docs`"


def test_the_picture_of_the_packages_is_up_to_date():
    ((path, (drawn, new)),) = docs.drawings(ROOT)
    assert drawn == new, f"{name(path)} is stale: run `make docs`"
    assert set(dependencies.imports(ROOT)) <= set(dependencies.MEANINGS), "a package that the picture says nothing about"


def package(root, name, text):
    home = root / "envs" / "deckwood" / name
    home.mkdir(parents=True)
    (home / "__init__.py").write_text("")
    (home / "module.py").write_text(text)


def test_packages_are_layered_by_their_imports(tmp_path):
    package(tmp_path, "core", "import json\n")
    package(tmp_path, "strong", "from deckwood.core import spec\n")
    package(tmp_path, "game", "import deckwood.strong.steps\ndef late():\n    from deckwood.core.spec import GameSpec\n")
    graph = dependencies.imports(tmp_path)
    assert graph["deckwood.game"] == {"deckwood.strong", "deckwood.core"}
    assert dependencies.levels(graph) == {"deckwood.core": 0, "deckwood.strong": 1, "deckwood.game": 2}
    assert dependencies.direct(graph)["deckwood.game"] == {"deckwood.strong"}
    assert dependencies.picture(graph).count("marker-end") == 2


def test_a_circle_of_packages_is_refused(tmp_path):
    package(tmp_path, "core", "from deckwood.strong import dice\n")
    package(tmp_path, "strong", "from deckwood.core import spec\n")
    with pytest.raises(ValueError, match=r"in a circle: deckwood\.core, deckwood\.strong"):
        dependencies.levels(dependencies.imports(tmp_path))


def test_results_come_from_the_page_of_results():
    shown = docs.standings(docs.Source(ROOT, "README.md", "README")).splitlines()
    assert len(shown) == 2 + len(docs.STANDINGS)
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    for line in shown[2:]:
        section, _, *cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        assert f"## {section}\n" in page
        assert all(cell == "-" or f"| {cell} |" in page for cell in cells)


def test_check_fails_on_a_stale_page_and_a_second_run_mends_it(tmp_path, capsys):
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("# nothing generated here\n")
    page = tmp_path / "docs" / "words.md"
    page.write_text("before\n<!-- generated: whens -->\nold\n<!-- /generated -->\nafter\n")
    arguments = ["--root", str(tmp_path)]
    assert docs.main([*arguments, "--check"]) == 1
    assert "stale: docs/words.md" in capsys.readouterr().out
    assert page.read_text().startswith("before\n<!-- generated: whens -->\nold")
    assert docs.main(arguments) == 0
    assert docs.main([*arguments, "--check"]) == 0
    assert "| `after` | in the After Effects step, defeated or not |" in page.read_text()
    assert page.read_text().endswith("<!-- /generated -->\nafter\n")


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("<!-- generated: nonsense -->\n<!-- /generated -->", "no block 'nonsense'; there are summary, actions"),
        ("<!-- generated: actions -->\n<!-- /generated -->", "no game in a folder 'words'; there are "),
        ("<!-- generated: whens -->\n", "not of the form"),
    ],
)
def test_a_block_that_cannot_be_made_is_refused(tmp_path, block, message):
    page = tmp_path / "words.md"
    page.write_text(block)
    with pytest.raises(docs.DocsError, match=re.escape(message)) as error:
        docs.renew(page, tmp_path)
    assert "words.md" in str(error.value)


def test_every_game_has_its_page():
    for spec in map(docs.registry.spec, docs.registry.games()):
        page = ROOT / "docs" / f"{docs.folder_of(spec)}.md"
        blocks = {match[0] for match in docs.BLOCK.findall(page.read_text(encoding="utf-8"))}
        assert blocks >= {"summary", "actions", "observation", "options", "endings", "readings", "golden", "cards", "balance"}
        assert page.relative_to(ROOT).as_posix() in (ROOT / "README.md").read_text(encoding="utf-8")


def test_entries_tell_once_what_labels_share():
    assert docs.entries(["a", "b"]) == "a, b"
    assert docs.entries(["1 x", "1 y z", "2 x", "2 y z"]) == "1, 2: each x, y z"
    assert docs.entries(["1 x", "1 y", "2 x"]) == "1 x, 1 y, 2 x"
    assert docs.entries(["a.x", "a.y", "b.x", "b.y"]) == "a, b: each x, y"


def test_a_long_list_of_entries_is_told_once():
    labels = tuple(f"a_rather_long_label_{i}" for i in range(10))
    features = (Feature("first", 10, 0, 1, "one", labels), Feature("second", 10, 0, 1, "another", labels))
    spec = SimpleNamespace(features=features, slices={"first": slice(0, 10), "second": slice(10, 20)})
    first, second = docs.observation(SimpleNamespace(spec=spec)).splitlines()[2:]
    assert labels[0] in first
    assert second == "| 10:20 | `second` | 10 | 0 to 1 | another<br>*as in `first`* |"


class Cell(Part):
    size: Annotated[int, Field(ge=1, le=9)] | None = None


class Plain(Part):
    type: Literal["plain"] = "plain"
    name: str


class Striped(Part):
    type: Literal["striped"] = "striped"
    name: str
    stripes: int


class Card(Part):
    front: Plain
    back: Annotated[Plain | Striped, Field(discriminator="type")]


class Board(Part):
    card: Annotated[list[Card], Field(min_length=3, max_length=3)]
    spare: Striped
    cell: dict[str, Cell]
    mark: Cell = Cell()


def test_fields_of_tables_that_may_be_of_several_types_or_names():
    assert docs.fields(SimpleNamespace(catalogue=SimpleNamespace(FILE=Board))).splitlines()[2:] == [
        "| `[[card]]` × 3 | `front`, `back` | a table |",
        "| `[card.front]` | `name` | a text |",
        '| `[card.back]` | `type` | "plain" and the fields of `[card.front]`, or "striped" and the fields of `[spare]` |',
        "| `[spare]` | `name` | a text |",
        "| `[spare]` | `stripes` | a whole number |",
        "| `[cell.NAME]` | `size` | a whole number from 1 to 9 (may be left out) |",
        "| `[mark]`, may be left out | `size` | a whole number from 1 to 9 (may be left out) |",
    ]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page):
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"(?<!`)\[[^\]]*\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), f"{name(page)} links to {target}"
        assert not anchor or anchor in anchors(found), f"{name(page)} links to {target}"


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if next(snippets(page), None)], ids=name)
def test_code_runs_as_printed(page, tmp_path, monkeypatch):
    """All of a page's Python, in order, in one namespace; only numbers that would take long are made smaller."""
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "snippet"}
    for text, expected in snippets(page):
        if "sb3" in text:
            pytest.importorskip("sb3_contrib")
        for large, small in {**TINY, **({} if COMPILED else UNCOMPILED)}.items():
            text = text.replace(large, small)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(text, name(page), "exec"), names)
        shown = printed.getvalue().replace(f"{tmp_path}/", "")
        assert expected is None or plain(shown) == plain(expected)


@pytest.mark.slow
def test_the_benchmarks_run(tmp_path, capsys):
    run = runpy.run_path(str(ROOT / "benchmarks" / "run.py"))
    results = tmp_path / "results.json"
    assert run["main"](["--quick", "--batches", "1", "2", "--starts", "1", "--json", str(results)]) == 0
    (tmp_path / "docs").mkdir()
    (tmp_path / "benchmarks").mkdir()
    results.rename(tmp_path / "benchmarks" / "results.json")
    shown = docs.benchmarks(docs.Source(tmp_path, "docs/benchmarks.md", "benchmarks"))
    for text in ("a quick run", "deckwood.Batch, 2 games", "second start"):
        assert text in shown


@pytest.mark.slow
def test_the_benchmark_of_training_runs():
    pytest.importorskip("sb3_contrib")
    command = [sys.executable, "benchmarks/training.py", "--quick", "--repeats", "1", "--configs", "configs/tanglewoods.yaml"]
    shown = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for learner in ("train.py", "stock, same network", "stock, MlpPolicy", "the network alone"):
        assert f"| tanglewoods | {learner} |" in shown
    shares = [int(share) for share in re.findall(r"(\d+)%", shown.splitlines()[-1])]
    assert sum(shares) == pytest.approx(100, abs=len(shares) / 2)
