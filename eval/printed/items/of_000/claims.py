"""What document 000's text claims beside its tables."""

from eval.printed import derived_000 as derived
from eval.printed.document_000 import ONE, TWO
from eval.printed.items.item import BETTERED, REFUTED, Item
from eval.printed.items.of_000 import rows
from eval.printed.items.of_000.common import (
    BY_ARITHMETIC,
    BY_ITS_FIGURES,
    DERIVED,
    LONGEST,
    OF_OURS,
)
from eval.printed.items.quoted import follows, printed
from fl.pkcs1 import LEAST_BYTES

CLAIMS = (
    Item(
        "claim: 10^7 times",
        "trees take 10^7 times less time than Montgomery's (abstract, conclusion)",
        REFUTED,
        f"no table has it: {follows(derived.most_by_time(), '.0f')} times is the most of table 11, "
        f"{follows(derived.most_by_clock(), '.0f')} by the clocks of table 12",
        DERIVED,
        BY_ITS_FIGURES,
    ),
    Item(
        "claim: more than twice",
        "trees of the pseudo-modulus allow a clock more than twice that of all others (section "
        "5.4.1, of table 12)",
        REFUTED,
        f"{follows(derived.span(derived.clock_gain(TWO, 'cm-modulus')))} times that of trees, but "
        f"{follows(derived.span(derived.clock_gain(TWO, 'mm-modulus')))} times that of "
        "Montgomery's, less "
        f"than twice from {follows(derived.keys_below_twice()[0])} bits on. Nor is a tree's path "
        "the "
        "shorter one where both are built: at 8 bits cm-pseudo-2 reaches "
        f"{rows.period('cm-pseudo-2', 8)('.2f')} ns, mm-printed-2 "
        f"{rows.period('mm-printed-2', 8)('.2f')}",
        DERIVED,
        BY_ITS_FIGURES,
    ),
    Item(
        "claim: about three times",
        "about three times the clock of Montgomery's and of direct products, for every key "
        "(abstract, conclusion)",
        REFUTED,
        f"{follows(derived.span(derived.clock_gain(TWO, 'mm-modulus')))} times that of "
        "Montgomery's by "
        f"table 12, {follows(derived.span(derived.clock_gain(ONE, 'mm-modulus')))} by table 18; "
        "clocks of "
        "direct products are printed nowhere",
        DERIVED,
        BY_ITS_FIGURES,
    ),
    Item(
        "claim: 99.8 %",
        "trees of the pseudo-modulus are on average 99.8 % faster than direct products (of table "
        "8)",
        REFUTED,
        f"{follows(derived.mean_saving('dm-modulus'))} % on average with the modulus, "
        f"{follows(derived.mean_saving('dm-pseudo'))} % with the pseudo-modulus; "
        f"{printed('99.8 %')} is the "
        "cell of 512 "
        "bits, and those above 32 bits are extrapolated",
        DERIVED,
        BY_ITS_FIGURES,
    ),
    Item(
        "claim: about half",
        "trees of the pseudo-modulus take about half of the elements of those of the modulus (of "
        "table 7)",
        REFUTED,
        f"{follows(derived.span(derived.ratios(TWO.elements, 'cm-pseudo', 'cm-modulus')))} of "
        "them: about "
        "half up to 64 bits",
        DERIVED,
        BY_ITS_FIGURES,
    ),
    Item(
        "claim: 45 %",
        "one multiplier saves about 45 % of the time of encryptions and decryptions by trees (of "
        "tables 16 and 17)",
        REFUTED,
        f"of encryptions {follows(derived.mean_saved('encryption_us'))} % on average, of "
        "decryptions "
        f"{follows(derived.mean_saved('decryption_us'))} %; and both come from halved delays, see "
        "table 14",
        DERIVED,
        BY_ITS_FIGURES,
    ),
    Item(
        "claim: trees alone gain",
        "trees alone are sensitive to the pseudo-modulus (abstract); with mod it is slower "
        "(section 5.3)",
        REFUTED,
        "by table 8 direct products are faster with the pseudo-modulus from "
        f"{follows(derived.faster_direct()[0])} bits on, by "
        f"{follows(derived.most_saved_direct())} % at {LONGEST}",
        DERIVED,
        BY_ITS_FIGURES,
    ),
    Item(
        "claim: squares",
        "a tree for squares is as slow as one for products (section 5.2)",
        BETTERED,
        f"at n = 8 ours takes {rows.both('square', 8)} ns with the modulus and the pseudo-modulus, "
        f"a product's tree {rows.both('document', 8)}. cm-square-2 takes "
        f"{rows.mapped('cm-square-2', 'area_um2')('.0f')} um2 at 16 bits, cm-pseudo-2 "
        f"{rows.mapped('cm-pseudo-2', 'area_um2')('.0f')}",
        "flow cm-square-2 --nbits 16 --clock 0.5",
        OF_OURS,
    ),
    Item(
        "claim: padding above 64 bits",
        "blocks are padded where the key is longer than 64 bits (sections 4.4 and 4.5.3)",
        REFUTED,
        f"by equation 27 keys of 72 bits leave {follows(derived.message_bytes(72))} bytes for a "
        "message, "
        f"those of 88 bits {follows(derived.message_bytes(88))}. The peripheral has blocks for "
        "keys of "
        f"{LEAST_BYTES} bytes and more",
        DERIVED,
        BY_ARITHMETIC,
    ),
)
