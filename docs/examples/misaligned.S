    li a0, 0x1000
    lw a1, 2(a0)
