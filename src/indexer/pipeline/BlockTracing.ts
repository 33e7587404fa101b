import { findTracer, type Span } from '../../observe/Tracer.ts'
import type { DecodedBlockSet } from '../blockSets.ts'

/**
 * Traces a block set from its fetch until its rows are committed. Stages that run for a whole batch are spans of its first block set;
 * the others point there. One that is given up after it was fetched, because another failed, leaves no span.
 */
export class BlockTracing {
  private readonly tracer = findTracer()
  private readonly spans = new WeakMap<DecodedBlockSet, Span>()

  /** Begins the trace of a block set, and runs the work that fetches it. */
  async begin(seqno: number, work: () => Promise<DecodedBlockSet>): Promise<DecodedBlockSet> {
    const { tracer, spans } = this
    if (tracer === undefined) return work()
    const span = tracer.start('index block', { parent: null, attributes: { 'chaincenter.block.seqno': seqno } })
    try {
      const blockSet = await tracer.run(span, work)
      span.set({ 'chaincenter.block.transactions': blockSet.transactions.count })
      spans.set(blockSet, span)
      return blockSet
    } catch (error) {
      span.end(error)
      throw error
    }
  }

  /** Runs work for a batch. */
  run<T>(blockSets: readonly DecodedBlockSet[], work: () => T): T {
    const { tracer, spans } = this
    const span = tracer && spans.get(blockSets[0]!)
    return span === undefined ? work() : tracer!.run(span, work)
  }

  /** Ends the traces of a batch that was committed, or failed to be. */
  end(blockSets: readonly DecodedBlockSet[], error?: unknown): void {
    if (this.tracer === undefined) return
    const [first, ...others] = blockSets.flatMap((blockSet) => this.spans.get(blockSet) ?? [])
    for (const span of others) {
      span.link(first!)
      span.end(error)
    }
    first?.set({ 'chaincenter.batch.blocks': blockSets.length })
    first?.end(error)
  }
}
