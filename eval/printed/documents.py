"""The five documents that designs, figures and statements of this project come from."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Document:
    """Introduces a document by its first page. The year is that of the newest work that it cites
    where it prints none."""

    number: str
    authors: str
    year: int
    title: str
    form: str
    has: str  # what of it is here
    year_printed: bool = True

    @property
    def short(self) -> str:
        """Return the first author, whether there are others, and the year."""
        first, *others = self.authors.split(", ")
        return f"{first}{' and others' if others else ''}, {self.when}"

    @property
    def when(self) -> str:
        """Return the year, or the earliest that it can be."""
        return str(self.year) if self.year_printed else f"{self.year} or later"


DOCUMENTS = (
    Document(
        *("000", "A. C. Boldori Vassoler", 2023),
        "Reconfigurable RSA accelerator based on efficient modular multipliers using "
        "high-performance modulus",
        "master's thesis, Universidade Federal de Santa Catarina",
        "compression trees, pseudo-moduli, the AXI4-Lite peripheral",
    ),
    Document(
        *("001", "A. McNay", 2017),
        "Rapid Security Algorithms in Hardware",
        "course project report, ECE 5745",
        "MulRem and pipelined Montgomery accelerators beside a RISC-V processor",
        year_printed=False,
    ),
    Document(
        "002",
        "J. de J. Morales-Romero, M. A. Reyes-Barranca, D. Tinoco-Varela, L. M. Flores-Nava, "
        "E. R. Espinosa-García",
        2024,
        "Efficiency Evaluation of a Modified Montgomery Multiplication Systolic Architecture "
        "Implemented on an FPGA",
        "journal article",
        "the systolic array of radix 2^16",
    ),
    Document(
        *("003", "A. Cilardo, A. Mazzeo, L. Romano, G. P. Saggese", 2003),
        "Architecture and FPGA Implementation of a Digit-serial RSA Processor",
        "chapter 17 of a book",
        "the digit-serial P- and Z-processor",
        year_printed=False,
    ),
    Document(
        *("004", "Y. Li, W. Chu", 2021),
        "Verilog HDL Implementation for an RSA Cryptography using Shift-Sub Modular "
        "Multiplication Algorithm",
        "article, Hosei University and University of Aizu",
        "shift-sub and Montgomery exponentiation at 64 to 2048 bits",
        year_printed=False,
    ),
)
