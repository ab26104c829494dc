"""A small display of 128 by 64 dots on the I2C bus, through luma.oled; the one file that imports it.

luma.oled is pure Python and needs no driver for the pins, so that it also works on a Raspberry Pi 5.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from engines.sentence import Sentence
from hardware.errors import PanelError, panel_error
from hardware.pins import SmallDisplay

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE_WH = (128, 64)


class Oled:
    """A display of lit and dark dots.

    Args:
        wiring: the controller and its address on the bus.
        simulated: whether it is drawn into memory, as it is with gpiozero's mock pins, too.

    Raises:
        PanelError: luma.oled is not installed, the bus is switched off, or nothing answers.
    """

    def __init__(self, wiring: SmallDisplay, *, simulated: bool = False) -> None:
        try:
            from luma.core.device import dummy  # noqa: PLC0415 - only a panel with a display needs it
            from luma.core.interface.serial import i2c  # noqa: PLC0415
            from luma.oled import device  # noqa: PLC0415
        except ImportError as error:
            message = Sentence("the display needs luma.oled, which is not here: pip install 'table-companion[display]'")
            raise PanelError(message) from error
        self._device: Any
        if simulated or os.environ.get("GPIOZERO_PIN_FACTORY") == "mock":
            self._device = dummy(*SIZE_WH, mode="1")
            return
        try:
            bus = i2c(port=1, address=wiring.address)
            self._device = getattr(device, wiring.kind)(bus, rotate=2 if wiring.upside_down else 0)
        except Exception as error:  # luma, smbus2 and the kernel raise kinds without a common root
            message = Sentence(
                "the display cannot be opened (I2C address 0x{address:02X}, GPIO2 and GPIO3): {reason};"
                " is I2C switched on (sudo raspi-config nonint do_i2c 0), and are SDA and SCL the right way round?"
            )
            raise PanelError(message.format(address=wiring.address, reason=str(error))) from error

    def show(self, image: Image) -> None:
        """Show a picture of mode "1", 128 by 64; raises `PanelError` if the display does not answer."""
        with panel_error(Sentence("the display does not work")):
            self._device.display(image)

    @property
    def image(self) -> Image:
        """The picture on a simulated display."""
        picture: Image = self._device.image
        return picture

    def close(self) -> None:
        """Put all dots out and release the bus."""
        with panel_error(Sentence("the display does not work")):
            self._device.cleanup()
