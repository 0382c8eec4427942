package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"os"
	"time"
)

// A member is a file of an archive.
type member struct {
	name    string
	content []byte
	mode    int64
}

// archive creates a file and lets write fill it.
func archive(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// writeTarGz writes the members in their order. All get the same time and owner, so that
// the same members make the same bytes.
func writeTarGz(path string, members []member, when time.Time) error {
	return archive(path, func(w io.Writer) error {
		packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			return err
		}
		t := tar.NewWriter(packed)
		for _, m := range members {
			header := &tar.Header{Name: m.name, Mode: m.mode, Size: int64(len(m.content)), ModTime: when,
				Format: tar.FormatUSTAR}
			if err := t.WriteHeader(header); err != nil {
				return err
			}
			if _, err := t.Write(m.content); err != nil {
				return err
			}
		}
		if err := t.Close(); err != nil {
			return err
		}
		return packed.Close()
	})
}

// writeZip is writeTarGz for a zip file.
func writeZip(path string, members []member, when time.Time) error {
	return archive(path, func(w io.Writer) error {
		z := zip.NewWriter(w)
		for _, m := range members {
			header := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: when.UTC()}
			header.SetMode(os.FileMode(m.mode))
			f, err := z.CreateHeader(header)
			if err != nil {
				return err
			}
			if _, err := f.Write(m.content); err != nil {
				return err
			}
		}
		return z.Close()
	})
}

// readZip returns the members of a zip file by their names.
func readZip(path string) ([]member, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	var members []member
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			return nil, err
		}
		members = append(members, member{f.Name, content, int64(f.Mode().Perm())})
	}
	return members, nil
}
