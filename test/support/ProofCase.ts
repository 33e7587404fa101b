/** Something with proofs in it, and the check that they have to pass. */
export type ProofCase<A = never> = {
  readonly name: string
  readonly answer: A
  readonly verify: (answer: A) => unknown
  /** Bytes that no check speaks of, by where they stand (`ids.0.fileHash`). */
  readonly unbound: RegExp | undefined
}

/** The same with its answer's type forgotten, so that many kinds make one list. */
export type AnyProofCase = ProofCase<unknown>

export const proofCase = <A>(
  name: string,
  answer: A,
  verify: (answer: A) => unknown,
  unbound?: RegExp,
): AnyProofCase => ({ name, answer, verify: (changed) => verify(changed as A), unbound })
