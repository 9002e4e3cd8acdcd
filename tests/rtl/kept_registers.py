"""The registers that a reset leaves as they are: of each class of components, by name.

They hold operands, what is computed of them, and counts that begin anew with each request, all
behind controls that a reset empties.
"""

ARITHMETIC = {
    "AddRedLoop": "m_register sum_register x_register y_plus_m y_register",
    "AddRedStage": "held",
    "ArrayExponentiatorRTL": "power_0 skipped start status",
    "BinaryOrder": "bits_left skipping squared",
    "BitsToLast": "place taken turn word",
    "BusRegister": "held",
    "Correct": "high",
    "DigitFeed": "at digit kept_source",
    "DigitSerialRTL": "fresh left",
    "DirectMulTwoRTL": "a b product",
    "DivRem001RTL": "dividend divisor place quotient",
    "DivRemRTL": "divisor quotient remainder steps_left",
    "Element": "a both carries carry_out fresh plus_mod plus_one q resolve_out sum_out sums take",
    "ExponentBits": "place taken turn word",
    "ExponentiatorRTL": "status",
    "FirstElement": "acc m_word u_out x_word y_word",
    "FixedEnds": "cycles_left passes_left",
    "FixedMulRTL": "a b",
    "FoldLoop": "b_register digits sum",
    "FoldMulRTL": "k m",
    "HalvedPower": "value",
    "Holding": "request",
    "InTurnOrder": "exp_left phase turn_of_z",
    "InterleavedExpRTL": "index multiplies place product result",
    "InterleavedRTL": "place product request",
    "LastElement": "acc high x_word",
    "LateSteps": "adding holds_once holds_twice modulus_passed passed reducing stepping"
    " trying_once trying_twice values",
    "LeftToRight": "bits_left power_register result_register skipping",
    "LeftToRightAlways": "bits_left power_register result_register",
    "MiddleElement": "acc m_word u_out x_word y_word",
    "MinusInverse": "digits value",
    "ModExp001RTL": "base exp mod result",
    "MontDigitRTL": "b digits m sum",
    "PDatapath": "full",
    "PProcessor": "next_odd odd previous",
    "PassingBit": "seen",
    "PowerRow": "kept_low",
    "PowerWord": "fits mod powers x",
    "ProductWord": "a x",
    "PzDatapath": "full",
    "RSquaredDoubling": "doublings power rounds",
    "RSquaredProduct": "power",
    "Ram": "kept",
    "RegisterA": "held",
    "Relay": "out",
    "RightToLeft": "bits_left power_register result_register",
    "RowControl": "address doubled following repeats_left steps_left word",
    "ScaledLowMulRTL": "b digits sum",
    "SerialAdder": "added addend carry first_carry is_first sum",
    "SerialControl": "fresh left",
    "SerialExponentiatorRTL": "status",
    "ShiftLength": "digit left more room scanning",
    "ShiftRemainder": "high rest",
    "Ssmm004RTL": "base exp mod result status",
    "SsmmRTL": "held modulus multiplicand product reducing scanned",
    "SsmmSharedRTL": "multiplicand power product reducing result square status",
    "StepControl": "word",
    "TakeRadix": "value",
    "TinyCore": "index multiplies opens",
    "TinyMulRTL": "request",
    "TogetherOrder": "exp_left phase",
    "TurningOperand": "kept",
    "TurningWords": "kept",
    "WindowOrder": "multiplied squares_left windows_left",
    "WithConstantRTL": "a b m",
    "WordFeed": "words",
    "ZProcessor": "next_odd odd previous",
}

# A reset forgets the computation and its result; operands stay, as fl/xcel.py says.
ACCELERATOR = {
    "OnlyValue": "matched",
    "TinyXcelRTL": "pops said writes",
    "TurningPushed": "kept",
    "WordShifter": "register",
    "XcelRTL": "pops said writes",
}

# Lengths and verdicts of what was done last, and the addresses of the last access.
PERIPHERAL = {
    "AxiLiteRTL": "address read_address strobes",
    "Pad": "differs is_below known_k reach",
    "Places": "counted left",
    "Unpad": "bad",
}

# What designs with shares, rows that split, and rows of two stages have beside or instead of that.
ROWS = {
    "BlindedControl": "address following repeats_left steps_left word",
    "Cut": "kept_digit kept_go kept_plus_one kept_source kept_take",
    "HalvesOrder": "windows_left",
    "HoldingByCrt": "request",
    "LadderOrder": "rounds_left",
    "LateShiftLength": "any digit few left length room scanned turn word",
    "MaskedLadder": "bits_left value_0 value_1",
    "OrdersLater": "digit low plus_mod plus_one",
    "PowerRow": "waiting",
    "RandomOperands": "c_times_m s_times_m with_base",
    "ShareRow": "kept_low",
    "ShareWord": "entry_0 entry_1 fits mod x",
    "SplitControl": "address following left of_modulus passed repeats_left second_scan"
    " steps_left word",
    "SplitExponentiatorRTL": "power_0",
    "SplitRow": "kept_low",
    "SplitWord": "fits mod powers x",
    "TurningElement": "a both carries carry_out fresh kept_q plus_one sum_out sums take",
    "TwoStageElement": "above both_carry both_high both_low carries carry_out clears high kept"
    " only_m only_x plus_one q_before q_earlier resolve_out sum_out sums take takes_both",
}

# What the multipliers and loops have that only families make.
FAMILIES = {
    "EarlyMontDigitRTL": "b digits m sum",
    "LastTwinElement": "acc high_one high_two m_word one two u_out word_out",
    "LateQuotient": "a_counts m_word u",
    "MiddleTwinElement": "acc m_word one two u_out word_out",
    "ScaledSystolicRTL": "u",
    "TwinOrder": "newest",
    "Windows": "filling into multiplying powers result_register",
}


def kept(*tables: dict[str, str]) -> set[tuple[str, str]]:
    """Pairs of a class and a register of it."""
    return {
        (unit, register)
        for table in tables
        for unit, registers in table.items()
        for register in registers.split()
    }
