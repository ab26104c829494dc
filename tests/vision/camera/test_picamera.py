"""The ribbon camera, against a stand-in that behaves as picamera2 is documented to."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.camera.stand_ins import BLUE, CONTROL_LAG, GREEN, RED, StandInPicamera2
from vision.camera.light import TOLERANCE, LightLevel, LightWatch
from vision.camera.picamera import UNTIMED_BUFFERS, PicameraCamera
from vision.errors import CameraError

SETTLED = {"ExposureTime": 10_000, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.4)}


def opened(device: StandInPicamera2) -> PicameraCamera:
    return PicameraCamera(clock_ns=device.clock, open_device=lambda: device)


def test_the_light_is_locked_only_after_it_has_settled_and_with_the_modes_that_the_camera_has() -> None:
    device = StandInPicamera2()
    with opened(device):
        assert device.frame >= 12
    assert device.asked == SETTLED | {"AeEnable": False, "AwbEnable": False, "ExposureTimeMode": 1}


def test_frames_from_before_the_lock_acts_or_out_of_the_locked_light_are_not_used() -> None:
    device = StandInPicamera2()
    with opened(device) as camera:
        device.bump_the_light()
        locked_at = device.frame + CONTROL_LAG
        camera.read()
        assert device.frame >= locked_at


def test_a_light_that_does_not_hold_is_reported_after_the_time_out() -> None:
    device = StandInPicamera2()
    with opened(device) as camera:
        for _ in range(CONTROL_LAG + 1):
            camera.read()
        device.bump_the_light()
        before_ns = device.clock.now_ns
        with pytest.raises(CameraError, match="no frame in the locked light within 2 s"):
            camera.read(timeout_s=2)
        assert 2e9 <= device.clock.now_ns - before_ns < 2.2e9


@pytest.mark.parametrize(
    ("failure", "sentence"),
    [
        (TimeoutError(), "picamera stopped: no frame came in time"),
        (RuntimeError("Camera frontend has timed out"), "picamera stopped: Camera frontend has timed out"),
        (OSError(19, "No such device"), "No such device"),
        (ValueError(), "picamera stopped: ValueError"),
    ],
)
def test_a_camera_that_fails_in_the_middle_is_reported_in_one_sentence_and_can_be_closed(
    failure: Exception, sentence: str
) -> None:
    device = StandInPicamera2(fails=dict.fromkeys(range(40, 10**4), failure))
    with opened(device) as camera:
        for _ in range(3):
            camera.read()
        with pytest.raises(CameraError, match=sentence):
            for _ in range(50):
                camera.read()
    assert device.closed


@pytest.mark.parametrize("frame", [1, 5])
def test_a_camera_that_fails_while_it_starts_is_closed_again(frame: int) -> None:
    device = StandInPicamera2(fails={frame: RuntimeError("no signal")})
    with pytest.raises(CameraError, match="picamera does not start: no signal"):
        opened(device)
    assert device.closed


def test_a_sensor_that_does_not_report_its_light_is_left_alone_and_frames_that_may_be_old_are_passed_over() -> None:
    device = StandInPicamera2(tells_light=False)
    with opened(device) as camera:
        before = device.frame
        assert camera.read().size_wh == (320, 240)
        assert device.frame - before == UNTIMED_BUFFERS + 1
        device.brightness = 0.3
        for _ in range(60):
            camera.read()
    assert device.asked == {}


def test_a_light_that_never_settles_is_locked_all_the_same_after_a_while() -> None:
    class Flicker(StandInPicamera2):
        def _metadata(self) -> dict[str, object]:
            return super()._metadata() | ({} if self._locked else {"AnalogueGain": 1.0 + self.frame % 2})

    device = Flicker()
    with opened(device) as camera:
        assert camera.read().size_wh == (320, 240)
    assert device.asked["AeEnable"] is False


def test_without_picamera2_the_way_to_get_it_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="sudo apt install python3-picamera2"):
        PicameraCamera()


def test_without_a_camera_on_the_ribbon_that_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    class Library:
        class Picamera2:
            @staticmethod
            def global_camera_info() -> list[object]:
                return []

    monkeypatch.setitem(sys.modules, "picamera2", Library)
    with pytest.raises(CameraError, match="no ribbon camera is connected"):
        PicameraCamera()


def test_importing_the_camera_does_not_import_picamera2() -> None:
    code = "import sys, vision.camera.picamera; sys.exit('picamera2' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


LIGHTS = st.builds(
    LightLevel, st.floats(50, 100_000), st.floats(1, 16), st.tuples(st.floats(0.5, 4), st.floats(0.5, 4))
)


@given(LIGHTS, st.floats(1 - TOLERANCE + 0.001, 1), st.floats(1.06, 10))
def test_light_is_alike_within_the_sensors_steps_and_no_further(light: LightLevel, step: float, change: float) -> None:
    red, blue = light.colour_gains
    assert light.is_like(LightLevel(light.exposure_us * step, light.analogue_gain, (red, blue * step)))
    assert not light.is_like(LightLevel(light.exposure_us * change, light.analogue_gain, light.colour_gains))
    assert not light.is_like(LightLevel(light.exposure_us, light.analogue_gain, (red * change, blue)))
    assert not light.is_like(None)


def test_a_module_that_can_focus_does_so_once_and_then_stays() -> None:
    device = StandInPicamera2(can_focus=True)
    with opened(device):
        assert (device.asked["AfMode"], device.asked["LensPosition"]) == (0, 2.5)


@pytest.mark.parametrize(
    ("most", "asked"), [(1, {"AeFlickerMode": 1, "AeFlickerPeriod": 10_000}), (2, {"AeFlickerMode": 2})]
)
def test_a_sensor_that_can_avoid_flicker_is_asked_to(most: int, asked: dict[str, int]) -> None:
    device = StandInPicamera2()
    flicker = {"AeFlickerMode": (0, most, 0), "AeFlickerPeriod": (100, 1_000_000, None)}
    device.camera_controls = {**device.camera_controls, **flicker}
    with opened(device):
        assert device.asked.items() >= asked.items()


def test_a_focus_that_failed_in_the_dark_is_said_and_tried_again_when_the_light_has_come() -> None:
    device = StandInPicamera2(can_focus=True)
    device.brightness = 0.2
    with opened(device) as camera:
        assert "no focus" in camera.problem
        camera.read()
        device.brightness = 1.0
        for _ in range(200):
            camera.read()
        assert camera.problem == ""


def test_light_that_changes_for_good_is_settled_and_locked_again() -> None:
    device = StandInPicamera2()
    with opened(device) as camera:
        usual = camera.read().image_bgr.mean()
        device.brightness = 0.3
        frames = [camera.read().image_bgr.mean() for _ in range(120)]
    assert frames[0] < 0.5 * usual
    assert frames[-1] == pytest.approx(usual, rel=0.05)


def test_light_that_passes_leaves_the_lock_as_it_is() -> None:
    device = StandInPicamera2()
    with opened(device) as camera:
        camera.read()
        for brightness in (0.3, 1.0) * 5:
            device.brightness = brightness
            for _ in range(10):
                camera.read()
    assert device.asked["ExposureTime"] == SETTLED["ExposureTime"]


@given(level=st.floats(80, 120))
def test_small_changes_of_light_never_add_up_to_a_new_lock(level: float) -> None:
    watch = LightWatch()
    assert not any(watch.changed_for_good(value, k * 10**9) for k, value in enumerate((100.0, *[level] * 20)))


def test_the_cameras_own_small_picture_comes_with_the_frame_in_the_same_colours() -> None:
    with opened(StandInPicamera2()) as camera:
        small_bgr = camera.read().small_bgr
    assert small_bgr is not None
    assert small_bgr.shape == (576, 768, 3)
    assert np.abs(small_bgr[0, 0].astype(int) - (BLUE, GREEN, RED)).max() < 6


def test_a_pipeline_with_one_stream_gives_frames_without_a_small_picture() -> None:
    with opened(StandInPicamera2(two_streams=False)) as camera:
        assert camera.read().small_bgr is None
