import type { Fault, Finding } from '../../indexer/verify/verifyRange.ts'

const words: Readonly<Record<Fault, string>> = {
  block_missing: 'nothing says that it was indexed',
  rows_changed: 'its rows are not those that were written',
  source_differs: 'its rows are not those that the source has',
  source_damaged: 'what the source has of it is damaged',
  lookup_missing: 'a transaction of it cannot be found by its hash',
  content_missing: 'a body or an initial state is missing, or not what its hash says',
  message_doubled: 'a message of it counts as received and as not',
}

/** What is wrong with a masterchain block, in a line. */
export const describeFinding = ({ seqno, fault, detail }: Finding): string =>
  `${seqno} ${fault}: ${words[fault]}${detail === undefined ? '' : `. ${detail}`}`

export const formatCount = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
