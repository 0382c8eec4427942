package rooted

import (
	"io/fs"
	"os"
)

func extendedOf(*os.File, fs.FileInfo) (Extended, error) { return Extended{}, nil }

func (x *Extended) setExtended(*os.File, fs.FileInfo) error { return nil }
