#include "test_macros.h"

RVTEST_CODE_BEGIN
    TEST_CASE(2, x14, 0xffffff80, la x1, data; lb x14, 1(x1))
    TEST_CASE(3, x14, 0x00000080, la x1, data; lbu x14, 1(x1))
    TEST_CASE(4, x14, 0xffff8001, la x1, data; lh x14, 0(x1))
    TEST_CASE(5, x14, 0x1234aa01, la x1, data; li x2, 0xaa; sb x2, 1(x1); lw x14, 0(x1))
    fence
    TEST_CASE(6, x14, 0xbeefaa01, la x1, data; li x2, 0xbeef; sh x2, 2(x1); lw x14, 0(x1))
    TEST_CASE(7, x14, 3, li x14, 0; 1: addi x14, x14, 1; li x2, 3; bne x14, x2, 1b)
    TEST_PASSFAIL

    .data
    .align 4
data:
    .word 0x12348001
