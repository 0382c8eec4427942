package query

import "math"

// BM25 is the ranking function of Robertson and Zaragoza, "The Probabilistic Relevance
// Framework: BM25 and Beyond" (2009). As in BM25F, the weight of a term in a text is the
// sum of the weights of the fields that contain it. index/postings defines the weights of
// the fields, and weights.path the weight of a file's path.
const (
	k1    = 1.2 // the term weight at half saturation, in a text of average length
	unitB = 0.2 // how much the length of a unit counts, from 0 to 1
	docB  = 0.3 // how much the length of a document counts, from 0 to 1
)

// idf returns the inverse document frequency of a term that n documents contain.
func (c *corpus) idf(n int) float64 {
	return math.Log(1 + (c.docs-float64(n)+0.5)/(float64(n)+0.5))
}

// lengthNorm returns the factor of k1 for a text with that many terms; it is 1 at the
// average length.
func lengthNorm(b, average float64, length int) float64 {
	return 1 - b + b/average*float64(length)
}

// unitNorm returns the lengthNorm of a unit with that many terms.
func (c *corpus) unitNorm(length int) float64 { return lengthNorm(unitB, c.unitAvg, length) }

// docNorm returns the lengthNorm of a document with that many terms.
func (c *corpus) docNorm(length int) float64 { return lengthNorm(docB, c.docAvg, length) }

// docHalfSaturation returns the term weight at half saturation in a document, as least +
// perTerm for each term of the document.
func (c *corpus) docHalfSaturation() (least, perTerm float32) {
	return k1 * (1 - docB), float32(k1 * docB / c.docAvg)
}

// termScore returns the score of a term weight in a text with that lengthNorm. It is idf/2
// at half saturation, and approaches idf as the weight grows.
func termScore(idf, weight, norm float64) float64 { return idf * weight / (k1*norm + weight) }

// saturated returns the share of the idf that a term weight scores. The weight is already
// divided by the lengthNorm.
func saturated(weight float64) float64 { return weight / (k1 + weight) }
