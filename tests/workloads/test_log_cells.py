"""Cells of logs: every documented form of a time, a duration and a number of GPUs."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import hypothesis.strategies as st
import pytest
from hypothesis import given

from schedproof.workloads.job_logs.cells import LATEST, duration, gpu_types, gpus, moment, time_formats, without_comma

TEN = 1709287200  # 2024-03-01 10:00:00 UTC
MOMENTS = {
    "2024-03-01T10:00:00Z": ("0", ""),
    "2024-03-01 10:00:00+00:00": ("0", ""),
    "2024-03-01t10:00:00.123456789z": ("0.123456789", ""),
    "2024-03-01T10:00:00.1234567+01:30": ("-5399.8765433", ""),
    "2024-03-01T10:00:00,5-0800": ("28800.5", ""),
    "2024-03-01 10:00:00 UTC": ("0", ""),
    "20240301T100000Z": ("0", ""),
    "2024-03-01T10:00:00": ("0", "arrival_naive"),
    "2024/03/01 10:00": ("0", "arrival_naive"),
    "2024-03-01": ("-36000", "arrival_naive"),
    "1709287200.25": ("0.25", ""),
    "1709287200250": ("0.25", "arrival_scaled"),
    "1709287200250000": ("0.25", "arrival_scaled"),
    "1709287200250000000": ("0.25", "arrival_scaled"),
}


@pytest.mark.parametrize("text", MOMENTS)
def test_moment_of_a_text(text: str) -> None:
    after, odd = MOMENTS[text]
    assert moment(text) == (TEN + Decimal(after), odd)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "01/03/2024",
        "2024-02-30",
        "2024-03-01 25:00",
        "-1",
        "1e19",
        "4294967296",
        "99999999999",
        "1023-01-01",
    ],
)
def test_moment_of_another_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected a time|must be in|out of range"):
        moment(text)


def test_a_stated_unit_is_not_changed() -> None:
    assert moment("1709287200000", "ms").odd == "" and moment("1709287200000", "ms").seconds == TEN
    with pytest.raises(ValueError, match="expected a time"):
        moment("1709287200000", "s")


@given(st.datetimes(datetime(1970, 1, 2), datetime(2099, 12, 30), timezones=st.just(UTC)))
def test_moment_is_the_inverse_of_isoformat(time: datetime) -> None:
    seconds, odd = moment(time.isoformat())
    assert not odd and seconds == int(time.timestamp()) + Decimal(time.microsecond) / 10**6 < LATEST


DURATIONS = {
    "90": "90",
    "90.25": "90.25",
    "01:02:03": "3723",
    "1-02:03:04.5": "93784.5",
    "1-02": "93600",
    "1657 second(s)": "1657",
    "2 hour(s) 1 minute(s)": "7260",
    "1-02:03": "93780",
    "02:03.5": "123.5",
    "05:30": "330",
    "90:00": "5400",
    "2 days 03:04:05": "183845",
    "0 days 00:01:30.500000": "90.5",
    "1 day, 2:03:04": "93784",
    "1h30m": "5400",
    "1h 30min 5s": "5405",
    "2 hours, 5 minutes": "7500",
    "1.5h": "5400",
    "350ms": "0.35",
    "1m0.5s": "60.5",
    "-3s": "-3",
    "P1DT2H": "93600",
    "PT90M": "5400",
    "P2W": "1209600",
    "PT0.5S": "0.5",
}


@pytest.mark.parametrize("text", DURATIONS)
def test_duration_of_a_text(text: str) -> None:
    assert duration(text) == Decimal(DURATIONS[text])


@pytest.mark.parametrize("text", ["", "long", "00:61:00", "1h30", "5 parsecs", "P", "P1Y", "PT", "1:2", "1-05-02"])
def test_another_text_is_no_duration(text: str) -> None:
    assert duration(text) is None


GPUS = {
    "4": ("4", False),
    "many": ("many", False),
    "gres/gpu=4": ("4", False),
    "gres/gpu:a100=2": ("2", False),
    "billing=8,cpu=8,gres/gpu:a100=3,gres/gpu:v100=1,node=1": ("4", False),
    "cpu=8,gres/gpu=2,gres/gpu:a100=2": ("2", False),
    "gres/gpumem=80G,gres/gpuutil=50,gres/gpu=1": ("1", False),
    "gpu:4": ("4", False),
    "gpu": ("1", False),
    "gpu:a100": ("1", False),
    "gpu:a100:2(S:0-1,3)": ("2", False),
    "gres/gpu:3090:2": ("2", False),
    "gres:gpu:2": ("2", False),
    "1=8,2=64000,4=1,1001=2": ("2", True),
    "cpu=8,node=1": ("0", False),
    "gres/gpu=two": ("gres/gpu=two", False),
    "4 GPUs": ("4", False),
    "1 gpu": ("1", False),
    "2x A100-SXM4-80GB": ("2", False),
    "2 × A100": ("2", False),
    "A100-SXM4-80GB x4": ("4", False),
    "some GPUs": ("some GPUs", False),
}


@pytest.mark.parametrize("text", GPUS)
def test_gpus_of_a_text(text: str) -> None:
    assert gpus(text) == GPUS[text]


COMMAS = {  # as thousands, as decimals; one of them alone is not ambiguous
    "1,800 s": ("1800 s", "1.800 s"),
    "1,5": ("15", "1.5"),
    "12,345,678": ("12345678",) * 2,
    "1,800.5 min": ("1800.5 min",) * 2,
    "2 days, 03:04:05": ("2 days, 03:04:05",) * 2,
    "90": ("90",) * 2,
}


@pytest.mark.parametrize("text", COMMAS)
def test_the_comma_of_a_number_has_a_stated_meaning(text: str) -> None:
    assert tuple(without_comma(text, comma) for comma in ("thousands", "decimal")) == COMMAS[text]
    if len({*COMMAS[text]}) == 1:
        assert without_comma(text, None) == COMMAS[text][0]
    else:
        with pytest.raises(ValueError, match="comma"):
            without_comma(text, None)


TYPES = {
    "": (),
    "A100": ("a100",),
    "V100M16|V100M32| V100M16": ("v100m16", "v100m32"),
    "GPU-3090|gpu-4090": ("gpu-3090", "gpu-4090"),
    "gres/gpu=4": (),
    "gpu:4": (),
    "billing=8,gres/gpu=2,gres/gpu:a100=2": ("a100",),
    "gpu:a100:2(S:0-1,3)": ("a100",),
    "gres/gpu:3090:2": ("3090",),
    "gres/gpu:a100=3,gres/gpu:v100=1": None,
    "1=8,2=64000,4=1,1001=2": (),
    "2x A100-SXM4-80GB": ("a100-sxm4-80gb",),
    "V100 x 4": ("v100",),
    "4 GPUs": (),
}


@pytest.mark.parametrize("text", TYPES)
def test_gpu_types_of_a_text(text: str) -> None:
    assert gpu_types(text) == TYPES[text]


FORMATS = {  # the formats that a cell may have
    "31.12.2025 14:05": ["%d.%m.%Y %H:%M"],
    "31/12/2025": ["%d/%m/%Y"],
    "12/31/25 2:05:30 PM": ["%m/%d/%y %I:%M:%S %p"],
    "03/04/2025": ["%d/%m/%Y", "%m/%d/%Y"],
    "3-4-2025T14:05:06.5": ["%d-%m-%YT%H:%M:%S.%f", "%m-%d-%YT%H:%M:%S.%f"],
    "31.31.2025": [],
    "2025-12-31": [],
    "1.5": [],
}


@pytest.mark.parametrize("text", FORMATS)
def test_formats_of_a_date_with_its_day_or_month_in_front(text: str) -> None:
    assert time_formats(text) == FORMATS[text]
    for form in FORMATS[text]:
        parsed = datetime.strptime(text, form).replace(tzinfo=UTC)
        assert moment(text, form=form) == (Decimal(str(parsed.timestamp())), "arrival_naive")


def test_a_format_with_a_zone_and_other_texts() -> None:
    assert moment("1 Mar 2024 11:00 +0100", form="%d %b %Y %H:%M %z") == (TEN, "")
    assert moment("2024-03-01T10:00:00Z", form="%d.%m.%Y") == (TEN, "")
    with pytest.raises(ValueError, match="expected a time"):
        moment("10:00", form="%H:%M")  # in 1900
