import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { Reader } from '../../store/connect/Database.ts'
import { queryBuilder } from '../../store/schema/tables.ts'

/** How the index differs from its chain. */
export type Disagreement = {
  /** The newest masterchain block of the index and of the chain. */
  readonly indexed: number
  readonly head: number
  /** The newest masterchain block with the same hash in both; 0 if there is none. */
  readonly agreed: number
  /** The chain has other blocks than the index: a fork, not only a lag. */
  readonly isOtherChain: boolean
}

/** The part of a block set source that is needed to compare. */
export type ComparedChain = {
  getHead(signal: AbortSignal): Promise<BlockIdExt>
  getBlockId(seqno: number, signal: AbortSignal): Promise<BlockIdExt>
}

type Range = { readonly first: number; readonly last: number }

/** The index has blocks that its chain does not have. They must be rewound before anything is added. */
export class IndexAheadError extends CodedError {
  readonly code = 'index_ahead'
  readonly disagreement: Disagreement

  constructor(disagreement: Disagreement) {
    super(describeDisagreement(disagreement))
    this.disagreement = disagreement
  }
}

/** Describes the problem, and the command that fixes it. */
export const describeDisagreement = ({ indexed, head, agreed, isOtherChain }: Disagreement): string => {
  const mend = `"chaincenter db rewind ${agreed}", with the --data-dir or --database-url of the index, takes back what the chain does not have`
  return isOtherChain
    ? `The index does not belong to this chain: its masterchain blocks up to ${indexed} differ from those of the chain (up to ${head}) above block ${agreed}. The network was restored or cut; ${mend}.`
    : `The index is ahead of its chain: it has masterchain block ${indexed}, and the newest block of the chain is ${head}. Where the node is only behind, this passes; where the network was restored or cut, ${mend}.`
}

/** Compares the masterchain block hashes of the index with the chain; `undefined` if they agree. */
export const compareWithChain = async (
  reader: Reader,
  chain: ComparedChain,
  signal: AbortSignal,
): Promise<Disagreement | undefined> => {
  const ranges = await readCovered(reader)
  const indexed = ranges.at(-1)?.last
  if (indexed === undefined) return undefined
  const { seqno: head } = await chain.getHead(signal)
  const agrees = async (seqno: number): Promise<boolean> => {
    const hash = await findHash(reader, seqno)
    // A missing row says nothing about the chain: see verifyRange.
    return hash === undefined || bytesEqual(hash, (await chain.getBlockId(seqno, signal)).rootHash)
  }
  const common = ranges.flatMap(({ first, last }) => (first <= head ? [{ first, last: Math.min(last, head) }] : []))
  const newest = common.at(-1)?.last
  if (newest !== undefined && (await agrees(newest))) {
    return indexed <= head ? undefined : { indexed, head, agreed: newest, isOtherChain: false }
  }
  const agreed = await findLastAgreed(common, agrees)
  return { indexed, head, agreed, isOtherChain: newest !== undefined }
}

/** Forks never rejoin: binary search for the last common block. */
const findLastAgreed = async (
  common: readonly Range[],
  agrees: (seqno: number) => Promise<boolean>,
): Promise<number> => {
  for (const { first, last } of common.toReversed()) {
    if (!(await agrees(first))) continue
    let [low, high] = [first, last]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (await agrees(middle)) low = middle
      else high = middle - 1
    }
    return low
  }
  return 0
}

const readCovered = async (reader: Reader): Promise<readonly Range[]> => {
  const query = queryBuilder.selectFrom('covered_ranges').select(['first_seqno', 'last_seqno']).orderBy('first_seqno')
  const rows = await reader.read(query.compile())
  return rows.map(({ first_seqno, last_seqno }) => ({ first: first_seqno, last: last_seqno }))
}

const findHash = async (reader: Reader, seqno: number): Promise<Uint8Array | undefined> => {
  const query = queryBuilder
    .selectFrom('blocks')
    .select('root_hash')
    .where('mc_seqno', '=', seqno)
    .where('workchain', '=', masterchain)
    .where('seqno', '=', seqno)
  const [row] = await reader.read(query.compile())
  return row?.root_hash
}
