"""Envelopes of DSSE and ids of keys, by securesystemslib 1.6.0.

    pip install 'securesystemslib[crypto]==1.6.0' in-toto-attestation==0.9.3
    python3 dsse.py > dsse.csv              keys of two seeds, and what they sign
    python3 dsse.py ENVELOPE N K.pub ...    exit 0 where N of the keys signed ENVELOPE

The first form signs the payload below with keys whose seeds are 32 bytes of 1 and of 2,
and writes the envelope in the one encoding that banditaudit takes. The second verifies an
envelope that banditaudit wrote, and the form of its statement.
"""

import base64
import json
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from securesystemslib.dsse import Envelope
from securesystemslib.signer import CryptoSigner, SSlibKey

TYPE = "application/vnd.in-toto+json"
PAYLOAD = b'{"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"protocol.effective.yaml","digest":{"sha256":"982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1"}}],"predicateType":"urn:banditaudit:commitment:v1","predicate":{"protocol":"text","tool":{"name":"banditaudit","version":"0"}}}\n'


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def written():
    envelope = Envelope(PAYLOAD, TYPE, {})
    print("what,value")
    for n in (1, 2):
        signer = CryptoSigner(Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32))
        envelope.sign(signer)
        print(f"keyid {n},{signer.public_key.keyid}")
    signatures = [
        {"keyid": k, "sig": base64.b64encode(bytes.fromhex(s.signature)).decode()}
        for k, s in sorted(envelope.signatures.items())
    ]
    text = compact({"payload": base64.b64encode(PAYLOAD).decode(), "payloadType": TYPE, "signatures": signatures})
    print("envelope," + base64.b64encode((text + "\n").encode()).decode())


def verified(path, threshold, keys):
    with open(path, encoding="utf-8") as file:
        envelope = Envelope.from_dict(json.load(file))
    public = []
    for name in keys:
        with open(name, "rb") as file:
            public.append(SSlibKey.from_crypto(load_pem_public_key(file.read())))
    signers = envelope.verify(public, threshold)
    from google.protobuf.json_format import Parse
    from in_toto_attestation.v1.statement import Statement
    import in_toto_attestation.v1.statement_pb2 as pb

    Statement.copy_from_pb(Parse(envelope.payload, pb.Statement())).validate()
    print(compact(sorted(signers)))


if len(sys.argv) == 1:
    written()
else:
    verified(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
