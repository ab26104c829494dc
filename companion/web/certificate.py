"""A certificate of our own, so that a phone's browser allows its camera: it is warned of once, and accepted once."""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.locale import _
from companion.shell.errors import SetUpError

DAYS = 397
"""Browsers accept none that is good for longer."""


def certificate(folder: Path, names: Iterable[str]) -> tuple[Path, Path]:
    """Return the files of a certificate and its key for these names and addresses; made again when they have changed.

    Raises:
        OSError: they cannot be written.
    """
    cert_file, key_file = folder / "certificate.pem", folder / "key.pem"
    wanted = [_name(name) for name in sorted(set(names))]
    if key_file.exists() and _is_good(cert_file, wanted):
        return cert_file, key_file
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "companion")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(called)
        .issuer_name(called)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=DAYS))
        .add_extension(x509.SubjectAlternativeName(wanted), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    cert_file.unlink(missing_ok=True)  # a power cut leaves no certificate beside another one's key
    key_file.touch(mode=0o600)
    kind = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    key_file.write_bytes(key.private_bytes(*kind))
    cert_file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return cert_file, key_file


def check_certificate(cert_file: Path, key_file: Path) -> None:
    """Read a certificate with its key, as the server will.

    Raises:
        SetUpError: it cannot be read, or the key is another one's.
    """
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(cert_file, key_file)
    except OSError as error:  # SSLError is one
        sentence = _("the certificate {file} cannot be used: {reason}")
        raise SetUpError(sentence.format(file=cert_file, reason=error.strerror or error)) from error


def _name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _is_good(file: Path, wanted: list[x509.GeneralName]) -> bool:
    """Return whether a certificate is there, for these names, and good for another month."""
    try:
        kept = x509.load_pem_x509_certificate(file.read_bytes())
        names = [*kept.extensions.get_extension_for_class(x509.SubjectAlternativeName).value]
    except (OSError, ValueError, UnsupportedAlgorithm, x509.ExtensionNotFound):
        return False
    return names == wanted and kept.not_valid_after_utc - datetime.now(UTC) > timedelta(days=30)
