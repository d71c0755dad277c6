package claims

import (
	"fmt"
	"slices"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// committedClaim is that the protocol is the one that was committed to; implied where a
// commitment is given.
func committedClaim() Claim {
	return Claim{Claim: param.Claim{
		Kind: schemas.KindCommitted, Asks: "whether the protocol is the one that was signed before",
		Broken: "the protocol that was audited is not one that the given key committed to", Unseen: unseenCommitted(),
	}, Implied: committedTo, Decide: (*Findings).decideCommitted}
}

// committedTo reports whether a commitment is given, or the protocol claims one.
func committedTo(in *publiclog.Log) bool {
	return in.Commitment != nil || slices.ContainsFunc(in.Protocol.Claims, func(c schemas.Claim) bool { return c.Kind == schemas.KindCommitted })
}

// unseenCommitted is what would pass protocol.committed.
func unseenCommitted() []param.Unseen {
	return []param.Unseen{{Words: []string{
		"a commitment that was signed after the log was seen: a signature has no time, and only somebody else who had it before the first round can say when it was there",
		"one of several commitments, to different protocols, of which the one that suits was shown",
		"another log, or the first part of one: the protocol is committed to, and no row is, nor, where none is declared, their number",
		"whatever the protocol leaves open: a policy without its seed's digest, a program whose files policy.sha256 does not name, an end that is not fixed, tests that are not declared",
	}}}
}

// decideCommitted is the verdict on protocol.committed.
func (v *Findings) decideCommitted(f *schemas.Finding, _ *schemas.Claim) {
	c := v.Facts.Commitment
	f.Statement = "The protocol that was audited is the one that was committed to."
	f.Procedure = "the effective protocol is compared with the committed one, key by key, keys that the other version did not have with their defaults; the signature of the envelope is checked"
	if c == nil {
		f.Verdict, f.Reason = schemas.NotEstablished, "no commitment was given: audit takes it with --commitment FILE and --commitment-key K.pub"
		return
	}
	f.Statement = "The protocol that was audited is the one that was committed to, and the commitment is signed by the given key."
	f.Evidence = []string{"/commitment"}
	switch {
	case c.Differs != nil:
		f.Verdict = schemas.Violated
		f.Observed = c.Differs.Key + " differs"
		f.Reason = fmt.Sprintf("%s of the protocol: committed to was %s, audited was %s", c.Differs.Key, c.Differs.Committed, c.Differs.Audited)
	case c.PublicKey == "":
		f.Verdict, f.Observed = schemas.NotEstablished, "every key is as committed"
		f.Reason = "no key was given to check the signature by: audit takes it with --commitment-key K.pub"
	case !c.Signed:
		f.Verdict, f.Observed = schemas.Violated, "not signed by the given key"
		f.Reason = "the commitment has no good signature by the key that was given with --commitment-key"
	default:
		f.Verdict, f.Observed = schemas.Verified, "every key is as committed, signed by the given key"
		if p := v.Protocol.Program; p != nil && len(p.SHA256) == 0 {
			f.Observed += "; no key says which program it is (policy.sha256)"
		}
	}
}
