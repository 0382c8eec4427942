package main

import (
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"

	"ploke-lsp/release/inside"
)

// sbom writes the list of everything inside, as CycloneDX JSON.
func (r *release) sbom(all []inside.Component) error {
	bom := cyclonedx.NewBOM()
	program := cyclonedx.Component{
		BOMRef: "ploke-lsp", Type: cyclonedx.ComponentTypeApplication, Name: "ploke-lsp", Version: r.stamp.version(),
		Licenses: licences("MIT"),
	}
	bom.Metadata = &cyclonedx.Metadata{Timestamp: r.stamp.date.UTC().Format(time.RFC3339), Component: &program}
	parts, refs := []cyclonedx.Component{}, []string{}
	for _, c := range all {
		ref := c.PURL + "#" + c.Name
		parts = append(parts, cyclonedx.Component{
			BOMRef: ref, Type: cyclonedx.ComponentTypeLibrary, Name: c.Name, Version: c.Version, PackageURL: c.PURL,
			Licenses: licences(c.Licence),
		})
		refs = append(refs, ref)
	}
	bom.Components, bom.Dependencies = &parts, &[]cyclonedx.Dependency{{Ref: program.BOMRef, Dependencies: &refs}}
	return archive(filepath.Join(r.out, r.name("sbom.cdx.json")), func(w io.Writer) error {
		return cyclonedx.NewBOMEncoder(w, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom)
	})
}

func licences(expression string) *cyclonedx.Licenses {
	if strings.Contains(expression, " AND ") {
		return &cyclonedx.Licenses{{Expression: expression}}
	}
	return &cyclonedx.Licenses{{License: &cyclonedx.License{ID: expression}}}
}
