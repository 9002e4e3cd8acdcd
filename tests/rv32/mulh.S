#include "test_macros.h"

RVTEST_CODE_BEGIN
    TEST_RR(2, mulh, 0x00000000, 3, 7)
    TEST_RR(3, mulh, 0xffff0081, 0xaaaaaaab, 0x0002fe7d)
    TEST_RR(4, mulh, 0x40000000, 0x80000000, 0x80000000)
    TEST_RR(5, mulhsu, 0xffffffff, 0xffffffff, 0xffffffff)
    TEST_RR(6, mulhu, 0xfffffffe, 0xffffffff, 0xffffffff)
    TEST_RR(7, mul, 0x00000001, 0xffffffff, 0xffffffff)
    TEST_PASSFAIL
