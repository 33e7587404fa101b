/** Something with proofs in it, and the check that they have to pass. */
export type ProofCase<A = never> = {
  readonly name: string
  readonly answer: A
  readonly verify: (answer: A) => unknown
  /** Bytes that no check speaks of, by where they stand (`ids.0.fileHash`). */
  readonly unbound: RegExp | undefined
  /** What the answer says where the same can be said in other cells: two answers of one meaning are no two answers. */
  readonly meaning: ((answer: A) => unknown) | undefined
}

/** The same with its answer's type forgotten, so that many kinds make one list. */
export type AnyProofCase = ProofCase<unknown>

export const proofCase = <A>(
  name: string,
  answer: A,
  verify: (answer: A) => unknown,
  { unbound, meaning }: Partial<Pick<ProofCase<A>, 'unbound' | 'meaning'>> = {},
): AnyProofCase => ({
  name,
  answer,
  verify: (changed) => verify(changed as A),
  unbound,
  meaning: meaning === undefined ? undefined : (changed) => meaning(changed as A),
})
