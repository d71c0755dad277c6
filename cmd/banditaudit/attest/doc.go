// Package attest says what a bundle is, so that a stranger can hold it against what he
// was given: the list of its checksums, statements about it, the envelopes in which
// statements are signed, and keys. Bytes in, bytes out; it opens no file and knows no
// command line.
//
// A signature is Ed25519 over the pre-authentication encoding of DSSE (Dead Simple
// Signing Envelope, v1), of an in-toto Statement v1. Both are a few lines above
// crypto/ed25519. The library of their authors links x/crypto/ssh and net, prints to
// stdout, and takes envelopes of which bits were changed; this package takes none but
// the one encoding that it writes.
package attest
