// Creates and connects the parts of the review.
import type { Disposable } from "vscode";
import type { Client } from "./client";
import { ProposalDiffs } from "./proposalDiff";
import { ProposalFiles } from "./proposalFiles";
import { Proposals } from "./proposals";
import { Review } from "./review";
import { ReviewBar } from "./reviewBar";
import { ReviewCommands } from "./reviewCommands";
import { Decisions } from "./reviewDecisions";
import { ReviewHover } from "./reviewHover";
import { ReviewLenses } from "./reviewLenses";
import { ReviewMarks } from "./reviewMarks";
import { ReviewPlace } from "./reviewPlace";
import { ReviewTree } from "./reviewTree";

export function startReview(client: Client): { review: Review; proposals: Proposals; reviewBar: ReviewBar; parts: Disposable[] } {
  const review = new Review(client);
  const files = new ProposalFiles(client, review);
  const diffs = new ProposalDiffs(client, review);
  const place = new ReviewPlace(review, diffs);
  const reviewBar = new ReviewBar(review, place);
  const decisions = new Decisions(client, review);
  const parts = [
    review,
    files,
    diffs,
    place,
    reviewBar,
    new ReviewCommands(client, review, place, diffs, files, decisions),
    new ReviewMarks(review),
    new ReviewLenses(review),
    new ReviewHover(review),
    new ReviewTree(client, review),
  ];
  return { review, proposals: new Proposals(client, files, diffs, decisions), reviewBar, parts };
}
