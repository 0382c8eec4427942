package index

import "math"

// BM25, the ranking function of Robertson and Zaragoza, The Probabilistic Relevance
// Framework: BM25 and Beyond (2009). The weight of a term in a text is the sum of the
// weights of the fields that have the term, as in BM25F. The fields' weights are those
// of index/postings, and [weights.path] for the words of a path.
const (
	k1    = 1.2 // the term weight at half saturation, in a text of average length
	unitB = 0.4 // how much the length of a unit counts, from 0 to 1
	docB  = 0.3 // how much the length of a document counts, from 0 to 1
)

// idf returns the inverse document frequency of a term that n documents have.
func (c *corpus) idf(n int) float64 {
	return math.Log(1 + (c.docs-float64(n)+0.5)/(float64(n)+0.5))
}

// lengthNorm returns the factor of k1 for a text of a length, 1 for the average length.
func lengthNorm(b, average float64, length int) float64 {
	return 1 - b + b/average*float64(length)
}

// unitNorm is the lengthNorm of a unit with that many terms.
func (c *corpus) unitNorm(length int) float64 { return lengthNorm(unitB, c.unitAvg, length) }

// docNorm is the lengthNorm of a document with that many terms.
func (c *corpus) docNorm(length int) float64 { return lengthNorm(docB, c.docAvg, length) }

// docHalfSaturation returns the term weight at half saturation in a document:
// least + perTerm for each of its terms.
func (c *corpus) docHalfSaturation() (least, perTerm float32) {
	return k1 * (1 - docB), float32(k1 * docB / c.docAvg)
}

// termScore returns the score for a term weight in a text with that lengthNorm. It comes
// closer to idf, and never reaches it, as weight grows; it is idf/2 at half saturation.
func termScore(idf, weight, norm float64) float64 { return idf * weight / (k1*norm + weight) }

// saturated returns the share of the idf that a term weight scores, once it has been
// divided by the lengthNorm.
func saturated(weight float64) float64 { return weight / (k1 + weight) }
