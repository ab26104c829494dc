"""The sixty shipped objective cards: the picture on the face of each, by its number.

They were drawn by a rule, `draw_cards` in tests/engines/royal_study/test_search.py, and are kept here so that every
print and every version has the same ones. The fewest steps between them, over all ordered pairs of a start and a
target:

    steps      1   2    3    4     5     6    7    8    9   10  11  12   mean
    level 1    4  18  100  194   390   532  688  658  574  278  96   8   7.19
    level 2    4  24  146  328   764  1116  916  232   10              5.84
    level 3    4  26  196  472  1022  1198  562   58    2              5.44
"""

from __future__ import annotations

from engines.royal_study.placement import Placement

_FACES = """
RNB/.K./..Q .../NKR/.QB BN./RQ./..K ..N/.KR/Q.B KN./.BQ/R.. .../KRN/BQ.
NKR/.BQ/... .KB/Q.R/N.. .../QRK/B.N B.K/..R/.QN .KN/.BQ/..R K.N/Q../.RB
.N./QBK/..R B.N/Q../KR. R.N/.Q./.KB .N./KBR/..Q B../KQ./.RN .../NKQ/.RB
QNR/KB./... NQR/.K./..B B../.RN/.KQ BRN/..Q/.K. B.Q/.RN/K.. B.R/..Q/NK.
.K./NR./Q.B K../.Q./BNR .NB/..Q/KR. .NK/Q.R/..B Q.B/.RN/K.. B../.QK/N.R
.NR/.B./.KQ .NB/.../QKR BNR/.Q./..K .R./N../QKB .../NRQ/B.K BQ./NRK/...
QK./..R/BN. .QK/NB./.R. .NK/.QR/B.. ..B/KQN/R.. .NK/Q.R/B.. ..R/NQ./.KB
..K/.BQ/N.R K../R../QNB N../.KR/Q.B .NB/K../RQ. ..N/QR./BK. .R./.QK/.NB
N../R../QKB N../K.Q/BR. .RB/.Q./KN. BRK/..Q/..N .R./.KN/Q.B .../NQR/.KB
.R./Q.N/.KB ..N/KR./.QB K../RBN/..Q .NQ/RB./K.. .K./.B./NQR .KN/RB./Q..
"""

CARDS: tuple[Placement, ...] = tuple(Placement(face.replace("/", "")) for face in _FACES.split())
