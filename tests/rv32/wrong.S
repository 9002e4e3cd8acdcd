#include "test_macros.h"

RVTEST_CODE_BEGIN
    TEST_RR(2, add, 10, 3, 7)
    TEST_RR(3, add, 11, 3, 7)
    TEST_PASSFAIL
