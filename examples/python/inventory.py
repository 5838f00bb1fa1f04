"""Counts what lies in a warehouse, and says what has to be ordered."""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Iterable, Iterator


class InventoryError(Exception):
    """Something is wrong with the stock or with what is done to it."""


@dataclass(frozen=True)
class Article:
    number: str
    name: str
    reorder_at: int = 10
    pack_size: int = 1


@dataclass
class Movement:
    article: str
    amount: int
    day: date
    note: str = ""


@dataclass
class Inventory:
    articles: dict[str, Article] = field(default_factory=dict)
    movements: list[Movement] = field(default_factory=list)

    def add_article(self, article: Article) -> None:
        if article.number in self.articles:
            raise InventoryError(f"article {article.number} exists")
        self.articles[article.number] = article

    def book(self, movement: Movement) -> None:
        if movement.article not in self.articles:
            raise InventoryError(f"no article {movement.article}")
        if self.stock(movement.article) + movement.amount < 0:
            raise InventoryError(f"not enough of {movement.article}")
        self.movements.append(movement)

    def stock(self, number: str, until: date | None = None) -> int:
        return sum(
            movement.amount
            for movement in self.movements
            if movement.article == number and (until is None or movement.day <= until)
        )

    def to_order(self) -> Iterator[tuple[Article, int]]:
        for article in self.articles.values():
            missing = article.reorder_at - self.stock(article.number)
            if missing > 0:
                packs = -(-missing // article.pack_size)
                yield article, packs * article.pack_size


def read_articles(path: Path) -> Iterator[Article]:
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield Article(
                number=row["number"],
                name=row["name"],
                reorder_at=int(row.get("reorder_at") or 10),
                pack_size=int(row.get("pack_size") or 1),
            )


def read_movements(path: Path) -> Iterator[Movement]:
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield Movement(
                article=row["article"],
                amount=int(row["amount"]),
                day=date.fromisoformat(row["day"]),
                note=row.get("note", ""),
            )


def by_month(movements: Iterable[Movement]) -> dict[str, int]:
    totals: dict[str, int] = defaultdict(int)
    for movement in movements:
        totals[movement.day.strftime("%Y-%m")] += movement.amount
    return dict(totals)


def report(inventory: Inventory) -> str:
    lines = ["number  name                  stock"]
    for article in sorted(inventory.articles.values(), key=lambda one: one.number):
        lines.append(f"{article.number:<8}{article.name:<22}{inventory.stock(article.number):>5}")
    return "\n".join(lines)
