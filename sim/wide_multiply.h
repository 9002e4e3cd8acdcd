// Verilator's VL_MUL_W carries every partial product to the last word: cubic time, 5 ms for a
// product of two 4096-bit words. This schoolbook product takes the same arguments and is
// quadratic in the words that are in use. Included before the generated code.
#pragma once

#include "verilated.h"

static inline WDataOutP wide_multiply(int words, WDataOutP out, WDataInP a, WDataInP b) {
    int used_a = words, used_b = words;
    while (used_a && !a[used_a - 1]) --used_a;
    while (used_b && !b[used_b - 1]) --used_b;
    for (int i = 0; i < words; ++i) out[i] = 0;
    for (int i = 0; i < used_a; ++i) {
        const QData digit = a[i];
        QData carry = 0;
        int k = i;
        for (int j = 0; j < used_b && k < words; ++j, ++k) {
            const QData sum = digit * b[j] + out[k] + carry;
            out[k] = static_cast<EData>(sum);
            carry = sum >> 32;
        }
        if (k < words) out[k] = static_cast<EData>(carry);
    }
    return out;
}

#define VL_MUL_W wide_multiply
