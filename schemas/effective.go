package schemas

import "fmt"

// Effective returns the protocol that was audited as compact JSON: defaults
// applied, keys in the order of the Go fields, a seed that is known replaced
// by {"sha256": ...}. Parsing it gives the same declarations again.
func (d *Document) Effective() ([]byte, error) {
	b, err := compact(d.Protocol.effective())
	if err != nil {
		return nil, fmt.Errorf("schemas: encoding the effective protocol: %w", err)
	}
	return b, nil
}

// EffectiveYAML returns what Effective returns, as YAML to be read.
func (d *Document) EffectiveYAML() ([]byte, error) {
	b, err := d.Effective()
	if err != nil {
		return nil, err
	}
	const head = "# The protocol as it was audited: defaults filled in, a seed replaced by its SHA-256.\n"
	body, err := yamlFromJSON(b)
	if err != nil {
		return nil, err
	}
	return append([]byte(head), body...), nil
}

// EncodeProtocol writes a protocol as YAML that ParseProtocol reads. A seed is
// written as the file, column or digest it names, never as its bytes.
func EncodeProtocol(p *Protocol) ([]byte, error) {
	b, err := compact(p)
	if err != nil {
		return nil, fmt.Errorf("schemas: encoding a protocol: %w", err)
	}
	return yamlFromJSON(b)
}

// effective returns a copy without the seed's file and bytes.
func (p Protocol) effective() Protocol {
	if p.Policy == nil || p.Policy.Seed == nil || p.Policy.Seed.SHA256 == "" {
		return p
	}
	policy := *p.Policy
	policy.Seed = &Seed{SHA256: p.Policy.Seed.SHA256}
	p.Policy = &policy
	return p
}
