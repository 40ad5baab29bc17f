/** A problem, as `GET /api/server/problems` lists it. */
export interface ListedProblem {
  readonly kind: string;
  readonly subject: string;
  readonly message: string;
  readonly count: number;
}

export function checkedProblems(urls: readonly string[]): Promise<ListedProblem[]>;
