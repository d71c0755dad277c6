package command

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/cmd/kit"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// readWorld reads the flags that say what is simulated.
func readWorld(c *cli.Context, p *process) (*world.Spec, error) {
	spec := &world.Spec{
		Catalogue: p.catalogue.Catalogue, Worlds: p.catalogue.worlds,
		World: c.String("world"), Period: c.Int64("period"), Concentration: c.Float64("concentration"), SD: c.Float64("sd"),
		Rounds: c.Int64("rounds"), Repeat: c.Int64("repeat"), ContextDim: c.Int("context-dim"),
		Batch: c.Int64("batch"), Never: c.Float64("never"), Eligible: c.Float64("eligible"),
		RowsPerFile: c.Int64("rows-per-file"), RowsPerGroup: c.Int64("rows-per-group"), CreatedBy: "banditaudit version " + kit.Version,
	}
	if err := notZero(c); err != nil {
		return nil, err
	}
	if d := c.Int("context-dim"); d < 0 || d > world.MaxDim {
		return nil, kit.Usagef("--context-dim: context dimension %d, must be from 0 to %d", d, world.MaxDim)
	}
	var err error
	if spec.Means, err = parseNumbers("means", c.String("means")); err != nil {
		return nil, err
	}
	if spec.MeansEnd, err = parseNumbers("means-end", c.String("means-end")); err != nil {
		return nil, err
	}
	if spec.Theta, err = parseTheta(c.String("theta")); err != nil {
		return nil, err
	}
	if spec.Theta != nil && spec.ContextDim == 0 {
		spec.ContextDim = len(spec.Theta[0])
	}
	if spec.Faults, err = parseFaults(c); err != nil {
		return nil, err
	}
	if spec.Delay, err = parseDelay(c.String("delay")); err != nil {
		return nil, err
	}
	switch word := c.String("context"); word {
	case "shared":
	case "by-arm":
		spec.ByArm = true
	default:
		return nil, kit.Usagef("--context is %s, must be shared or by-arm", schemas.Quoted(word))
	}
	if text := c.String("context-l1"); text != "" {
		if spec.ContextL1, err = parseLength(text); err != nil {
			return nil, err
		}
	}
	return spec, nil
}

// parseLength reads a length as a protocol does: 1, 0.5 or 1/3.
func parseLength(text string) (float64, error) {
	length, err := schemas.ParseRational(text)
	if err == nil && !length.Inf() {
		if v, _ := length.Rat().Float64(); v > 0 {
			return v, nil
		}
	}
	return 0, kit.Usagef("--context-l1 is %s, must be a number above 0, such as 1 or 1/3", schemas.Quoted(text))
}

// notZero refuses a 0 that was written: in a specification 0 is left out.
func notZero(c *cli.Context) error {
	for _, name := range []string{"concentration", "sd", "eligible"} {
		if c.IsSet(name) && !(c.Float64(name) > 0) {
			return kit.Usagef("--%s is %v, must be above 0; leave it out for the default", name, c.Float64(name))
		}
	}
	if !c.IsSet("rounds") {
		return kit.Usagef("simulate needs --rounds, the rounds of each experiment, such as --rounds 20000")
	}
	for _, name := range []string{"period", "batch", "arms", "repeat", "rounds", "rows-per-file", "rows-per-group"} {
		v := c.Int64(name)
		if name == "arms" {
			v = int64(c.Int(name))
		}
		if v < 1 && c.IsSet(name) {
			return kit.Usagef("--%s is %d, must be at least 1", name, v)
		}
	}
	return nil
}

// parseNumbers reads a list of numbers; nil for "".
func parseNumbers(flag, text string) ([]float64, error) {
	if text == "" {
		return nil, nil
	}
	var out []float64
	for word := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil {
			return nil, kit.Usagef("--%s: %s is not a number; write a list such as 0.4,0.6", flag, schemas.Quoted(word))
		}
		out = append(out, v)
	}
	return out, nil
}

// parseTheta reads lists of numbers with "/" between arms; nil for "".
func parseTheta(text string) ([][]float64, error) {
	if text == "" {
		return nil, nil
	}
	var out [][]float64
	for arm := range strings.SplitSeq(text, "/") {
		row, err := parseNumbers("theta", arm)
		if err != nil {
			return nil, err
		}
		if row == nil {
			return nil, kit.Usagef("--theta: arm %d has no numbers; write lists with / between arms, such as 0.2,0.9/0.7,0.1", len(out)+1)
		}
		out = append(out, row)
	}
	return out, nil
}

// parseDelay reads 20 or fixed:20; 0 is none.
func parseDelay(text string) (world.Delay, error) {
	if text == "" {
		return world.Delay{}, nil
	}
	number, fixed := strings.CutPrefix(text, "fixed:")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 1) || (fixed && v != math.Floor(v)) {
		return world.Delay{}, kit.Usagef("--delay is %s, must be a mean such as 20, or a whole number of rounds such as fixed:20", schemas.Quoted(text))
	}
	if v == 0 {
		return world.Delay{}, nil
	}
	return world.Delay{Mean: v, Fixed: fixed}, nil
}

// simulationSeed is the master seed of a simulation, and the name, inside the
// output, of the file that it is written to: the one that the protocol names.
type simulationSeed struct {
	master [32]byte
	file   string
}

// masterSeed is the seed of --seed where given, else the protocol's, else of 0.
// It refuses a protocol whose seed the log would not have been drawn from, or
// that would not find it beside itself.
func masterSeed(s *kit.Settings, doc *schemas.Document) (*simulationSeed, error) {
	out := &simulationSeed{replay.Seed(s.Seed), kit.SeedHexFile}
	declared := doc.Protocol.Policy.Seed
	if declared == nil {
		return out, nil
	}
	known := len(declared.Bytes) == len(out.master)
	switch {
	case declared.File != "":
		name, err := seedName(s, declared.File)
		if err != nil {
			return nil, err
		}
		out.file = name
	case !known:
		return nil, kit.Usagef("policy.seed has a digest and no seed, so that the log could not be audited with it; write seed: {file: %s}, with --seed, which writes that file", kit.SeedHexFile)
	}
	digest := sha256.Sum256(out.master[:])
	if s.SeedGiven && declared.SHA256 != "" && !strings.EqualFold(declared.SHA256, hex.EncodeToString(digest[:])) {
		return nil, kit.Usagef("--seed %d is another seed than policy.seed declares; leave the flag out, or write seed: {file: %s} alone, which simulate then writes", s.Seed, kit.SeedHexFile)
	}
	if !s.SeedGiven && known {
		out.master = [32]byte(declared.Bytes)
	}
	return out, nil
}

// seedName is where the seed of a file is written, inside the output. What is
// read from an absolute path stays there, and the protocol finds it.
func seedName(s *kit.Settings, file string) (string, error) {
	const mend = "write a plain name, such as seed: {file: " + kit.SeedHexFile + "}"
	if filepath.IsAbs(file) {
		if s.SeedGiven {
			return "", kit.Usagef("policy.seed.file %s is not inside the output, where simulate writes the seed of --seed; %s, or leave the flag out", schemas.Quoted(file), mend)
		}
		return kit.SeedHexFile, nil
	}
	name := path.Clean(filepath.ToSlash(file))
	parts := strings.Split(name, "/")
	switch {
	case !filepath.IsLocal(name), name == ".":
		return "", kit.Usagef("policy.seed.file %s names no file inside the output, where the protocol that simulate writes would look for it; %s", schemas.Quoted(file), mend)
	case slices.ContainsFunc([]string{kit.ProtocolFile, kit.TruthFile, kit.LogDir}, func(own string) bool { return strings.EqualFold(own, parts[0]) }):
		return "", kit.Usagef("policy.seed.file %s is where simulate writes something else, which the seed would replace; %s", schemas.Quoted(file), mend)
	case strings.ContainsRune(name, 0), slices.ContainsFunc(parts, func(p string) bool { return len(p) > 255 }), len(name) > 1024:
		return "", kit.Usagef("policy.seed.file is no name that a file can have; %s", mend)
	}
	return name, nil
}
