import { JoinedReads, type JoinLimits, type KeyedQuestion } from './JoinedReads.ts'
import type { Reader } from './Reader.ts'

/** Reads the rows of some keys, in any order, in one statement with what others ask of the same reader meanwhile. */
export type ReadKeyed<Key, Row> = (reader: Reader, keys: readonly Key[]) => Promise<readonly Row[]>

/** A way to ask a question so that those of several callers become one. What is asked of one server stays with that server. */
export const joinReads = <Key, Row>(
  question: KeyedQuestion<Key, Row>,
  limits?: Partial<JoinLimits>,
): ReadKeyed<Key, Row> => {
  const byReader = new WeakMap<Reader, JoinedReads<Key, Row>>()
  return (reader, keys) => {
    const shared = reader.behind ?? reader
    let joined = byReader.get(shared)
    if (joined === undefined) {
      joined = new JoinedReads(shared, question, limits)
      byReader.set(shared, joined)
    }
    const rows = joined.load(keys)
    return reader.wait === undefined ? rows : reader.wait(rows)
  }
}
