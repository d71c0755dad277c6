package replay

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Purposes of streams, and the arm of a stream that belongs to none.
const (
	PurposePolicy   = "policy"
	PurposeTies     = "policy.ties"
	PurposeStart    = "policy.start"
	PurposeFloor    = "policy.floor"
	PurposeCounter  = "counter"
	PurposeReward   = "world.reward"
	PurposeContext  = "world.context"
	PurposeScore    = "world.score"
	PurposeStratum  = "world.stratum"
	PurposeEligible = "world.eligible"
	PurposeKnown    = "world.known"
	PurposeTheta    = "world.theta"
	PurposeFault    = "world.fault"
	NoArm           = -1
)

// Seed returns the master seed made from a whole number:
//
//	SHA-256("banditaudit seed" ‖ n as 8 bytes big-endian)
func Seed(n int64) [32]byte {
	return sha256.Sum256(binary.BigEndian.AppendUint64([]byte("banditaudit seed"), uint64(n))) //nolint:gosec // two's complement, as the scheme says
}

// Key returns the 32 bytes that seed the stream with a purpose, for an
// experiment and an arm (NoArm where there is none), by the seed scheme of the
// package comment.
func Key(master [32]byte, purpose, experiment string, arm int) [32]byte {
	b := append([]byte(nil), master[:]...)
	for _, s := range []string{purpose, experiment} {
		b = binary.BigEndian.AppendUint32(b, uint32(len(s))) //nolint:gosec // purposes and ids are shorter than 4 GiB
		b = append(b, s...)
	}
	return sha256.Sum256(binary.BigEndian.AppendUint64(b, uint64(arm))) //nolint:gosec // two's complement, as the scheme says
}

// Stream returns the stream with a purpose, for an experiment and an arm: the
// ChaCha8 generator seeded with Key.
func Stream(master [32]byte, purpose, experiment string, arm int) rand.Source {
	return rand.NewChaCha8(Key(master, purpose, experiment, arm))
}
