import type { BlockSource } from '../../chain/ports.ts'
import {
  type ComparedChain,
  compareWithChain,
  type Disagreement,
  describeDisagreement,
} from '../../indexer/verify/compareWithChain.ts'
import type { Database } from '../../store/connect/Database.ts'

/** While index and chain agree they are compared this often, and otherwise whenever the last time is this long ago. */
const AGREED_MS = 10_000
const DISAGREED_MS = 1000
/** Timeout of one comparison. */
const COMPARE_MS = 5000
const WAIT_MS = 2000
/** An index that was just written may be ahead of what is known here of the chain: by so little, for so long. */
const USUAL_BLOCKS = 5
const USUAL_MS = 10_000

/** The chain of a node, to compare an index with. */
export const chainOfNode = (node: Pick<BlockSource, 'getHead' | 'getMasterchainBlockId'>): ComparedChain => ({
  getHead: (signal) => node.getHead(signal),
  getBlockId: (seqno, signal) => node.getMasterchainBlockId(seqno, signal),
})

/** Tells why the index cannot be trusted as one of this chain; `undefined` where it can. */
export const watchIndexConsistency = (
  chain: ComparedChain,
  database: Pick<Database, 'reader'>,
): (() => Promise<string | undefined>) => {
  let comparedAt: number | undefined
  let found: Disagreement | undefined
  let since = 0
  let comparing: Promise<void> | undefined
  const compare = async (): Promise<void> => {
    try {
      const next = await compareWithChain(database.reader().keyedReads, chain, AbortSignal.timeout(COMPARE_MS))
      if (found === undefined) since = performance.now()
      found = next
    } catch {
      // The server pool reports servers that do not answer.
    } finally {
      comparedAt = performance.now()
      comparing = undefined
    }
  }
  return async () => {
    const isDue = performance.now() - (comparedAt ?? Number.NEGATIVE_INFINITY) > (found ? DISAGREED_MS : AGREED_MS)
    if (isDue) comparing ??= compare()
    if (comparing !== undefined && (comparedAt === undefined || found !== undefined)) await orTimeout(comparing)
    if (found === undefined || isUsual(found, performance.now() - since)) return undefined
    return describeDisagreement(found)
  }
}

const isUsual = ({ isOtherChain, indexed, head }: Disagreement, ms: number): boolean =>
  !isOtherChain && indexed - head <= USUAL_BLOCKS && ms < USUAL_MS

const orTimeout = (work: Promise<void>): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, WAIT_MS)
    void work.then(() => {
      clearTimeout(timer)
      done()
    })
  })
