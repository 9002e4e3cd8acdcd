"""The other side of proc2mngr and mngr2proc: pass, fail, printing, test data.

Words that a program writes to CSR 0x7C0:

    0x0001cccc   end with exit code cccc
    0x00020000   end, passed
    0x0002nnnn   end, failed at line (or test) nnnn
    0x00030000   print the next word as a signed decimal number
    0x00030001   print the next word's low byte
    0x00030002   print the following words' low bytes, up to a word 0

What is printed is UTF-8: a character of more than one byte appears with its last one. Any other
word is kept in `outputs`.
"""

from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable, Iterable

from proc.retire import Stopped

NO_INPUT = "the program reads mngr2proc, but no input is left"
EXIT, PASS, PRINT = 0x0001, 0x0002, 0x0003
PRINT_INT, PRINT_CHAR, PRINT_STRING = range(3)


class Manager:
    """Gives a program its inputs, takes its outputs, knows when and how it ended.

    With `words`, outputs are plain data that nothing interprets, and the run ends after so many.
    """

    def __init__(
        self,
        inputs: Iterable[int] = (),
        words: int | None = None,
        echo: Callable[[str], None] | None = None,
    ):
        self.inputs = deque(inputs)
        self.outputs: list[int] = []
        self.exit_code: int | None = 0 if words == 0 else None
        self.reason = ""
        self.printed = ""
        self._words = words
        self._echo = echo
        self._printing: int | None = None
        self._decoder = getincrementaldecoder("utf-8")("replace")

    @property
    def done(self) -> bool:
        """Return whether the program has ended; exit_code is 0 when it passed."""
        return self.exit_code is not None

    def send(self) -> int:
        """Return the next word for mngr2proc; Stopped when there is none left."""
        if not self.inputs:
            raise Stopped(NO_INPUT)
        return self.inputs.popleft() & 0xFFFFFFFF

    def receive(self, word: int) -> None:
        """Take a word written to proc2mngr."""
        if self._words is not None:
            self.outputs.append(word)
            if len(self.outputs) == self._words:
                self._end(0, "all words received")
        elif self._printing is not None:
            self._print(word)
        elif word >> 16 == EXIT:
            self._end(word & 0xFFFF, f"exit code {word & 0xFFFF}")
        elif word >> 16 == PASS:
            line = word & 0xFFFF
            self._end(int(line != 0), f"failed at line {line}" if line else "passed")
        elif word >> 16 == PRINT and word & 0xFFFF <= PRINT_STRING:
            self._printing = word & 0xFFFF
        else:
            self.outputs.append(word)

    def _end(self, code: int, reason: str) -> None:
        self._show(b"", complete=True)
        self.exit_code, self.reason = code, reason

    def _print(self, word: int) -> None:
        kind = self._printing
        if kind != PRINT_STRING or word == 0:
            self._printing = None
        if kind == PRINT_INT:
            self._show(str(word - (word >> 31 << 32)).encode())
        elif kind == PRINT_CHAR or word:
            self._show(bytes([word & 0xFF]))

    def _show(self, text: bytes, complete: bool = False) -> None:
        characters = self._decoder.decode(text, complete)
        self.printed += characters
        if self._echo and characters:
            self._echo(characters)
