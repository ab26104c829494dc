"""Our own certificate, which a phone's browser needs to allow the camera; it shows one warning."""

from __future__ import annotations

import ipaddress
import socket
import ssl
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.locale import _, translated
from companion.shell.errors import SetUpError

DAYS = 397
"""Browsers reject certificates with a longer validity."""

AUTHORITY = "authority.pem"
"""The authority's certificate, which phones may install."""

_SIGNS_ONLY = x509.KeyUsage(
    digital_signature=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=False,
    encipher_only=False,
    decipher_only=False,
)


def certificate(folder: Path, names: Iterable[str], *, authority: bool = False) -> tuple[Path, Path]:
    """Return the files of a certificate and its key; create them if the names or addresses have changed.

    Args:
        folder: where they are kept.
        names: of this machine.
        authority: whether the box's own authority signs it, which phones that have installed `AUTHORITY` trust. It may
            sign for these names only, and its key is discarded: other names need another authority.

    Raises:
        OSError: they cannot be written.
    """
    cert_file, key_file, authority_file = folder / "certificate.pem", folder / "key.pem", folder / AUTHORITY
    wanted = [_name(name) for name in sorted(set(names))]
    if key_file.exists() and authority_file.exists() == authority and _is_good(cert_file, wanted):
        return cert_file, key_file
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for old in (cert_file, authority_file):  # a power cut leaves no certificate beside another one's key
        old.unlink(missing_ok=True)
    key = signed_by = ec.generate_private_key(ec.SECP256R1())
    called = issuer = "companion"
    if authority:
        signed_by = ec.generate_private_key(ec.SECP256R1())
        issuer = f"companion of {socket.gethostname()}"[:64]
        made = _certificate(issuer, issuer, signed_by.public_key())
        made = made.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        # of an address the constraint is its network
        trees = [x509.IPAddress(ipaddress.ip_network(n.value)) if isinstance(n, x509.IPAddress) else n for n in wanted]
        made = made.add_extension(x509.NameConstraints(trees, None), critical=True)
        made = made.add_extension(_SIGNS_ONLY, critical=True)
        made = made.add_extension(x509.SubjectKeyIdentifier.from_public_key(signed_by.public_key()), critical=False)
        authority_file.write_bytes(made.sign(signed_by, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    made = _certificate(called, issuer, key.public_key())
    made = made.add_extension(x509.SubjectAlternativeName(wanted), critical=False)
    by = x509.AuthorityKeyIdentifier.from_issuer_public_key(signed_by.public_key())
    made = made.add_extension(by, critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    made = made.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    key_file.touch(mode=0o600)
    kind = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    key_file.write_bytes(key.private_bytes(*kind))
    cert_file.write_bytes(made.sign(signed_by, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    return cert_file, key_file


def _certificate(subject: str, issuer: str, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    by, to = (x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]) for name in (issuer, subject))
    return x509.CertificateBuilder(
        by, to, key, x509.random_serial_number(), now - timedelta(days=1), now + timedelta(days=DAYS)
    )


def check_certificate(cert_file: Path, key_file: Path) -> None:
    """Load a certificate with its key, as the server will.

    Raises:
        SetUpError: it cannot be read, or the key does not match.
    """
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(cert_file, key_file)
    except OSError as error:  # SSLError is one
        sentence = _("the certificate {file} cannot be used: {reason}")
        raise SetUpError(sentence.format(file=cert_file, reason=translated(error.strerror or str(error)))) from error


def _name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _is_good(file: Path, wanted: list[x509.GeneralName]) -> bool:
    """Return whether a certificate exists, is for these names, and is valid now and for another month."""
    try:
        kept = x509.load_pem_x509_certificate(file.read_bytes())
        names = [*kept.extensions.get_extension_for_class(x509.SubjectAlternativeName).value]
    except (OSError, ValueError, UnsupportedAlgorithm, x509.ExtensionNotFound):
        return False
    now = datetime.now(UTC)  # a clock that was ahead has made one that is not valid yet
    return names == wanted and kept.not_valid_before_utc <= now < kept.not_valid_after_utc - timedelta(days=30)
