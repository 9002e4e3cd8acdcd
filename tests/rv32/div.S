#include "test_macros.h"

RVTEST_CODE_BEGIN
    TEST_RR(2, div, 3, 20, 6)
    TEST_RR(3, div, -3, -20, 6)
    TEST_RR(4, rem, -2, -20, 6)
    TEST_RR(5, div, 0x80000000, 0x80000000, -1)
    TEST_RR(6, rem, 0, 0x80000000, -1)
    TEST_RR(7, div, -1, 1, 0)
    TEST_RR(8, remu, 0x80000000, 0x80000000, 0)
    TEST_RR(9, divu, 715827879, -20, 6)
    TEST_PASSFAIL
