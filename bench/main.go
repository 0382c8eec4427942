package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"ploke-lsp/internal/sandbox"
)

func main() {
	sandbox.Enter()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole program. It returns the exit status.
func run(ctx context.Context, args []string, in io.Reader, out, log io.Writer) int {
	if len(args) == 2 && args[0] == workerCommand {
		return serveWorker(ctx, args[1], in, out, log)
	}
	b := &bench{log: log, list: io.Discard}
	flags := b.flags()
	if err := flags.Parse(args); err != nil {
		return 2
	}
	do := b.runAll
	if b.page != "" {
		do = func(context.Context, io.Writer) error { return b.updatePage() }
	}
	if err := do(ctx, out); err != nil {
		fmt.Fprintf(log, "bench: %v\n", err)
		return 1
	}
	return 0
}

// bench is one run of the benchmark.
type bench struct {
	log   io.Writer
	table table
	temp  string // removed at the end

	bin      string
	peers    string
	dir      string
	other    string
	only     string
	results  string
	commit   string
	page     string
	code     [][2]string // languages and folders
	servers  string
	list     io.Writer // of what the index and language servers say differently
	copies   int
	growTo   int
	quick    bool
	sampling sampling
}

// sampling has the number of repetitions of each measurement.
type sampling struct {
	rounds      int // of measurements that take seconds
	startups    int // of measurements that take milliseconds
	edits       int
	keys        int
	queries     int
	scans       int           // queries that ripgrep runs, too
	partFiles   int           // number of files in a part of the tree
	smallFiles  int           // number of files of a small repository
	growFrom    int           // number of files of the first tree that grows
	growShare   int           // by which the last of these trees is smaller than -grow says
	copies      int           // maximum number of copies of the whole tree
	turns       int           // in process
	firstTokens int           // over the wire
	batch       int           // calls in a response
	longTurns   int           // turns of one conversation
	proposals   int           // that are staged
	manyFiles   int           // in a generated tree
	lengths     []int         // of a conversation that grows, in turns
	twins       int           // servers that have a tree open at once
	symbols     int           // that a language server is asked about, for each question
	renames     int           // of symbols
	vectors     int           // of which the nearest are looked for
	parseFor    time.Duration // for which the code of each language is parsed
	// repositoryFiles is how many files of a language are enough for a small repository.
	repositoryFiles int
	large           int           // bytes of a document
	hostileShare    int           // by which less hostile work is done than at most
	soak            time.Duration // for which turns run one after another
	stableFor       time.Duration // how long the memory of a process must not change
}

var (
	fullSampling = sampling{
		rounds: 3, startups: 9, edits: 200, keys: 500, queries: 300, scans: 30, partFiles: 1500, smallFiles: 1000,
		manyFiles: 200_000, growFrom: 10_000, growShare: 1, copies: math.MaxInt, turns: 1000, firstTokens: 100,
		batch: 2000, longTurns: 1000, proposals: 10_000,
		lengths: []int{10, 100, 1000, 10_000}, large: 60 << 20, soak: 10 * time.Minute, stableFor: 5 * time.Second,
		twins: 8, symbols: 100, renames: 50, vectors: 100_000,
		parseFor: 500 * time.Millisecond, repositoryFiles: 300, hostileShare: 1,
	}
	quickSampling = sampling{
		rounds: 1, startups: 1, edits: 3, keys: 5, queries: 20, scans: 2, partFiles: 30, smallFiles: 30, manyFiles: 300,
		growFrom: 10, growShare: 1000, copies: 2, turns: 20, firstTokens: 3, batch: 20, longTurns: 20, proposals: 100,
		lengths: []int{2, 20}, large: 5 << 20, soak: time.Second, stableFor: 250 * time.Millisecond,
		twins: 2, symbols: 5, renames: 1, vectors: 1000, parseFor: time.Millisecond, repositoryFiles: 5, hostileShare: 100,
	}
)

func (b *bench) flags() *flag.FlagSet {
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	fs.SetOutput(b.log)
	fs.StringVar(&b.bin, "bin", "bin/ploke-lsp", "the `program` to measure")
	fs.StringVar(&b.peers, "peers", "build/peers", "`folder` of peers that are not in $PATH")
	fs.StringVar(&b.dir, "tree", filepath.Join(goroot(), "src"), "`folder` to index")
	fs.StringVar(&b.other, "other", "", "`folder` in another language (default: Python's standard library, else "+
		"/usr/include)")
	fs.StringVar(&b.only, "only", "", "the `parts` to run, with commas between them, of: "+strings.Join(partNames(), ", "))
	fs.StringVar(&b.results, "results", "bench/results",
		"`folder` with the results of earlier runs, in which those of this one are kept, unless it is quick")
	fs.StringVar(&b.commit, "commit", "here"+modified,
		"the `commit` that is measured; if it ends with "+modified+", nothing is kept")
	fs.StringVar(&b.page, "page", "", "`file` in which the figures are brought up to date from the results; nothing is "+
		"measured then")
	fs.Func("code", "`LANGUAGE=FOLDER`: code that the language's server is asked about; may be repeated", b.addCode)
	fs.StringVar(&b.servers, "servers", "build/real-servers", "`folder` of language servers that are not in $PATH")
	fs.BoolFunc("list", "print what the index and language servers say differently", func(string) error {
		b.list = b.log
		return nil
	})
	fs.IntVar(&b.copies, "copies", 10, "number of copies of the tree in the last part; 0 skips it")
	fs.IntVar(&b.growTo, "grow", 100_000, "number of generated files up to which trees grow, by ten times each")
	fs.BoolVar(&b.quick, "quick", false, "repeat everything only a few times, to check that it works")
	return fs
}

// benchmarkPart is a part of the benchmark that -only can name.
type benchmarkPart struct {
	name string
	do   func(*bench, context.Context, *tree) error
}

// parts are in the order in which they run on the tree.
var parts = []benchmarkPart{
	{"cold", (*bench).cold},
	{"size", (*bench).size},
	{"small", (*bench).small},
	{"languages", (*bench).languages},
	{"binary", (*bench).binary},
	{"memory", (*bench).memory},
	{"twins", (*bench).twins},
	{"warm", (*bench).warm},
	{"edit", (*bench).edit},
	{"query", (*bench).query},
	{"dense", (*bench).dense},
	{"editor", (*bench).editor},
	{"model", (*bench).model},
	{"engine", (*bench).engine},
	{"engine-scaling", (*bench).engineScaling},
	{"engine-growth", (*bench).engineGrowth},
	{"memory-over-time", (*bench).memoryOverTime},
	{"scaling", (*bench).scaling},
	{"growth", (*bench).growth},
	{"many-files", (*bench).manyFiles},
	{"proof", (*bench).proof},
	{"hostile", (*bench).hostile},
	{"compiler", (*bench).compiler},
	{"peers", (*bench).compare},
	{"other", (*bench).otherLanguage},
	{"copies", (*bench).manyCopies},
}

func partNames() (names []string) {
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// runAll runs the selected parts and prints the table.
func (b *bench) runAll(ctx context.Context, out io.Writer) error {
	b.sampling = fullSampling
	if b.quick {
		b.sampling = quickSampling
	}
	for _, path := range []*string{&b.bin, &b.peers, &b.dir, &b.servers} {
		abs, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = abs
	}
	if _, err := os.Stat(b.bin); err != nil {
		return fmt.Errorf("%w: build it, or name it with -bin", err)
	}
	var err error
	if b.temp, err = os.MkdirTemp("", "ploke-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.temp)
	t, err := b.survey(ctx, filepath.Base(filepath.Dir(b.dir))+"/"+filepath.Base(b.dir), b.dir, nil)
	if err != nil {
		return err
	}
	b.report(t)
	started := systemTime()
	cut := b.run(ctx, t)
	b.table.stolen = systemTime().stolenSince(started)
	if len(b.table.figures) == 0 {
		return cut
	}
	earlier, err := readResults(b.results)
	if err != nil {
		return err
	}
	before := func(f figure) (float64, string) { return earlier.before(b.commit, f) }
	if err := b.table.print(out, before); err != nil || b.quick {
		return errors.Join(cut, err)
	}
	return errors.Join(cut, earlier.keep(b.results, b.commit, b.table.measurement()), b.verdict())
}

// verdict is an error that names the missed targets.
func (b *bench) verdict() error {
	var lines []string
	for _, f := range b.table.missed() {
		lines = append(lines, f.Tree+": "+f.Name)
	}
	if len(lines) == 0 {
		return nil
	}
	return fmt.Errorf("targets are missed:\n  %s", strings.Join(lines, "\n  "))
}

// run runs the parts. A part that fails gives a row with its error, and the others still run.
// If ctx ends, the table keeps the parts that have ended.
func (b *bench) run(ctx context.Context, t *tree) error {
	selected := partNames()
	if b.only != "" {
		selected = strings.Split(b.only, ",")
	}
	for _, name := range selected {
		if !slices.Contains(partNames(), name) {
			return fmt.Errorf("there is no part %q: name some of %s", name, strings.Join(partNames(), ", "))
		}
	}
	for _, p := range parts {
		if !slices.Contains(selected, p.name) {
			continue
		}
		b.table.part = p.name
		started, measured := time.Now(), len(b.table.figures)
		err := p.do(b, ctx, t)
		if ctx.Err() != nil {
			b.table.figures = b.table.figures[:measured]
			return fmt.Errorf("%s was interrupted: %w", p.name, ctx.Err())
		}
		if err != nil {
			b.table.add(figure{Tree: t.name, Name: p.name, Error: err.Error()})
		}
		fmt.Fprintf(b.log, "%-14s %.1f s\n", p.name, time.Since(started).Seconds())
	}
	return nil
}

// goroot returns the root folder of the Go in $PATH.
func goroot() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return runtime.GOROOT()
	}
	return strings.TrimSpace(string(out))
}
