/* The macros of a public test suite's style: numbered cases, pass and fail by a word to 0x7c0. */

#define RVTEST_CODE_BEGIN \
    .section .text.init; \
    .globl _start; \
_start:

#define RVTEST_PASS \
    li x1, 0x20000; \
    csrw 0x7c0, x1; \
1:  j 1b

#define RVTEST_FAIL \
    li x1, 0x20001; \
    csrw 0x7c0, x1; \
1:  j 1b

#define TEST_CASE(number, register, correct, code...) \
test_##number: \
    li gp, number; \
    code; \
    li x7, correct; \
    bne register, x7, fail

#define TEST_RR(number, instruction, correct, one, other) \
    TEST_CASE(number, x14, correct, \
        li x11, one; li x12, other; instruction x14, x11, x12)

#define TEST_PASSFAIL \
    bne x0, gp, pass; \
fail: RVTEST_FAIL; \
pass: RVTEST_PASS
