package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"ploke-lsp/index/vectors"
)

const (
	vectorDimensions = 768
	nearestWanted    = 100 // of each search, about as many as the index asks for
	nearestTarget    = 1.5 // milliseconds
)

// dense measures the search for the nearest of many vectors.
func (b *bench) dense(ctx context.Context, _ *tree) error {
	took, _, err := runWorker[[]time.Duration](ctx, "nearest",
		nearestRequest{b.temp, b.sampling.vectors, b.sampling.queries})
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%d x %d vectors", b.sampling.vectors, vectorDimensions)
	b.table.add(
		millis(name, "dense nearest, p50", percentile(took, 50)).note("%d queries for %d", len(took), nearestWanted),
		millis(name, "dense nearest, p95", percentile(took, 95)).atMost(nearestTarget),
	)
	return nil
}

type nearestRequest struct {
	Temp             string
	Vectors, Queries int
}

// timeNearest returns the time of each query in a set of random directions around a common mean, as those of models
// are. The seed is fixed.
func timeNearest(ctx context.Context, r nearestRequest) (took []time.Duration, err error) {
	dir, err := os.MkdirTemp(r.Temp, "vectors-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	set, err := vectors.Open(filepath.Join(dir, "set"), "bench")
	if err != nil {
		return nil, err
	}
	defer set.Close()
	random := rand.New(rand.NewPCG(7, 768))
	for at := 0; at < r.Vectors; at += 1000 {
		var keys []vectors.Key
		var all [][]float32
		for i := at; i < min(at+1000, r.Vectors); i++ {
			var key vectors.Key
			binary.LittleEndian.PutUint64(key[:], uint64(i))
			keys, all = append(keys, key), append(all, randomDirection(random))
		}
		if err := set.Add(keys, all); err != nil {
			return nil, err
		}
	}
	for i := range r.Queries + warmUpQueries {
		query := randomDirection(random)
		started := time.Now()
		near, err := set.Nearest(query, nearestWanted)
		if err != nil {
			return nil, err
		}
		if i >= warmUpQueries {
			took = append(took, time.Since(started))
		}
		if len(near) < min(nearestWanted, r.Vectors) {
			return nil, fmt.Errorf("%d vectors were found, not %d", len(near), nearestWanted)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return took, nil
}

func randomDirection(random *rand.Rand) []float32 {
	v := make([]float32, vectorDimensions)
	for d := range v {
		v[d] = float32(random.NormFloat64()) + float32(d%7)/20
	}
	return v
}
