"""The assembler: what each statement makes, and what it says about a wrong one."""

import pytest

from proc.asm.assembler import AssemblyError, assemble, assemble_file
from proc.asm.disassembler import disassemble
from proc.asm.pseudo import PSEUDO
from proc.programs.image import LARGEST_MEMORY, Image

pytestmark = pytest.mark.quick


def texts(source: str) -> list[str]:
    """The instructions that a source becomes, disassembled."""
    segment = assemble(source).segments[0]
    words = memoryview(segment.data).cast("I")
    return [disassemble(word, segment.address + 4 * i) for i, word in enumerate(words)]


def data_of(source: str) -> bytes:
    return assemble(f".data\n{source}").segments[0].data


EXPANSIONS = {
    "nop": ["addi zero, zero, 0"],
    "mv a0, a1": ["addi a0, a1, 0"],
    "not a0, a1": ["xori a0, a1, -1"],
    "neg a0, a1": ["sub a0, zero, a1"],
    "seqz a0, a1": ["sltiu a0, a1, 1"],
    "snez a0, a1": ["sltu a0, zero, a1"],
    "sltz a0, a1": ["slt a0, a1, zero"],
    "sgtz a0, a1": ["slt a0, zero, a1"],
    "zext.b a0, a1": ["andi a0, a1, 255"],
    "la a0, 0x12345fff": ["lui a0, 0x12346", "addi a0, a0, -1"],
    "la a0, .": ["lui a0, 0x0", "addi a0, a0, 512"],
    "li a0, .": ["lui a0, 0x0", "addi a0, a0, 512"],
    "beqz a0, .": ["beq a0, zero, 0x200"],
    "bnez a0, .": ["bne a0, zero, 0x200"],
    "blez a0, .": ["bge zero, a0, 0x200"],
    "bgez a0, .": ["bge a0, zero, 0x200"],
    "bltz a0, .": ["blt a0, zero, 0x200"],
    "bgtz a0, .": ["blt zero, a0, 0x200"],
    "bgt a0, a1, .": ["blt a1, a0, 0x200"],
    "ble a0, a1, .": ["bge a1, a0, 0x200"],
    "bgtu a0, a1, .": ["bltu a1, a0, 0x200"],
    "bleu a0, a1, .": ["bgeu a1, a0, 0x200"],
    "j .": ["jal zero, 0x200"],
    "jal .": ["jal ra, 0x200"],
    "jr a0": ["jalr zero, 0(a0)"],
    "jalr a0": ["jalr ra, 0(a0)"],
    "jalr a0, a1, 8": ["jalr a0, 8(a1)"],
    "ret": ["jalr zero, 0(ra)"],
    "call .": ["jal ra, 0x200"],
    "tail .": ["jal zero, 0x200"],
    "csrr a0, coreid": ["csrrs a0, mhartid, zero"],
    "csrw 0x7c0, a0": ["csrrw zero, proc2mngr, a0"],
    "csrs stats_en, a0": ["csrrs zero, stats_en, a0"],
    "csrc stats_en, a0": ["csrrc zero, stats_en, a0"],
    "csrwi stats_en, 1": ["csrrwi zero, stats_en, 1"],
    "csrsi stats_en, 1": ["csrrsi zero, stats_en, 1"],
    "csrci stats_en, 1": ["csrrci zero, stats_en, 1"],
    "rdcycle a0": ["csrrs a0, cycle, zero"],
    "rdcycleh a0": ["csrrs a0, cycleh, zero"],
    "rdinstret a0": ["csrrs a0, instret, zero"],
    "rdinstreth a0": ["csrrs a0, instreth, zero"],
    "li a0, -2048": ["addi a0, zero, -2048"],
    "li a0, 2047": ["addi a0, zero, 2047"],
    "li a0, 2048": ["lui a0, 0x1", "addi a0, a0, -2048"],
    "li a0, 0xffffffff": ["addi a0, zero, -1"],
    "li a0, 0x80000000": ["lui a0, 0x80000"],
    "li a0, 0x7fffffff": ["lui a0, 0x80000", "addi a0, a0, -1"],
    "li a0, 'A' + 1": ["addi a0, zero, 66"],
}


@pytest.mark.parametrize("source", EXPANSIONS)
def test_pseudo_instruction(source: str):
    assert texts(source) == EXPANSIONS[source]


def test_every_pseudo_instruction_is_tested():
    tested = {
        (s.split()[0], len(s.split(None, 1)[1].split(",")) if " " in s else 0) for s in EXPANSIONS
    }
    assert set(PSEUDO) <= tested


def test_register_names():
    assert texts("add x0, x31, x8") == texts("add zero, t6, fp") == texts("add zero, t6, s0")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("1 << 4 | 3 & 2", 18),
        ("-5 + ~0", -6),
        ("0b101 + 0x1F - 010 + 0", 28),
        ("'\\n'", 10),
        ("label - 0x200", 4),
        ("%lo(0x12345fff)", -1),
        ("limit >> 1", 20),
        ("8 - 4 - 2", 2),
        ("1 << 2 + 1", 8),
        ("16 - 8 >> 1", 4),
        ("64 >> 3 >> 1", 4),
    ],
)
def test_expression(expression: str, value: int):
    assert texts(f".equ limit, 40\nnop\nlabel: addi a0, x0, {expression}")[1] == (
        f"addi a0, zero, {value}"
    )


def test_labels_forwards_backwards_and_numeric():
    source = """
        j forward
    1:  beqz a0, 1f
        bnez a0, 1b
    1:
    forward: bltu a0, a1, 1b   # the nearer one
    two: labels: nop
    """
    assert texts(source) == [
        "jal zero, 0x20c",
        "beq a0, zero, 0x20c",
        "bne a0, zero, 0x204",
        "bltu a0, a1, 0x20c",
        "addi zero, zero, 0",
    ]
    symbols = assemble(source).symbols
    assert symbols == {"forward": 0x20C, "two": 0x210, "labels": 0x210}


def test_high_and_low_make_addresses():
    source = "lui a0, %hi(far)\nlw a1, %lo(far)(a0)\nsw a1, %lo(far + 4)(a0)\n"
    assert texts(f"{source}.data\n.org 0x1ffc\nfar: .word 0") == [
        "lui a0, 0x2",
        "lw a1, -4(a0)",
        "sw a1, 0(a0)",
    ]


def test_data_directives():
    assert data_of(".byte 1, -1, 'a'") == b"\x01\xffa"
    assert data_of(".half 0x1234, -2") == b"\x34\x12\xfe\xff"
    assert data_of(".word 0xdeadbeef, . + 4") == b"\xef\xbe\xad\xde\x04\x02\x00\x00"
    assert data_of('.ascii "a#b", "\\"\\n"') == b'a#b"\n'
    assert data_of('.ascii "\\q\\t\\%"') == b"q\t%"
    assert data_of('.asciz "a, b"\n.string ""') == b"a, b\0\0"
    assert data_of(".byte 1\n.space 2\n.byte 2\n.zero 1") == b"\x01\0\0\x02\0"


def test_alignment_pads_code_with_nops():
    assert texts("ret\n.align 4\nret") == [
        "jalr zero, 0(ra)",
        *["addi zero, zero, 0"] * 3,
        "jalr zero, 0(ra)",
    ]
    assert data_of(".byte 1\n.balign 4\n.byte 2") == b"\x01\0\0\0\x02"


@pytest.mark.parametrize(
    ("ahead", "step", "padding"),
    [
        (1, 2, b"\0"),
        (2, 8, b"\0\0\x13\0\0\0"),
        (4, 7, b"\0\0"),  # to 0x206
        (4, 9, b"\x13\0\0\0\0\0"),  # to 0x20a
        (4, 12, b""),
    ],
)
def test_what_is_left_of_a_padding_is_filled_with_zeros(ahead: int, step: int, padding: bytes):
    """Before the first whole word, and behind the last one."""
    found = data_of(f".space {ahead}\n.balign {step}\n.byte 2")
    assert found == bytes(ahead) + padding + b"\x02"


@pytest.mark.parametrize("power", [10, 12, 20])
def test_alignments_are_powers_of_two(power: int):
    assert assemble(f"nop\n.align {power}\nhere: nop").symbols == {"here": 1 << power}


def test_sections_and_origins():
    image = assemble(
        "nop\n.data\na: .byte 7\n.text\nret\n.org 0x300\nf: ret\n.data\n.org 0x400\nb: .byte 9"
    )
    assert [(s.address, s.end, s.executable) for s in image.segments] == [
        (0x200, 0x208, True),
        (0x300, 0x304, True),
        (0x310, 0x311, False),
        (0x400, 0x401, False),
    ]
    assert image.symbols == {"a": 0x310, "b": 0x400, "f": 0x300}


def test_an_origin_may_be_where_it_stands():
    assert assemble("nop\n.org 0x204\nhere: nop").symbols == {"here": 0x204}


def test_a_target_may_be_behind_the_first_address():
    """Addresses go around: -16 is 0x210 before 0x200."""
    words = [
        assemble(f"j {target}\nbeqz a0, {target}").words(0x400)[0x80:0x82]
        for target in ("-16", "0xfffffff0")
    ]
    assert words[0] == words[1]
    assert [disassemble(word, pc) for word, pc in zip(words[0], (0x200, 0x204), strict=True)] == [
        "jal zero, 0xfffffff0",
        "beq a0, zero, 0xfffffff0",
    ]


def test_a_program_may_end_where_the_largest_memory_does():
    """A byte more is refused."""
    last = assemble(f".data\n.org {LARGEST_MEMORY - 2}\n.byte 1\n.byte 2\n").segments[-1]
    assert last.end == LARGEST_MEMORY
    with pytest.raises(
        AssemblyError, match=f"ends at {LARGEST_MEMORY + 1:#x}, outside the largest"
    ):
        assemble(f".data\n.org {LARGEST_MEMORY - 2}\n.half 1\n.byte 3\n")


def test_entry_is_start_or_the_first_word():
    assert assemble("nop\n_start: nop").entry == 0x204
    assert assemble("nop").entry == 0x200
    assert assemble("nop", entry=0).segments[0].address == 0


def test_comments_and_ignored_directives():
    source = ".globl main // x\n# if only a comment\nmain:\tNOP\t# tab\n.section .rodata\n.word 1"
    image = assemble(source)
    assert texts(source) == ["addi zero, zero, 0"]
    assert image.segments[1].data == b"\x01\0\0\0"


ERRORS = {
    "addd a0, a1, a2": "unknown instruction 'addd'; did you mean 'add'?",
    "frobnicate": "unknown instruction 'frobnicate'",
    "add a0, a1": "add takes 3 operands (rd, rs1, rs2), 2 given",
    "ecall a0": "ecall takes no operands, 1 given",
    "mv a0": "mv takes 2 operands, 1 given",
    "li a0": "li takes 2 operands, 1 given",
    "add a0, a1, x32": "'x32' is not a register",
    "addi a0, a1, 2048": "immediate 2048 of addi is outside -2048..2047",
    "lw a0, value": "'value' is not an address: write offset(register)",
    "j nowhere": "'nowhere' is not defined",
    "here: j hare": "'hare' is not defined; did you mean 'here'?",
    "j 1f": "'1f' is not defined",
    "x: nop\nx: nop": "'x' is already defined",
    ".equ a, 1\n.equ a, 2": "'a' is already defined",
    ".equ a": ".equ takes 2 operands, 1 given",
    "li a0, 1 << 32": "4294967296 does not fit in 32 bits",
    ".byte 256": "256 does not fit in .byte, 8 bits",
    ".word -0x80000001": "-2147483649 does not fit in .word, 32 bits",
    ".algn 2": "unknown directive '.algn'; did you mean '.align'?",
    ".section .foo": "unknown section '.foo': .text or .data",
    ".space -1": ".space -1 is negative",
    ".org 0x100": ".org 0x100 goes back: the next address is 0x200",
    ".byte 1\nnop": "an instruction cannot be at address 0x201: put .align 2 first",
    ".asciz hello": "hello is not a text in double quotes",
    "csrwi stats_en, 32": "immediate 32 of csrrwi is outside 0..31",
    "csrw proc2manager, a0": "'proc2manager' is not defined",
    "addi a0, a0, (1": "cannot read the expression '(1'",
    "addi a0, a0, 1 1": "cannot read the expression '1 1'",
    "addi a0, a0, 08": "cannot read the expression '08'",
    '#include "x.h"': "'#include \"x.h\"' is for the C preprocessor: build this file with gcc",
    "#define A 1": "'#define A 1' is for the C preprocessor: build this file with gcc",
    "addi a0, a0, ?": "cannot read the expression '?'",
    "beq a0, a1, . + 4096": "branch offset 4096 of beq is outside -4096..4094",
    "beq a0, a1, . + 3": "branch offset 3 of beq is odd",
}


@pytest.mark.parametrize("source", ERRORS)
def test_error_names_file_line_and_cause(source: str):
    line = 3 + source.count("\n")
    with pytest.raises(AssemblyError) as error:
        assemble(f"nop\n.align 2\n{source}", "demo.S")
    expected = ERRORS[source].replace("next address is 0x200", "next address is 0x204")
    expected = expected.replace("0x201", "0x205")
    assert str(error.value) == f"demo.S:{line}: {expected}"


def test_file(tmp_path):
    path = tmp_path / "p.S"
    path.write_text("nop\nbad")
    with pytest.raises(AssemblyError, match=r"p\.S:2: unknown instruction 'bad'"):
        assemble_file(path)
    path.write_text("nop")
    image = assemble_file(path)
    assert isinstance(image, Image)
    assert image.name == str(path)
